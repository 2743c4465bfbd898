package audit_test

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// rows is a small store: the records that the trail is about, and the trail.
// Of the promises of a store it keeps only atomicity, because one goroutine
// at a time uses it.
type rows struct {
	chains      map[string][]domain.Entry
	keys        map[string]domain.DeviceKey
	credentials map[string]domain.Credential
	ledgers     map[string]domain.Attempts
	plans       map[string]domain.RotationPlan
	signer      audit.MAC // of keys that have no MAC; or nil
	writer      int
	now         int64
	verdicts    int // how many were appended
}

func (r *rows) clone() *rows {
	c := *r
	c.chains, c.keys, c.credentials, c.ledgers = map[string][]domain.Entry{}, maps.Clone(r.keys), maps.Clone(r.credentials), maps.Clone(r.ledgers)
	c.plans = maps.Clone(r.plans)
	for chain, entries := range r.chains {
		c.chains[chain] = slices.Clone(entries)
	}
	return &c
}

func (r *rows) Now() time.Time { return time.UnixMicro(r.now).UTC() }
func (r *rows) Writer() int    { return r.writer }

// ShortVerdicts alternates, so chains contain short and long verdicts.
func (r *rows) ShortVerdicts() bool {
	r.verdicts++
	return r.verdicts%2 == 1
}

func (r *rows) LastEntry(chain string) (domain.Entry, error) {
	if entries := r.chains[chain]; len(entries) > 0 {
		return entries[len(entries)-1], nil
	}
	return domain.Entry{}, store.ErrNotFound
}

func (r *rows) InsertEntry(e domain.Entry) error {
	r.chains[e.Chain] = append(r.chains[e.Chain], e)
	return nil
}

func (*rows) UnnamedVerdicts(int) ([]int64, error) { return nil, nil }

func (r *rows) Chains() ([]string, error) {
	chains := slices.Sorted(maps.Keys(r.chains))
	return slices.DeleteFunc(chains, func(chain string) bool { return len(r.chains[chain]) == 0 }), nil
}

func (r *rows) Heads(time.Time) (heads []domain.Entry, err error) {
	chains, err := r.Chains()
	for _, chain := range chains {
		head, _ := r.LastEntry(chain)
		heads = append(heads, head)
	}
	return heads, err
}

// EachEntry reads in the order of numbers, as an engine does, however the rows
// were put there.
func (r *rows) EachEntry(chain string, after int64, fn func(domain.Entry) error) error {
	entries := slices.Clone(r.chains[chain])
	slices.SortStableFunc(entries, func(x, y domain.Entry) int { return cmp.Compare(x.Seq, y.Seq) })
	for _, e := range entries {
		if e.Seq > after || after == math.MinInt64 {
			if err := fn(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *rows) NewestOfEvents(events []domain.Event, limit int) (found []domain.Entry, err error) {
	for _, event := range events {
		entries, err := r.EntriesOfEvent(event, time.Time{}, domain.EntryPosition{}, limit)
		if err != nil {
			return nil, err
		}
		found = append(found, entries...)
	}
	return found, nil
}

// EntriesOfEvent returns all at once, which is fewer than a page.
func (r *rows) EntriesOfEvent(event domain.Event, _ time.Time, _ domain.EntryPosition, _ int) (found []domain.Entry, err error) {
	for _, entries := range r.chains {
		for _, e := range entries {
			if e.Event == event {
				found = append(found, e)
			}
		}
	}
	slices.SortFunc(found, func(x, y domain.Entry) int {
		return -cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.Chain, y.Chain), cmp.Compare(x.Seq, y.Seq))
	})
	return found, nil
}

func each[T any](rows map[string]T, fn func(T) error) error {
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		if err := fn(rows[id]); err != nil {
			return err
		}
	}
	return nil
}

