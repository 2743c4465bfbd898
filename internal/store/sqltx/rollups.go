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

func (t facts) Buckets(instance string, at []domain.BucketPosition) ([]*domain.Bucket, error) {
	all, reads := make([]*domain.Bucket, len(at)), make([]Read, len(at))
	for i, p := range at {
		reads[i] = Read{first(&all[i], scanBucket), sqlBucket, []any{domain.Tenant, widthMicros(p.Width), domain.Micros(p.Start), instance}}
	}
	return all, together(t.db, reads...)
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
	return write(t.db, Write{Query: sqlPutBucket, Args: []any{domain.Tenant, widthMicros(b.Width), domain.Micros(b.Start), b.Instance,
		b.Operations, b.Failures, b.Duration.Microseconds(), b.Durations, b.Devices}, Any: true})
}

func (t facts) EachBucket(spans []domain.BucketSpan, fn func(domain.Bucket) error) error {
	first, reads := make([][]domain.Bucket, len(spans)), make([]Read, len(spans))
	for i, span := range spans {
		reads[i] = Read{func(r Row) { first[i] = append(first[i], scanBucket(r)) }, sqlEachBucket, bucketPage(span, nil)}
	}
	if err := together(t.db, reads...); err != nil {
		return err
	}
	for i, span := range spans {
		if err := t.each(first[i], scanBucket, sqlEachBucket, span, fn); err != nil {
			return err
		}
	}
	return nil
}

func (t facts) EachCount(span domain.BucketSpan, fn func(domain.Bucket) error) error {
	first, err := All(t.db, scanCount, sqlEachCount, bucketPage(span, nil)...)
	if err != nil {
		return err
	}
	return t.each(first, scanCount, sqlEachCount, span, fn)
}

// each calls fn for the buckets of a span, of which the first page was read.
func (t facts) each(first []domain.Bucket, scan func(Row) domain.Bucket, query string, span domain.BucketSpan, fn func(domain.Bucket) error) error {
	return walk(fn, func(last *domain.Bucket) ([]domain.Bucket, error) {
		if last == nil {
			return first, nil
		}
		return All(t.db, scan, query, bucketPage(span, last)...)
	})
}

// bucketPage are the arguments for the buckets of a span after the last one.
func bucketPage(span domain.BucketSpan, last *domain.Bucket) []any {
	from, start, instance := span.From, int64(math.MinInt64), ""
	if last != nil {
		from, start, instance = last.Start, domain.Micros(last.Start), last.Instance
	}
	return []any{domain.Tenant, widthMicros(span.Width), domain.Micros(from), domain.Micros(span.To), start, instance, store.PageSize}
}

func (t facts) DeleteBuckets(width domain.BucketWidth, before time.Time) error {
	return run(t.db, sqlDeleteBuckets, domain.Tenant, widthMicros(width), domain.Micros(before))
}

func widthMicros(w domain.BucketWidth) int64 { return time.Duration(w).Microseconds() }
