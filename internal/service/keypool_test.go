package service

import (
	"crypto/rsa"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/keycache"
	"strongroom/internal/metrics"
)

// A supply makes keys only when the test allows it, and counts them.
type supply struct {
	allowed chan error // each element lets one key be made, or fail
	made    atomic.Int64
}

func (s *supply) next(bits int) (*rsa.PrivateKey, error) {
	if err := <-s.allowed; err != nil {
		return nil, err
	}
	s.made.Add(1)
	return devicekey.Generate(bits)
}

func TestWithoutRSAThereIsNoPool(t *testing.T) {
	v := openVault(t, func(c *Config) {
		c.KeyPool, c.Algorithms = 3, []devicekey.Algorithm{devicekey.HPKEXWing}
		c.NewPrivateKey = func(int) (*rsa.PrivateKey, error) {
			t.Error("a key pair of RSA is generated")
			return nil, errors.New("none")
		}
	})
	v.Start()
	if err := v.Stop(v.ctx); err != nil {
		t.Error(err)
	}
	if h := v.keyPool.Len() + v.cfg.KeyPool; h != 0 {
		t.Errorf("the pool has %d keys and places", h)
	}
}

func TestNewKeysComeFromAPoolThatRefillsItself(t *testing.T) {
	const size = 3
	s := &supply{allowed: make(chan error)}
	registry := prometheus.NewRegistry()
	v := openVault(t, func(c *Config) {
		c.KeyPool, c.NewPrivateKey, c.Metrics, c.Workers = size, s.next, metrics.New(registry), 1
	})
	v.Start()
	t.Cleanup(func() {
		close(s.allowed)
		if err := v.Stop(v.ctx); err != nil {
			t.Error(err)
		}
	})
	for range size {
		s.allowed <- nil
	}
	ids := map[string]bool{}
	until(func() bool { return v.keyPool.Len() == size })
	for _, device := range []string{"phone", "tablet", "watch"} {
		k := v.issue(device) // no key can be generated here, so the request does not wait for one
		ids[string(k.PublicKey)] = true
		v.expect("set with a key of the pool", v.setPIN(k, "1357"), "true")
	}
	if len(ids) != size {
		t.Errorf("%d devices share %d key pairs", size, len(ids))
	}

	// If the pool is empty, a request gets its own key before the pool is filled.
	answer := make(chan string, 1)
	go func() {
		k, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "desktop"})
		answer <- word(k.KeyID != "", err)
	}()
	until(func() bool { return v.generating.State().Requests == 1 })
	s.allowed <- nil // the refill's, which had begun
	s.allowed <- nil
	v.expect("issuing from an empty pool", <-answer, "true")
	if n := counted(t, registry, "strongroom_key_pool_misses_total"); n != 1 {
		t.Errorf("%v requests are counted as having met an empty pool, want 1", n)
	}
	v.intact()
}

func TestAPanicDuringARefillIsLoggedWithItsPlace(t *testing.T) {
	var tried atomic.Bool
	v := openVault(t, func(c *Config) {
		c.KeyPool, c.NewPrivateKey = 1, func(bits int) (*rsa.PrivateKey, error) {
			tried.Store(true)
			return faulty(bits)
		}
	})
	v.Start()
	until(tried.Load)
	if err := v.Stop(v.ctx); err != nil {
		t.Error(err)
	}
	log := v.log.String()
	if strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "refilling the key pool") || !strings.Contains(log, "service.faulty ") || strings.Contains(log, panicCanary) {
		t.Errorf("the log says\n%s", log)
	}
}

func TestAFailedKeyGenerationFailsOnlyItsRequest(t *testing.T) {
	s := &supply{allowed: make(chan error, 2)}
	v := openVault(t, func(c *Config) { c.NewPrivateKey = s.next })
	s.allowed <- errors.New("no randomness")
	_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("with a failing generator", word(true, err), "INTERNAL")
	s.allowed <- nil
	v.expect("afterwards", v.setPIN(v.issue("phone"), "1357"), "true")
	v.idle()
}

// A key's record decides whether it may be used, not the key cache.
func TestAnOpenedKeyIsUsedOnlyWhileItsRecordAllows(t *testing.T) {
	registry := prometheus.NewRegistry()
	v := openVault(t, func(c *Config) { c.KeyCache, c.Metrics = 2, metrics.New(registry) })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "1357"), "true")
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
	for result, want := range map[string]float64{"hit": 1, "miss": 1} {
		if n := counted(t, registry, "strongroom_key_cache_lookups_total", result); n != want {
			t.Errorf("%v lookups of an opened key were a %s, want %v", n, result, want)
		}
	}

	v.rotate("phone")
	v.expect("verify with the rotated key", v.verifyPIN(k, "1357"), "KEY_NOT_USABLE")
	if _, kept := v.keyCache.Get(k.KeyID); kept {
		t.Error("the private key of a rotated key is cached")
	}

	k = v.issue("phone")
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
	v.insider().write(`UPDATE device_key SET app_version = 'edited'`)
	v.expect("verify with an edited record", v.verifyPIN(k, "1357"), "INTERNAL")
}

func TestTheKeyCacheIsBoundedAndEmptiedAtRest(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyCache = 2 })
	for _, device := range []string{"phone", "tablet", "watch"} {
		v.expect("set", v.setPIN(v.issue(device), "1357"), "true")
	}
	if n := v.keyCache.Len(); n != 2 {
		t.Errorf("%d opened keys are kept, want 2", n)
	}
	v.rest()
	if n := v.keyCache.Len(); n != 2 {
		t.Errorf("%d opened keys are kept while there are workers, want 2", n)
	}
	v.verifying.Close()
	v.generating.Close()
	if n := v.keyCache.Len(); n != 0 {
		t.Errorf("%d opened keys are cached at rest, want none", n)
	}
}

// counted is the sum of a counter's or gauge's series whose labels include these values.
func counted(t *testing.T, registry *prometheus.Registry, name string, values ...string) (sum float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			if slices.Equal(labels, values) {
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return sum
}

// until waits for the work of another goroutine.
func until(is func() bool) {
	for !is() {
		runtime.Gosched()
	}
}

// A request reads a key's record before a rotation and opens its private key after it.
// The cache must not keep that key.
func TestAKeyThatEndsDuringARequestIsNotCached(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyCache = 2 })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "1357"), "true")
	v.keyCache.Clear()
	release := make(chan struct{})
	occupy(v.verifying, release)
	answer := make(chan string, 1)
	go func() { answer <- v.verifyPIN(k, "1357") }()
	queued(v.verifying, 1)
	v.rotate("phone")
	close(release)
	v.expect("verify", <-answer, "KEY_NOT_USABLE")
	if _, kept := v.keyCache.Get(k.KeyID); kept {
		t.Error("the private key of a rotated key is cached")
	}
}

func TestAnOpenedKeyIsKeptForAMinuteAtMost(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyCache = 2 })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "1357"), "true")
	v.clock.Advance(keycache.Kept - time.Second)
	v.keyCache.Expire(v.clock.Now())
	if _, kept := v.keyCache.Get(k.KeyID); !kept {
		t.Error("it was dropped early")
	}
	v.clock.Advance(time.Second)
	v.keyCache.Expire(v.clock.Now())
	if _, kept := v.keyCache.Get(k.KeyID); kept {
		t.Error("it is still kept")
	}
}
