// Package guessing detects a source that guesses credentials of many accounts. A
// source is a network address or a device. The guess limits do not detect it,
// because each account has its own.
package guessing

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/ratelimit"
)

// Config configures [New]. Every field is required.
type Config struct {
	// Device returns the keyed hash of a device. Unlike the hash in the trail it does
	// not depend on the account.
	Device  func(deviceID string) [16]byte
	Enter   func(domain.Entry) // writes an entry, perhaps a little later
	Log     *slog.Logger
	Metrics *metrics.Metrics
	Now     func() time.Time
}

// Watch counts wrong answers by their source. It is safe for concurrent use.
type Watch struct {
	cfg                       Config
	addresses, sites, devices *ratelimit.Guesses
}

const (
	sources = 4096 // of each kind
	reason  = "%s %s %d accounts %d failures"
)

// New returns an empty Watch.
func New(cfg Config) *Watch {
	return &Watch{cfg: cfg,
		addresses: ratelimit.NewGuesses(sources, ratelimit.SuspectedAccounts),
		sites:     ratelimit.NewGuesses(sources, ratelimit.SuspectedOfSite),
		devices:   ratelimit.NewGuesses(sources, ratelimit.SuspectedAccounts)}
}

// Wrong counts a wrong answer about an account, which is given by its keyed hash.
// An unknown address is the zero value. deviceID is empty if each device is an
// account of its own.
func (w *Watch) Wrong(ctx context.Context, account [16]byte, address netip.Addr, deviceID string) {
	if address.IsValid() {
		w.count(ctx, w.addresses, metrics.GuessesOfAddress, ratelimit.AddressKey(address), account)
		if site, ok := ratelimit.SiteKey(address); ok {
			w.count(ctx, w.sites, metrics.GuessesOfAddress, site, account)
		}
	}
	if deviceID != "" {
		w.count(ctx, w.devices, metrics.GuessesOfDevice, w.cfg.Device(deviceID), account)
	}
}

func (w *Watch) count(ctx context.Context, by *ratelimit.Guesses, kind string, source, account [16]byte) {
	seen, suspected := by.Wrong(source, account, w.cfg.Now())
	if !suspected {
		return
	}
	w.cfg.Metrics.SuspectedGuessing(kind)
	found := suspicion(kind, seen)
	w.cfg.Log.WarnContext(ctx, "one source guesses at many accounts", "kind", kind, "source", found.Source, "accounts", found.Accounts)
	w.cfg.Enter(domain.Entry{Actor: "system", Event: domain.EventGuessingSuspected, Outcome: "suspected",
		Reason: fmt.Sprintf(reason, kind, found.Source, found.Accounts, found.Failures)})
}

func suspicion(kind string, g ratelimit.Guessed) domain.Suspicion {
	return domain.Suspicion{Kind: kind, Source: sourceName(kind, g.Source), Accounts: g.Accounts, Failures: g.Failures,
		First: g.First.UTC(), Last: g.Last.UTC()}
}

// sourceName is an IPv4 address, the /64 or /48 of an IPv6 address, or the hash of
// a device.
func sourceName(kind string, source [16]byte) string {
	if kind == metrics.GuessesOfDevice {
		return domain.FormatID(source)
	}
	network := ratelimit.Network(source)
	if network.IsSingleIP() {
		return network.Addr().String()
	}
	return network.String()
}

// elsewhere is how long an entry in the trail counts. While a source continues,
// the instance that sees it writes a new entry every GuessQuiet.
const elsewhere = ratelimit.GuessQuiet + time.Minute

// Suspicions returns the sources that are suspected now: by this instance, and by
// others according to entries of the trail, which must be genuine. It lists each
// source once. Sources that guess at the most accounts come first.
func (w *Watch) Suspicions(entries []domain.Entry) []domain.Suspicion {
	var all []domain.Suspicion
	for _, e := range entries {
		if found, ok := fromEntry(e); ok {
			all = append(all, found)
		}
	}
	now := w.cfg.Now()
	for _, g := range slices.Concat(w.addresses.Suspected(now), w.sites.Suspected(now)) {
		all = append(all, suspicion(metrics.GuessesOfAddress, g))
	}
	for _, g := range w.devices.Suspected(now) {
		all = append(all, suspicion(metrics.GuessesOfDevice, g))
	}
	return slices.DeleteFunc(merged(all), func(s domain.Suspicion) bool { return now.Sub(s.Last) >= elsewhere })
}

// fromEntry reads an entry that count wrote.
func fromEntry(e domain.Entry) (domain.Suspicion, bool) {
	found := domain.Suspicion{First: e.Time, Last: e.Time}
	n, err := fmt.Sscanf(e.Reason, reason, &found.Kind, &found.Source, &found.Accounts, &found.Failures)
	return found, err == nil && n == 4
}

// merged contains each source once, with the highest counts. Counts of several
// instances are not added up, because they may be about the same accounts.
func merged(all []domain.Suspicion) []domain.Suspicion {
	at := map[[2]string]int{}
	var out []domain.Suspicion
	for _, found := range all {
		key := [2]string{found.Kind, found.Source}
		i, known := at[key]
		if !known {
			at[key] = len(out)
			out = append(out, found)
			continue
		}
		o := &out[i]
		o.Accounts, o.Failures = max(o.Accounts, found.Accounts), max(o.Failures, found.Failures)
		if found.First.Before(o.First) {
			o.First = found.First
		}
		if found.Last.After(o.Last) {
			o.Last = found.Last
		}
	}
	slices.SortFunc(out, func(x, y domain.Suspicion) int {
		return cmp.Or(cmp.Compare(y.Accounts, x.Accounts), strings.Compare(x.Kind, y.Kind), strings.Compare(x.Source, y.Source))
	})
	return out
}
