package service

import (
	"fmt"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
)

// network is an address in the n-th /64 of a /48.
func network(site, n int) string { return fmt.Sprintf("2001:db8:%x:%x::1", site, n) }

// Someone who has a whole /48 of IPv6 tries one PIN on many accounts, each from
// another of its networks.
func TestASiteThatGuessesAtManyAccountsIsSuspected(t *testing.T) {
	v := openJWT(t, nil)
	guess := func(site, n int) {
		who := v.at(fmt.Sprint("user", n), network(site, n))
		who.verifyPIN(who.issue("phone"+fmt.Sprint(n)), "1234")
	}
	suspected := func() []domain.Suspicion { return must[[]domain.Suspicion](t)(v.Suspicions(v.ctx)) }
	for n := range ratelimit.SuspectedOfSite - 1 {
		guess(1, n)
	}
	guess(2, 1000)
	if got := suspected(); len(got) != 0 {
		t.Fatalf("suspected too early: %+v", got)
	}
	guess(1, ratelimit.SuspectedOfSite)
	got := suspected()
	if len(got) != 1 || got[0].Kind != "address" || got[0].Source != "2001:db8:1::/48" || got[0].Accounts != ratelimit.SuspectedOfSite {
		t.Errorf("suspicions: %+v", got)
	}
	if err := v.tally.Flush(v.ctx, false); err != nil {
		t.Fatal(err)
	}
	entries, want := v.entriesOf(domain.EventGuessingSuspected), "address 2001:db8:1::/48 40 accounts 40 failures"
	if len(entries) != 1 || entries[0].Reason != want {
		t.Errorf("the trail says %+v, want one entry: %s", entries, want)
	}
}

func TestRefusedCallersUseUpTheRateOfTheirAddress(t *testing.T) {
	v := openJWT(t, func(c *Config) { c.AddressRates = []domain.Rate{{Limit: 2, Window: 24 * time.Hour}} })
	why := &domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonDPoPProofInvalid}
	alice := v.at("alice", network(1, 0))
	for _, want := range []string{"UNAUTHENTICATED", "UNAUTHENTICATED", "TOO_MANY_REQUESTS"} {
		v.expect("a refused proof", string(alice.RefusedCaller(alice.ctx, why).Code), want)
	}
	_, err := alice.GenerateKey(alice.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("an operation after them", word(true, err), "TOO_MANY_REQUESTS")
	elsewhere := v.at("alice", network(2, 0))
	_, err = elsewhere.GenerateKey(elsewhere.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("an operation from another address", word(true, err), "true")
}

// The rate of an address is that of its /64. The many networks of a /48 have a
// rate together.
func TestTheNetworksOfASiteShareARate(t *testing.T) {
	day := 24 * time.Hour // so long that nothing is refilled while the test runs
	v := openJWT(t, func(c *Config) { c.AddressRates = []domain.Rate{{Limit: 2, Window: day}} })
	ask := func(what, address, want string) {
		t.Helper()
		_, err := v.GenerateKey(v.at("alice", address).ctx, domain.Identity{DeviceID: "phone"})
		v.expect(what, word(true, err), want)
	}
	for range 2 {
		ask("within the rate of a network", network(1, 0), "true")
	}
	ask("beyond it", network(1, 0), "TOO_MANY_REQUESTS")
	for n := 1; n <= 2*(ratelimit.SiteShare-1); n++ {
		ask(fmt.Sprint("another network of the site: ", n), network(1, n), "true")
	}
	ask("one more network", network(1, 1000), "TOO_MANY_REQUESTS")
	ask("another site", network(2, 0), "true")
	v.clock.Advance(day)
	ask("a day later", network(1, 1000), "true")
}
