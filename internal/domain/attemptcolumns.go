package domain

import (
	"encoding/json"
	"time"
)

// An engine stores each list of an attempt counter in one column, as JSON with times as
// [Micros].

// MarshalTimes are the times of [Attempts].Recent as a column.
func MarshalTimes(times []time.Time) string { return marshalList(times, Micros) }

// UnmarshalTimes is the inverse of [MarshalTimes].
func UnmarshalTimes(s string) ([]time.Time, error) { return unmarshalList(s, FromMicros) }

// MarshalPending are the attempts of [Attempts].Pending as a column.
func MarshalPending(pending []PendingAttempt) string {
	return marshalList(pending, func(t PendingAttempt) pendingRow { return pendingRow{t.ID, Micros(t.Lease), t.Device} })
}

type pendingRow struct {
	ID     string `json:"try"`
	Lease  int64  `json:"lease"`
	Device string `json:"device,omitempty"`
}

// UnmarshalPending is the inverse of [MarshalPending].
func UnmarshalPending(s string) ([]PendingAttempt, error) {
	return unmarshalList(s, func(r pendingRow) PendingAttempt { return PendingAttempt{r.ID, FromMicros(r.Lease), r.Device} })
}

// MarshalDevices are the failures of [Attempts].Devices as a column.
func MarshalDevices(devices []DeviceAttempts) string {
	return marshalList(devices, func(d DeviceAttempts) deviceRow {
		return deviceRow{d.Device, d.Failures, Micros(d.LockedUntil), d.Permanent, Micros(d.LastFailure)}
	})
}

type deviceRow struct {
	Device      string `json:"device"`
	Failures    int    `json:"failures"`
	LockedUntil int64  `json:"lockedUntil"`
	Permanent   bool   `json:"permanent"`
	LastFailure int64  `json:"lastFailure"`
}

// UnmarshalDevices is the inverse of [MarshalDevices].
func UnmarshalDevices(s string) ([]DeviceAttempts, error) {
	return unmarshalList(s, func(r deviceRow) DeviceAttempts {
		return DeviceAttempts{r.Device, r.Failures, FromMicros(r.LockedUntil), r.Permanent, FromMicros(r.LastFailure)}
	})
}

// emptyList is the value of most of these columns. It needs no JSON decoder.
const emptyList = "[]"

func marshalList[T, R any](all []T, row func(T) R) string {
	if len(all) == 0 {
		return emptyList
	}
	rows := make([]R, len(all))
	for i, one := range all {
		rows[i] = row(one)
	}
	b, _ := json.Marshal(rows) // strings, integers and flags always marshal
	return string(b)
}

func unmarshalList[T, R any](s string, value func(R) T) ([]T, error) {
	if s == emptyList {
		return nil, nil
	}
	var rows []R
	if err := json.Unmarshal([]byte(s), &rows); err != nil {
		return nil, err
	}
	all := make([]T, len(rows))
	for i, r := range rows {
		all[i] = value(r)
	}
	return all, nil
}
