package console

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"strongroom/internal/domain"
)

// Report is what a check of the whole trail found.
type Report struct {
	Entries  int64
	Rows     int64 // records that were held against the trail
	Heads    []Head
	Cuts     int // chains that begin later, because they were pruned
	Problems []Problem
}

// Head is the newest entry of a chain.
type Head struct {
	Chain string
	Seq   int64
	Hash  string // hexadecimal
}

// Problem is one thing that is not as the trail says.
type Problem struct {
	Chain  string
	Seq    int64     // the entry, or 0; a forged one may have any number
	Record string    // or ""
	What   string    //
	Own    bool      // the record's own MAC tells it, whatever the trail says
	At     time.Time // of the entry, or of the next one that is there; zero: not known
}

// at is what a check found at an entry, or empty. unproven: it comes after a
// bad one in its chain, and may be forged too.
func (r *Report) at(chain string, seq int64) (found string, unproven bool) {
	if r == nil {
		return "", false
	}
	for _, p := range r.Problems {
		switch {
		case p.Chain != chain || p.Record != "" && p.Seq == 0:
		case p.Seq == seq && p.Record != "":
			found = "The record differs from this entry: " + p.What
		case p.Seq == seq:
			return "The trail was changed here: " + p.What, false
		case p.Record == "" && p.Seq > 0 && p.Seq < seq: // one with another number is no part of the chain
			unproven = true
		}
	}
	return found, unproven
}

// checker runs one check at a time and keeps the last result. The zero value is
// ready.
type checker struct {
	mu      sync.Mutex
	run     *run // the one that runs, or the last; nil: none
	report  *Report
	cancel  context.CancelFunc
	running sync.WaitGroup
	closed  bool
}

type run struct {
	By      string
	Began   time.Time
	Ended   time.Time // zero: it runs
	Stopped string    // who stopped it; empty: not stopped
	Err     string    // it could not be ended
	Request string
	Progress
}

// Progress is how far a check is: so many of all entries, and then of all
// records. Where records are very many it reads them all once for each part.
type Progress struct {
	Of          string // "entries" or "records"
	Done, All   int64
	Part, Parts int // from 1
}

// percent is how much of what it reads now is read.
func (p Progress) percent() int64 { return min(100, 100*p.Done/max(p.All, 1)) }

// Words are how far it is.
func (p Progress) Words() string {
	words := fmt.Sprintf("%s of %s %s checked (%d %%)", number(p.Done), number(p.All), p.Of, p.percent())
	if p.Parts > 1 {
		words += fmt.Sprintf(", for part %d of %d of the records", p.Part, p.Parts)
	}
	return words
}

// start begins a check, unless one runs. verify gets a context that ends with
// the console.
func (c *checker) start(ctx context.Context, verify func(context.Context, func(Progress)) (Report, error), failed func(error)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.run != nil && c.run.Ended.IsZero() {
		return false
	}
	this := &run{By: domain.OperatorFrom(ctx).Name, Began: time.Now(), Request: domain.CallerFrom(ctx).RequestID}
	ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx)) // it outlives the request
	c.run = this
	c.running.Go(func() {
		report, err := verify(ctx, func(p Progress) {
			c.mu.Lock()
			defer c.mu.Unlock()
			this.Progress = p
		})
		c.mu.Lock()
		defer c.mu.Unlock()
		this.Ended = time.Now()
		switch {
		case err == nil:
			c.report = &report
		case this.Stopped != "":
			this.Err = "The check was stopped before its end."
		default:
			this.Err = "The trail could not be read to its end. The log has the cause under the request id."
			if ctx.Err() == nil { // otherwise the server stops, which is not a failure
				failed(err)
			}
		}
	})
	return true
}

// stop ends the check that runs, if one does.
func (c *checker) stop(by string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run != nil && c.run.Ended.IsZero() && c.run.Stopped == "" {
		c.run.Stopped = by
		c.cancel()
	}
}

func (c *checker) last() *Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.report
}

func (c *checker) close() {
	c.mu.Lock()
	c.closed = true
	if c.cancel != nil {
		c.cancel()
	}
	c.mu.Unlock()
	c.running.Wait()
}

// checkView is how it stands with the check.
type checkView struct {
	Running bool   `json:"running"`
	Words   string `json:"progress"`
	Percent int64  `json:"percent"`
	run     `json:"-"`
	Report  *Report        `json:"-"` // of the last one that came to its end
	Breaks  []problemPlace `json:"-"` // where chains were changed
	Own     []problemPlace `json:"-"` // records that were changed, whatever the trail says
	Records []problemPlace `json:"-"` // the others that do not agree with the trail
}

type problemPlace struct {
	Problem
	Link string
}

func (c content) checkView() checkView {
	c.check.mu.Lock()
	defer c.check.mu.Unlock()
	v := checkView{Report: c.check.report}
	if c.check.run != nil {
		this := *c.check.run
		v.run, v.Running = this, this.Ended.IsZero()
		until := time.Now()
		if !v.Running {
			until = this.Ended
		}
		if v.Words, v.Percent = "It began "+span(until.Sub(this.Began))+" ago", this.percent(); this.Of != "" {
			v.Words = this.Words() + ", in " + span(until.Sub(this.Began))
		}
	}
	for _, place := range v.Report.places() {
		switch {
		case place.Record == "":
			v.Breaks = append(v.Breaks, place)
		case place.Own:
			v.Own = append(v.Own, place)
		default:
			v.Records = append(v.Records, place)
		}
	}
	return v
}

// Changed are how many records are not as they were left.
func (v checkView) Changed() int { return len(v.Own) + len(v.Records) }

// places are the problems, those of one record together.
func (r *Report) places() (all []problemPlace) {
	if r == nil {
		return nil
	}
	at := map[string]int{} // of each record in all
	for _, p := range r.Problems {
		i, more := at[p.Record]
		if p.Record == "" || !more {
			at[p.Record] = len(all)
			all = append(all, problemPlace{p, around(p.At)})
			continue
		}
		place := &all[i]
		place.What, place.Own = place.What+"; "+p.What, place.Own || p.Own
		if place.Seq == 0 {
			place.Chain, place.Seq, place.Link, place.At = p.Chain, p.Seq, around(p.At), p.At
		}
	}
	return all
}

// found says what the last check found, or nothing.
func (r *Report) found() string {
	breaks, records := 0, 0
	for _, p := range r.places() {
		if p.Record == "" {
			breaks++
		} else {
			records++
		}
	}
	var all []string
	if breaks > 0 {
		all = append(all, plural(breaks, "place", "places")+" at which the audit trail was changed")
	}
	if records > 0 {
		all = append(all, plural(records, "record that is", "records that are")+" not as the trail left "+word(records == 1, "it", "them"))
	}
	if all == nil {
		return ""
	}
	return "The last check found " + strings.Join(all, ", and ") + "."
}

func (c *Console) startCheck(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	c.check.start(ctx, c.Verify, func(err error) {
		c.Log.ErrorContext(ctx, "operation failed", "error", err)
	}) // one that runs already is as good
	http.Redirect(w, r, "/audit#check", http.StatusSeeOther)
}

func (c *Console) stopCheck(w http.ResponseWriter, r *http.Request) {
	c.check.stop(domain.OperatorFrom(r.Context()).Name)
	http.Redirect(w, r, "/audit#check", http.StatusSeeOther)
}

func (c *Console) liveCheck(w http.ResponseWriter, _ *http.Request) {
	c.answerJSON(w, http.StatusOK, c.content.checkView())
}
