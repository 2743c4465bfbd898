package record

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Unavailable turns an error that says that the store cannot serve now into an
// OVERLOADED refusal, and logs it. It returns any other error unchanged. The
// refusal promises that nothing was counted. So an error after which this is
// unknown must not be a [store.ErrUnavailable].
func (r *Records) Unavailable(ctx context.Context, err error) error {
	if !errors.Is(err, store.ErrUnavailable) {
		return err
	}
	if write, omitted := r.outages.Next(r.cfg.Now()); write {
		r.cfg.Log.ErrorContext(ctx, "the database cannot serve", "error", err, "omitted", omitted)
	}
	return &domain.Error{Code: domain.CodeOverloaded, Reason: domain.ReasonDatabaseUnavailable, RetryAfter: 2 * time.Second,
		Message: "The database cannot be reached or is too busy now. Send the request again shortly.", Cause: err}
}
