package record

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Unavailable makes an OVERLOADED refusal of an error by which the store says
// that it cannot serve now, and logs the error. Other errors it only returns.
// The refusal promises that nothing was counted: an error after which that is
// not known must not be a [store.ErrUnavailable].
func (r *Records) Unavailable(ctx context.Context, err error) error {
	if !errors.Is(err, store.ErrUnavailable) {
		return err
	}
	if write, omitted := r.outages.Next(r.cfg.Now()); write {
		r.cfg.Log.ErrorContext(ctx, "the database cannot serve", "error", err, "omitted", omitted)
	}
	return &domain.Error{Code: domain.CodeOverloaded, Reason: domain.ReasonDatabaseUnavailable, RetryAfter: 2 * time.Second,
		Message: "The database cannot be reached or is too busy now. Send the request again shortly."}
}
