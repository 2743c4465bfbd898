package vault

import (
	"errors"
	"time"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/ratelimit"
	"strongroom/internal/receipt"
	"strongroom/internal/store"
)

var operations = map[domain.CredentialType]struct {
	set, verify    domain.Operation
	field, current string // of the input: the secret, and the current secret of a set
}{
	domain.Passcode:       {domain.OpSetPasscode, domain.OpVerifyPasscode, "encryptedPasscode", "encryptedCurrentPasscode"},
	domain.TransactionPIN: {domain.OpSetPIN, domain.OpVerifyPIN, "encryptedPin", "encryptedCurrentPin"},
}

// useOf is what a ciphertext of this purpose needs its key for.
func useOf(purpose string) domain.Use {
	if purpose == devicekey.LabelSet {
		return domain.ForSet
	}
	return domain.ForVerify
}

// decryptionFailureWindow is the window of [Settings.DecryptionFailures].
const decryptionFailureWindow = 15 * time.Minute

const (
	// refusedOverwrites is how many refused sets an account may have for each
	// credential in overwriteWindow. It is the highest --attempts-max, so that
	// wrong current secrets lock the credential first, as wrong verifies do.
	refusedOverwrites = 10
	overwriteWindow   = 15 * time.Minute
)

// Credentials are the use cases on passcodes and PINs.
type Credentials struct {
	*gate
	hasher

	forms map[string][]devicekey.Form // of ciphertexts, by purpose; never written to

	receipts   *receipt.Receipts
	failures   *ratelimit.Budget // undecryptable ciphertexts, by key
	overwrites *ratelimit.Budget // refused sets, by account and type
	verdicts   verdicts
	unwritten  lograte.Limit // lines about outcomes that could not be written
	counted    count
	swept      [2]string // account and key up to which digests of ciphertexts were swept
}

func newCredentials(g *gate, receipts *receipt.Receipts) *Credentials {
	v := &Credentials{gate: g, receipts: receipts, hasher: hasher{g.cfg.Records, g.cfg.Verifier, &decoys{keys: g.cfg.Keys, present: g.cfg.Verifier}, g.cfg.Metrics, g.cfg.Now}, forms: map[string][]devicekey.Form{},
		failures:   ratelimit.NewBudget(g.cfg.DecryptionFailures, decryptionFailureWindow),
		overwrites: ratelimit.NewBudget(refusedOverwrites, overwriteWindow)}
	for _, purpose := range devicekey.Labels {
		v.forms[purpose] = devicekey.Forms(g.cfg.Variants, purpose, g.cfg.PurposeRequired)
	}
	for _, f := range v.forms[devicekey.LabelVerify] {
		g.cfg.Metrics.Variants(f.String())
	}
	for _, a := range g.cfg.Algorithms {
		form := a.Form()
		if form == "" {
			continue
		}
		g.cfg.Metrics.Variants(form)
		if !g.cfg.PurposeRequired {
			g.cfg.Metrics.Variants(devicekey.OldForm(form))
		}
	}
	return v
}

// keyError answers every reason why a key cannot be used with the same error.
func keyError(err error) error {
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrKeyNotUsable) {
		return domain.ErrKeyNotUsable
	}
	return err
}

// maxRuns bounds how often a transaction with a conflict runs again. Each
// conflict means that another transaction made progress.
const maxRuns = 8
