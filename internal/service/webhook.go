package service

import (
	"context"

	"strongroom/internal/domain"
	"strongroom/internal/outbox"
)

// Webhook is where events go that tell others what happened here.
type Webhook struct {
	Events []domain.Event // that go out; none: nothing is written to the outbox
	// Send sends what waits until ctx is done, and returns when nothing of it is
	// under way any more. It is called once, by [Service.Start], if there are
	// events that go out.
	Send func(ctx context.Context, q *outbox.Outbox)
	// Status is what Send knows: the fields of this instance.
	Status func() domain.WebhookStatus
}

// sendEvents sends until ctx is done.
func (s *Service) sendEvents(ctx context.Context) {
	s.cfg.Webhook.Send(ctx, s.outbox)
	s.report("giving back the lease of the outbox", s.outbox.Release(context.WithoutCancel(ctx)))
}

// tendOutbox measures the outbox and forgets what is old.
func (s *Service) tendOutbox(ctx context.Context) error {
	is, err := s.outbox.Tend(ctx)
	if err == nil && s.outbox.Sends() {
		s.cfg.Metrics.Outbox(is.Waiting, is.Age(), is.Dead)
	}
	return err
}
