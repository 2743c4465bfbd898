package audit

// HoldAtMost bounds how many records a verification holds in memory, until what
// it returns is called.
func HoldAtMost(records int) (undo func()) {
	was := maxHistories
	maxHistories = records
	return func() { maxHistories = was }
}
