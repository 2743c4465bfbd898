package seal

import (
	"testing"
)

func TestADestroyedDataKeyOpensNothingAndAuthenticatesNoRow(t *testing.T) {
	old := mustKeyset(t)
	sealed, mac, entry := mustSeal(t, old, "4711", "row"), old.MAC("attempts", []byte("row")), old.MAC(TrailLabel, []byte("entry"))
	k, err := rotated(t, old).WithoutOld()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Open(sealed, []byte("row")); err != ErrSeal {
		t.Errorf("opening a value under the destroyed key: got %v, want ErrSeal", err)
	}
	if k.VerifyMAC("attempts", []byte("row"), mac) {
		t.Error("a row under the destroyed key is accepted")
	}
	if !k.VerifyMAC(TrailLabel, []byte("entry"), entry) {
		t.Error("an entry from before is no longer verifiable")
	}
	if k.Hash("device", []byte("d1")) != old.Hash("device", []byte("d1")) {
		t.Error("a keyed hash changed, so no stored name is found again")
	}
	if all := k.DataKeys(); len(all) != 1 || !all[0].Primary {
		t.Errorf("data keys are %v, want the primary one only", all)
	}
}

func TestADataKeyIsAddedBeforeItIsUsed(t *testing.T) {
	old := mustKeyset(t)
	added, err := old.WithNewDataKey()
	if err != nil {
		t.Fatal(err)
	}
	if all := added.DataKeys(); len(all) != 2 || !all[0].Primary || all[1].Primary || all[1].MAC == 0 || all[1].MAC == all[0].MAC {
		t.Fatalf("data keys are %+v, want the old one primary and a new one", all)
	}
	if _, err := old.Open(mustSeal(t, added, "4711", "row"), []byte("row")); err != nil {
		t.Errorf("a process that does not know the new key yet: %v", err)
	}
	next, err := added.WithNewestPrimary()
	if err != nil {
		t.Fatal(err)
	}
	sealed, mac := mustSeal(t, next, "4711", "row"), next.MAC("attempts", nil)
	if _, err := added.Open(sealed, []byte("row")); err != nil {
		t.Errorf("a process that knows the new key and does not use it yet: %v", err)
	}
	if !added.VerifyMAC("attempts", nil, mac) {
		t.Error("its MAC is refused")
	}
}

func TestBecomeReplacesAKeysetInPlace(t *testing.T) {
	k := mustKeyset(t)
	next := rotated(t, k)
	sealed := mustSeal(t, next, "4711", "row")
	if _, err := k.Open(sealed, []byte("row")); err == nil {
		t.Fatal("opened before it was learnt")
	}
	k.Become(next)
	if got, err := k.Open(sealed, []byte("row")); err != nil || string(got) != "4711" {
		t.Errorf("got %q, %v", got, err)
	}
}

// After three rotations, the hashes of entries of all four data keys verify.
func TestEntriesOfAllPastDataKeysStillVerify(t *testing.T) {
	k := mustKeyset(t)
	var entries [][]byte
	for range 3 {
		entries = append(entries, k.MAC(TrailLabel, []byte("entry")))
		next, err := rotated(t, k).WithoutOld()
		if err != nil {
			t.Fatal(err)
		}
		k = next
	}
	for i, mac := range append(entries, k.MAC(TrailLabel, []byte("entry"))) {
		if !k.VerifyMAC(TrailLabel, []byte("entry"), mac) {
			t.Errorf("entry %d does not verify", i)
		}
	}
}
