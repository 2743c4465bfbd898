package sqltx

import (
	"math"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	countColumns  = `width, start, instance, operations, failures, duration, durations`
	bucketColumns = countColumns + `, devices`

	sqlBucket = `
		SELECT ` + bucketColumns + ` FROM bucket
		WHERE tenant = $1 AND width = $2 AND start = $3 AND instance = $4`

	sqlPutBucket = `
		INSERT INTO bucket (tenant, ` + bucketColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (tenant, width, start, instance) DO UPDATE SET operations = excluded.operations,
			failures = excluded.failures, duration = excluded.duration, devices = excluded.devices, durations = excluded.durations`

	sqlEachBucket = `
		SELECT ` + bucketColumns + ` FROM bucket
		WHERE tenant = $1 AND width = $2 AND start >= $3 AND start < $4 AND (start, instance) > ($5, $6)
		ORDER BY start, instance LIMIT $7`

	// Without the sketches, which are the largest part of a bucket.
	sqlEachCount = `
		SELECT ` + countColumns + ` FROM bucket
		WHERE tenant = $1 AND width = $2 AND start >= $3 AND start < $4 AND (start, instance) > ($5, $6)
		ORDER BY start, instance LIMIT $7`

	sqlDeleteBuckets = `
		DELETE FROM bucket WHERE tenant = $1 AND width = $2 AND start < $3`
)

func (t facts) Bucket(instance string, width domain.BucketWidth, start time.Time) (domain.Bucket, error) {
	return One(t.db, scanBucket, sqlBucket, domain.Tenant, widthMicros(width), domain.Micros(start), instance)
}

func scanBucket(r Row) domain.Bucket {
	b := scanCount(r)
	b.Devices = r.Blob()
	return b
}

func scanCount(r Row) domain.Bucket {
	return domain.Bucket{Width: domain.BucketWidth(micros(r)), Start: r.Time(), Instance: r.Text(),
		Operations: r.Integer(), Failures: r.Integer(), Duration: micros(r), Durations: r.Blob()}
}

func (t facts) PutBucket(b domain.Bucket) error {
	return run(t.db, sqlPutBucket, domain.Tenant, widthMicros(b.Width), domain.Micros(b.Start), b.Instance,
		b.Operations, b.Failures, b.Duration.Microseconds(), b.Durations, b.Devices)
}

func (t facts) EachBucket(width domain.BucketWidth, from, to time.Time, fn func(domain.Bucket) error) error {
	return t.each(scanBucket, sqlEachBucket, width, from, to, fn)
}

func (t facts) EachCount(width domain.BucketWidth, from, to time.Time, fn func(domain.Bucket) error) error {
	return t.each(scanCount, sqlEachCount, width, from, to, fn)
}

func (t facts) each(scan func(Row) domain.Bucket, query string,
	width domain.BucketWidth, from, to time.Time, fn func(domain.Bucket) error) error {
	return store.Walk(fn, func(last *domain.Bucket) ([]domain.Bucket, error) {
		start, instance := int64(math.MinInt64), ""
		if last != nil {
			start, instance = domain.Micros(last.Start), last.Instance
			from = last.Start
		}
		return All(t.db, scan, query, domain.Tenant, widthMicros(width),
			domain.Micros(from), domain.Micros(to), start, instance, store.PageSize)
	})
}

func (t facts) DeleteBuckets(width domain.BucketWidth, before time.Time) error {
	return run(t.db, sqlDeleteBuckets, domain.Tenant, widthMicros(width), domain.Micros(before))
}

func widthMicros(w domain.BucketWidth) int64 { return time.Duration(w).Microseconds() }
