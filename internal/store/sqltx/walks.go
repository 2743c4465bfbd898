package sqltx

import (
	"errors"
	"strings"

	"strongroom/internal/store"
)

// walk calls fn for every row of a query that returns pages of [store.PageSize] in
// order. page gets the last row of the page before, or nil. No statement is open
// while fn runs, so fn may use the transaction.
func walk[T any](fn func(T) error, page func(last *T) ([]T, error)) error {
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
		if len(found) < store.PageSize {
			return nil
		}
		last = &found[len(found)-1]
	}
}

// Steps takes at most limit steps, each from the result of the one before. It
// ends when step fails with [store.ErrNotFound].
func Steps[T any](last T, limit int, step func(last T) (T, error)) (found []T, err error) {
	for len(found) < limit {
		last, err = step(last)
		if errors.Is(err, store.ErrNotFound) {
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

// lastText is after every text that is used as a name.
const lastText = "\U0010ffff\U0010ffff"
