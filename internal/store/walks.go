package store

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
)

// The functions below are the part of a method that is the same in every engine.
// An engine passes each of its statements as a function, and the comments say
// what that function must return.

// PageSize is how many rows a [Walk] over a table holds at once.
const PageSize = 100

// Walk calls fn for every row of a query that returns pages of [PageSize] in
// order. page gets the last row of the page before, or nil. No statement is open
// while fn runs, so fn may use the transaction.
func Walk[T any](fn func(T) error, page func(last *T) ([]T, error)) error {
	var last *T
	for {
		found, err := page(last)
		if err != nil {
			return err
		}
		for _, one := range found {
			if err := fn(one); err != nil {
				return err
			}
		}
		if len(found) < PageSize {
			return nil
		}
		last = &found[len(found)-1]
	}
}

// WalkEntries is [Walk] over the entries of a chain numbered after one. page
// returns entries from a number on.
func WalkEntries(after int64, fn func(domain.Entry) error, page func(from int64) ([]domain.Entry, error)) error {
	return Walk(fn, func(last *domain.Entry) ([]domain.Entry, error) {
		if last != nil {
			after = last.Seq
		}
		switch {
		case last == nil && after == math.MinInt64:
			return page(after)
		case after == math.MaxInt64:
			return nil, nil
		}
		return page(after + 1)
	})
}

// Steps takes at most limit steps, each from the result of the one before. It
// ends when step fails with [ErrNotFound].
func Steps[T any](last T, limit int, step func(last T) (T, error)) (found []T, err error) {
	for len(found) < limit {
		last, err = step(last)
		if errors.Is(err, ErrNotFound) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		found = append(found, last)
	}
	return found, nil
}

// WithPrefix cuts an ordered list at the first value whose text does not begin
// with prefix. A statement cannot do this, because there is no last text with a
// prefix.
func WithPrefix[T any](found []T, prefix string, text func(T) string) []T {
	for i, one := range found {
		if !strings.HasPrefix(text(one), prefix) {
			return found[:i]
		}
	}
	return found
}

// TextAfter is the first text after a given one: texts hold no NUL. After "",
// which stands for none yet, it is the first of all.
func TextAfter(text string) string {
	if text == "" {
		return ""
	}
	return text + "\x01"
}

// LastText is after every text that is used as a name.
const LastText = "\U0010ffff\U0010ffff"

// CountKeys is the count of [Listings]. It counts by modulus size, of which there
// are few, so that it reads no key that does not count. nextSize returns the next
// size of active keys, or [ErrNotFound]. It counts each size in parts, so that no
// statement takes long. Times are in microseconds since 1970. partEnd takes the
// keys that were created at from or later, in order, skips the given number of
// them, and returns the time of the next one, or [ErrNotFound]. count counts the
// keys that were created at from or later and before to, up to most.
func CountKeys(bits int, before time.Time, most int64, nextSize func(bits int64) (int64, error),
	partEnd func(bits, from, keys int64) (int64, error), count func(bits, from, to, most int64) (int64, error),
) (n int64, err error) {
	sizes := []int64{int64(bits)}
	if bits == 0 {
		if sizes, err = Steps(math.MinInt64, math.MaxInt, nextSize); err != nil {
			return 0, err
		}
	}
	end := domain.Micros(before)
	for _, size := range sizes {
		for from := int64(1); from < end && n < most; {
			to := end
			if most-n > keysInPart {
				switch next, err := partEnd(size, from, keysInPart); {
				case err == nil:
					to = min(max(next, from+1), end)
				case !errors.Is(err, ErrNotFound):
					return 0, err
				}
			}
			some, err := count(size, from, to, most-n)
			if err != nil {
				return 0, err
			}
			n, from = n+some, to
		}
	}
	return n, nil
}

// keysInPart is how many keys a PostgreSQL without VACUUM counts in well under a
// second.
const keysInPart = 200_000

// ListAccounts is the listing of [Listings], of one mode. It goes from issuer to
// issuer, of which there are few, so that it reads no account of another issuer
// or subject. page returns at most limit accounts of an issuer, in order of
// subject, from the given one on. nextIssuer returns the next issuer, or
// [ErrNotFound].
func ListAccounts(f domain.AccountFilter, after domain.Account, limit int,
	page func(issuer, from string, limit int) ([]domain.Account, error),
	nextIssuer func(last string) (string, error),
) (found []domain.Account, err error) {
	if f.Issuer != "" && f.Issuer < after.Issuer {
		return nil, nil
	}
	first := max(f.Prefix, f.Subject)
	at, from := after.Issuer, max(first, TextAfter(after.Subject))
	if f.Issuer > at {
		at, from = f.Issuer, first
	}
	for {
		want := limit - len(found)
		if f.Subject != "" {
			want = 1 // an issuer has at most one account of a name
		}
		some, err := page(at, from, want)
		if err != nil {
			return nil, err
		}
		some = WithPrefix(some, first, func(a domain.Account) string { return a.Subject })
		found = append(found, slices.DeleteFunc(some, func(a domain.Account) bool { return f.Subject != "" && a.Subject != f.Subject })...)
		if f.Issuer != "" || len(found) == limit {
			return found, nil
		}
		at, err = nextIssuer(at)
		if errors.Is(err, ErrNotFound) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		from = first
	}
}

// ListLocks is the listing of [Listings]. page returns the next limit attempt
// counters in order of the column with the time when their last lock ends.
// That column finds candidates only: the counter itself decides, because the
// column may name a lock that is gone.
func ListLocks(now time.Time, after domain.LockPosition, limit int,
	page func(after domain.LockPosition) ([]domain.ListedLock, error),
) (found []domain.ListedLock, err error) {
	from := domain.Micros(now)
	if after.Until <= from {
		after = domain.LockPosition{Until: from + 1} // the empty account is before all others
	}
	for {
		some, err := page(after)
		if err != nil {
			return nil, err
		}
		for _, l := range some {
			if l.Counter.LockStandsUntil() > from && len(found) < limit {
				found = append(found, l)
			}
		}
		if len(some) < limit || len(found) == limit {
			return found, nil
		}
		after = some[len(some)-1].At
	}
}

// ListRequest is the search of [EntryLists] for the entries of a request. last
// returns the position of the entry that comes after offset others, or
// [ErrNotFound]. page returns the entries of the request down to a position.
func ListRequest(from time.Time, examine, limit int, last func(offset int) (domain.EntryPosition, error),
	page func(down domain.EntryPosition) ([]domain.Entry, error),
) (found []domain.Entry, down domain.EntryPosition, err error) {
	down, err = last(examine - 1)
	ended := errors.Is(err, ErrNotFound)
	if err != nil && !ended {
		return nil, down, err
	}
	lowest := down
	if ended {
		lowest = domain.EntryPosition{Time: from, Seq: math.MinInt64}
	}
	if found, err = page(lowest); err != nil {
		return nil, down, err
	}
	if len(found) == limit { // there may be more of them before down
		e := found[limit-1]
		down = e.Position()
	}
	return found, down, nil
}
