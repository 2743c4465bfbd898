package sqlite

import (
	"math"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	bucketColumns = `width, start, instance, operations, failures, duration, devices, durations`

	sqlBucket = `
		SELECT ` + bucketColumns + ` FROM bucket
		WHERE tenant = ?1 AND width = ?2 AND start = ?3 AND instance = ?4`

	sqlPutBucket = `
		INSERT INTO bucket (tenant, ` + bucketColumns + `) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
		ON CONFLICT (tenant, width, start, instance) DO UPDATE SET operations = excluded.operations,
			failures = excluded.failures, duration = excluded.duration, devices = excluded.devices, durations = excluded.durations`

	sqlEachBucket = `
		SELECT ` + bucketColumns + ` FROM bucket
		WHERE tenant = ?1 AND width = ?2 AND start >= ?3 AND start < ?4 AND (start, instance) > (?5, ?6)
		ORDER BY start, instance LIMIT ?7`

	// Without the sketches, which are most of a bucket.
	sqlEachCount = `
		SELECT width, start, instance, operations, failures, duration, x'', durations FROM bucket
		WHERE tenant = ?1 AND width = ?2 AND start >= ?3 AND start < ?4 AND (start, instance) > (?5, ?6)
		ORDER BY start, instance LIMIT ?7`

	sqlDeleteBuckets = `
		DELETE FROM bucket WHERE tenant = ?1 AND width = ?2 AND start < ?3`
)

func (t *tx) Bucket(instance string, width domain.BucketWidth, start time.Time) (domain.Bucket, error) {
	return row(t, scanBucket, sqlBucket, domain.Tenant, widthMicros(width), domain.Micros(start), instance)
}

func scanBucket(r *statement) domain.Bucket {
	return domain.Bucket{Width: domain.BucketWidth(micros(r)), Start: r.time(), Instance: r.text(),
		Operations: r.integer(), Failures: r.integer(), Duration: micros(r), Devices: r.blob(), Durations: r.blob()}
}

func (t *tx) PutBucket(b domain.Bucket) error {
	_, err := t.exec(sqlPutBucket, domain.Tenant, widthMicros(b.Width), domain.Micros(b.Start), b.Instance,
		b.Operations, b.Failures, b.Duration.Microseconds(), b.Devices, b.Durations)
	return err
}

func (t *tx) EachBucket(width domain.BucketWidth, from, to time.Time, fn func(domain.Bucket) error) error {
	return t.eachBucket(sqlEachBucket, width, from, to, fn)
}

func (t *tx) EachCount(width domain.BucketWidth, from, to time.Time, fn func(domain.Bucket) error) error {
	return t.eachBucket(sqlEachCount, width, from, to, fn)
}

func (t *tx) eachBucket(query string, width domain.BucketWidth, from, to time.Time, fn func(domain.Bucket) error) error {
	return store.Walk(fn, func(last *domain.Bucket) ([]domain.Bucket, error) {
		start, instance := int64(math.MinInt64), ""
		if last != nil {
			start, instance = domain.Micros(last.Start), last.Instance
			from = last.Start
		}
		return rows(t, scanBucket, query, domain.Tenant, widthMicros(width),
			domain.Micros(from), domain.Micros(to), start, instance, store.PageSize)
	})
}

func (t *tx) DeleteBuckets(width domain.BucketWidth, before time.Time) error {
	_, err := t.exec(sqlDeleteBuckets, domain.Tenant, widthMicros(width), domain.Micros(before))
	return err
}

func widthMicros(w domain.BucketWidth) int64 { return time.Duration(w).Microseconds() }
