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

// Report is the result of a check of the whole audit trail.
type Report struct {
	Entries  int64
	Rows     int64 // records that were compared with the trail
	Heads    []Head
	Cuts     int // chains that begin later because they were pruned
	Problems []Problem
}

// Head is the newest entry of a chain.
type Head struct {
	Chain string
	Seq   int64
	Hash  string // hexadecimal
}

// Problem is one difference from the trail.
type Problem struct {
	Chain  string
	Seq    int64     // of the entry, or 0; a forged entry may have any number
	Record string    // kind/id of the record, or ""
	What   string    //
	Own    bool      // the record itself shows it
	At     time.Time // of the entry, or of the next one that exists; zero: unknown
}

// at returns what a check found wrong with an entry, or "". unproven: the entry
// comes after a changed one in its chain, so it may be forged too.
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
		case p.Record == "" && p.Seq > 0 && p.Seq < seq: // an entry with another number is not part of the chain
			unproven = true
		}
	}
	return found, unproven
}

// checker runs one check at a time and keeps the last result. The zero value is
// ready to use.
type checker struct {
	mu      sync.Mutex
	run     *run // the running check, or the last one; nil: none
	report  *Report
	cancel  context.CancelFunc
	running sync.WaitGroup
	closed  bool
}

type run struct {
	By      string
	Began   time.Time
	Ended   time.Time // zero: it is running
	Stopped string    // the operator who stopped it; empty: it was not stopped
	Err     string    // why it could not finish; empty: it could
	Request string
	Progress
}

// Progress is the progress of a check, which reads all entries and then all
// records. If there are very many records, it reads them all once for each
// part.
type Progress struct {
	Of          string // "entries" or "records"
	Done, All   int64
	Part, Parts int // counted from 1
}

// percent returns how much of the present pass is read.
func (p Progress) percent() int64 { return min(100, 100*p.Done/max(p.All, 1)) }

// Words returns the progress in words.
func (p Progress) Words() string {
	words := fmt.Sprintf("%s of %s %s checked (%d %%)", number(p.Done), number(p.All), p.Of, p.percent())
	if p.Parts > 1 {
		words += fmt.Sprintf(", for part %d of %d of the records", p.Part, p.Parts)
	}
	return words
}

// start begins a check, unless one is running. The context of verify ends with
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

// stop stops the running check, if there is one.
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

// checkView is the state of the check.
type checkView struct {
	Running bool   `json:"running"`
	Words   string `json:"progress"`
	Percent int64  `json:"percent"`
	run     `json:"-"`
	Report  *Report        `json:"-"` // of the last check that finished
	Breaks  []problemPlace `json:"-"` // where chains were changed
	Own     []problemPlace `json:"-"` // records that themselves show that they were edited
	Records []problemPlace `json:"-"` // other records that differ from the trail
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

// Changed returns how many records were changed.
func (v checkView) Changed() int { return len(v.Own) + len(v.Records) }

// places returns the problems. Those of one record are one place.
func (r *Report) places() (all []problemPlace) {
	if r == nil {
		return nil
	}
	at := map[string]int{} // index in all, by record
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

// found returns a sentence about the last check's problems, or "".
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
