package service

import (
	"context"
	"errors"
	"strings"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/fill"
)

func silent(string, int64, int64) {}

func TestAFilledStoreWorksLikeOneWrittenByClients(t *testing.T) {
	v := openVault(t, nil)
	if err := v.Fill(v.ctx, fill.Amounts{Devices: 7, Entries: 50, Operations: 20_000, New: true}, silent); err != nil {
		t.Fatal(err)
	}
	begun := v.events()[domain.EventStoreInitialised] + v.events()[domain.EventChainBegun]
	v.kill() // and start, as serve does
	v.intact()
	for _, device := range []string{fill.Device(1), fill.Device(7)} {
		k := v.issue(device)
		v.expect("the PIN", v.verifyPIN(k, fill.PIN), "true")
		v.expect("a wrong PIN", v.verifyPIN(k, "000000"), "false")
		ok, err := v.matches(v.ctx, submission(t, k, domain.Passcode, fill.Passcode))
		v.expect("the passcode", word(ok, err), "true")
		v.expect("a new PIN", v.setPIN(k, "1357"), "true")
	}
	v.intact()
	n := v.events()
	if n[domain.EventKeyIssued] != 7 || n[domain.EventCredentialVerified] < 50-begun-3*7 {
		t.Errorf("the trail holds %v", n)
	}
	sum, err := v.Summary(v.ctx, 5*365*24)
	if want := int64(20_000 + 50 - begun + 2*5); err != nil || sum.TotalOperations != want || sum.FailedOperations != 200 || sum.UniqueDevices < 4900 {
		t.Errorf("the summary is %+v, want %d operations; %v", sum, want, err)
	}
	if day, err := v.Summary(v.ctx, 24); err != nil || day.TotalOperations < 1000 || day.TotalOperations > 15_000 {
		t.Errorf("the summary of a day is %+v, %v", day, err)
	}
}

func TestAFilledStoreCanBeFilledFurther(t *testing.T) {
	v := openVault(t, nil)
	for _, devices := range []int{3, 5, 4} { // it never shrinks
		if err := v.Fill(v.ctx, fill.Amounts{Devices: devices, New: devices == 3}, silent); err != nil {
			t.Fatal(err)
		}
		v.kill()
	}
	if n, err := v.Filled(v.ctx); n != 5 || err != nil {
		t.Errorf("it reports %d devices, %v", n, err)
	}
	v.expect("the last device's PIN", v.verifyPIN(v.issue(fill.Device(5)), fill.PIN), "true")
	if n := v.events()[domain.EventKeyIssued]; n != 5 {
		t.Errorf("%d keys were issued", n)
	}
	v.intact()
}

func TestAnInterruptedFillContinues(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel, and the race detector makes its 4,010 devices slow")
	}
	v := openVault(t, nil)
	const devices = 4010 // more than one transaction writes
	ctx, interrupt := context.WithCancel(v.ctx)
	err := v.Fill(ctx, fill.Amounts{Devices: devices, New: true}, func(_ string, done, _ int64) {
		if done > 0 {
			interrupt()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("it was not interrupted: %v", err)
	}
	v.kill()
	if n, err := v.Filled(v.ctx); n != 0 || err != nil {
		t.Errorf("it reports %d devices, %v", n, err)
	}
	if err := v.Fill(v.ctx, fill.Amounts{Devices: devices + 1}, silent); err == nil || !strings.Contains(err.Error(), "--devices 4010 first") {
		t.Errorf("another number: %v", err)
	}
	if err := v.Fill(v.ctx, fill.Amounts{Devices: devices}, silent); err != nil {
		t.Fatal(err)
	}
	if n, err := v.Filled(v.ctx); n != devices || err != nil {
		t.Errorf("it reports %d devices, %v", n, err)
	}
	for _, n := range []int{1, devices} {
		v.expect("a PIN", v.verifyPIN(v.issue(fill.Device(n)), fill.PIN), "true")
	}
	v.intact()
	if n := v.events()[domain.EventKeyIssued]; n != devices {
		t.Errorf("%d keys were issued", n)
	}
}

func TestAStoreWithOtherRecordsIsNeverFilled(t *testing.T) {
	v := openVault(t, nil)
	if err := v.Fill(v.ctx, fill.Amounts{Devices: 1}, silent); !errors.Is(err, fill.ErrNotFilled) {
		t.Errorf("an empty store that was not made for this: %v", err)
	}
	v.issue("phone")
	before := v.events()
	if err := v.Fill(v.ctx, fill.Amounts{Devices: 1, New: true}, silent); !errors.Is(err, fill.ErrNotFilled) {
		t.Errorf("a store with a device: %v", err)
	}
	if after := v.events(); len(after) != len(before) || after[domain.EventKeyIssued] != 1 {
		t.Errorf("it was touched: %v", after)
	}
}

// BenchmarkFill measures how long writing one synthetic device takes.
func BenchmarkFill(b *testing.B) {
	v := openVault(b, nil)
	devices := 0
	for b.Loop() {
		devices += 20_000
		if err := v.Fill(v.ctx, fill.Amounts{Devices: devices, New: true}, silent); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(devices), "µs/device")
	b.ReportMetric(0, "ns/op") // of thousands of devices: says nothing
}
