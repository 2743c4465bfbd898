package console

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"strongroom/internal/domain"
)

// windows are the time ranges that the overview offers.
var windows = []window{{1, "1 h", "hour"}, {6, "6 h", "6 hours"}, {24, "24 h", "24 hours"}, {168, "7 d", "7 days"}, {720, "30 d", "30 days"}, {2160, "90 d", "90 days"}}

type window struct {
	Hours int
	Label string
	Words string
}

// overview is the data of the page, and of the updates that the page requests.
type overview struct {
	Window  window    `json:"-"`
	Windows []window  `json:"-"`
	At      time.Time `json:"at"`
	Verdict verdict   `json:"verdict"`
	Tiles   []tile    `json:"tiles"`
	Gauges  []tile    `json:"gauges"`
	Chart   chart     `json:"chart"`
	Unknown bool      `json:"unknown"` // the database is unreachable, so tiles have no values and there is no chart

	Latencies  []domain.Latency      `json:"-"`
	Defended   int                   `json:"-"`
	Open       []domain.PostureCheck `json:"-"` // required by the hardened posture, and off
	MoreOpen   int                   `json:"-"` // how many more there are than in Open
	Health     domain.Health         `json:"-"`
	Suspicions int                   `json:"-"`

	deadLetters int64
	lastGuess   time.Time // of the suspected sources

	found    string // by the last check of the trail
	tampered int64  // edited records that this instance refused
}

// verdict is the sentence at the top.
type verdict struct {
	State string `json:"state"` // good, warn or bad
	Text  string `json:"text"`
	Link  string `json:"link"` // page with more; empty: none
	Name  string `json:"name"` // text of the link
}

// tile is a number with its name.
type tile struct {
	ID    string `json:"id"`
	Label string `json:"-"`
	Value string `json:"value"`
	Note  string `json:"note"`
	State string `json:"state"` // good, warn or bad; empty: only a number
	Part  int    `json:"part"`  // percent, for a bar; below 0: no bar
	Link  string `json:"-"`
}

func (c content) overview(r *request) (view, error) {
	o, err := c.look(r)
	return view{"overview.html", "Overview", o}, err
}

func (c *Console) liveOverview(w http.ResponseWriter, r *http.Request) {
	o, err := c.content.look(&request{Request: r, query: r.URL.Query()})
	if err != nil {
		c.fail(w, r, err)
		return
	}
	c.answerJSON(w, http.StatusOK, o)
}

// look reads everything at the same time.
func (c content) look(r *request) (overview, error) {
	o := overview{Windows: windows, Window: windows[2]}
	if asked := r.query.Get("hours"); asked != "" {
		at := slices.IndexFunc(windows, func(w window) bool { return strconv.Itoa(w.Hours) == asked })
		if at < 0 {
			return o, badInput("hours", "must be one of the page's choices")
		}
		o.Window = windows[at]
	}
	hours := float64(o.Window.Hours)
	var summary domain.Summary
	var series []domain.Bucketed
	var locks []domain.Lock
	var moreLocks string
	var suspicions []domain.Suspicion
	var webhook domain.WebhookStatus
	ctx := r.Context()
	err := together(
		func() (err error) { summary, err = c.UseCases.Summary(ctx, hours); return },
		func() (err error) { _, series, err = c.UseCases.Operations(ctx, hours, barOf(hours)); return },
		func() (err error) { o.Health, err = c.UseCases.Health(ctx); return },
		func() (err error) { locks, moreLocks, err = c.UseCases.Locks(ctx, domain.Page{Limit: 200}); return },
		func() (err error) { suspicions, err = c.UseCases.Suspicions(ctx); return },
		func() (err error) { webhook, err = c.UseCases.WebhookStatus(ctx); return },
	)
	o.Unknown = err != nil && !o.Health.Store && !o.Health.InstanceTime.IsZero() // the store is down, and this page must say so
	if err != nil && !o.Unknown {
		return o, err
	}
	o.At = o.Health.InstanceTime
	now := o.Health.StoreTime
	if now.IsZero() {
		now = o.At
	}
	o.Chart = operationsChart(hours, series, now)
	o.Suspicions, o.deadLetters = len(suspicions), webhook.DeadLetters
	for _, s := range suspicions {
		if s.Last.After(o.lastGuess) {
			o.lastGuess = s.Last
		}
	}
	o.tiles(summary, len(locks), moreLocks != "")
	o.Tiles = append(o.Tiles, eventsTile(webhook))
	if o.Unknown {
		for i := range o.Tiles {
			o.Tiles[i].Value, o.Tiles[i].Note, o.Tiles[i].State = "–", "unknown", ""
		}
	}
	o.gauges()
	if c.Latencies != nil {
		o.Latencies = c.Latencies()
	}
	o.defences(c.Posture)
	o.found = c.check.last().found()
	if c.Tampered != nil {
		o.tampered = c.Tampered()
	}
	o.judge()
	return o, nil
}

