package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/witness/place"
)

// shelf is a place that instances share.
type shelf struct {
	mu     sync.Mutex
	texts  map[place.Key]string
	writes int
	fails  error // of each call; nil: it works
}

func (s *shelf) Read(_ context.Context, k place.Key) ([]byte, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, there := s.texts[k]
	switch {
	case s.fails != nil:
		return nil, "", s.fails
	case !there:
		return nil, "", place.ErrNone
	}
	return []byte(text), text, nil
}

func (s *shelf) Write(_ context.Context, k place.Key, text []byte, version string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.fails != nil:
		return s.fails
	case s.texts[k] != version:
		return place.ErrChanged
	}
	s.texts[k] = string(text)
	s.writes++
	return nil
}

func (s *shelf) Shared() bool   { return true }
func (s *shelf) String() string { return "the shelf" }

func (s *shelf) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails = err
}

// edit changes a text.
func (s *shelf) edit(part string, fn func(string) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, text := range s.texts {
		if k.Part == part {
			s.texts[k] = fn(text)
		}
	}
}

func onShelf(t *testing.T) (v *instance, s *shelf) {
	t.Helper()
	s = &shelf{texts: map[place.Key]string{}}
	v = openVault(t, func(c *Config) { c.Witness.Place = s })
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.setPIN(v.issue("phone"), "1357")
	v.keepWitness()
	return v, s
}

func (v *instance) keepWitness() {
	v.t.Helper()
	if err := errors.Join(v.witness.Keep(v.ctx), v.witness.KeepEnded(v.ctx, v.records.View)); err != nil {
		v.t.Fatal(err)
	}
}

// A note that was cut or edited neither stops the service nor is overwritten. A genuine
// note of another instance does not stop the service if the store has its entries.
func TestARunningInstanceIgnoresEditedWitnessNotes(t *testing.T) {
	v, s := onShelf(t)
	key := v.issue("phone")
	genuine := s.texts[place.Key{Home: v.home, Part: place.Heads}]
	for what, edit := range map[string]func(string) string{
		"cut":    func(text string) string { return text[:len(text)/2] },
		"edited": func(text string) string { return strings.Replace(text, `"seq":`, `"seq":9`, 1) },
	} {
		s.edit(place.Heads, edit)
		before := s.writes
		for range 3 {
			v.keepWitness()
		}
		if v.guard.Seen() || s.writes != before {
			t.Errorf("%s: it is trusted or overwritten", what)
		}
		if !strings.Contains(v.log.String(), "was edited or is not a witness") {
			t.Errorf("%s: the log says %s", what, v.log)
		}
		s.edit(place.Heads, func(string) string { return genuine })
		v.keepWitness()
	}
	forked := v.beside() // another instance on the same store
	if err := forked.CheckWitness(forked.ctx); err != nil {
		t.Fatal(err)
	}
	forked.issue("another")
	forked.keepWitness()
	if v.keepWitness(); v.guard.Seen() {
		t.Error("a note of an entry that the store has stopped the service")
	}
	if w := v.verifyPIN(key, "1357"); w != "true" {
		t.Errorf("the right PIN is %s", w)
	}
}

// A shared witness that loses its text while the service runs, or gets an older one back,
// is a failure that is counted, and logged once. The instance has what was there.
func TestARunningInstanceNoticesThatItsWitnessWasPutBack(t *testing.T) {
	v, s := onShelf(t)
	at := place.Key{Home: v.home, Part: place.Heads}
	old := s.texts[at]
	other := v.beside()
	if err := other.CheckWitness(other.ctx); err != nil {
		t.Fatal(err)
	}
	other.issue("tablet") // whose entries are in the note, and not in the memory of v
	v.issue("watch")
	other.keepWitness()
	v.keepWitness()
	newest := s.texts[at]
	const lost = "the witness lost what was written there"
	failures := 0
	for _, c := range []struct {
		text, says string
		times      int
	}{{"", "is missing", 1}, {old, "is an older one", 5}, {`{"home":"another"}`, "is of another database", 1}} {
		was := strings.Count(v.log.String(), lost)
		for range c.times { // more than once: a place that takes the note and does not keep it
			s.edit(place.Heads, func(string) string { return c.text })
			if c.text == "" {
				delete(s.texts, at)
			}
			v.keepWitness()
			failures++
		}
		if n := strings.Count(v.log.String(), lost); n != was+1 || !strings.Contains(v.log.String(), "the note at the witness "+c.says) {
			t.Errorf("%s: the log says it %d times:\n%s", c.says, n-was, v.log)
		}
		if got := heads(t, s.texts[at]); !reflect.DeepEqual(got, heads(t, newest)) {
			t.Errorf("%s: the witness has %v, want %v", c.says, got, heads(t, newest))
		}
		v.keepWitness()
	}
	if scrape := v.scrape(); !strings.Contains(scrape, fmt.Sprintf("\nstrongroom_witness_failures_total %d\n", failures)) {
		t.Errorf("%d failures are not counted", failures)
	}
	if v.guard.Seen() {
		t.Error("the service stopped")
	}
	other.keepWitness()
	if strings.Contains(other.log.String(), lost) {
		t.Errorf("another instance lost something too:\n%s", other.log)
	}
}

