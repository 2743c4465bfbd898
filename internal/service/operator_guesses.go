package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
)

// guesses watch for one source that guesses at many accounts.
type guesses struct {
	addresses, sites, devices *ratelimit.Guesses

	mu      sync.Mutex
	pending []domain.Entry // guarded by mu; suspicions that the trail does not have yet
}

const (
	guessSources    = 4096 // of each kind
	maxSuspicions   = 1000 // that wait while the store takes no writes, and that are read back from the trail
	suspectedReason = "%s %s %d accounts %d failures"
)

// wrong counts a wrong answer to the source that it came from. In device mode
// a device is an account.
func (s *Service) wrong(ctx context.Context, o *operation, k domain.DeviceKey) {
	if len(o.account) != 16 {
		return
	}
	account := [16]byte(o.account)
	if a := o.caller.Address; a.IsValid() {
		s.suspect(ctx, s.guesses.addresses, metrics.GuessesOfAddress, ratelimit.AddressKey(a), account)
		if site, ok := ratelimit.SiteKey(a); ok {
			s.suspect(ctx, s.guesses.sites, metrics.GuessesOfAddress, site, account)
		}
	}
	if s.cfg.Mode != domain.ModeDevice {
		// Not the device of the trail, which is one of its account.
		device := s.keys.Hash("guessing device v1", []byte(k.DeviceID))
		s.suspect(ctx, s.guesses.devices, metrics.GuessesOfDevice, device, account)
	}
}

func (s *Service) suspect(ctx context.Context, by *ratelimit.Guesses, kind string, source, account [16]byte) {
	seen, suspected := by.Wrong(source, account, s.cfg.Now())
	if !suspected {
		return
	}
	s.cfg.Meters.SuspectedGuessing(kind)
	found := suspicion(kind, seen)
	s.cfg.Log.WarnContext(ctx, "one source guesses at many accounts", "kind", kind, "source", found.Source, "accounts", found.Accounts)
	s.guesses.mu.Lock()
	defer s.guesses.mu.Unlock()
	if len(s.guesses.pending) < maxSuspicions {
		s.guesses.pending = append(s.guesses.pending, domain.Entry{Actor: "system", Event: domain.EventGuessingSuspected, Outcome: "suspected",
			Reason: fmt.Sprintf(suspectedReason, kind, found.Source, found.Accounts, found.Failures)})
	}
}

// take hands over the entries of what was suspected.
func (g *guesses) take() []domain.Entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	taken := g.pending
	g.pending = nil
	return taken
}

func (g *guesses) giveBack(taken []domain.Entry) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pending = append(taken, g.pending...)
}

func suspicion(kind string, g ratelimit.Guessed) domain.Suspicion {
	return domain.Suspicion{Kind: kind, Source: sourceName(kind, g.Source), Accounts: g.Accounts, Failures: g.Failures,
		First: g.First.UTC(), Last: g.Last.UTC()}
}

// sourceName is an address, IPv6 as its /64 or /48, or the hash of a device.
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

// seenElsewhere is for how long an entry of the trail stands for a source that
// goes on: the instance that sees it enters it again after GuessQuiet.
const seenElsewhere = ratelimit.GuessQuiet + time.Minute

// Suspicions are the sources that are suspected now by this instance, and those
// that any instance has lately entered into the trail.
func (s *Service) Suspicions(ctx context.Context) (all []domain.Suspicion, err error) {
	err = s.look(ctx, func(tx *record.Tx) error {
		all = nil
		entries, err := tx.EntriesOfEvent(domain.EventGuessingSuspected, tx.Now().Add(-ratelimit.GuessWindow), domain.EntryPosition{}, maxSuspicions)
		for _, e := range entries {
			if found, ok := suspicionOf(e); ok && audit.Genuine(s.keys, e) {
				all = append(all, found)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	now := s.cfg.Now()
	for _, g := range slices.Concat(s.guesses.addresses.Suspected(now), s.guesses.sites.Suspected(now)) {
		all = append(all, suspicion(metrics.GuessesOfAddress, g))
	}
	for _, g := range s.guesses.devices.Suspected(now) {
		all = append(all, suspicion(metrics.GuessesOfDevice, g))
	}
	return slices.DeleteFunc(merged(all), func(s domain.Suspicion) bool { return now.Sub(s.Last) >= seenElsewhere }), nil
}

// suspicionOf reads an entry of ours.
func suspicionOf(e domain.Entry) (domain.Suspicion, bool) {
	found := domain.Suspicion{First: e.Time, Last: e.Time}
	n, err := fmt.Sscanf(e.Reason, suspectedReason, &found.Kind, &found.Source, &found.Accounts, &found.Failures)
	return found, err == nil && n == 4
}

// merged has each source once, those that guess at most accounts first. What
// several instances saw of one cannot be added up: they may be the same
// accounts.
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
