package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var outboxTests = []test{
	{"events of a partition are numbered without gaps, by any number of writers", numberEvents},
	{"numbers go on where they were, also when all events are gone", numbersOutlive},
	{"what waits is found partition by partition, the first event of each", walkPartitions},
	{"an event is in its partition once", eventOnce},
	{"waiting events are counted up to a limit", countWaiting},
	{"dead letters are listed, found and removed", deadLetters},
	{"old dead letters are removed in portions", sweepDeadLetters},
	{"and so are old events that wait", sweepEvents},
}

// putEvents adds n further events to a partition.
func (w *world) putEvents(partition string, n int) (events []domain.OutboxEvent) {
	w.Helper()
	w.must(func(tx store.Tx) error {
		last, err := tx.NumberEvents(partition, n)
		events = nil
		for i := range n {
			events = append(events, w.event(partition, last-int64(n)+1+int64(i)))
		}
		return errors.Join(err, putEvents(tx, events...))
	})
	return events
}

func numberEvents(w *world) {
	handles := []store.Store{w.store, w.openAnother()}
	for _, err := range together(30, func(i int) error {
		return handles[i%2].Update(context.Background(), func(tx store.Tx) error {
			last, err := tx.NumberEvents("partition", 2)
			if err != nil {
				return err
			}
			return putEvents(tx, w.event("partition", last-1), w.event("partition", last))
		})
	}) {
		if err != nil {
			w.Fatal(err)
		}
	}
	for want := range int64(60) {
		w.must(func(tx store.Tx) error {
			e, err := tx.FirstEvent("partition")
			equal(w, "number", e.Seq, want+1)
			if err != nil {
				return err
			}
			return tx.DeleteEvent("partition", e.Seq)
		})
	}
	w.missing(func(tx store.Tx) error { _, err := tx.FirstEvent("partition"); return err })
}

func numbersOutlive(w *world) {
	for _, e := range w.putEvents("partition", 3) {
		w.must(func(tx store.Tx) error { return tx.DeleteEvent("partition", e.Seq) })
	}
	w.fails(errBoom, func(tx store.Tx) error { // what is rolled back takes no number
		_, _ = tx.NumberEvents("partition", 5)
		return errBoom
	})
	w.reopen()
	equal(w, "number", w.putEvents("partition", 1)[0].Seq, 4)
	equal(w, "number in another partition", w.putEvents("partition-", 1)[0].Seq, 1)
}

func walkPartitions(w *world) {
	w.missing(func(tx store.Tx) error { _, err := tx.NextPartition(""); return err })
	var want []domain.OutboxEvent
	for _, partition := range []string{domain.StorePartition, "B", "a", "aa", "b", "é"} {
		want = append(want, w.putEvents(partition, 3)[0])
	}
	w.reopen()
	var got []domain.OutboxEvent
	w.look(func(tx store.Tx) error {
		for after := ""; ; after = got[len(got)-1].Partition {
			e, err := tx.NextPartition(after)
			if err != nil {
				equal(w, "the end", err, store.ErrNotFound)
				return nil
			}
			got = append(got, e)
		}
	})
	equal(w, "the first event of each partition", got, want)
	for _, page := range []struct {
		after    int64
		limit, n int
	}{{0, 1, 1}, {0, 3, 3}, {0, 9, 3}, {1, 1, 1}, {1, 9, 2}, {3, 9, 0}} {
		w.look(func(tx store.Tx) error {
			all, err := tx.EventsOf("aa", page.after, page.limit)
			equal(w, "events of a partition", len(all), page.n)
			for i, e := range all {
				equal(w, "their place", [2]any{e.Partition, e.Seq}, [2]any{"aa", page.after + int64(i+1)})
			}
			return err
		})
	}
	w.must(func(tx store.Tx) error { return tx.DeleteEvent("a", 1) })
	w.must(func(tx store.Tx) error { return tx.DeleteEvent("a", 1) }) // no error
	w.look(func(tx store.Tx) error {
		e, err := tx.FirstEvent("a")
		equal(w, "first", e.Seq, 2)
		return err
	})
}

func eventOnce(w *world) {
	e := w.putEvents("partition", 1)[0]
	w.fails(store.ErrConflict, func(tx store.Tx) error { return putEvents(tx, e) })
	d := domain.DeadLetter{OutboxEvent: e, Reason: domain.DeadRefused, DeadAt: w.now()}
	w.must(func(tx store.Tx) error { return tx.PutDeadLetter(d) })
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.PutDeadLetter(d) })
}

