package bench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/crypto/devicekey"
)

// pool is the prepared requests of a scenario. A run continues where the one before
// stopped.
type pool struct {
	requests []request
	next     atomic.Uint64
}

// take returns the next request. A request with a serial number is copied into scratch,
// where it gets the next number.
func (p *pool) take(scratch *[]byte, serial *atomic.Uint64) *request {
	r := &p.requests[(p.next.Add(1)-1)%uint64(len(p.requests))]
	if r.serial == 0 {
		return r
	}
	*scratch = append((*scratch)[:0], r.bytes...)
	n := serial.Add(1)
	for i := r.serial + serialDigits - 1; i >= r.serial; i-- {
		(*scratch)[i] = byte('0' + n%10)
		n /= 10
	}
	return &request{kind: r.kind, bytes: *scratch, want: r.want}
}

const serialDigits = 12

// clientele is the devices of a target and the requests that they make.
type clientele struct {
	to        *url.URL
	api       dialect
	pin       string
	tag       string // in the names of devices that this run makes
	size      int    // requests of a pool
	names     func(i int) string
	named     int // devices that exist already; 0: this run makes its own
	devices   []device
	keys      []devicekey.Recipient
	algorithm devicekey.Algorithm // of new keys
	serial    atomic.Uint64
	pools     map[Scenario]*pool
	say       func(format string, args ...any)

	operator *operator // nil: none reads
}

const wrongPIN = "000000"

// windows are those of summaries, in hours.
var windows = []float64{1, 24, 168, 720, 8784, 87840}

// pool returns the requests of a scenario, and prepares them at the first call.
func (c *clientele) pool(ctx context.Context, s Scenario) (*pool, error) {
	if p := c.pools[s]; p != nil {
		return p, nil
	}
	size := c.size
	if s == Operator {
		if err := c.operator.prepare(ctx, c.devices); err != nil {
			return nil, fmt.Errorf("preparing an operator's reads: %w", err)
		}
		size = len(reads) * len(c.operator.about) // each read as often as the others
	}
	c.say("preparing %d requests of %s", size, s)
	p := &pool{requests: make([]request, size)}
	if err := inParallel(ctx, size, func(i int) (err error) {
		p.requests[i], err = c.request(s, i)
		return err
	}); err != nil {
		return nil, fmt.Errorf("preparing requests of %s: %w", s, err)
	}
	c.pools[s] = p
	return p, nil
}

// mixed is the scenario of each of 100 requests of a Mix, spread evenly.
var mixed = func() (of [100]Scenario) {
	for i := range of {
		switch {
		case i%5 == 1: // 20
			of[i] = Existing
		case i%20 == 7: // 5
			of[i] = Wrong
		case i%33 == 17: // 3
			of[i] = Set
		case i%50 == 28: // 2
			of[i] = Issue
		default:
			of[i] = Verify
		}
	}
	return of
}()

// request returns the ith request of a scenario.
func (c *clientele) request(s Scenario, i int) (request, error) {
	d := i % len(c.devices)
	switch s {
	case Issue:
		const zeros = "000000000000"
		bytes := wire(c.to, c.api.key(c.newName(zeros), c.algorithm))
		return request{kindIssue, bytes, []byte(c.api.hasKey), strings.Index(string(bytes), zeros)}, nil
	case Existing:
		return request{kindExisting, wire(c.to, c.api.key(c.anyName(i), c.algorithm)), []byte(c.api.hasKey), 0}, nil
	case Set:
		return c.submission(kindSet, c.api.set, d, c.pin, c.api.done)
	case Verify:
		return c.submission(kindVerify, c.api.verify, d, c.pin, c.api.right)
	case Wrong:
		// Rounds over a group of devices, so that no two clients guess the same PIN at once.
		const group = 64
		d = (i/(5*group)*group + i%group) % len(c.devices)
		if i/group%5 == 4 {
			return c.submission(kindVerify, c.api.verify, d, c.pin, c.api.right)
		}
		return c.submission(kindWrong, c.api.verify, d, wrongPIN, c.api.wrong)
	case Mix:
		return c.request(mixed[i%len(mixed)], i)
	case Summary:
		if c.api.summary == nil {
			return request{}, fmt.Errorf("this API has no summary")
		}
		return request{kindSummary, wire(c.to, c.api.summary(windows[i%len(windows)])), []byte(c.api.sum), 0}, nil
	case Operator:
		return c.operator.request(i), nil
	}
	return request{}, fmt.Errorf("unknown scenario %s", s)
}

