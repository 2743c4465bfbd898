package vault

import (
	"context"
	"crypto/rsa"
	"errors"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/trace"
)

// EncryptLikeClient encrypts body as a client would: the helper for those who
// try the interface by hand. It sees a plaintext, which the real protocol
// never sends, so it can be switched off.
func (g *gate) EncryptLikeClient(ctx context.Context, body domain.Secret, publicKeyPEM string) (string, error) {
	return do(ctx, g, domain.OpEncrypt, func(ctx context.Context, o *operation) (string, error) {
		defer body.Wipe()
		if !g.cfg.HelperEnabled {
			return "", &domain.Error{Code: domain.CodeOperationDisabled, Reason: domain.ReasonHelperDisabled,
				Message: "encryptDataLikeClient is switched off here. Encrypt in the client with the public key of generateClientEncryptionKey."}
		}
		if len(body) == 0 {
			return "", domain.BadInput("body", "must not be empty")
		}
		public, err := devicekey.ParsePublic(publicKeyPEM)
		if err != nil {
			return "", badInput("publicKey", err)
		}
		ticket, err := g.cfg.Verifying.Enter(o.by())
		if err != nil {
			return "", err
		}
		defer ticket.Leave()
		var out string
		refused := ticket.First(ctx, func(*argon2.Matrix) {
			defer trace.Since(ctx, trace.Encrypt, time.Now())
			out, err = devicekey.Encrypt(public, body)
		})
		if refused != nil {
			return "", refused
		}
		return out, badInput("body", err)
	})
}

// badInput makes a refusal of what devicekey refused by a reason fit to be
// shown, and leaves every other error as it is.
func badInput(field string, err error) error {
	var key devicekey.PublicKeyError
	var long *devicekey.TooLongError
	if errors.As(err, &key) || errors.As(err, &long) {
		return domain.BadInput(field, err.Error())
	}
	return err
}

// ThrowAwayKey makes a key pair that belongs to no device and is stored
// nowhere, for the sandbox. It waits where key generations wait, and never
// takes one of the pool: those are for devices.
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

// Admitted runs fn where verifications are run, or refuses when that is full:
// what the sandbox computes waits in the same queue as everybody else.
func (g *gate) Admitted(ctx context.Context, fn func()) error {
	ticket, err := g.cfg.Verifying.Enter(placeOf(domain.CallerFrom(ctx)))
	if err != nil {
		return err
	}
	defer ticket.Leave()
	return ticket.First(ctx, func(*argon2.Matrix) { fn() })
}