func countWaiting(w *world) {
	count := func(limit int, want int64, oldest time.Time) {
		w.Helper()
		w.look(func(tx store.Tx) error {
			n, since, err := tx.WaitingEvents(limit)
			equal(w, "waiting", n, want)
			equal(w, "oldest", since, oldest)
			return err
		})
	}
	count(10, 0, time.Time{})
	oldest := w.now()
	for i := range 7 {
		w.putEvents(sized("partition", 9-i), 1)
		w.clock.advance(time.Second)
	}
	count(10, 7, oldest)
	count(7, 7, oldest)
	count(3, 3, oldest)
}

func deadLetters(w *world) {
	var want []domain.DeadLetter
	for i := range 5 {
		e := w.event(sized("partition", i%2), int64(9-i))
		e.ID = fmt.Sprintf("id%d", 9-i)
		d := domain.DeadLetter{OutboxEvent: e, Reason: domain.DeadGivenUp, LastError: []string{"", "status 503"}[i%2], DeadAt: w.now()}
		w.must(func(tx store.Tx) error { return tx.PutDeadLetter(d) })
		want = append(want, d)
		if i != 1 { // two at the same time, in order of id
			w.clock.advance(time.Second)
		}
	}
	want[1], want[2] = want[2], want[1]
	w.reopen()
	var got []domain.DeadLetter
	w.look(func(tx store.Tx) error {
		for after := (domain.DeadLetterPosition{}); ; {
			part, err := tx.DeadLetters(after, 2)
			if err != nil || len(part) == 0 {
				return err
			}
			got = append(got, part...)
			after = domain.DeadLetterPosition{DeadAt: part[len(part)-1].DeadAt, ID: part[len(part)-1].ID}
		}
	})
	equal(w, "dead letters", got, want)
	w.look(func(tx store.Tx) error {
		of, err := tx.DeadLettersOf("partition00000", 2)
		equal(w, "dead letters of a partition", of, []domain.DeadLetter{want[4], want[1]})
		return err
	})
	for limit, n := range map[int]int64{10: 5, 5: 5, 2: 2} {
		finds(w, "count", n, func(tx store.Tx) (int64, error) { return tx.CountDeadLetters(limit) })
	}
	w.look(func(tx store.Tx) error {
		got, err := tx.DeadLetter("id8")
		equal(w, "by its id", got.Seq, 8)
		return err
	})
	w.must(func(tx store.Tx) error { return tx.DeleteDeadLetter("partition00001", 8) })
	w.must(func(tx store.Tx) error { return tx.DeleteDeadLetter("partition00001", 8) }) // no error
	w.missing(func(tx store.Tx) error { _, err := tx.DeadLetter("id8"); return err })
	w.must(func(tx store.Tx) error { return tx.DeleteDeadLettersOf("partition00000", 9) })
	w.look(func(tx store.Tx) error {
		left, err := tx.DeadLetters(domain.DeadLetterPosition{}, 10)
		equal(w, "left", len(left), 2)
		equal(w, "left of the partition", left[0].Seq, 9)
		return err
	})
}

func sweepDeadLetters(w *world) {
	for i := range 5 {
		d := domain.DeadLetter{OutboxEvent: w.event("partition", int64(i+1)), Reason: domain.DeadRefused, DeadAt: w.now()}
		w.must(func(tx store.Tx) error { return tx.PutDeadLetter(d) })
		w.clock.advance(time.Minute)
	}
	before := w.now().Add(-2 * time.Minute) // when the fourth was set aside
	for _, want := range []int{2, 1, 0} {
		gives(w, "removed", want, func(tx store.Tx) (int, error) { return tx.DeleteDeadLetters(before, 2) })
	}
}

func sweepEvents(w *world) {
	for i := range 5 {
		w.putEvents(sized("partition", 9-i), 1)
		w.clock.advance(time.Minute)
	}
	before := w.now().Add(-2 * time.Minute) // when the fourth happened
	for _, want := range []int{2, 1, 0} {
		gives(w, "removed", want, func(tx store.Tx) (int, error) { return tx.DeleteEvents(before, 2) })
	}
	w.look(func(tx store.Tx) error {
		n, oldest, err := tx.WaitingEvents(10)
		equal(w, "left", n, 2)
		equal(w, "oldest", oldest, before)
		return err
	})
}