// shownOpen is how many open defences the overview names.
const shownOpen = 4

// defences counts the defences that are on, and keeps the first of those that are off.
func (o *overview) defences(checks []domain.PostureCheck) {
	for _, p := range checks {
		switch {
		case open(p) && p.Required:
			o.Open = append(o.Open, p)
		case p.State == domain.CheckOn:
			o.Defended++
		}
	}
	o.MoreOpen = max(0, len(o.Open)-shownOpen)
	o.Open = o.Open[:len(o.Open)-o.MoreOpen]
}

// Undefended returns how many required defences are off.
func (o overview) Undefended() int { return len(o.Open) + o.MoreOpen }

// together runs all functions at the same time and returns their errors.
func together(all ...func() error) error {
	errs := make([]error, len(all))
	var wait sync.WaitGroup
	for i, fn := range all {
		wait.Go(func() { errs[i] = fn() })
	}
	wait.Wait()
	return errors.Join(errs...)
}

func (o *overview) tiles(s domain.Summary, locks int, more bool) {
	plus := ""
	if more {
		plus = "+"
	}
	none := s.TotalOperations == 0
	p := s.Percentiles
	rate, half := percent(s.SuccessRate), took(p.P50)
	longer := unbroken("p95 "+took(p.P95)) + " · " + unbroken("p99 "+took(p.P99))
	state := ""
	switch {
	case none:
		rate, half, longer = "–", "–", "of one operation"
	case s.SuccessRate < 95:
		state = "warn"
	}
	if !none && p.Of == 0 {
		half, longer = "–", millis(s.AverageDuration)+" on average"
	}
	perSecond := float64(s.TotalOperations) / float64(o.Window.Hours*3600)
	o.Tiles = []tile{
		{"operations", "Operations", number(s.TotalOperations), strconv.FormatFloat(perSecond, 'f', 2, 64) + " per second", "", -1, ""},
		{"rate", "Success rate", rate, number(s.FailedOperations) + " failed", state, -1, "/audit"},
		{"took", "Median duration", half, longer, "", -1, ""},
		{"devices", "Unique devices", number(s.UniqueDevices), "seen in the window", "", -1, "/devices"},
		{"locks", "Locked now", number(locks) + plus, plural(o.Suspicions, "suspected source", "suspected sources"), warnIf(o.Suspicions > 0), -1, "/locks"},
	}
}

// eventsTile shows the events that the receiver has not accepted.
func eventsTile(s domain.WebhookStatus) tile {
	t := tile{"events", "Dead letters", number(s.DeadLetters), number(s.Waiting) + " queued", warnIf(s.DeadLetters > 0), -1, "/events"}
	if !s.Enabled && s.DeadLetters == 0 {
		t.Value, t.Note = "–", "no receiver is set"
	}
	return t
}

