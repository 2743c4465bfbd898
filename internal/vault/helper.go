package vault

import (
	"context"
	"crypto/rsa"
	"errors"
	"slices"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/trace"
)

// EncryptLikeClient encrypts as a client would. It helps people who use the API by
// hand. It receives a plaintext, which the real protocol never sends, so it can be
// switched off.
func (g *gate) EncryptLikeClient(ctx context.Context, e domain.Encryption) (string, error) {
	return do(ctx, g, domain.OpEncrypt, func(ctx context.Context, o *operation) (string, error) {
		defer e.Body.Wipe()
		if !g.cfg.HelperEnabled {
			return "", &domain.Error{Code: domain.CodeOperationDisabled, Reason: domain.ReasonHelperDisabled,
				Message: "encryptDataLikeClient is switched off here. Encrypt in the client with the public key of generateClientEncryptionKey."}
		}
		if len(e.Body) == 0 {
			return "", domain.BadInput("body", "must not be empty")
		}
		public, err := devicekey.ParseRecipient(e.PublicKey)
		if err != nil {
			return "", badInput(err)
		}
		if public.Algorithm() != devicekey.RSAOAEP256 {
			if err := checkPurpose(e); err != nil {
				return "", err
			}
		}
		ticket, err := g.cfg.Verifying.Enter(o.by())
		if err != nil {
			return "", err
		}
		defer ticket.Leave()
		var out string
		refused := ticket.First(ctx, func(*argon2.Matrix) {
			defer trace.Since(ctx, trace.Encrypt, time.Now())
			out, err = public.Encrypt(e.Body, devicekey.AAD(string(e.Operation), e.KeyID, string(e.Type)))
		})
		if refused != nil {
			return "", refused
		}
		return out, badInput(err)
	})
}

// checkPurpose refuses an encryption for HPKE that does not say what the ciphertext
// is for.
func checkPurpose(e domain.Encryption) error {
	const needed = "with an HPKE key, as the ciphertext is bound to it"
	switch {
	case !slices.Contains(encryptedFor, e.Operation):
		return domain.BadInput("operation", "must be the field that the ciphertext is for, such as verifyTransactionPin (for a current secret setTransactionPin/current or setUserPasscode/current), "+needed)
	case e.KeyID == "":
		return domain.BadInput("keyId", "must not be empty "+needed)
	case !slices.Contains(domain.CredentialTypes, e.Type):
		return domain.BadInput("passwordAuthType", "must be PASSCODE or TRANSACTION_PIN "+needed)
	}
	return nil
}

// encryptedFor are the operations that take ciphertexts, as an AAD names them.
var encryptedFor = []domain.Operation{domain.OpSetPasscode, domain.OpSetPasscode.Current(), domain.OpVerifyPasscode,
	domain.OpSetPIN, domain.OpSetPIN.Current(), domain.OpVerifyPIN, domain.OpAuthorize}

// badInput returns a refusal for the errors of devicekey that clients may see,
// and every other error as it is.
func badInput(err error) error {
	var key devicekey.PublicKeyError
	var long *devicekey.TooLongError
	switch {
	case errors.As(err, &key):
		return domain.BadInput("publicKey", err.Error())
	case errors.As(err, &long):
		return domain.BadInput("body", err.Error())
	}
	return err
}

// ThrowAwayKey makes a key pair for the sandbox, which belongs to no device and
// is not stored. It waits in the queue of key generations, and never takes a key
// pair from the pool, which is for devices.
func (g *gate) ThrowAwayKey(ctx context.Context) (*rsa.PrivateKey, error) {
	ticket, err := g.cfg.Generating.Enter(placeOf(domain.CallerFrom(ctx)))
	if err != nil {
		return nil, err
	}
	defer ticket.Leave()
	var key *rsa.PrivateKey
	if refused := ticket.First(ctx, func(*argon2.Matrix) { key, err = g.cfg.NewPrivateKey(g.cfg.KeyBits) }); refused != nil {
		return nil, refused
	}
	return key, err
}

// Admitted runs fn on a worker for verifications, or refuses if their queue is
// full. So work of the sandbox waits in the same queue as all other requests.
func (g *gate) Admitted(ctx context.Context, fn func()) error {
	ticket, err := g.cfg.Verifying.Enter(placeOf(domain.CallerFrom(ctx)))
	if err != nil {
		return err
	}
	defer ticket.Leave()
	return ticket.First(ctx, func(*argon2.Matrix) { fn() })
}
