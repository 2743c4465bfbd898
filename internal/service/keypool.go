package service

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/stack"
	"strongroom/internal/trace"
)

// keyPair is a key pair without an owner, in the forms in which it will be
// stored, except that the private key is not sealed yet.
type keyPair struct {
	bits    int
	public  []byte // DER SubjectPublicKeyInfo
	private domain.Secret
}

// keyPool holds key pairs that were generated ahead, because a device that
// asks for its first key should not wait a fifth of a second of work. They are
// in memory only: in the database they would be private keys that nobody asked
// for.
type keyPool struct {
	ready  chan keyPair
	taken  chan struct{} // tells that one was
	missed func()
}

func newKeyPool(size int, missed func()) *keyPool {
	return &keyPool{ready: make(chan keyPair, size), taken: make(chan struct{}, 1), missed: missed}
}

// take returns a ready key pair. Without one it reports false.
func (p *keyPool) take() (keyPair, bool) {
	select {
	case pair := <-p.ready:
		select {
		case p.taken <- struct{}{}:
		default: // the refill knows already
		}
		return pair, true
	default:
		p.missed()
		return keyPair{}, false
	}
}

// empty wipes what nobody took.
func (p *keyPool) empty() {
	for {
		select {
		case pair := <-p.ready:
			pair.private.Wipe()
		default:
			return
		}
	}
}

// refillPause is how long a refill waits after a generation that failed.
const refillPause = 10 * time.Second

// refill keeps the pool full until ctx ends. It generates one at a time, and
// after every request that waits for a key pair of its own.
func (s *Service) refill(ctx context.Context) {
	last := &ticket{lanes: s.generating, turn: math.Inf(1)}
	for ctx.Err() == nil {
		if len(s.pool.ready) == cap(s.pool.ready) {
			select {
			case <-s.pool.taken:
			case <-ctx.Done():
			}
			continue
		}
		var pair keyPair
		var err error
		if refused := last.next(ctx, func(*argon2.Matrix) { pair, err = s.tryKeyPair(ctx) }); refused != nil {
			return
		}
		if err != nil {
			s.report("refilling the key pool", err)
			select {
			case <-time.After(refillPause):
			case <-ctx.Done():
			}
			continue
		}
		s.pool.ready <- pair // never blocks: nobody else puts any in
		s.cfg.Meters.KeyPoolRefilled()
	}
}

// generate takes a key pair from the pool, or makes one in a lane: it is a
// second of work at worst.
func (s *Service) generate(ctx context.Context, lane *ticket) (pair keyPair, err error) {
	if pair, ok := s.pool.take(); ok {
		return pair, nil
	}
	if refused := lane.first(ctx, func(*argon2.Matrix) { pair, err = s.newKeyPair(ctx) }); refused != nil {
		return pair, refused
	}
	return pair, err
}

// tryKeyPair makes an error of a panic, which would end a process where no
// request is there to fail.
func (s *Service) tryKeyPair(ctx context.Context) (pair keyPair, err error) {
	defer func() {
		if recover() != nil {
			s.cfg.Log.Error("panic in a lane", "stack", stack.Here())
			err = errors.New("panic")
		}
	}()
	return s.newKeyPair(ctx)
}

func (s *Service) newKeyPair(ctx context.Context) (keyPair, error) {
	start := time.Now()
	private, err := s.cfg.NewPrivateKey(s.cfg.KeyBits)
	if err != nil {
		return keyPair{}, fmt.Errorf("generating a key pair: %w", err)
	}
	defer devicekey.Wipe(private)
	took := time.Since(start)
	s.cfg.Meters.KeyGenerated(took)
	trace.Did(ctx, trace.GenerateKey, start, took)
	public, err := devicekey.MarshalPublic(&private.PublicKey)
	if err != nil {
		return keyPair{}, err
	}
	return keyPair{private.N.BitLen(), public, devicekey.MarshalPrivate(private)}, nil
}
