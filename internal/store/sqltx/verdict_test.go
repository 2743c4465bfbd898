package sqltx

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"strongroom/internal/domain"
)

// sample is a verdict as the vault enters it.
func sample() domain.Entry {
	return domain.Entry{Chain: "chain", Seq: 7, Time: time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC), RequestID: domain.NewID(), Actor: "caller",
		Event: domain.EventCredentialMismatch, Outcome: "mismatch", Operation: domain.OpVerifyPIN, Count: 1, Duration: 12345 * time.Microsecond,
		KeyID: domain.NewID(), Account: bytes.Repeat([]byte{0xa1}, 16), Device: bytes.Repeat([]byte{2}, 16),
		Record: "attempts/" + domain.NewID(), Version: 3, Before: bytes.Repeat([]byte{3}, 32), Digest: bytes.Repeat([]byte{4}, 32),
		Prev: bytes.Repeat([]byte{5}, 37), Hash: bytes.Repeat([]byte{6}, 37)}
}

// short returns a short verdict.
func short() domain.Entry {
	e := sample()
	e.Before, e.Digest, e.Hash = e.Before[:domain.ShortDigest], e.Digest[:domain.ShortDigest], e.Hash[:domain.ShortHash]
	return e
}

// authorized is the short verdict of an authorizeTransaction.
func authorized() domain.Entry {
	e := short()
	e.Operation, e.Reason = domain.OpAuthorize, string(domain.TransactionPIN)
	return e
}

// PostgreSQL adds 46 bytes to a row and rounds up to a multiple of 8.
func TestAPackedVerdictIsSmall(t *testing.T) {
	for name, is := range map[string]struct {
		entry domain.Entry
		most  int
	}{"long": {sample(), 190}, "short": {short(), 122}, "authorized": {authorized(), 138}} {
		v, ok := packVerdict(is.entry)
		if !ok {
			t.Fatalf("%s: it is not packed", name)
		}
		if n := len(v.data) + len(v.hash); n > is.most {
			t.Errorf("%s: %d bytes, want at most %d", name, n, is.most)
		}
	}
}

// Whatever an entry says, it comes back as it was, or is not packed.
func TestAPackedVerdictComesBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom([]func() domain.Entry{sample, short, authorized}).Draw(t, "form")()
		pick := func(name string, is ...string) string { return rapid.SampledFrom(is).Draw(t, name) }
		bytesOf := func(name string, sizes ...int) []byte {
			n := rapid.SampledFrom(sizes).Draw(t, name)
			if n == 0 {
				return nil
			}
			return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, name+" bytes")
		}
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			switch rapid.IntRange(0, 18).Draw(t, "field") {
			case 0:
				e.Seq = rapid.Int64().Draw(t, "seq")
			case 1:
				e.Time = domain.FromMicros(rapid.Int64().Draw(t, "time"))
			case 2:
				e.RequestID = pick("request", "", "test", domain.NewID(), strings.ToUpper(domain.NewID()), strings.Repeat("b", 26))
			case 3:
				e.Actor = pick("actor", "caller", "operator", "")
			case 4:
				e.Event = domain.Event(pick("event", "credential.verified", "credential.mismatch", "credential.set", ""))
			case 5:
				e.Outcome = pick("outcome", "ok", "mismatch", "", "another", "é")
			case 6:
				e.Operation = rapid.SampledFrom(append(domain.Operations, "", "unknown")).Draw(t, "operation")
			case 7:
				e.Failed = true
			case 8:
				e.Count = rapid.Int64Range(0, 2).Draw(t, "count")
			case 9:
				e.Duration = time.Duration(rapid.Int64().Draw(t, "duration")).Truncate(time.Microsecond) // as audit.Trail does
			case 10:
				e.KeyID = pick("key", "", "-", "eu1-"+domain.NewID(), "-"+domain.NewID(), "a-b-"+domain.NewID(), domain.NewID(), domain.NewID()+"x")
			case 11:
				e.Account = bytesOf("account", 0, 3, 16, 17)
			case 12:
				e.Device = bytesOf("device", 0, 3, 16, 17)
			case 13:
				e.Record = pick("record", "", "attempts/", "attempts/x", "key/"+domain.NewID(), "attempts/"+domain.NewID())
			case 14:
				e.Version = rapid.Int64().Draw(t, "version")
			case 15:
				e.Before = bytesOf("before", 0, 1, 16, 200)
			case 16:
				e.Digest = bytesOf("digest", 0, 1, 16, 200)
			case 17:
				e.Reason = pick("reason", "", "because")
			case 18:
				e.Hash = bytesOf("hash", 0, 1, domain.ShortHash, 32, 200)
			}
		}
		v, ok := packVerdict(e)
		if !ok {
			return
		}
		if v.seq > math.MaxInt32 || v.second > math.MaxInt32 || v.second < 0 || v.micros > math.MaxInt32 || v.account > math.MaxInt32 || v.account < math.MinInt32 {
			t.Errorf("a number does not fit in four bytes: %+v", v)
		}
		if diff := cmp.Diff(e, v.entry(e.Chain, e.Prev)); diff != "" {
			t.Errorf("(-packed +came back):\n%s", diff)
		}
	})
}

// The hash of an entry covers what it says, so every change of a row is found: either
// the entry says something else, or it has no hash.
func TestAnEditedVerdictChangesItsEntryOrLosesItsHash(t *testing.T) {
	for _, e := range []domain.Entry{sample(), short(), authorized()} {
		editEach(t, e)
	}
}

func editEach(t *testing.T, e domain.Entry) {
	v, _ := packVerdict(e)
	edited := func(what string, change func(*verdict)) {
		w := v
		w.data, w.hash = bytes.Clone(v.data), bytes.Clone(v.hash)
		change(&w)
		if got := w.entry(e.Chain, e.Prev); len(got.Hash) > 0 && bytes.Equal(got.Canonical(), e.Canonical()) && bytes.Equal(got.Hash, e.Hash) {
			t.Errorf("%s: nothing shows it", what)
		}
	}
	for i := range v.data {
		for bit := range 8 {
			edited("a bit", func(w *verdict) { w.data[i] ^= 1 << bit })
		}
		edited("a shorter row", func(w *verdict) { w.data = w.data[:i] })
	}
	for i := range v.hash {
		edited("a bit of the hash", func(w *verdict) { w.hash[i] ^= 1 })
	}
	for _, by := range []int64{-1, 1, 1 << 20} {
		edited("the number", func(w *verdict) { w.seq += by })
		edited("the second", func(w *verdict) { w.second += by })
		edited("the microseconds", func(w *verdict) { w.micros += by })
		edited("the account", func(w *verdict) { w.account += by })
	}
	edited("a longer row", func(w *verdict) { w.data = append(w.data, 0) })
	edited("an empty row", func(w *verdict) { w.data = nil })
}
