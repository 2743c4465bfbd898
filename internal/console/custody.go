package console

import (
	"strongroom/internal/domain"
)

type custodyBody struct {
	RootKeys []domain.RootKey
	DataKeys []domain.DataKey
	Rewrap   *domain.Rewrap // nil: none was needed
	Part     int            // percent of the rows, in this phase
	Under    bool           // the rewrap is in progress
}

func (c content) custody(r *request) (view, error) {
	var body custodyBody
	var is domain.Rewrap
	err := together(
		func() (err error) { body.RootKeys, err = c.UseCases.RootKeys(r.Context()); return err },
		func() (err error) { body.DataKeys, is, err = c.UseCases.DataKeys(r.Context()); return err },
	)
	if is.Phase != "" {
		body.Rewrap, body.Under = &is, is.Phase != domain.RewrapDone
		if is.Rows > 0 {
			body.Part = int(min(100, is.Visited*100/is.Rows))
		}
	}
	return view{"custody.html", "Custody", body}, err
}

// aboutRewrap returns the form that pauses or resumes the rewrap.
func (c changes) aboutRewrap(pause bool) func(*request, *form) error {
	return func(r *request, f *form) error {
		_, is, err := c.UseCases.DataKeys(r.Context())
		if err != nil {
			return err
		}
		*f = form{Once: f.Once, Title: "Resume the rewrap", Button: "Resume", Lead: "An instance continues where the rewrap stopped.",
			Facts: []fact{{"Rows left", number(is.Left)}, {"Rows rewrapped", number(is.Rewrapped)}}, Back: "/custody", Done: "The rewrap continues."}
		if pause {
			f.Title, f.Button, f.Done = "Pause the rewrap", "Pause", "The rewrap is paused."
			f.Lead = "New values are still sealed under the new data key. Until you resume, the old data key is needed for the others and cannot be destroyed."
		}
		return nil
	}
}

func (c changes) setRewrap(pause bool) func(*request, *form, domain.Act) (domain.ActResult, error) {
	return func(r *request, _ *form, a domain.Act) (domain.ActResult, error) {
		return c.UseCases.PauseRewrap(r.Context(), pause, a)
	}
}

// opens returns what the last check of a root key found.
func opens(k domain.RootKey) string {
	switch {
	case k.Up():
		return "opens the data keys"
	case k.CheckedAt.IsZero():
		return "not given here"
	}
	return "does not open: " + shown(k.Reason)
}
