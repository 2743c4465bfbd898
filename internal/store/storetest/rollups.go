package storetest

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var rollupTests = []test{
	{"a bucket keeps the last of what its instance put there", buckets},
	{"EachBucket and EachCount give the buckets of all instances from the start up to the end", eachBucket},
	{"DeleteBuckets removes what starts before, of one width", deleteBuckets},
}

var midnight = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func newBucket(instance string, width domain.BucketWidth, start time.Time) domain.Bucket {
	return domain.Bucket{Instance: instance, Width: width, Start: start, Operations: 12, Failures: 3,
		Duration: 4567 * time.Microsecond, Devices: everyByte(), Durations: []byte("durations\x00")}
}

func (w *world) put(buckets ...domain.Bucket) {
	w.Helper()
	insert(w, buckets, store.Tx.PutBucket)
}

func (w *world) sameBucket(want domain.Bucket) {
	w.Helper()
	at := []domain.BucketPosition{{Width: want.Width, Start: want.Start.Add(-time.Second)}, {Width: want.Width, Start: want.Start}}
	finds(w, "bucket", []*domain.Bucket{nil, &want}, func(tx store.Tx) ([]*domain.Bucket, error) { return tx.Buckets(want.Instance, at) })
}

func buckets(w *world) {
	finds(w, "no buckets", nil, func(tx store.Tx) ([]*domain.Bucket, error) { return tx.Buckets("a", nil) })
	a, b := newBucket("a", domain.Minute, midnight), newBucket("b", domain.Minute, midnight)
	hour, next := newBucket("a", domain.Hour, midnight), newBucket("a", domain.Minute, midnight.Add(time.Minute))
	b.Operations, hour.Operations, next.Operations = 100, 101, 102
	w.put(a, b, hour, next)
	for range 2 {
		for _, want := range []domain.Bucket{a, b, hour, next} {
			w.sameBucket(want)
		}
		a.Operations, a.Failures, a.Duration, a.Devices, a.Durations = 13, 4, time.Hour, []byte("next"), nil
		w.put(a)
	}
	empty := domain.Bucket{Instance: "empty", Width: domain.Day, Start: midnight}
	w.put(empty)
	w.sameBucket(empty)
}

// found is which buckets of a width EachBucket gives, by instance and start.
// EachCount must give the same.
func (w *world) found(width domain.BucketWidth, from, to time.Time) map[string]int {
	w.Helper()
	got := map[string]int{}
	w.look(func(tx store.Tx) error {
		return tx.EachBucket([]domain.BucketSpan{{Width: width, From: from, To: to}}, func(b domain.Bucket) error {
			equal(w, "bucket", b, newBucket(b.Instance, width, b.Start))
			got[b.Instance+" "+b.Start.Format(time.TimeOnly)]++
			return nil
		})
	})
	counted, last := map[string]int{}, time.Time{}
	w.look(func(tx store.Tx) error {
		return tx.EachCount(domain.BucketSpan{Width: width, From: from, To: to}, func(b domain.Bucket) error {
			if b.Start.Before(last) {
				w.Errorf("the bucket of %v comes after that of %v", b.Start, last)
			}
			last = b.Start
			want := newBucket(b.Instance, width, b.Start)
			want.Devices = nil
			equal(w, "count", b, want)
			counted[b.Instance+" "+b.Start.Format(time.TimeOnly)]++
			return nil
		})
	})
	equal(w, "counts", counted, got)
	return got
}

func eachBucket(w *world) {
	const instances = 130 // at one start, so that a page ends among them
	var all []domain.Bucket
	for m := range 5 {
		for i := range instances {
			all = append(all, newBucket(sized("i", i), domain.Minute, midnight.Add(time.Duration(m)*time.Minute)))
		}
	}
	w.put(append(all, newBucket("i00000", domain.Hour, midnight), newBucket("i00000", domain.Day, midnight))...)

	for from := range 6 {
		for to := range 6 {
			start, end := midnight.Add(time.Duration(from)*time.Minute), midnight.Add(time.Duration(to)*time.Minute)
			want := map[string]int{}
			for _, b := range all {
				if !b.Start.Before(start) && b.Start.Before(end) {
					want[b.Instance+" "+b.Start.Format(time.TimeOnly)]++
				}
			}
			equal(w, "buckets", w.found(domain.Minute, start, end), want)
		}
	}
	equal(w, "hours", w.found(domain.Hour, midnight, midnight.Add(time.Hour)), map[string]int{"i00000 00:00:00": 1})
	counted := 0
	w.look(func(tx store.Tx) error {
		hours := domain.BucketSpan{Width: domain.Hour, From: midnight, To: midnight.Add(time.Hour)}
		return tx.EachBucket([]domain.BucketSpan{hours, {Width: domain.Minute, From: midnight, To: midnight.Add(2 * time.Minute)}, hours}, func(domain.Bucket) error {
			counted++
			return nil
		})
	})
	equal(w, "the buckets of three spans", counted, 2*instances+2)
	w.eachStops(func(tx store.Tx, fail error) error {
		return tx.EachBucket([]domain.BucketSpan{{Width: domain.Day, From: midnight, To: midnight.Add(time.Hour)}}, func(domain.Bucket) error { return fail })
	})
}

func deleteBuckets(w *world) {
	for m := range 3 {
		at := midnight.Add(time.Duration(m) * time.Minute)
		w.put(newBucket("a", domain.Minute, at), newBucket("b", domain.Minute, at))
	}
	w.put(newBucket("a", domain.Hour, midnight))
	w.must(func(tx store.Tx) error { return tx.DeleteBuckets(domain.Minute, midnight.Add(2*time.Minute)) })
	equal(w, "minutes", w.found(domain.Minute, midnight, midnight.Add(time.Hour)),
		map[string]int{"a 00:02:00": 1, "b 00:02:00": 1})
	equal(w, "hours", w.found(domain.Hour, midnight, midnight.Add(time.Hour)), map[string]int{"a 00:00:00": 1})
}
