package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/store/sqlite"
)

// Manifest says what an archive contains. Nothing in it is trusted: a verification
// compares it with the database.
type Manifest struct {
	Version  string           `json:"version"`  // of the binary that made it
	Time     time.Time        `json:"time"`     // just before the copy was made
	Engine   string           `json:"engine"`   // of the store: sqlite or postgresql
	Schema   int64            `json:"schema"`   // version of the schema of the SQLite database in it
	Store    string           `json:"store"`    // the first chain of the trail, which identifies the store
	Accounts string           `json:"accounts"` // the account mode
	RootKeys string           `json:"rootKeys"` // the names of the root keys that can open the store
	Epoch    int64            `json:"epoch"`
	Heads    []Head           `json:"heads"` // the newest entry of each chain of the audit trail
	Rows     map[string]int64 `json:"rows"`  // by table
	Size     int64            `json:"size"`  // of the database, in bytes
	SHA256   string           `json:"sha256"`
}

// Head is the newest entry of a chain.
type Head struct {
	Chain string    `json:"chain"`
	Seq   int64     `json:"seq"`
	Hash  string    `json:"hash"` // in hexadecimal
	Time  time.Time `json:"time"`
}

// leastHead is how many bytes a head has in a manifest, with an empty chain and hash.
const leastHead = len(`{"chain":"","seq":0,"hash":"","time":"0001-01-01T00:00:00Z"}`)

// UnmarshalJSON refuses a head that is too short to have all fields. Empty objects of 3
// bytes, read as heads, would need 30 times their size.
func (h *Head) UnmarshalJSON(text []byte) error {
	if len(text) < leastHead {
		return errors.New("a head of the audit trail lacks fields")
	}
	type plain Head
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(h))
}

// describe reads the manifest of a database that no other process has open.
func describe(ctx context.Context, path string) (m Manifest, err error) {
	from, err := sqlite.OpenSource(ctx, path)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if m.Schema, err = from.Schema(); err != nil {
		return m, err
	}
	if err := store.CheckCopied(from); err != nil {
		return m, err
	}
	stored, err := record.StoredKeyset(from)
	if errors.Is(err, store.ErrNotFound) {
		return m, errors.New("the database is empty: start the service on it once, or check --database")
	}
	if err != nil {
		return m, err
	}
	m.RootKeys = stored.Names()
	texts := map[string]*string{"audit_chain": &m.Store, "account_mode": &m.Accounts}
	for name, to := range texts {
		value, err := from.Setting(name)
		if err != nil {
			return m, fmt.Errorf("reading setting %s: %w", name, err)
		}
		*to = string(value)
	}
	epoch, err := from.Setting("epoch")
	if errors.Is(err, store.ErrNotFound) {
		epoch, err = []byte("1"), nil
	}
	if err != nil {
		return m, fmt.Errorf("reading setting epoch: %w", err)
	}
	if m.Epoch, err = record.ParseEpoch(epoch); err != nil {
		return m, err
	}
	if m.Heads, err = headsOf(from); err != nil {
		return m, err
	}
	m.Rows, err = rowsOf(from.Count)
	return m, err
}

func headsOf(from *sqlite.Source) (heads []Head, err error) {
	chains, err := from.Chains()
	if err != nil {
		return nil, err
	}
	for _, chain := range chains {
		e, err := from.LastEntry(chain)
		if err != nil {
			return nil, fmt.Errorf("reading the head of the audit trail: %w", err)
		}
		heads = append(heads, Head{chain, e.Seq, fmt.Sprintf("%x", e.Hash), e.Time})
	}
	return heads, nil
}

// Newest is the time of the newest entry of the trail.
func (m Manifest) Newest() (newest time.Time) {
	for _, h := range m.Heads {
		if h.Time.After(newest) {
			newest = h.Time
		}
	}
	return newest
}

// isPrintable reports whether the texts that commands print have only printable
// characters. Other characters could control the terminal, or add a line such as "Good".
func (m Manifest) isPrintable() bool {
	bad := func(text string) bool {
		return strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })
	}
	return !slices.ContainsFunc([]string{m.Version, m.Engine, m.Store, m.Accounts, m.SHA256}, bad) &&
		!slices.ContainsFunc(m.Heads, func(h Head) bool { return bad(h.Chain) || bad(h.Hash) })
}

// differences are what differs between a manifest and the database of its archive.
func (m Manifest) differences(is Manifest) (all []string) {
	tell := func(what string, in, found any) {
		all = append(all, fmt.Sprintf("%s: %.200s in the manifest, %.200s in the database", what, fmt.Sprint(in), fmt.Sprint(found)))
	}
	differs := func(what string, in, found any) {
		if in != found {
			tell(what, in, found)
		}
	}
	differs("schema", m.Schema, is.Schema)
	differs("store", m.Store, is.Store)
	differs("accounts", m.Accounts, is.Accounts)
	differs("epoch", m.Epoch, is.Epoch)
	if first := firstDifferent(m.Heads, is.Heads); first >= 0 {
		tell("heads of the audit trail", heads(m.Heads[min(first, len(m.Heads)):]), heads(is.Heads[min(first, len(is.Heads)):]))
	}
	for _, t := range store.Tables {
		differs("rows of table "+t.Name, m.Rows[t.Name], is.Rows[t.Name])
	}
	return all
}

// firstDifferent is the index of the first head that differs between two lists, or -1.
func firstDifferent(a, b []Head) int {
	for i := range max(len(a), len(b)) {
		if i >= min(len(a), len(b)) || a[i].Chain != b[i].Chain || a[i].Seq != b[i].Seq || a[i].Hash != b[i].Hash {
			return i
		}
	}
	return -1
}

// heads names the first of some heads, and says how many follow. An edited backup can
// have hundreds of thousands.
func heads(all []Head) string {
	if len(all) == 0 {
		return "no further ones"
	}
	text := fmt.Sprintf("%.100s/%d/%.64s", all[0].Chain, all[0].Seq, all[0].Hash)
	if len(all) > 1 {
		text += fmt.Sprintf(" and %d more", len(all)-1)
	}
	return text
}
