package service

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// Any sequence of operations, operator's acts, clock moves, kills and restarts
// gives exactly the answers of the model below, and leaves an intact trail
// and the right counts.
func TestTheServiceMatchesTheModel(t *testing.T) {
	fewerChecks(t)
	seen := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		r := drawRules(rt)
		v := openVault(t, r.configure)
		defer v.store.Close()
		p := &play{v: v, m: newModel(r), seen: seen}
		for range 2 {
			p.generate(rt)
			p.set(rt)
		}
		rt.Repeat(p.actions())
		p.restart(rt)
		p.summary(rt)
		for _, problem := range v.problems() {
			rt.Errorf("audit: %s", problem)
		}
	})
	t.Logf("answers: %v", seen)
	if seen["verify"] < 300 {
		return // with few checks, coverage is not guaranteed
	}
	for _, answer := range []string{"verify true", "verify false", "verify CREDENTIAL_LOCKED", "verify KEY_NOT_USABLE",
		"verify DECRYPTION_FAILED", "set true", "set false", "set CREDENTIAL_LOCKED", "generate same", "generate new", "verdict in grace", "permanent lock", "dead attempt"} {
		if seen[answer] == 0 {
			t.Errorf("no sequence had the answer %q, so this test no longer covers it", answer)
		}
	}
}

// rules are the settings of one sequence. Limits are small, so that a short
// sequence meets them. All times are whole minutes: the model's clock is the
// sum of the moves, and the real one is ahead of it by what the test took so
// far, which must stay below a minute.
type rules struct {
	grace, ttl  time.Duration
	maxFailures int
	lockouts    []time.Duration
	rollingMax  int
	budget      int // undecryptable ciphertexts
	enforced    bool
	cluster     bool // the key-generation counter is in the store
	helper      bool
}

const (
	lease         = time.Minute
	rollingWindow = 24 * time.Hour
)

func drawRules(rt *rapid.T) rules {
	lengths := rapid.SampledFrom([]time.Duration{0, 10 * time.Minute, time.Hour, 25 * time.Hour})
	return rules{
		grace:       lengths.Draw(rt, "grace"),
		ttl:         lengths.Draw(rt, "ttl"),
		maxFailures: rapid.IntRange(1, 3).Draw(rt, "max failures"),
		lockouts: rapid.SliceOfN(rapid.SampledFrom([]time.Duration{30 * time.Minute, time.Hour, 24 * time.Hour}), 0, 3).
			Draw(rt, "lockouts"),
		rollingMax: rapid.IntRange(2, 6).Draw(rt, "rolling max"),
		budget:     rapid.IntRange(1, 3).Draw(rt, "budget"),
		enforced:   rapid.Bool().Draw(rt, "enforced"),
		cluster:    rapid.Bool().Draw(rt, "cluster"),
		helper:     rapid.IntRange(0, 4).Draw(rt, "helper") > 0,
	}
}

func (r rules) configure(c *Config) {
	c.RotationGrace, c.KeyTTL = r.grace, r.ttl
	c.Attempts = domain.AttemptPolicy{MaxFailures: r.maxFailures, Lockouts: r.lockouts,
		RollingMax: r.rollingMax, RollingWindow: rollingWindow, Lease: lease}
	c.DecryptionFailures, c.HelperEnabled = r.budget, r.helper
	c.EnforceKeyGenerationLimit, c.KeyCounterInStore = r.enforced, r.cluster
}

// model is the specification and the design in the simplest form:
// no store, no cryptography, one request at a time.
type model struct {
	rules
	now      time.Duration // the sum of the moves
	accounts map[string]*account
	keys     []*key // all that were ever issued

	generations map[string]*window // by device

	// In memory: gone with the process, as generations are if they are there.
	failures  map[string]*window // by key
	unwritten folded

	written folded
}

type account struct {
	active   *key
	secrets  map[domain.CredentialType]string
	counters map[domain.CredentialType]*counter
}

type key struct {
	pair       domain.KeyPair
	device     string
	account    *account
	appVersion string
	issued     time.Duration
	ended      bool
	graceUntil time.Duration
	erased     bool // its private key
	removed    bool // its record, with its account
}