func (r *rows) EachKey(fn func(domain.DeviceKey) error) error {
	return each(r.keys, func(k domain.DeviceKey) error {
		if r.signer != nil {
			k.MAC = r.signer.MAC(audit.KeyLabel, k.Canonical())
		}
		return fn(k)
	})
}
func (r *rows) EachCredential(fn func(domain.Credential) error) error { return each(r.credentials, fn) }
func (r *rows) EachAttempts(fn func(domain.ListedLock) error) error {
	return each(r.ledgers, func(a domain.Attempts) error {
		return fn(domain.ListedLock{At: domain.LockPosition{Until: a.LockStandsUntil()}, Counter: a})
	})
}
func (r *rows) EachPlan(fn func(domain.RotationPlan) error) error { return each(r.plans, fn) }
func (r *rows) EachMove(func(domain.AccountMove) error) error     { return nil }

// first and size are the numbers of the first and the last entry of a chain;
// size is 0 where there is none.
func (r *rows) first(chain string) int {
	if len(r.chains[chain]) == 0 {
		return 1
	}
	return int(r.chains[chain][0].Seq)
}

func (r *rows) size(chain string) int { return r.first(chain) + len(r.chains[chain]) - 1 }

func (r *rows) entry(chain string, seq int) domain.Entry {
	return r.chains[chain][seq-r.first(chain)]
}

func (r *rows) put(chain string, seq int, e domain.Entry) {
	r.chains[chain][seq-r.first(chain)] = e
}

func (r *rows) cut(chain string, from int) {
	r.chains[chain] = r.chains[chain][:from-r.first(chain)]
}

func (r *rows) insert(chain string, seq int, e domain.Entry) {
	r.chains[chain] = slices.Insert(r.chains[chain], seq-r.first(chain), e)
}

func (r *rows) remove(chain string, seq int) {
	at := seq - r.first(chain)
	r.chains[chain] = slices.Delete(r.chains[chain], at, at+1)
}

// honest is a service on such a store, which does as ours does: each change of
// a row has its entry.
type honest struct {
	*rows
	trails []audit.Trail
	key    audit.MAC
	erased map[string]int // how often the record of this letter was: its id is not used again
	prunes int
	plan   int // the one that runs, or is next
}

const begun = 1_700_000_000_000_000 // microseconds since 1970

