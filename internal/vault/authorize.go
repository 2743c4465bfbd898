package vault

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"slices"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/jcs"
	"strongroom/internal/strictjson"
)

// Authorize compares a passcode or PIN, as Verify does and under the same guess
// limit, for one transaction. A match has a receipt for that transaction.
//
// The ciphertext holds the secret and the hash of the transaction, so neither can
// be used with another one. A ciphertext for another transaction, or of another
// form, is refused before an attempt is reserved.
func (v *Credentials) Authorize(ctx context.Context, a domain.Authorization) (domain.Verdict, error) {
	return do(ctx, v.gate, domain.OpAuthorize, func(ctx context.Context, o *operation) (domain.Verdict, error) {
		if !slices.Contains(domain.CredentialTypes, a.Declared) {
			return domain.Verdict{}, domain.BadInput("passwordAuthType", "must be PASSCODE or TRANSACTION_PIN")
		}
		txn, err := transactionHash(a.Transaction)
		if err != nil {
			return domain.Verdict{}, err
		}
		a.Type = a.Declared
		return v.answer(ctx, o, a.Submission, devicekey.LabelAuthorize, &wantedReceipt{txn: txn})
	})
}

// transactionHash is the SHA-256 of a transaction's canonical form (RFC 8785).
func transactionHash(transaction string) ([]byte, error) {
	canonical, err := jcs.Exact([]byte(transaction))
	if err != nil {
		return nil, domain.BadInput("transaction", "must be one JSON object of at most 4096 bytes, with amounts as strings, but "+err.Error())
	}
	hash := sha256.Sum256(canonical)
	return hash[:], nil
}

// unpack takes the secret out of the plaintext of an authorization, which must
// name this transaction. A plaintext of another form counts as a ciphertext that
// does not decrypt: neither costs an attempt, and one limit counts both.
func (v *Credentials) unpack(in *decrypted, txn []byte) error {
	plaintext := in.secret
	defer plaintext.Wipe()
	in.secret = nil
	members, err := strictjson.Secrets(plaintext, "pin", "txn")
	pin, named := domain.Secret(members["pin"]), members["txn"]
	hash, ok := transactionHashIn(named)
	if err != nil || pin == nil || !ok || len(members) != 2 {
		for _, member := range members {
			domain.Secret(member).Wipe()
		}
		v.failures.Fail(in.key.ID, v.cfg.Now())
		return errNoAuthorization
	}
	if in.secret = normalise(in.typ, pin); subtle.ConstantTimeCompare(hash, txn) != 1 {
		return domain.ErrTransactionMismatch
	}
	return nil
}

var errNoAuthorization = domain.BadInput("encryptedAuthorization", `must decrypt to the JSON object {"pin":"…","txn":"…"}: two strings, `+
	`of which txn is the SHA-256 of the canonical transaction in base64url without padding, 43 characters`)

// transactionHashIn reads the hash in a plaintext.
func transactionHashIn(text []byte) (hash []byte, ok bool) {
	hash = make([]byte, sha256.Size)
	if len(text) != base64.RawURLEncoding.EncodedLen(len(hash)) {
		return nil, false
	}
	n, err := base64.RawURLEncoding.Strict().Decode(hash, text)
	return hash, err == nil && n == len(hash)
}
