package vault

import (
	"context"
	"crypto/rsa"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
)

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