func (o *overview) gauges() {
	h := o.Health
	clock := h.InstanceTime.Sub(h.StoreTime).Abs()
	o.Gauges = []tile{
		{"store", "Database", word(h.Store, "reachable", "unreachable"), "schema " + number(h.SchemaVersion), badUnless(h.Store), -1, ""},
		rootKeyTile(h),
		{"pool", "Key pool", of(h.KeyPool, h.KeyPoolSize), "ready key pairs", warnIf(h.KeyPoolSize > 0 && h.KeyPool == 0), share(h.KeyPool, h.KeyPoolSize), ""},
		{"lanes", "Workers", of(h.WorkersBusy, h.Workers), "busy with RSA, Argon2id", "", share(h.WorkersBusy, h.Workers), ""},
		{"queue", "Queue", of(h.Waiting, h.WaitingMost), "requests admitted", warnIf(share(h.Waiting, h.WaitingMost) > 70), share(h.Waiting, h.WaitingMost), ""},
		{"lag", "Metrics lag", span(h.RollupLag), "oldest operation not counted yet", warnIf(h.RollupLag > 10*time.Second), -1, ""},
		{"auditlag", "Audit lag", span(h.AuditLag), "oldest count not written yet", warnIf(h.AuditLag > 3*time.Minute), -1, ""},
		{"clock", "Clock", span(clock), "difference from the database's clock", warnIf(h.Store && clock > 5*time.Second), -1, ""},
	}
	if h.KeyPoolSize == 0 {
		o.Gauges[2] = tile{"pool", "Key pool", "off", "generated on request", "", -1, ""}
	}
	if !h.Store {
		o.Gauges[7].Value, o.Gauges[7].State = "unknown", ""
	}
}

// rootKeyTile shows how many of this instance's root keys open the data keys.
func rootKeyTile(h domain.Health) tile {
	t := tile{"rootkey", "Root keys", word(h.RootKey, "OK", "none opens"), "at the last check", badUnless(h.RootKey), -1, "/custody"}
	up, providers := 0, []string{}
	for _, k := range h.RootKeys {
		if k.Up() {
			up++
		}
		providers = append(providers, k.Provider())
	}
	if len(providers) > 0 {
		t.Note = list(slices.Compact(providers)) + ", at the last check"
	}
	if h.RootKey && up < len(h.RootKeys) {
		t.Value, t.State = of(up, len(h.RootKeys)), "warn"
	}
	return t
}

// judge sets the verdict: the worst problem.
func (o *overview) judge() {
	var look []string
	for _, t := range append(slices.Clone(o.Gauges), o.Tiles...) {
		if t.State == "warn" {
			look = append(look, t.Label)
		}
	}
	switch {
	case !o.Health.Store:
		o.Verdict = verdict{State: "bad", Text: "The database is unreachable. This instance is not ready and cannot verify anything until it is back."}
	case o.found != "":
		o.Verdict = verdict{"bad", o.found, "/audit#check", "See Audit"}
	case o.tampered > 0:
		o.Verdict = verdict{"bad", "This instance refused records that were edited in the database " + plural(o.tampered, "time", "times") + " since it started.",
			"/audit?event=" + string(domain.EventTamperingSeen), "See Audit"}
	case !o.Health.RootKey:
		o.Verdict = verdict{State: "bad", Text: "No root key opens the data keys. This instance continues, because it has the data keys in memory, but a restart will fail.", Link: "/custody", Name: "See Custody"}
	case o.Suspicions > 0:
		o.Verdict = verdict{"warn", guessed(o.Suspicions, o.lastGuess), "/locks", "See Locks"}
	case o.deadLetters > 0 && len(look) == 1:
		o.Verdict = verdict{"warn", plural(o.deadLetters, "event became a dead letter", "events became dead letters") + ". See the reason at Events.", "/events", "See Events"}
	case len(look) > 0:
		o.Verdict = verdict{State: "warn", Text: "This instance is running. Check: " + strings.ToLower(list(look)) + "."}
	default:
		o.Verdict = verdict{State: "good", Text: "This instance is healthy."}
	}
}

func guessed(sources int, last time.Time) string {
	if sources == 1 {
		return "One source is guessing PINs or passcodes of many accounts, last at " + stamp(last) + "."
	}
	return number(sources) + " sources are guessing PINs or passcodes of many accounts, last at " + stamp(last) + "."
}

// unbroken keeps text on one line.
func unbroken(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

func word(yes bool, is, isNot string) string {
	if yes {
		return is
	}
	return isNot
}

func badUnless(good bool) string { return word(good, "good", "bad") }

func warnIf(bad bool) string { return word(bad, "warn", "") }

func of(n, all int) string { return number(n) + " of " + number(all) }

func share(n, all int) int {
	if all <= 0 {
		return 0
	}
	return min(100, n*100/all)
}
