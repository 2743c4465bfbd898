// Package keypool generates key pairs, and keeps some RSA key pairs ready: a device that
// asks for its first key should not wait for 0.2 s of work. They are in memory only: in
// the database they would be private keys that nobody asked for.
package keypool

import (
	"context"
	"crypto/rsa"
	"fmt"
	"log/slog"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/stack"
	"strongroom/internal/trace"
	"strongroom/internal/workpool"
)

// Pair is a key pair without an owner, in the forms in which it will be stored,
// except that the private key is not sealed yet. The caller wipes Private.
type Pair struct {
	Algorithm devicekey.Algorithm
	Bits      int    // as in [domain.DeviceKey]
	Public    []byte // DER SubjectPublicKeyInfo
	Private   domain.Secret
}

// Metrics is told what the pool does.
type Metrics interface {
	KeyGenerated(took time.Duration)
	KeyPoolMiss()
	KeyPoolRefilled()
}

// Config configures a [Pool]. Every field is required.
type Config struct {
	Size     int // key pairs kept ready; 0: none
	Bits     int // of the modulus
	Generate func(bits int) (*rsa.PrivateKey, error)
	Workers  *workpool.Pool // where they are generated
	Log      *slog.Logger
	Metrics  Metrics
}

// Pool generates key pairs and holds those that are ready. It is safe for
// concurrent use.
type Pool struct {
	cfg   Config
	ready chan Pair
	taken chan struct{} // signals that a key pair was taken
}

// New returns an empty pool.
func New(cfg Config) *Pool {
	return &Pool{cfg: cfg, ready: make(chan Pair, cfg.Size), taken: make(chan struct{}, 1)}
}

// Len is how many key pairs are ready.
func (p *Pool) Len() int { return len(p.ready) }

// Take takes a ready RSA key pair, or makes one with the request's ticket, which can
// take 1 s.
func (p *Pool) Take(ctx context.Context, t *workpool.Ticket) (pair Pair, err error) {
	select {
	case pair := <-p.ready:
		select {
		case p.taken <- struct{}{}:
		default: // the refill knows already
		}
		return pair, nil
	default:
		p.cfg.Metrics.KeyPoolMiss()
	}
	if refused := t.First(ctx, func(*argon2.Matrix) { pair, err = p.Make(ctx) }); refused != nil {
		return pair, refused
	}
	return pair, err
}

// Empty removes and wipes the ready key pairs.
func (p *Pool) Empty() {
	for {
		select {
		case pair := <-p.ready:
			pair.Private.Wipe()
		default:
			return
		}
	}
}

// refillPause is how long a refill waits after a failed generation.
const refillPause = 10 * time.Second

// Refill keeps the pool full until ctx ends. It generates one key pair at a time, and
// requests that wait for a key pair of their own go first. Only one Refill may run.
func (p *Pool) Refill(ctx context.Context) {
	last := p.cfg.Workers.Last()
	for ctx.Err() == nil {
		if len(p.ready) == cap(p.ready) {
			select {
			case <-p.taken:
			case <-ctx.Done():
			}
			continue
		}
		var pair Pair
		var err error
		if refused := last.Next(ctx, func(*argon2.Matrix) { pair, err = p.tryMake(ctx) }); refused != nil {
			return
		}
		if err != nil {
			p.cfg.Log.Error("background work failed", "work", "refilling the key pool", "error", err)
			select {
			case <-time.After(refillPause):
			case <-ctx.Done():
			}
			continue
		}
		if ctx.Err() != nil { // nobody empties the pool again
			pair.Private.Wipe()
			return
		}
		p.ready <- pair // never blocks: nobody else puts any in
		p.cfg.Metrics.KeyPoolRefilled()
	}
}

// tryMake turns a panic into an error. There is no request that could fail instead, so
// the panic would end the process.
func (p *Pool) tryMake(ctx context.Context) (pair Pair, err error) {
	defer func() {
		if v := recover(); v != nil {
			kind, where := stack.Of(v)
			err = fmt.Errorf("panic with a value of type %s at %s", kind, where)
		}
	}()
	return p.Make(ctx)
}

// Make makes an RSA key pair in this goroutine.
func (p *Pool) Make(ctx context.Context) (Pair, error) {
	start := time.Now()
	private, err := p.cfg.Generate(p.cfg.Bits)
	if err != nil {
		return Pair{}, fmt.Errorf("generating a key pair: %w", err)
	}
	defer devicekey.Wipe(private)
	took := time.Since(start)
	p.cfg.Metrics.KeyGenerated(took)
	trace.Did(ctx, trace.GenerateKey, start, took)
	public, err := devicekey.MarshalPublic(&private.PublicKey)
	if err != nil {
		return Pair{}, err
	}
	return Pair{devicekey.RSAOAEP256, private.N.BitLen(), public, devicekey.MarshalPrivate(private)}, nil
}

// MakeOf makes a key pair of any algorithm in this goroutine. One of HPKE takes less
// than 0.1 ms, so none are kept ready.
func (p *Pool) MakeOf(ctx context.Context, a devicekey.Algorithm) (Pair, error) {
	if a == devicekey.RSAOAEP256 {
		return p.Make(ctx)
	}
	start := time.Now()
	public, private, err := devicekey.GenerateHPKE(a)
	if err != nil {
		return Pair{}, err
	}
	took := time.Since(start)
	p.cfg.Metrics.KeyGenerated(took)
	trace.Did(ctx, trace.GenerateKey, start, took)
	return Pair{a, devicekey.KeySize(a), public, private}, nil
}
