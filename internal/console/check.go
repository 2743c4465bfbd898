package console

import (
	"context"
	"fmt"
	"net/http"
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
	Record string    // the row, or ""
	What   string    //
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
			found = "The record is not as this entry left it: " + p.What
		case p.Seq == seq:
			return "Here the trail was changed: " + p.What, false
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
	Stopped string    // by whom; empty: by nobody
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

func (p Progress) words() string {
	if p.Of == "" {
		return "It has begun"
	}
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
			this.Err = "The trail could not be read to its end. The log has why, under the request id."
			if ctx.Err() == nil { // else the server ends, which is nobody's failure
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
	Rows    []problemPlace `json:"-"` // records that do not agree
}

type problemPlace struct {
	Problem
	Link string
}

func (c *Console) checkView() checkView {
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
		v.Words, v.Percent = this.words()+", in "+span(until.Sub(this.Began)), this.percent()
	}
	if v.Report != nil {
		for _, p := range v.Report.Problems {
			if place := (problemPlace{p, around(p.At)}); p.Record == "" {
				v.Breaks = append(v.Breaks, place)
			} else {
				v.Rows = append(v.Rows, place)
			}
		}
	}
	return v
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
	c.answerJSON(w, http.StatusOK, c.checkView())
}
