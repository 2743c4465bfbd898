package vault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/tally"
	"strongroom/internal/trace"
)

// do runs one encryption operation if the caller is allowed to. It counts the
// operation in the metrics, and for the trail if it has no entry of its own.
func do[T any](ctx context.Context, g *gate, name domain.Operation, fn func(context.Context, *operation) (T, error)) (answer T, err error) {
	o := &operation{name: name, start: g.cfg.Now(), caller: domain.CallerFrom(ctx), outcome: "ok"}
	ctx, use := trace.Operation(ctx, string(name))
	finished := false
	defer func() {
		if !finished { // a panic: counted, and left to the transport to answer
			err = errors.New("panic")
		}
		g.account(ctx, o, err)
		use.End(o.outcomeOf(err))
	}()
	if err = g.permit(ctx, o); err == nil {
		answer, err = fn(ctx, o)
	}
	if o.wrong {
		answer, err = onceAcknowledged(ctx, g, answer, err)
	}
	err = g.cfg.Records.Unavailable(ctx, err)
	finished = true
	return answer, err
}

// onceAcknowledged returns the answer to a wrong guess after all other instances
// have read its entry. Meanwhile the request holds no connection, no worker slot
// and no place in the queue. A client that hangs up gets no answer. There is no
// trace span for the wait, because it would reveal the verdict.
func onceAcknowledged[T any](ctx context.Context, g *gate, answer T, err error) (T, error) {
	if withheld := g.cfg.Guard.Acknowledged(ctx); withheld != nil {
		return *new(T), withheld
	}
	return answer, err
}

// account counts an operation that has ended with err.
func (g *gate) account(ctx context.Context, o *operation, err error) {
	took := o.took(g.cfg.Now())
	if errors.Is(err, context.Canceled) {
		if !o.entered {
			return // the client hung up before anything was done: not a failure
		}
		err = nil // the operation was done, such as a counted guess; only the answer is missing
	}
	code := domain.CodeOf(err)
	if code == domain.CodeKeyNotUsable || code == domain.CodeAccountMoved {
		g.cfg.KeyCache.Drop(o.keyID) // it has ended since its record was read
	}
	if g.refusedBefore(ctx, o, err) {
		return // not an operation
	}
	if code != "" {
		o.failed, o.outcome = true, string(code)
	}
	g.cfg.Metrics.Operation(o.name, o.outcome, took)
	g.cfg.Tally.Operation(tally.Operation{Name: o.name, Outcome: o.outcome, Failed: o.failed, Start: o.start, Took: took,
		Device: o.device, Entered: o.entered})
}

// refusedBefore logs a refusal, and reports whether the request was refused before
// its work. Then it also counts the refusal.
func (g *gate) refusedBefore(ctx context.Context, o *operation, err error) bool {
	code := domain.CodeOf(err)
	if code != "" && code != domain.CodeOverloaded {
		g.logRefusal(ctx, o, err)
	}
	switch code {
	case domain.CodeTooManyRequests, domain.CodeOverloaded, domain.CodeForbidden, domain.CodeUnauthenticated:
		g.cfg.Tally.Refusal(code, o.account)
		g.cfg.Metrics.Refusal(code)
		if limit := (*domain.KeyGenerationLimitError)(nil); errors.As(err, &limit) {
			g.cfg.Metrics.Limited(metrics.LimitKeys)
		}
		return true
	}
	return false
}

// logRefusal logs a refusal, so that operators find it by the request id that a
// client reports.
func (g *gate) logRefusal(ctx context.Context, o *operation, err error) {
	fields := []any{"operation", o.name, "code", domain.CodeOf(err)}
	if reason := domain.ReasonOf(err); reason != "" {
		fields = append(fields, "reason", reason)
	}
	if o.keyID != "" { // empty for a key that ended or never existed
		fields = append(fields, "key", o.keyID)
	}
	g.cfg.Log.InfoContext(ctx, "operation refused", fields...)
}

// seen reports a record that was refused (see [record.Records.Report]).
func (g *gate) seen(ctx context.Context, o *operation, err error) error {
	return g.cfg.Records.Report(ctx, o.note("", ""), err)
}

// Refused counts a request that a transport refused before any use case.
func (g *gate) Refused(ctx context.Context, code domain.Code) {
	trace.Outcome(ctx, code)
	g.cfg.Tally.Refusal(code, nil)
	g.cfg.Metrics.Refusal(code)
}

// Summary returns the metrics summary of the given number of past hours. It
// includes every operation that was answered before the call.
func (g *gate) Summary(ctx context.Context, hours float64) (sum domain.Summary, err error) {
	ctx, use := trace.Operation(ctx, "getEncryptionMetricsSummary")
	defer func() { use.End(trace.OutcomeOf(err)) }()
	if domain.OperatorFrom(ctx).Role < domain.RoleViewer {
		if err := domain.CallerFrom(ctx).Require(domain.MayReadMetrics); err != nil {
			g.Refused(ctx, domain.CodeForbidden)
			return domain.Summary{}, err
		}
	}
	if err := metrics.CheckWindow(hours); err != nil {
		return domain.Summary{}, err
	}
	if err := g.cfg.Tally.Flush(ctx, false); err != nil {
		return domain.Summary{}, g.cfg.Records.Unavailable(ctx, err)
	}
	var unread []domain.BucketPosition
	err = g.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		sum, unread, err = metrics.Summarise(tx, hours, tx.Now())
		return err
	})
	if err != nil {
		return domain.Summary{}, g.cfg.Records.Unavailable(ctx, fmt.Errorf("summing up metrics: %w", err))
	}
	g.reportUnread(ctx, unread)
	return sum, nil
}

// reportUnread logs and counts buckets whose devices a summary left out.
func (g *gate) reportUnread(ctx context.Context, unread []domain.BucketPosition) {
	if len(unread) == 0 {
		return
	}
	g.cfg.Metrics.Tampering(metrics.RecordBucket)
	if write, omitted := g.unread.Next(g.cfg.Now()); write {
		g.cfg.Log.ErrorContext(ctx, "a metrics summary left out unreadable device sketches", "buckets", len(unread),
			"first", unread[0].Start, "width", time.Duration(unread[0].Width).String(), "omitted", omitted)
	}
}