// heads are the newest entries that a note names, by their chains.
func heads(t *testing.T, text string) map[string]int64 {
	t.Helper()
	var note struct {
		Heads []struct {
			Chain string
			Seq   int64
		}
	}
	if err := json.Unmarshal([]byte(text), &note); err != nil {
		t.Fatal(err)
	}
	all := map[string]int64{}
	for _, h := range note.Heads {
		all[h.Chain] = h.Seq
	}
	return all
}

// A note of a later epoch stops the service: the database was restored, and this process
// serves the state before that restore.
func TestAWitnessNoteOfALaterEpochStopsTheService(t *testing.T) {
	v, s := onShelf(t)
	since := domain.Micros(v.clock.Now().Add(time.Hour))
	mac := v.keys.MAC("witness v1", domain.Encode([]byte(v.home), []byte("epoch"), domain.EncodeInt(2), domain.EncodeInt(since)))
	later, err := json.Marshal(map[string]any{"home": v.home, "epoch": 2, "since": since, "heads": []string{}, "mac": mac})
	if err != nil {
		t.Fatal(err)
	}
	s.edit(place.Heads, func(string) string { return string(later) })
	if v.keepWitness(); !v.guard.Seen() || !strings.Contains(v.log.String(), "the witness names epoch 2 of the database, and this is epoch 1") {
		t.Errorf("the service continues:\n%s", v.log)
	}
	v.kill()
	err = v.CheckWitness(v.ctx)
	if err == nil || !strings.Contains(err.Error(), "names epoch 2") {
		t.Fatalf("a start before that restore: %v", err)
	}
	if err := v.startAccepting(toAccept(t, err)); err != nil {
		t.Fatal(err)
	}
	v.startsAfter("it was accepted", func() {})
}

// A note names an entry that the store lacks. It is from the newer one of two copies, and
// what this process remembers is from the older one.
func TestANoteThatStoppedTheServiceIsNotReplaced(t *testing.T) {
	v, s := onShelf(t)
	chain, hash := domain.NewID(), make([]byte, 32)
	mac := v.keys.MAC("witness v1", domain.Encode([]byte(v.home), []byte(chain), domain.EncodeInt(1), hash))
	newer, err := json.Marshal(map[string]any{"home": v.home, "heads": []any{map[string]any{"chain": chain, "seq": 1, "hash": hash}}, "mac": mac})
	if err != nil {
		t.Fatal(err)
	}
	s.edit(place.Heads, func(string) string { return string(newer) })
	if v.keepWitness(); !v.guard.Seen() {
		t.Errorf("the service continues:\n%s", v.log)
	}
	v.keepWitness()
	_ = v.Stop(v.ctx) // fails: nothing can be written to the store
	if is := s.texts[place.Key{Home: v.home, Part: place.Heads}]; is != string(newer) {
		t.Errorf("the note was replaced by %s", is)
	}
}

// A place that fails blocks nothing. The log reports the failure once and its end once.
func TestAWitnessThatFailsIsLoggedOnce(t *testing.T) {
	v, s := onShelf(t)
	s.fail(errors.New("the shelf is gone"))
	for range 10 {
		v.keepWitness()
	}
	key := v.issue("phone")
	v.verifyPIN(key, "1357")
	if n := strings.Count(v.log.String(), "the witness cannot be kept"); n != 1 {
		t.Errorf("the log reports the failure %d times:\n%s", n, v.log)
	}
	s.fail(nil)
	v.keepWitness()
	v.keepWitness()
	if n := strings.Count(v.log.String(), "the witness is up to date again"); n != 1 {
		t.Errorf("the log reports the end of the failure %d times", n)
	}
	before := s.writes
	for range 5 {
		v.keepWitness()
	}
	if s.writes != before {
		t.Errorf("%d writes without anything new", s.writes-before)
	}
}