func newHonest(t *rapid.T, key audit.MAC, shared bool) *honest {
	h := &honest{key: key, erased: map[string]int{}, rows: &rows{chains: map[string][]domain.Entry{}, keys: map[string]domain.DeviceKey{},
		credentials: map[string]domain.Credential{}, ledgers: map[string]domain.Attempts{}, plans: map[string]domain.RotationPlan{}, now: begun}}
	home := audit.Trail{Chain: "home", Key: key}
	err := home.Begin(h)
	h.trails = []audit.Trail{home}
	if shared {
		h.trails = []audit.Trail{{Chain: "one", Shared: true, Key: key}, {Chain: "two", Shared: true, Key: key}}
		err = errors.Join(err, h.trails[0].Join(h, 2), h.trails[1].Join(h, 1))
	}
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// act does one random thing.
func (h *honest) act(t *rapid.T) {
	h.now += int64(rapid.IntRange(0, 1000).Draw(t, "later"))
	letter := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id")
	id := fmt.Sprint(letter, h.erased[letter])
	var e domain.Entry
	switch act := rapid.IntRange(0, 7).Draw(t, "act"); act {
	case 0, 1, 2, 3:
		e = h.change([]string{domain.RecordKey, domain.RecordKey, domain.RecordCredential, domain.RecordAttempts}[act], id)
	case 4:
		chains, _ := h.Chains()
		head, _ := h.LastEntry(rapid.SampledFrom(chains).Draw(t, "tied"))
		e = audit.Tie(head)
	case 5:
		e = h.erase(id)
		h.erased[letter]++
	case 6:
		e = h.rotation()
	default:
		e = domain.Entry{Event: domain.EventOperationsCounted, Count: int64(rapid.IntRange(1, 9).Draw(t, "count"))}
	}
	h.enter(t, e)
}

func (h *honest) enter(t *rapid.T, entries ...domain.Entry) {
	h.writer = 0
	if err := rapid.SampledFrom(h.trails).Draw(t, "trail").Append(h, entries...); err != nil {
		t.Fatal(err)
	}
}

// change changes a row, or makes it, and returns the entry about that.
func (h *honest) change(kind, id string) domain.Entry {
	e := domain.Entry{RequestID: "r", Actor: "caller", Outcome: "ok", Record: kind + "/" + id}
	switch kind {
	case domain.RecordKey:
		k, was := h.keys[id]
		e.Event, e.Before = domain.EventKeyAppVersion, digest(was, k.Canonical())
		k.ID, k.Version, k.State, k.AppVersion = id, k.Version+1, domain.KeyActive, fmt.Sprint(h.now)
		k.MAC = h.key.MAC(audit.KeyLabel, k.Canonical())
		h.keys[id] = k
		e.Version, e.Digest = k.Version, digest(true, k.Canonical())
	case domain.RecordCredential:
		c, was := h.credentials[id]
		e.Event, e.Before = domain.EventCredentialSet, digest(was, c.Canonical())
		c.ID, c.Type, c.Version, c.Sealed = id, domain.Passcode, c.Version+1, []byte(fmt.Sprint(h.now))
		h.credentials[id] = c
		e.Version, e.Digest = c.Version, digest(true, c.Canonical())
	case domain.RecordAttempts:
		a, was := h.ledgers[id]
		e.Event, e.Before = domain.EventCredentialMismatch, digest(was, a.Canonical())
		a.ID, a.Type, a.Version, a.Failures = id, domain.Passcode, a.Version+1, a.Failures+1
		a.MAC = h.key.MAC(audit.AttemptsLabel, a.Authenticated())
		h.ledgers[id] = a
		e.Version, e.Digest = a.Version, digest(true, a.Canonical())
	}
	return e
}

// erase removes a credential, or enters that there was none.
func (h *honest) erase(id string) domain.Entry {
	c, was := h.credentials[id]
	if !was {
		return domain.Entry{Event: domain.EventAccountErased}
	}
	delete(h.credentials, id)
	return domain.Entry{Event: domain.EventCredentialErased, Record: domain.RecordCredential + "/" + id, Before: audit.Digest(c.Canonical())}
}

// rotation ends the rotation plan that runs, or begins one.
func (h *honest) rotation() domain.Entry {
	id := fmt.Sprint("p", h.plan)
	e := domain.Entry{Record: domain.RecordPlan + "/" + id}
	p, runs := h.plans[id]
	if runs {
		e.Event, e.Version, e.Before = domain.EventRotationStopped, 2, audit.Digest(p.Canonical())
		delete(h.plans, id)
		h.plan++
		return e
	}
	p = domain.RotationPlan{ID: id, StartedAt: h.Now()}
	e.Event, e.Version, e.Digest = domain.EventRotationStarted, 1, audit.Digest(p.Canonical())
	h.plans[id] = p
	return e
}

func digest(there bool, canonical []byte) []byte {
	if !there {
		return nil
	}
	return audit.Digest(canonical)
}

// evidence is a pair of keys and what was signed.
type evidence struct {
	signer   note.Signer
	verifier note.Verifier
}

func newEvidence(t testing.TB, name string) evidence {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err1 := note.NewSigner(private)
	verifier, err2 := note.NewVerifier(public)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return evidence{signer, verifier}
}

func (h *honest) checkpoint(t *rapid.T, by evidence) []byte {
	c, err := audit.Take(h, h.key, "home")
	if err != nil {
		t.Fatal(err)
	}
	signed, err := c.Sign(by.signer)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// found verifies a store against checkpoints: once with all of its records in
// memory, and once with a few at a time, which must come to the same.
func found(t *rapid.T, r *rows, key audit.MAC, notes []byte, by evidence) []audit.Problem {
	whole := foundHolding(t, 1000, r, key, notes, by)
	parts := foundHolding(t, rapid.IntRange(1, 3).Draw(t, "records at a time"), r, key, notes, by)
	if diff := gocmp.Diff(whole, parts, cmpopts.SortSlices(func(p, q audit.Problem) bool { return p.String() < q.String() })); diff != "" {
		t.Fatalf("of a few records at a time it finds other problems (-all at once +in parts):\n%s", diff)
	}
	return whole
}

// foundAlone verifies a store without a checkpoint.
func foundAlone(t *rapid.T, r *rows, key audit.MAC) []audit.Problem {
	report, err := audit.VerifyHeld(r, key, "home", &audit.Held{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report.Problems
}

func foundHolding(t *rapid.T, records int, r *rows, key audit.MAC, notes []byte, by evidence) []audit.Problem {
	defer audit.HoldAtMost(records)()
	held, err := audit.ReadCheckpoints(bytes.NewReader(notes), "home", by.verifier)
	if err != nil {
		t.Fatal(err)
	}
	report, err := audit.VerifyHeld(r, key, "home", held, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report.Problems
}

// expected is the first bad entry of a chain after tampering. The zero value
// means that it is not known.
type expected struct {
	chain string
	seq   int
	alone bool // it is found without a checkpoint too
}

func TestTamperingBeforeACheckpointIsFound(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	by := newEvidence(t, "strongroom")
	rapid.Check(t, func(t *rapid.T) {
		h := newHonest(t, key, rapid.Bool().Draw(t, "shared"))
		var notes []byte
		var states []*rows
		for n := rapid.IntRange(3, 25).Draw(t, "acts"); n > 0; n-- {
			states = append(states, h.clone())
			h.act(t)
			if rapid.IntRange(0, 4).Draw(t, "checkpoint") == 0 {
				notes = append(notes, h.checkpoint(t, by)...)
			}
		}
		notes = append(notes, h.checkpoint(t, by)...)
		pinned := h.clone()
		for n := rapid.IntRange(0, 3).Draw(t, "acts after it"); n > 0; n-- {
			h.act(t)
		}
		if problems := found(t, h.rows, key, notes, by); len(problems) > 0 {
			t.Fatalf("nothing was done, and found %v", problems)
		}
		was := h.clone()
		want := tamper(t, h, states, pinned)
		problems := found(t, h.rows, key, notes, by)
		if len(problems) == 0 {
			t.Fatal("nothing was found")
		}
		want.among(t, was, problems)
		if want.alone {
			want.among(t, was, foundAlone(t, h.rows, key))
		}
	})
}

// among expects it among the problems of a store. was is the store before
// tampering. An entry before the first one of its chain will do too: if the
// statement of a prune was changed, the chain should not begin there.
func (want expected) among(t *rapid.T, was *rows, problems []audit.Problem) {
	if (want.chain != "" || want.alone) && !slices.ContainsFunc(problems, func(p audit.Problem) bool {
		return p.Record == "" && p.Chain == want.chain && (p.Seq == int64(want.seq) || p.Seq < int64(was.first(want.chain)))
	}) {
		t.Fatalf("want entry %d of chain %s, found %v", want.seq, want.chain, problems)
	}
}

// tamper does to the store what anyone who can write to the database can do.
// It returns which entry must be named for that, if this is known.
func tamper(t *rapid.T, h *honest, states []*rows, pinned *rows) expected {
	var choices []string
	for chain := range pinned.chains {
		if h.low(chain) <= pinned.size(chain) {
			choices = append(choices, chain)
		}
	}
	slices.Sort(choices)
	chain := rapid.SampledFrom(choices).Draw(t, "chain")
	size := pinned.size(chain) // what a checkpoint covers
	low := h.low(chain)
	at := rapid.IntRange(low, size).Draw(t, "at")
	below := rapid.SampledFrom([]int{0, -1, -1000, math.MinInt64}).Draw(t, "below the beginning")
	switch kind := rapid.SampledFrom([]string{"edit", "delete", "insert", "swap", "exchange", "cut", "cut all", "cut all and go on",
		"cut the begin", "forge a prune", "roll back a row", "roll back a row and change it", "edit a row", "delete a row", "insert a row",
		"forge below the beginning", "forge below the beginning and wipe", "forge a chain without a name",
	}).Draw(t, "kind"); kind {
	case "forge below the beginning":
		h.forge(chain, below, h.entry(chain, at))
		return expected{chain, below, true}
	case "forge below the beginning and wipe":
		e := h.entry(chain, at)
		h.rows = &rows{chains: map[string][]domain.Entry{}}
		h.forge(chain, below, e)
		return expected{chain, below, true}
	case "forge a chain without a name":
		h.forge("", rapid.SampledFrom([]int{1, at}).Draw(t, "its number"), h.entry(chain, at))
		return expected{"", 1, true}
	case "edit":
		h.put(chain, at, edited(t, h.entry(chain, at)))
		return expected{chain: chain, seq: at}
	case "delete":
		first := h.first(chain)
		h.remove(chain, at)
		if rapid.Bool().Draw(t, "close the gap") {
			h.renumber(chain, first)
		}
		return expected{chain: chain, seq: at}
	case "insert":
		e := h.entry(chain, at)
		e.Event = domain.EventAttemptsUnlocked
		first := h.first(chain)
		h.insert(chain, at, e)
		h.renumber(chain, first)
		return expected{chain: chain, seq: at}
	case "swap":
		if size == low {
			h.remove(chain, low)
			return expected{chain: chain, seq: low}
		}
		first := h.first(chain)
		other := rapid.IntRange(low, size-1).Draw(t, "other")
		if other >= at {
			other++
		}
		entries := h.chains[chain]
		entries[at-first], entries[other-first] = entries[other-first], entries[at-first]
		h.renumber(chain, first)
		return expected{chain: chain, seq: min(at, other)}
	case "exchange":
		if !exchange(t, h, states, pinned) { // the copies went on in different chains
			h.cut(chain, at)
		}
		return expected{}
	case "cut the begin":
		h.cutBegin(chain, at)
		return expected{}
	case "forge a prune":
		h.forgePrune(t, chain, at)
		return expected{}
	case "cut":
		h.cut(chain, at)
		return expected{chain: chain, seq: at}
	case "cut all":
		h.rows = rapid.SampledFrom(states).Draw(t, "state").clone()
		return expected{}
	case "cut all and go on":
		h.rows = rapid.SampledFrom(states).Draw(t, "state").clone()
		h.now = pinned.now + 1 // otherwise the attacker might do exactly the same again
		for n := rapid.IntRange(1, 30).Draw(t, "acts"); n > 0; n-- {
			h.act(t)
		}
		return expected{}
	default:
		tamperWithRow(t, h, states, kind)
		return expected{}
	}
}

// forge puts a copy of an entry where no entry can be.
func (r *rows) forge(chain string, seq int, e domain.Entry) {
	e.Chain, e.Seq = chain, int64(seq)
	r.chains[chain] = append(r.chains[chain], e)
}

// exchange puts an entry in the place of another that has the same number in a
// copy of the store, which went on separately. Its hash is valid.
func exchange(t *rapid.T, h *honest, states []*rows, pinned *rows) bool {
	other := *h
	other.erased = maps.Clone(h.erased)
	other.rows = rapid.SampledFrom(states).Draw(t, "state").clone()
	other.now = pinned.now + 1
	for n := rapid.IntRange(1, 30).Draw(t, "acts of the other"); n > 0; n-- {
		other.act(t)
	}
	for _, chain := range slices.Sorted(maps.Keys(pinned.chains)) {
		for seq := min(pinned.size(chain), other.size(chain)); seq >= max(h.low(chain), other.first(chain)); seq-- {
			if e := other.entry(chain, seq); !bytes.Equal(e.Hash, h.entry(chain, seq).Hash) {
				h.put(chain, seq, e)
				return true
			}
		}
	}
	return false
}

// low is the first entry of a chain that no prune removed or is about to.
func (r *rows) low(chain string) int {
	low := int64(1)
	for _, entries := range r.chains {
		for _, e := range entries {
			if e.Event == domain.EventPruned && e.Record == domain.RecordChain+"/"+chain {
				low = max(low, e.Version+1)
			}
		}
	}
	return int(low)
}

// cutBegin removes the entries up to one.
func (r *rows) cutBegin(chain string, upTo int) {
	r.chains[chain] = slices.DeleteFunc(slices.Clone(r.chains[chain]), func(e domain.Entry) bool { return e.Seq <= int64(upTo) })
}

// forgePrune does that too, and has the trail say that it was a prune: under
// another key, or with what another prune said.
func (h *honest) forgePrune(t *rapid.T, chain string, upTo int) {
	forger, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	head, _ := h.LastEntry("home")
	e := domain.Entry{Chain: "home", Seq: head.Seq + 1, Time: h.Now(), Event: domain.EventPruned, Count: 1, Prev: head.Hash,
		Record: domain.RecordChain + "/" + chain, Version: int64(upTo), Digest: h.entry(chain, upTo).Hash}
	e.Hash = forger.MAC("audit entry v1", e.Canonical())
	if rapid.Bool().Draw(t, "with the hash of another") {
		e.Hash = head.Hash
	}
	h.cutBegin(chain, upTo)
	_ = h.InsertEntry(e)
}

// edited is the entry with one field changed.
func edited(t *rapid.T, e domain.Entry) domain.Entry {
	fields := slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[domain.Entry]()), func(f reflect.StructField) bool {
		return slices.Contains([]string{"Chain", "Seq", "About", "Tampered"}, f.Name)
	})
	field := reflect.ValueOf(&e).Elem().FieldByIndex(fields[rapid.IntRange(0, len(fields)-1).Draw(t, "field")].Index)
	switch value := field.Addr().Interface().(type) {
	case *time.Time:
		*value = value.Add(time.Microsecond)
	case *time.Duration:
		*value += time.Microsecond
	case *int64:
		*value++
	case *bool:
		*value = !*value
	case *[]byte:
		*value = append(slices.Clone(*value), 1)
		if n := len(*value); field.Addr().Interface() == any(&e.Hash) && n > domain.ShortHash+1 && rapid.Bool().Draw(t, "cut it") {
			*value = (*value)[:domain.ShortHash]
		}
	default:
		field.SetString(field.String() + "x")
	}
	return e
}

func (r *rows) renumber(chain string, first int) {
	for i := range r.chains[chain] {
		r.chains[chain][i].Seq = int64(first + i)
	}
}

// tamperWithRow tampers with a row, or with an entry if there is no row.
func tamperWithRow(t *rapid.T, h *honest, states []*rows, kind string) {
	switch kind {
	case "roll back a row and change it":
		if h.changePutBack(t, rapid.SampledFrom(states).Draw(t, "state")) {
			return
		}
	case "roll back a row":
		// An older state of a row that is another now.
		was := rapid.SampledFrom(states).Draw(t, "state")
		if putBack(was.keys, h.keys, domain.DeviceKey.Canonical) || putBack(was.ledgers, h.ledgers, domain.Attempts.Canonical) ||
			putBack(was.credentials, h.credentials, domain.Credential.Canonical) || putBack(was.plans, h.plans, domain.RotationPlan.Canonical) {
			return
		}
	case "edit a row":
		for _, id := range slices.Sorted(maps.Keys(h.credentials)) {
			c := h.credentials[id]
			c.Sealed = []byte("another's")
			h.credentials[id] = c
			return
		}
	case "delete a row":
		if id := fmt.Sprint("p", h.plan); h.plans[id].ID != "" {
			delete(h.plans, id)
			return
		}
		for _, id := range slices.Sorted(maps.Keys(h.keys)) {
			delete(h.keys, id)
			return
		}
	}
	h.keys["forged"] = domain.DeviceKey{ID: "forged", State: domain.KeyActive, Version: 1}
}

// changePutBack puts one row back to an earlier state, if any row has changed
// since, and has the service change it, which hides the earlier edit.
func (h *honest) changePutBack(t *rapid.T, was *rows) bool {
	now := h.clone()
	h.now++ // otherwise it might become the same as before
	put := putBack(was.keys, h.keys, domain.DeviceKey.Canonical) || putBack(was.ledgers, h.ledgers, domain.Attempts.Canonical) ||
		putBack(was.credentials, h.credentials, domain.Credential.Canonical)
	for range rapid.IntRange(1, 20).Draw(t, "changes") {
		for id := range h.keys {
			if !bytes.Equal(h.keys[id].Canonical(), now.keys[id].Canonical()) {
				h.enter(t, h.change(domain.RecordKey, id))
			}
		}
		for id := range h.ledgers {
			if !bytes.Equal(h.ledgers[id].Canonical(), now.ledgers[id].Canonical()) {
				h.enter(t, h.change(domain.RecordAttempts, id))
			}
		}
		for id := range h.credentials {
			if !bytes.Equal(h.credentials[id].Canonical(), now.credentials[id].Canonical()) {
				h.enter(t, h.change(domain.RecordCredential, id))
			}
		}
	}
	return put
}

// putBack puts one row back to an earlier state, if any row has changed since.
func putBack[T any](was, is map[string]T, canonical func(T) []byte) bool {
	for _, id := range slices.Sorted(maps.Keys(was)) {
		if !bytes.Equal(canonical(was[id]), canonical(is[id])) {
			is[id] = was[id]
			return true
		}
	}
	return false
}

func TestACheckpointNamesTheFirstEntryThatWasCutOff(t *testing.T) {
	l, by := open(t), newEvidence(t, "strongroom")
	one := l.process("one")
	for range 3 {
		l.appendBy(one, domain.Entry{Event: domain.EventOperationsCounted})
	}
	notes := l.checkpoint(by)
	l.holds(notes, by)
	l.edit("DELETE FROM audit_log WHERE chain = 'one/0' AND seq > 2")
	l.holds(notes, by, "chain one/0, entry 3: the chain was cut off before an entry that a checkpoint holds")
	l.appendBy(one, domain.Entry{Event: domain.EventOperationsCounted})
	l.appendBy(one, domain.Entry{Event: domain.EventOperationsCounted})
	l.appendBy(one, domain.Entry{Event: domain.EventOperationsCounted})
	l.holds(notes, by, "chain one/0, entry 4: the entry is not the one that a checkpoint holds")
	// A later checkpoint of the rest does not hide it.
	l.holds(append(notes, l.checkpoint(by)...), by, "chain one/0, entry 4: the entry is not the one that a checkpoint holds")
	l.edit("DELETE FROM audit_log WHERE chain = 'one/0'")
	l.holds(notes, by, "chain one/0, entry 1: the chain was cut off before an entry that a checkpoint holds")
}

func TestARolledBackRowIsNamedAlsoWithACheckpoint(t *testing.T) {
	l, by := open(t), newEvidence(t, "strongroom")
	k := aKey(1)
	first := l.key(k)
	l.update(func(tx store.Tx) error { return errors.Join(tx.InsertKey(k), l.Append(tx, first)) })
	k.AppVersion, k.Version = "2", 2
	second := l.key(k)
	second.Before = first.Digest
	l.update(func(tx store.Tx) error { return errors.Join(tx.UpdateKey(k), l.Append(tx, second)) })
	notes := l.checkpoint(by)
	l.holds(notes, by)
	l.edit("UPDATE device_key SET app_version = '', version = 1")
	l.holds(notes, by, "key/key001: the record was edited or rolled back (see entry 3 of chain home)")
}

func (l *ledgers) take() audit.Checkpoint {
	l.Helper()
	var c audit.Checkpoint
	err := l.View(l.Context(), func(tx store.Tx) (err error) {
		c, err = audit.Take(tx, l.Key, l.Chain)
		return err
	})
	if err != nil {
		l.Fatal(err)
	}
	return c
}

func (l *ledgers) checkpoint(by evidence) []byte {
	l.Helper()
	signed, err := l.take().Sign(by.signer)
	if err != nil {
		l.Fatal(err)
	}
	return signed
}

// holds expects these problems if the trail is compared with checkpoints.
func (l *ledgers) holds(notes []byte, by evidence, want ...string) {
	l.Helper()
	held, err := audit.ReadCheckpoints(bytes.NewReader(notes), l.Chain, by.verifier)
	if err != nil {
		l.Fatal(err)
	}
	var report audit.Report
	err = l.View(l.Context(), func(tx store.Tx) (err error) {
		report, err = audit.VerifyHeld(noPlans{tx, l.Key}, l.Key, l.Chain, held, nil)
		return err
	})
	if err != nil {
		l.Fatal(err)
	}
	var got []string
	for _, p := range report.Problems {
		got = append(got, p.String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		l.Errorf("found %q, want %q", got, want)
	}
}