// GoString names the key in rapid's report of a failure.
func (k *key) GoString() string { return fmt.Sprintf("key %.4s of %s", k.pair.KeyID, k.device) }

type counter struct {
	inARow      int
	failures    []time.Duration
	lockedUntil time.Duration
	permanent   bool
	dead        []time.Duration // ends of the leases of attempts whose process died
}

type window struct {
	count int
	start time.Duration
}

type folded struct {
	total, failed int64
	devices       map[string]bool
}

func newModel(r rules) *model {
	m := &model{rules: r, accounts: map[string]*account{}, generations: map[string]*window{}, written: folded{devices: map[string]bool{}}}
	m.kill()
	return m
}

// kill forgets what is in memory.
func (m *model) kill() {
	m.failures = map[string]*window{}
	if !m.cluster {
		m.generations = map[string]*window{}
	}
	m.unwritten = folded{devices: map[string]bool{}}
}

// flush writes what is in memory.
func (m *model) flush() {
	m.written.total += m.unwritten.total
	m.written.failed += m.unwritten.failed
	for d := range m.unwritten.devices {
		m.written.devices[d] = true
	}
	m.unwritten = folded{devices: map[string]bool{}}
}

// count counts an operation. One that changed something, or gave a verdict, is
// written with it.
func (m *model) count(changed, failed bool, device string) {
	t := &m.unwritten
	if changed {
		t = &m.written
	}
	t.total++
	if failed {
		t.failed++
	}
	if device != "" {
		t.devices[device] = true
	}
}

// fail counts an operation that ended in this error.
func (m *model) fail(code domain.Code, device string) string {
	m.count(false, true, device)
	return string(code)
}

func (m *model) sum() domain.Summary {
	m.flush()
	s := domain.Summary{TotalOperations: m.written.total, FailedOperations: m.written.failed,
		SuccessfulOperations: m.written.total - m.written.failed,
		UniqueDevices:        int64(len(m.written.devices)), TimeframeHours: longest}
	if s.TotalOperations > 0 {
		s.SuccessRate = 100 * float64(s.SuccessfulOperations) / float64(s.TotalOperations)
	}
	return s
}

const longest = 87840 // hours

// limited counts a key-generation request, or refuses it and says after how
// many minutes the window ends.
func (m *model) limited(device string) (minutes int64, refused bool) {
	w := m.generations[device]
	if w == nil || m.now >= w.start+24*time.Hour {
		w = &window{start: m.now}
		m.generations[device] = w
	}
	if m.enforced && w.count >= 5 {
		return int64((w.start + 24*time.Hour - m.now) / time.Minute), true
	}
	w.count++
	return 0, false
}

func (m *model) valid(k *key) bool {
	return k != nil && !k.ended && (m.ttl == 0 || m.now < k.issued+m.ttl)
}

func (m *model) usable(k *key, forVerify bool) bool {
	return m.valid(k) || k != nil && forVerify && m.now < k.graceUntil
}

// issue puts a new key in the place of the device's key, if it has one.
func (m *model) issue(device, appVersion string, pair domain.KeyPair) {
	a := m.accounts[device]
	if a == nil {
		a = &account{secrets: map[domain.CredentialType]string{}, counters: map[domain.CredentialType]*counter{}}
		m.accounts[device] = a
	}
	if old := a.active; old != nil {
		for _, k := range m.keys { // grace is for the previous key only
			if k.device == device && k.ended {
				k.graceUntil, k.erased = 0, true
			}
		}
		if m.valid(old) {
			old.graceUntil = m.now + m.grace
			if m.ttl > 0 {
				old.graceUntil = min(old.graceUntil, old.issued+m.ttl)
			}
		}
		old.ended, old.erased = true, m.now >= old.graceUntil
	}
	a.active = &key{pair: pair, device: device, account: a, appVersion: appVersion, issued: m.now}
	m.keys = append(m.keys, a.active)
}