func (c *clientele) submission(k kind, op func(device, string) any, d int, pin, want string) (request, error) {
	ciphertext, err := c.encrypt(d, pin, k == kindSet)
	return request{k, wire(c.to, op(c.devices[d], ciphertext)), []byte(want), 0}, err
}

// encrypt encrypts a PIN under the key of device d, for a set or a verify.
func (c *clientele) encrypt(d int, pin string, set bool) (string, error) {
	operation := "verifyTransactionPin"
	if set {
		operation = "setTransactionPin"
	}
	return c.keys[d].Encrypt([]byte(pin), devicekey.AAD(operation, c.devices[d].keyID, "TRANSACTION_PIN"))
}

func (c *clientele) newName(serial string) string { return "bench-" + c.tag + "-" + serial }

// anyName returns the name of a device that has a key, drawn from all devices.
func (c *clientele) anyName(i int) string {
	if c.named > len(c.devices) {
		return c.names(1 + random(c.named))
	}
	return c.devices[i%len(c.devices)].name
}

// random returns a random number below n.
func random(n int) int {
	r, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand ends the process instead
	}
	return int(r.Int64())
}

// enrol requests the keys of the devices. If devices exist already, it takes at most
// c.size of them, drawn at random. Otherwise it makes n and sets their PINs.
func (c *clientele) enrol(ctx context.Context, n int) error {
	if c.named > 0 {
		n = min(c.named, c.size)
	}
	c.devices, c.keys = make([]device, n), make([]devicekey.Recipient, n)
	var done atomic.Int64
	return inParallel(ctx, n, func(i int) error {
		name := c.newName(fmt.Sprintf("device-%d", i))
		if c.named > 0 {
			name = c.names(i + 1)
			if c.named > n {
				name = c.names(1 + random(c.named))
			}
		}
		if err := c.enrolOne(ctx, i, name); err != nil {
			return fmt.Errorf("enrolling device %s: %w", name, err)
		}
		if d := done.Add(1); d%1000 == 0 || c.named == 0 && d%16 == 0 {
			c.say("%d of %d devices enrolled", d, n)
		}
		return nil
	})
}

func (c *clientele) enrolOne(ctx context.Context, i int, name string) error {
	to := &conn{to: c.to, deadline: time.Now().Add(answerTimeout)}
	defer to.close()
	answer, err := c.ask(ctx, to, c.api.key(name, c.algorithm), c.api.hasKey)
	if err != nil {
		return err
	}
	var got struct {
		Data map[string]struct{ KeyID, PublicKey string }
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return err
	}
	pair := got.Data[c.api.keyField]
	c.devices[i] = device{name, pair.KeyID, pair.PublicKey}
	if c.keys[i], err = devicekey.ParseRecipient(pair.PublicKey); err != nil || c.named > 0 {
		return err
	}
	ciphertext, err := c.encrypt(i, c.pin, true)
	if err != nil {
		return err
	}
	_, err = c.ask(ctx, to, c.api.set(c.devices[i], ciphertext), c.api.done)
	return err
}

// ask makes one request outside of any measurement.
func (c *clientele) ask(ctx context.Context, to *conn, b any, want string) ([]byte, error) {
	status, answer, err := to.do(ctx, wire(c.to, b))
	if err == nil && !strings.Contains(string(answer), want) {
		err = fmt.Errorf("answered %s: %.200s", codeOf(status, answer), answer)
	}
	return answer, err
}

// inParallel calls fn for 0 to n-1 on all cores. It returns after the first error.
func inParallel(ctx context.Context, n int, fn func(i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := fn(i); err != nil {
					cancel(err)
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}
