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

// EncryptLikeClient encrypts body as a client would. It helps people who use the
// API by hand. It receives a plaintext, which the real protocol never sends, so
// it can be switched off.
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

// badInput returns a refusal for the errors of devicekey that clients may see,
// and every other error as it is.
func badInput(field string, err error) error {
	var key devicekey.PublicKeyError
	var long *devicekey.TooLongError
	if errors.As(err, &key) || errors.As(err, &long) {
		return domain.BadInput(field, err.Error())
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