func (k *key) revoke() { k.ended, k.graceUntil, k.erased = true, 0, true }

// submit is the common part of set and verify: it returns the key under which the
// secret was sent, or the refusal.
func (m *model) submit(s sent, forVerify bool) (*key, string) {
	if s.declared != s.typ {
		return nil, m.fail(domain.CodeBadUserInput, "")
	}
	w := m.failures[s.keyID]
	if w != nil && m.now >= w.start+15*time.Minute {
		w = nil
	}
	if !m.usable(s.key, forVerify) {
		return nil, m.fail(domain.CodeKeyNotUsable, "")
	}
	if w != nil && w.count >= m.budget {
		return nil, string(domain.CodeTooManyRequests) // not an operation
	}
	if s.undecryptable {
		if w == nil {
			w = &window{start: m.now}
			m.failures[s.keyID] = w
		}
		w.count++
		return nil, m.fail(domain.CodeDecryptionFailed, s.key.device)
	}
	return s.key, ""
}

func (m *model) set(s sent) string {
	k, refused := m.submit(s, false)
	if refused != "" {
		return refused
	}
	if s.secret.rule != "" {
		m.count(false, true, k.device)
		return "false"
	}
	_, exists := k.account.secrets[s.typ]
	if l := k.account.counters[s.typ]; l != nil {
		m.lapse(l)
		if exists && m.locked(l) {
			return m.fail(domain.CodeCredentialLocked, k.device)
		}
		if !exists {
			*l = counter{dead: l.dead} // the first set starts fresh
		}
	}
	k.account.secrets[s.typ] = s.secret.canonical()
	m.count(true, false, k.device)
	return "true"
}

func (m *model) verify(s sent) string {
	k, refused := m.submit(s, true)
	if refused != "" {
		return refused
	}
	l := m.counter(k.account, s.typ)
	if m.locked(l) {
		return m.fail(domain.CodeCredentialLocked, k.device)
	}
	m.count(true, false, k.device)
	if stored, exists := k.account.secrets[s.typ]; exists && stored == s.secret.canonical() {
		l.inARow, l.lockedUntil = 0, 0
		return "true"
	}
	m.wrong(l, m.now)
	return "false"
}

// counter is the attempt counter at this moment.
func (m *model) counter(a *account, t domain.CredentialType) *counter {
	l := a.counters[t]
	if l == nil {
		l = &counter{}
		a.counters[t] = l
	}
	m.lapse(l)
	return l
}

func (m *model) locked(l *counter) bool { return l.permanent || m.now < l.lockedUntil }

// full says that attempts of dead processes leave no room for another.
func (m *model) full(l *counter) bool {
	recent := 0
	for _, f := range l.failures {
		if m.now-f < rollingWindow {
			recent++
		}
	}
	inARow := l.inARow+len(l.dead) >= m.maxFailures
	if l.inARow >= m.maxFailures { // locked before: one attempt at a time
		inARow = len(l.dead) > 0
	}
	return inARow || recent+len(l.dead) >= m.rollingMax
}

func (m *model) lapse(l *counter) {
	for len(l.dead) > 0 && m.now >= l.dead[0] {
		m.wrong(l, l.dead[0])
		l.dead = l.dead[1:]
	}
}

// wrong counts a wrong verdict at time at, and locks if it is one too many.
func (m *model) wrong(l *counter, at time.Duration) {
	l.inARow++
	l.failures = append(l.failures, at)
	if over := l.inARow - m.maxFailures; over >= len(m.lockouts) {
		l.permanent = true
	} else if over >= 0 {
		l.lockedUntil = max(l.lockedUntil, at+m.lockouts[over])
	}
	var inWindow []time.Duration
	for _, f := range l.failures {
		if at-f < rollingWindow {
			inWindow = append(inWindow, f)
		}
	}
	if n := len(inWindow); n >= m.rollingMax {
		slices.Sort(inWindow)
		l.lockedUntil = max(l.lockedUntil, inWindow[n-m.rollingMax]+rollingWindow)
	}
}

