package domain

import "time"

// DataKey is a data key, as operators see it.
type DataKey struct {
	ID    string // eight hexadecimal digits
	State DataKeyState
	Rows  int64 // under it, as far as the rewrap has counted; -1 if unknown
}

// DataKeyState is what a data key is used for.
type DataKeyState string

// The states. A destroyed data key is not listed.
const (
	DataKeyAdded   DataKeyState = "added"   // every server learns it; nothing is under it yet
	DataKeyPrimary DataKeyState = "primary" // new values are under it
	DataKeyOld     DataKeyState = "old"     // older values are under it until the rewrap ends
)

// Rewrap is the progress of the rewrap, the background work that moves every sealed value
// and MAC to the primary data key.
type Rewrap struct {
	Phase     RewrapPhase
	Rows      int64            // in all
	Visited   int64            // in this phase
	Rewrapped int64            // in all phases
	Left      int64            // under older data keys, as far as they were counted
	Refused   int64            // edited rows, which no data key opens, as far as this phase has found them
	Under     map[string]int64 // rows by data key, as far as they were counted
	Paused    bool
	Worker    string // the instance that works on it; empty: none
	BeganAt   time.Time
	UpdatedAt time.Time
}

// RewrapPhase is a phase of the rewrap. Each walks over all rows.
type RewrapPhase string

// The phases. The empty one means that no rewrap is under way.
const (
	RewrapCounting   RewrapPhase = "counting"
	RewrapRewrapping RewrapPhase = "rewrapping"
	RewrapVerifying  RewrapPhase = "verifying" // counting again: done if nothing is left
	RewrapDone       RewrapPhase = "done"
)
