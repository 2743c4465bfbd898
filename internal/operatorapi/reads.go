package operatorapi

import (
	"fmt"
	"sync"
	"time"

	"strongroom/internal/domain"
)

// maxReadsOfOperator is how many reads of one operator may run or wait: enough for a
// token that several people and scripts share.
const maxReadsOfOperator = 8

// Reads counts the reads of operators that run or wait, and refuses those above a limit.
// The operator side has few connections, and those of reads that wait are not closed. So
// few reads may wait: otherwise a viewer could keep operators from revoking a key. It is
// safe for concurrent use.
type Reads struct {
	most int // of all operators

	mu  sync.Mutex
	all int
	of  map[string]int // by operator
}

// NewReads returns the counter of one surface, which allows most reads of all operators at
// a time, and 8 of each.
func NewReads(most int) *Reads { return &Reads{most: most, of: map[string]int{}} }

// Enter counts a read of an operator until leave is called, or refuses it.
func (r *Reads) Enter(operator string) (leave func(), refusal *domain.Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.of[operator] >= maxReadsOfOperator:
		return nil, domain.TooManyRequests(domain.ReasonReadsInProgress, fmt.Sprintf("%d other reads of this operator are already in progress. "+
			"Repeat this one when they are answered.", maxReadsOfOperator), time.Second)
	case r.all >= r.most:
		return nil, domain.Overloaded()
	}
	r.all++
	r.of[operator]++
	return func() { r.leave(operator) }, nil
}

func (r *Reads) leave(operator string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all--
	if r.of[operator]--; r.of[operator] == 0 {
		delete(r.of, operator)
	}
}
