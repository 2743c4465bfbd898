package admin

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

// write performs an act, if no argument is wrong.
func write(r *request, act domain.Act, do func(context.Context, domain.Act) (domain.ActResult, error)) (any, error) {
	if r.bad != nil {
		return nil, r.bad
	}
	done, err := do(r.Context(), act)
	return result(done), err
}

// writeTo is write for the record whose id is the path parameter.
func writeTo(r *request, id string, do func(context.Context, string, domain.Act) (domain.ActResult, error)) (any, error) {
	return write(r, r.act(), func(ctx context.Context, act domain.Act) (domain.ActResult, error) {
		return do(ctx, r.PathValue(id), act)
	})
}

func (a *api) revoke(r *request) (any, error) { return writeTo(r, "keyId", a.UseCases.RevokeKey) }

func (a *api) unbind(r *request) (any, error) { return writeTo(r, "keyId", a.UseCases.UnbindKey) }

func (a *api) unlock(r *request) (any, error) { return writeToCredential(r, a.UseCases.Unlock) }

func (a *api) requireChange(r *request) (any, error) {
	return writeToCredential(r, a.UseCases.RequireChange)
}

// writeToCredential is write for a credential: the account is in the path, the
// type in the body.
func writeToCredential(r *request, do func(context.Context, string, domain.CredentialType, domain.Act) (domain.ActResult, error)) (any, error) {
	name, _ := r.body["type"].(string)
	t := domain.CredentialType(name)
	if t != domain.Passcode && t != domain.TransactionPIN {
		r.refuse("type", "must be PASSCODE or TRANSACTION_PIN")
	}
	return write(r, r.act(), func(ctx context.Context, act domain.Act) (domain.ActResult, error) {
		return do(ctx, r.PathValue("accountId"), t, act)
	})
}

func (a *api) erase(r *request) (any, error) { return writeTo(r, "accountId", a.UseCases.EraseAccount) }

func (a *api) exportAccount(r *request) (any, error) {
	act := r.act()
	if r.bad != nil {
		return nil, r.bad
	}
	export, err := a.UseCases.ExportAccount(r.Context(), r.PathValue("accountId"), act)
	return accountExport(export), err
}

func (a *api) startPlan(r *request) (any, error) {
	p := r.plan()
	return write(r, r.act(), func(ctx context.Context, act domain.Act) (domain.ActResult, error) {
		return a.UseCases.StartRotationPlan(ctx, p, act)
	})
}

func (a *api) stopPlan(r *request) (any, error) {
	return writeTo(r, "planId", a.UseCases.StopRotationPlan)
}

// keySizes are the modulus sizes that a key can have.
var keySizes = []json.Number{"2048", "3072", "4096"}

// plan returns the plan in the body. It must have at least one criterion.
func (r *request) plan() domain.RotationPlan {
	refuse, _ := member[bool](r, "refuseUse", "must be true or false")
	p, some := r.selection(refuse)
	p.RefuseUse = refuse
	if r.bad == nil && !some {
		r.bad = &domain.Error{Code: domain.CodeBadUserInput,
			Message: "Select the keys: olderThanDays, createdBefore, keySize, algorithm or upgrade."}
	}
	return p
}

// selection returns the criteria of a plan, and whether there is any. A plan
// that names only an algorithm does not select today's keys, unless it refuses
// their use.
func (r *request) selection(refuse bool) (p domain.RotationPlan, some bool) {
	p = domain.RotationPlan{CreatedBefore: r.createdBefore(), Bits: r.keySize()}
	algorithm, byAlgorithm := member[string](r, "algorithm", "must be a string")
	if byAlgorithm && !slices.Contains(devicekey.Algorithms, devicekey.Algorithm(algorithm)) {
		r.refuse("algorithm", "must be one of "+devicekey.Names(devicekey.Algorithms))
	}
	p.Algorithm = algorithm
	if p.Upgrade, _ = member[bool](r, "upgrade", "must be true or false"); p.Upgrade && !byAlgorithm {
		p.Algorithm = string(devicekey.RSAOAEP256)
	}
	some = !p.CreatedBefore.IsZero() || p.Bits != 0 || p.Upgrade
	if byAlgorithm && !some && !refuse {
		p.CreatedBefore = today()
	}
	return p, some || byAlgorithm
}

func (r *request) keySize() int {
	const remedy = "must be 2048, 3072 or 4096"
	size, given := member[json.Number](r, "keySize", remedy)
	if !given {
		return 0
	}
	if !slices.Contains(keySizes, size) {
		r.refuse("keySize", remedy)
	}
	n, _ := size.Int64() // one of keySizes
	return int(n)
}

// createdBefore returns the time before which a selected key was created; zero:
// any. Days are whole days in UTC, so that a repeated request is the same.
func (r *request) createdBefore() time.Time {
	days := r.whole("olderThanDays", operatorapi.MaxPlanDays)
	text, given := member[string](r, "createdBefore", "must be a string")
	switch {
	case days > 0 && given:
		r.refuse("olderThanDays", "and createdBefore cannot be combined")
	case days > 0:
		return today().AddDate(0, 0, -days)
	case given:
		t := r.parseTime("createdBefore", text)
		if t.After(time.Now()) {
			r.refuse("createdBefore", "must not be in the future: new keys would be replaced immediately")
		}
		return t
	}
	return time.Time{}
}

// today returns when the current day began, in UTC.
func today() time.Time { return time.Now().UTC().Truncate(24 * time.Hour) }
