package service

import (
	"context"
	"flag"
	"io"
	"log/slog"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/fill"
)

var (
	readDevices    = flag.Int("operators.devices", 20_000, "devices in the store of BenchmarkOperatorReads")
	readEntries    = flag.Int64("operators.entries", 200_000, "entries of its trail")
	readOperations = flag.Int64("operators.operations", 1_000_000, "operations in its roll-ups")
)

// BenchmarkOperatorReads is what operators read, on a store of many devices:
//
//	go test ./internal/service -run '^$' -bench OperatorReads -operators.devices 1000000 -operators.entries 10000000
func BenchmarkOperatorReads(b *testing.B) {
	v := openVault(b, func(c *Config) { c.Log = slog.New(slog.DiscardHandler) })
	filling := fill.Amounts{Devices: *readDevices, Entries: *readEntries, Operations: *readOperations, New: true}
	if err := v.Fill(v.ctx, filling, func(string, int64, int64) {}); err != nil {
		b.Fatal(err)
	}
	device := fill.Device(*readDevices / 2)
	account := v.accountID(domain.ModeDevice, "", device)
	page := domain.Page{Limit: 200}
	audit := func(f domain.EntryFilter) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, _, err := v.Audit(ctx, f, page)
			return err
		}
	}
	for _, read := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"Devices", func(ctx context.Context) error { _, _, err := v.Devices(ctx, domain.DeviceFilter{}, page); return err }},
		{"DevicesByPrefix", func(ctx context.Context) error {
			_, _, err := v.Devices(ctx, domain.DeviceFilter{Prefix: device[:10]}, page)
			return err
		}},
		{"Device", func(ctx context.Context) error {
			_, _, err := v.Devices(ctx, domain.DeviceFilter{DeviceID: device}, page)
			return err
		}},
		{"Accounts", func(ctx context.Context) error {
			_, _, err := v.Accounts(ctx, domain.AccountFilter{}, page)
			return err
		}},
		{"Account", func(ctx context.Context) error { _, err := v.Account(ctx, account); return err }},
		{"Locks", func(ctx context.Context) error { _, _, err := v.Locks(ctx, page); return err }},
		{"LockTrend", func(ctx context.Context) error { _, err := v.LockTrend(ctx, 744); return err }},
		{"Suspicions", func(ctx context.Context) error { _, err := v.Suspicions(ctx); return err }},
		{"Health", func(ctx context.Context) error { _, err := v.Health(ctx); return err }},
		{"OperationsOfADay", func(ctx context.Context) error { _, _, err := v.Operations(ctx, 24, 0); return err }},
		{"OperationsOfAMonth", func(ctx context.Context) error { _, _, err := v.Operations(ctx, 720, 0); return err }},
		{"OperationsOfAllTime", func(ctx context.Context) error { _, _, err := v.Operations(ctx, 87840, 0); return err }},
		{"Audit", audit(domain.EntryFilter{})},
		{"AuditOfADevice", audit(domain.EntryFilter{DeviceID: device})},
		{"AuditOfARareEvent", audit(domain.EntryFilter{Event: domain.EventCredentialLocked})},
		{"AuditOfARequest", audit(domain.EntryFilter{RequestID: domain.NewRequestID(v.clock.Now().Add(-time.Hour))})},
		{"AuditWithoutAnIndex", audit(domain.EntryFilter{RequestID: "nothing"})},
		{"RotationPlans", func(ctx context.Context) error { _, err := v.RotationPlans(ctx); return err }},
		{"CountedKeys", func(ctx context.Context) error {
			_, err := v.plans.Draft(ctx, domain.RotationPlan{Bits: 3072})
			return err
		}},
		{"ExportOfAThousand", func(ctx context.Context) error { _, err := v.ExportAudit(ctx, io.Discard, "", 1000); return err }},
	} {
		b.Run(read.name, func(b *testing.B) {
			for b.Loop() {
				if err := read.do(v.ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWhatOperatorsAddToAVerify measures the cost for each verify: reading the
// running plan, and recording the use of the key.
func BenchmarkWhatOperatorsAddToAVerify(b *testing.B) {
	v := openVault(b, nil)
	must[domain.ActResult](b)(v.StartRotationPlan(v.ctx, domain.RotationPlan{CreatedBefore: time.Unix(1, 0), RefuseUse: true}, domain.Act{Reason: "benchmark"}))
	k := v.stored(v.issue("phone"))
	for b.Loop() {
		if v.plans.Refuses(k) {
			b.Fatal("refused")
		}
		v.tally.KeyUsed(k)
	}
}