// secret is a plaintext, and the rule of the policy that forbids it.
type secret struct {
	text string
	rule domain.Rule
	nfc  string // if it differs from text
}

func (s secret) canonical() string {
	if s.nfc != "" {
		return s.nfc
	}
	return s.text
}

var secrets = map[domain.CredentialType][]secret{
	domain.TransactionPIN: {{text: "1357"}, {text: "2468"}, {text: "123456789012"},
		{text: "135", rule: domain.RuleTooShort}, {text: "", rule: domain.RuleTooShort},
		{text: "1234567890123", rule: domain.RuleTooLong}, {text: "13a7", rule: domain.RuleDigitsOnly}},
	domain.Passcode: {{text: "caf\u00e9"}, {text: "cafe\u0301", nfc: "caf\u00e9"}, {text: " 1357"},
		{text: "abc", rule: domain.RuleTooShort}, {text: strings.Repeat("p", 129), rule: domain.RuleTooLong},
		{text: "ab\xffcd", rule: domain.RuleNotUTF8}},
}

// sent is a submission as the model sees it.
type sent struct {
	key           *key // nil: no such key
	keyID         string
	typ, declared domain.CredentialType
	secret        secret
	undecryptable bool
}

// play plays one sequence against both.
type play struct {
	v    *instance
	m    *model
	seen map[string]int
}

func (p *play) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"generate": p.generate, "rotate": p.rotate, "encrypt": p.encrypt, "set": p.set, "set again": p.set, "set anew": p.set,
		"verify": p.verify, "guess": p.verify, "try again": p.verify, "summary": p.summary, "move": p.move,
		"restart": p.restart, "die": p.die, "sweep": p.sweep, "operate": p.operate,
	}
}

// same compares an answer with the model's.
func (p *play) same(rt *rapid.T, what, got, want string) {
	rt.Helper()
	if got != want {
		rt.Fatalf("%s: %s, the model says %s", what, got, want)
	}
	p.seen[what]++
	p.seen[what+" "+got]++
}

// rare is true about one time in ten.
func rare(rt *rapid.T, what string) bool { return rapid.Uint64().Draw(rt, what)%10 == 9 }

var devices = rapid.SampledFrom([]string{"phone", "tablet", "\U0001f4f1 <'\">"})

func (p *play) identity(rt *rapid.T) domain.Identity {
	return domain.Identity{DeviceID: devices.Draw(rt, "device"),
		AppVersion: rapid.SampledFrom([]string{"", "1.0", "1.1"}).Draw(rt, "app version")}
}

func (p *play) generate(rt *rapid.T) {
	id := p.identity(rt)
	if rare(rt, "bad identity") {
		_, err := p.v.GenerateKey(p.v.ctx, domain.Identity{DeviceID: "a\x00b"})
		p.same(rt, "generate", word(true, err), p.m.fail(domain.CodeBadUserInput, ""))
		return
	}
	minutes, refused := p.m.limited(id.DeviceID)
	pair, err := p.v.GenerateKey(p.v.ctx, id)
	if p.refused(rt, "generate", err, minutes, refused) {
		return
	}
	if a := p.m.accounts[id.DeviceID]; a != nil && p.m.valid(a.active) {
		p.same(rt, "generate", "same", "same")
		if diff := cmp.Diff(a.active.pair, pair); diff != "" {
			rt.Fatalf("the valid key was not answered again (-model +got):\n%s", diff)
		}
		newer := id.AppVersion != "" && id.AppVersion != a.active.appVersion
		if newer {
			a.active.appVersion = id.AppVersion
		}
		p.m.count(newer, false, id.DeviceID)
		return
	}
	p.same(rt, "generate", "new", "new")
	p.issued(rt, id, pair)
}

func (p *play) rotate(rt *rapid.T) {
	id := p.identity(rt)
	minutes, refused := p.m.limited(id.DeviceID)
	pair, err := p.v.RotateKey(p.v.ctx, id)
	if p.refused(rt, "rotate", err, minutes, refused) {
		return
	}
	p.issued(rt, id, pair)
}

