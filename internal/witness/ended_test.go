package witness

import (
	"testing"
	"time"
)

func endingsAt(first, n int) (all []ending) {
	for i := range n {
		at := first + i
		all = append(all, newEnding([16]byte{byte(at >> 16), byte(at >> 8), byte(at)}, time.Unix(int64(at), 0)))
	}
	return all
}

// If there are more keys than the list holds, the oldest are dropped, and the list says
// from when on it is complete.
func TestTheListOfEndedKeysIsBounded(t *testing.T) {
	one := endings{Home: "home", Since: 5e6, Until: 100e6, Revoked: pack(endingsAt(10, 20)), Rotated: pack(endingsAt(1000, mostEnded))}
	two := endings{Home: "home", Since: 7e6, Until: 90e6, Revoked: pack(endingsAt(20, 20)), Rotated: pack(endingsAt(1000+mostEnded, 30))}
	for name, both := range map[string]endings{"one way": one.and(two), "the other way": two.and(one)} {
		if n := len(unpack(both.Revoked)); n != 30 {
			t.Errorf("%s: %d revoked keys, want 30: 10 are in both", name, n)
		}
		rotated := unpack(both.Rotated)
		if len(rotated) != mostEnded || rotated[0].at() != 1030 || rotated[mostEnded-1].at() != 1000+mostEnded+29 {
			t.Errorf("%s: %d rotated keys from %d to %d", name, len(rotated), rotated[0].at(), rotated[len(rotated)-1].at())
		}
		if both.Since != 1030e6 || both.Until != 100e6 {
			t.Errorf("%s: complete from %d to %d, want from 1030e6 to 100e6", name, both.Since, both.Until)
		}
	}
	if both := one.and(endings{Since: 7e6}); both.Since != 5e6 {
		t.Errorf("nothing was dropped, and it is complete from %d", both.Since)
	}
}

// An incomplete key at the end of a damaged list is ignored.
func TestAnIncompleteKeyAtTheEndOfAListIsIgnored(t *testing.T) {
	whole := endingsAt(1, 3)
	b := pack(whole)
	if got := unpack(b[:len(b)-1]); len(got) != 2 || got[1] != whole[1] {
		t.Errorf("%d keys", len(got))
	}
}