// The witness lists revoked and rotated keys, and does not trust an edited list.
func TestTheWitnessListsKeysThatEnded(t *testing.T) {
	v, s := onShelf(t)
	for n := range 3 {
		v.issue(fmt.Sprint("device", n))
	}
	lost := v.issue("device0")
	if err := v.revoke(lost.KeyID, "reason"); err != nil {
		t.Fatal(err)
	}
	v.rotate("device1")
	v.clock.Advance(time.Second)
	v.keepWitness()
	var list struct{ Revoked, Rotated []byte }
	read := func() {
		list.Revoked, list.Rotated = nil, nil
		if err := json.Unmarshal([]byte(s.texts[place.Key{Home: v.home, Part: place.Keys}]), &list); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if len(list.Revoked) != 20 || len(list.Rotated) != 20 || domain.FormatID([16]byte(list.Revoked[:16])) != lost.KeyID {
		t.Fatalf("%d and %d bytes are listed", len(list.Revoked), len(list.Rotated))
	}
	s.edit(place.Keys, func(string) string { return `{"home":"` + v.home + `","since":1,"until":2}` })
	v.keepWitness()
	if read(); len(list.Revoked) != 20 {
		t.Errorf("%d bytes are listed after an edit", len(list.Revoked))
	}
	v.startsAfter("an edited list", func() {
		s.edit(place.Keys, func(string) string { return `{"home":"` + v.home + `","since":1,"until":2}` })
	})
	if !strings.Contains(v.log.String(), "list of ended keys was edited") {
		t.Errorf("the log says %s", v.log)
	}
}

// A clock that was ahead for a time hides no ended key from the witness: neither one that
// ended meanwhile, nor one that ended after the clock was corrected. The list does not
// say that it is complete until a time that has not come.
func TestAClockThatWasAheadHidesNoEndedKeyFromTheWitness(t *testing.T) {
	v, s := onShelf(t)
	var keys []domain.KeyPair
	for n := range 4 {
		keys = append(keys, v.issue(fmt.Sprint("device", n)))
	}
	listed := func(want int) {
		t.Helper()
		var list struct {
			Until   int64
			Revoked []byte
		}
		if err := json.Unmarshal([]byte(s.texts[place.Key{Home: v.home, Part: place.Keys}]), &list); err != nil {
			t.Fatal(err)
		}
		if got := len(list.Revoked) / 20; got != want {
			t.Errorf("%d revoked keys are listed, want %d", got, want)
		}
		if ahead := domain.FromMicros(list.Until).Sub(v.clock.Now()); ahead > 0 {
			t.Errorf("the list is complete until %s from now", ahead)
		}
	}
	revoke := func(n int) {
		t.Helper()
		if err := v.revoke(keys[n].KeyID, "reason"); err != nil {
			t.Fatal(err)
		}
	}
	v.clock.Set(time.Hour)
	revoke(0)
	v.keepWitness()
	listed(1)
	v.clock.Set(-time.Hour)
	v.keepWitness()
	listed(1)
	revoke(1)
	v.clock.Advance(15 * time.Minute)
	v.keepWitness()
	listed(2)

	v.clock.Set(time.Hour)
	v.keepWitness()
	v.kill() // the text stays as it is
	v.clock.Set(-time.Hour)
	revoke(2) // before the first run of the next process
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.clock.Advance(15 * time.Minute)
	revoke(3)
	v.keepWitness()
	listed(4)
}

// After a rotation of the data key, the witness is signed with the new one, and no start
// needs the old one.
func TestTheWitnessSurvivesADataKeyRotation(t *testing.T) {
	v, s := onShelf(t)
	v.rotatedDataKey() // at once: the note is still signed with the destroyed key
	before := s.writes
	v.keepWitness()
	v.startsAfter("the old data key is gone", func() {})
	if strings.Contains(v.log.String(), "edited") {
		t.Errorf("the log says %s", v.log)
	}
	if s.writes == before || v.guard.Seen() {
		t.Error("it is not written again")
	}
}

// The database is put back under a process that has written nothing since it started.
func TestAnIdleProcessDetectsARollback(t *testing.T) {
	v, _ := onShelf(t)
	key := v.issue("phone")
	v.verifyPIN(key, "0000")
	kept := v.insider().keep("attempts")
	v.verifyPIN(key, "0000")
	v.startsAfter("nothing", func() {})
	kept.putBack()
	if err := v.guard.Look(v.ctx); !v.guard.Seen() {
		t.Errorf("the rollback was not detected: %v", err)
	}
}