func (p *play) refused(rt *rapid.T, what string, err error, minutes int64, refused bool) bool {
	rt.Helper()
	if !refused {
		p.same(rt, what, word(true, err), "true")
		return false
	}
	p.same(rt, what, word(true, err), string(domain.CodeTooManyRequests))
	var limit *domain.KeyGenerationLimitError
	if !errors.As(err, &limit) || limit.Minutes() != minutes {
		rt.Fatalf("%s: %v, the model says %d minutes", what, err, minutes)
	}
	return true
}

// issued compares a new key pair with the model and adds it there.
func (p *play) issued(rt *rapid.T, id domain.Identity, pair domain.KeyPair) {
	rt.Helper()
	for _, k := range p.m.keys {
		if k.pair.KeyID == pair.KeyID {
			rt.Fatal("a key id was given twice")
		}
	}
	if ttl := p.m.ttl; pair.ExpiresAt.IsZero() != (ttl == 0) || ttl > 0 && pair.ExpiresAt.Sub(pair.CreatedAt) != ttl {
		rt.Fatalf("a key from %v is valid until %v, with a validity of %v", pair.CreatedAt, pair.ExpiresAt, ttl)
	}
	p.m.issue(id.DeviceID, id.AppVersion, pair)
	p.m.count(true, false, id.DeviceID)
}

// encrypt calls the helper. submit uses its result for valid input.
func (p *play) encrypt(rt *rapid.T) {
	body, pem := "1357", "-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----\n"
	if len(p.m.keys) > 0 && rapid.Bool().Draw(rt, "empty body") {
		body, pem = "", devicekey.PEM(p.m.keys[0].pair.PublicKey)
	}
	_, err := p.v.EncryptLikeClient(p.v.ctx, domain.Encryption{Body: domain.Secret(body), PublicKey: pem})
	p.same(rt, "encrypt", word(true, err), p.m.help(domain.CodeBadUserInput))
}

// help counts a call of the helper, which answers this code if it is on.
func (m *model) help(code domain.Code) string {
	switch {
	case !m.helper:
		return m.fail(domain.CodeOperationDisabled, "")
	case code != "":
		return m.fail(code, "")
	}
	m.count(false, false, "")
	return "true"
}

func (p *play) set(rt *rapid.T) {
	s, sub := p.submission(rt)
	rule, err := p.v.Set(p.v.ctx, sub)
	p.same(rt, "set", word(rule == "", err), p.m.set(s))
	if rule != "" && rule != s.secret.rule {
		rt.Fatalf("set names rule %s, the model %s", rule, s.secret.rule)
	}
	p.lock(rt, s, err)
}

// verify verifies the same secret a few times, as attackers and impatient users do.
func (p *play) verify(rt *rapid.T) {
	s, sub := p.submission(rt)
	for range rapid.IntRange(1, 4).Draw(rt, "times") {
		p.verifyOnce(rt, s, sub)
	}
}

func (p *play) verifyOnce(rt *rapid.T, s sent, sub domain.Submission) {
	rt.Helper()
	for s.key != nil && p.m.usable(s.key, true) {
		// A request waits while only dead attempts fill the limit. Rather than
		// wait with it, move to where their leases are over.
		l := s.key.account.counters[s.typ]
		if l == nil || p.m.locked(l) || !p.m.full(l) || len(l.dead) == 0 {
			break
		}
		p.advance(lease)
		p.m.lapse(l)
	}
	ok, err := p.v.matches(p.v.ctx, sub)
	inGrace := s.key != nil && s.key.ended && p.m.usable(s.key, true)
	p.same(rt, "verify", word(ok, err), p.m.verify(s))
	p.lock(rt, s, err)
	if inGrace && err == nil {
		p.seen["verdict in grace"]++
	}
}

