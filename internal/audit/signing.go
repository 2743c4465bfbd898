package audit

import (
	"strings"

	"strongroom/internal/domain"
)

// SigningKeys returns what the trail says of signing keys: whether one was ever
// made, and which an operator withdrew, by kid. It reads entries by an index and
// not along their chains, so it checks each entry by its own hash only.
// [VerifyHeld] finds missing entries.
func SigningKeys(r eventReader, key MAC) (made bool, withdrawn map[string]bool, err error) {
	err = eachOf(r, domain.EventSigningCreated, func(e domain.Entry) { made = made || Genuine(key, e) })
	if err != nil {
		return false, nil, err
	}
	withdrawn = map[string]bool{}
	err = eachOf(r, domain.EventSigningWithdrawn, func(e domain.Entry) {
		if Genuine(key, e) {
			withdrawn[e.Reason[strings.LastIndex(e.Reason, " ")+1:]] = true // the kid is the last word
		}
	})
	return made, withdrawn, err
}
