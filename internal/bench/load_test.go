package bench

import "testing"

func TestLoadsRoundTripThroughText(t *testing.T) {
	for text, want := range map[string]Load{
		"verify":                     {Scenario: Verify, Clients: 8},
		"existing:1":                 {Scenario: Existing, Clients: 1},
		"mix:rate=500":               {Scenario: Mix, Clients: 64, Rate: 500},
		"issue:rate=0.5,clients=2":   {Scenario: Issue, Clients: 2, Rate: 0.5},
		"wrong:clients=3,rate=7":     {Scenario: Wrong, Clients: 3, Rate: 7},
		"verify:rate=10x":            {Scenario: Verify, Clients: 1024, Times: 10},
		"verify:rate=2x,clients=100": {Scenario: Verify, Clients: 100, Times: 2},
	} {
		got, err := ParseLoad(text)
		if got != want || err != nil {
			t.Errorf("%s is %+v, %v; want %+v", text, got, err, want)
		}
		if again, err := ParseLoad(got.String()); again != got || err != nil {
			t.Errorf("%s is written as %s, which is %+v, %v", text, got, again, err)
		}
	}
}

func TestInvalidLoadsAreRefused(t *testing.T) {
	for _, text := range []string{"", "verfy", "verify:", "verify:0", "verify:-1", "verify:4097", "verify:rate=0", "verify:rate=-1",
		"verify:rate=NaN", "verify:rate=Inf", "verify:rate=x", "verify:8,8", "verify:rate", "verify:speed=1", "verify:8:8", "verify:rate=2000000"} {
		if l, err := ParseLoad(text); err == nil {
			t.Errorf("%q is %+v", text, l)
		}
	}
}

func TestTheMixHasTheStatedShares(t *testing.T) {
	n := map[Scenario]int{}
	for _, s := range mixed {
		n[s]++
	}
	for s, want := range map[Scenario]int{Verify: 70, Existing: 20, Wrong: 5, Set: 3, Issue: 2} {
		if n[s] != want {
			t.Errorf("%d of 100 are %s, want %d", n[s], s, want)
		}
	}
}