// lock compares the lock in a refusal with the model.
func (p *play) lock(rt *rapid.T, s sent, err error) {
	rt.Helper()
	var refusal *domain.Error
	if !errors.As(err, &refusal) || refusal.Code != domain.CodeCredentialLocked {
		return
	}
	l := s.key.account.counters[s.typ]
	left := l.lockedUntil - p.m.now
	if refusal.Permanent != l.permanent || !l.permanent && (refusal.RetryAfter > left || refusal.RetryAfter <= left-time.Minute) {
		rt.Fatalf("locked for %v, permanently: %v; the model says %v and %v", refusal.RetryAfter, refusal.Permanent, left, l.permanent)
	}
	if l.permanent {
		p.seen["permanent lock"]++
	}
}

// submission draws what is sent, mostly good, and often what would match.
func (p *play) submission(rt *rapid.T) (sent, domain.Submission) {
	s := sent{typ: rapid.SampledFrom([]domain.CredentialType{domain.Passcode, domain.TransactionPIN}).Draw(rt, "type")}
	s.declared = s.typ
	if rare(rt, "wrong type") {
		s.declared = domain.Passcode
		if s.typ == domain.Passcode {
			s.declared = domain.TransactionPIN
		}
	}
	common := secrets[s.typ][:3]
	if rare(rt, "any secret") {
		common = secrets[s.typ]
	}
	s.secret = rapid.SampledFrom(common).Draw(rt, "secret")
	sub := domain.Submission{Type: s.typ, Declared: s.declared, KeyID: "aaaaaaaaaaaaaaaaaaaaaaaaaa"}
	if s.key = p.key(rt); s.key == nil {
		s.keyID, sub.Ciphertext = sub.KeyID, "AAAA"
		return s, sub
	}
	s.keyID = s.key.pair.KeyID
	sub.KeyID = s.keyID
	how := "client"
	if rare(rt, "ciphertext") {
		how = rapid.SampledFrom([]string{"helper", "not base64", "too short", "random"}).Draw(rt, "from")
	}
	switch how {
	case "client":
		sub.Ciphertext = submission(p.v.t, s.key.pair, s.typ, s.secret.text).Ciphertext
	case "helper":
		if s.secret.text == "" {
			s.secret = secrets[s.typ][0]
		}
		var err error
		sub.Ciphertext, err = p.v.EncryptLikeClient(p.v.ctx, domain.Encryption{Body: domain.Secret(s.secret.text), PublicKey: devicekey.PEM(s.key.pair.PublicKey)})
		p.same(rt, "encrypt", word(true, err), p.m.help(""))
		if err != nil {
			sub.Ciphertext, s.undecryptable = "AAAA", true
		}
	case "not base64":
		sub.Ciphertext, s.undecryptable = "%%%", true
	case "too short":
		sub.Ciphertext, s.undecryptable = "AAAA", true
	case "random":
		sub.Ciphertext, s.undecryptable = strings.Repeat("7", 341)+"w==", true
	}
	return s, sub
}

// key draws a key: mostly one that can be used, else any that was ever
// issued, or none.
func (p *play) key(rt *rapid.T) *key {
	if len(p.m.keys) == 0 || rare(rt, "unknown key") {
		return nil
	}
	var usable []*key
	for _, k := range p.m.keys {
		if p.m.usable(k, true) {
			usable = append(usable, k)
		}
	}
	if len(usable) == 0 || rare(rt, "any key") {
		return rapid.SampledFrom(p.m.keys).Draw(rt, "key")
	}
	return rapid.SampledFrom(usable).Draw(rt, "usable key")
}

func (p *play) summary(rt *rapid.T) {
	if _, err := p.v.Summary(p.v.ctx, 0); domain.CodeOf(err) != domain.CodeBadUserInput {
		rt.Fatalf("a window of no hours: %v", err)
	}
	got, err := p.v.Summary(p.v.ctx, longest)
	if err != nil {
		rt.Fatal(err)
	}
	want := p.m.sum()
	want.AverageDuration, want.Percentiles = got.AverageDuration, got.Percentiles
	want.Percentiles.Of = want.TotalOperations
	if diff := cmp.Diff(want, got); diff != "" {
		rt.Fatalf("summary (-model +got):\n%s", diff)
	}
	p.seen["summary"]++
}

func (p *play) move(rt *rapid.T) {
	p.advance(rapid.SampledFrom([]time.Duration{time.Minute, 9 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
		time.Hour, 23 * time.Hour, 24 * time.Hour, 72 * time.Hour}).Draw(rt, "by"))
}

func (p *play) advance(d time.Duration) {
	p.v.clock.Advance(d)
	p.m.now += d
}

func (p *play) kill(*rapid.T) {
	p.v.kill()
	p.m.kill()
	if p.v.shared() {
		p.advance(time.Minute) // after which others take up what it left
	}
	p.seen["kill"]++
}

// restart stops the service as SIGTERM does and starts it with another cost of
// hashing, which no answer may show.
func (p *play) restart(rt *rapid.T) {
	if err := p.v.Stop(p.v.ctx); err != nil {
		rt.Fatal(err)
	}
	p.m.flush()
	memory := uint32(rapid.IntRange(8, 9).Draw(rt, "memory"))
	p.v.tweak = func(c *Config) { p.m.configure(c); c.Verifier.Memory = memory }
	p.kill(rt)
}

// die kills the process between an attempt's reservation and its verdict.
func (p *play) die(rt *rapid.T) {
	k, typ := p.key(rt), rapid.SampledFrom([]domain.CredentialType{domain.Passcode, domain.TransactionPIN}).Draw(rt, "type")
	if !p.m.usable(k, true) || rapid.Bool().Draw(rt, "idle") {
		p.kill(rt)
		return
	}
	l := p.m.counter(k.account, typ)
	if full, err := p.v.reserve(k.pair, typ); full || err != nil {
		if !p.m.locked(l) && !p.m.full(l) {
			rt.Fatalf("an attempt was refused: full %v, %v", full, err)
		}
	} else if p.m.locked(l) || p.m.full(l) {
		rt.Fatal("an attempt was reserved that the model has no room for")
	} else {
		l.dead = append(l.dead, p.m.now+lease)
		p.seen["dead attempt"]++
	}
	p.kill(rt)
}

// sweep ends keys whose time is up: then nothing is left of any private key
// that will never be used again.
func (p *play) sweep(rt *rapid.T) {
	if err := p.v.endKeys(); err != nil {
		rt.Fatal(err)
	}
	for _, k := range p.m.keys {
		if k.removed {
			continue
		}
		if !p.m.usable(k, true) {
			k.revoke()
		}
		if kept := len(p.v.stored(k.pair).Sealed) > 0; kept != p.m.usable(k, true) {
			rt.Fatalf("a private key is kept: %v, the key can still be used: %v", kept, p.m.usable(k, true))
		}
	}
	p.seen["sweep"]++
}

func (p *play) operate(rt *rapid.T) {
	device := devices.Draw(rt, "device")
	a := p.m.accounts[device]
	var err error
	var want domain.Code
	if a == nil {
		want = domain.CodeNotFound
	}
	act := rapid.SampledFrom([]string{"unlock", "unlock", "unlock", "revoke", "erase"}).Draw(rt, "act")
	switch act {
	case "unlock":
		typ := rapid.SampledFrom([]domain.CredentialType{domain.Passcode, domain.TransactionPIN}).Draw(rt, "type")
		err = p.v.unlock(p.v.ctx, device, typ, "reason")
		if a == nil || a.counters[typ] == nil {
			want = domain.CodeNotFound
		} else {
			*a.counters[typ] = counter{dead: p.m.counter(a, typ).dead}
		}
	case "revoke":
		k := p.key(rt)
		switch {
		case k == nil:
			k, want = &key{}, domain.CodeNotFound
		case k.removed:
			want = domain.CodeNotFound
		case k.erased:
			want = domain.CodeConflict
		default:
			want = ""
		}
		err = p.v.revoke(k.pair.KeyID, "reason")
		k.revoke()
	case "erase":
		err = p.v.erase(device, "reason")
		for _, k := range p.m.keys {
			if k.account == a && a != nil {
				k.revoke()
				k.removed = true
			}
		}
		delete(p.m.accounts, device)
	}
	p.same(rt, act, string(domain.CodeOf(err)), string(want))
}
