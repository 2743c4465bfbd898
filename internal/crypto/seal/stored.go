package seal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Errors of [Stored.Open] on which an operator must act. The message that wraps them
// says how.
var (
	// ErrWrongRootKey means that the root key is none of those that wrap the keyset.
	ErrWrongRootKey = errors.New("wrong root key")
	// ErrDamaged means that the root key is correct, but the keyset was changed or
	// lost.
	ErrDamaged = errors.New("damaged database")
)

// Stored is the keyset as a database stores it: wrapped under each of its root keys. Any
// one of them opens it.
type Stored struct {
	Generation int64     `json:"generation"` // each change of wraps or data keys increases it
	DataKeys   []DataKey `json:"dataKeys"`   // of the keyset, oldest first
	Wraps      []Wrap    `json:"wraps"`

	read  signed // the text and its MAC, as they were read
	first []byte // the keyset in the format before 0.8; nil: in the current format
}

// signed is the stored form. The MAC is [Keyset.MAC] of the text. So someone who can
// write to the database cannot hide a wrap from operators, or show one that does not
// exist.
type signed struct {
	Keyset json.RawMessage `json:"keyset"`
	MAC    []byte          `json:"mac"`
}

// storedLabel is the label of the MAC of [Stored].
const storedLabel = "wrapped keyset v1"

// ParseStored reads what [Stored.Sign] returned. rootKeyID is for the format of versions
// before 0.8, which stored the fingerprint of the only root key elsewhere. If the text
// cannot be read, ParseStored fails with [ErrDamaged].
func ParseStored(text []byte, rootKeyID string) (s Stored, err error) {
	if len(text) > 0 && text[0] == formatKeyset {
		return Stored{Wraps: []Wrap{{RootKey: rootKeyID}}, first: text}, nil
	}
	bad := json.Unmarshal(text, &s.read) != nil || json.Unmarshal(s.read.Keyset, &s) != nil || len(s.Wraps) == 0
	// The MAC does not cover the unused bits of base64, so only the canonical text is
	// accepted.
	if again, err := json.Marshal(s.read); bad || err != nil || !bytes.Equal(again, text) {
		return Stored{}, fmt.Errorf("%w: the wrapped keyset cannot be read; restore the database from a backup and keep the root key", ErrDamaged)
	}
	return s, nil
}

// Sign returns s as the database stores it, with a MAC by k.
func (s Stored) Sign(k *Keyset) ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encoding the wrapped keyset: %v", err)
	}
	return json.Marshal(signed{text, k.MAC(storedLabel, text)})
}

// IsSigned reports whether s was signed by a keyset. It is also true for the format
// before 0.8, which has no MAC.
func (s Stored) IsSigned(k *Keyset) bool {
	return s.first != nil || k.VerifyMAC(storedLabel, s.read.Keyset, s.read.MAC)
}

// First reports whether s is in the format before 0.8. Then Wraps has only the id of the
// root key.
func (s Stored) First() bool { return s.first != nil }

// WrapOf returns the wrap under a root key.
func (s Stored) WrapOf(rootKeyID string) (Wrap, bool) {
	i := slices.IndexFunc(s.Wraps, func(w Wrap) bool { return w.RootKey == rootKeyID })
	if i < 0 {
		return Wrap{}, false
	}
	return s.Wraps[i], true
}

// Open opens the keyset with one of its root keys. It fails with an error for the
// operator that matches [ErrWrongRootKey] or [ErrDamaged], or with the error of the root
// key's provider.
func (s Stored) Open(ctx context.Context, root RootKey) (*Keyset, error) {
	if s.first != nil {
		return s.openFirst(ctx, root)
	}
	if several, is := root.(interface{ Opens(id string) bool }); is {
		return s.openOneOf(ctx, root, several.Opens)
	}
	w, ok := s.WrapOf(root.ID())
	if !ok {
		return nil, s.wrong(root)
	}
	k, err := w.Open(ctx, root)
	switch {
	case errors.Is(err, ErrSeal):
		return nil, s.sealed(root)
	case err != nil:
		return nil, err
	}
	return s.Applied(root.ID(), k)
}

// Applied returns k with the primary data key that s names: it may have become primary
// after the keyset was wrapped. If k lacks data keys of s, or s is not signed by k, Applied
// fails with [ErrDamaged]. by says what opened the keyset, for the message.
func (s Stored) Applied(by string, k *Keyset) (*Keyset, error) {
	if !s.IsSigned(k) {
		return nil, s.damaged(by, "the list of its root keys was edited")
	}
	if len(s.DataKeys) == 0 || slices.Equal(s.DataKeys, k.DataKeys()) {
		return k, nil
	}
	k, err := k.withPrimary(s.DataKeys)
	if err != nil || !slices.Equal(s.DataKeys, k.DataKeys()) {
		return nil, s.damaged(by, "data keys that the database uses are missing in it")
	}
	return k, nil
}

// openOneOf opens the keyset with a root key that may open several wraps, such as an
// identity in a hardware token, or a key whose provider keeps its versions. It tries all
// wraps for which opens is true, because a version may be disabled or destroyed.
func (s Stored) openOneOf(ctx context.Context, root RootKey, opens func(id string) bool) (*Keyset, error) {
	var reasons error
	for _, w := range s.Wraps {
		if !opens(w.RootKey) {
			continue
		}
		k, err := w.Open(ctx, root)
		switch {
		case err == nil:
			return s.Applied(w.RootKey, k)
		case !errors.Is(err, ErrSeal):
			reasons = errors.Join(reasons, err)
		}
	}
	if reasons != nil {
		return nil, reasons
	}
	if _, named := s.WrapOf(root.ID()); named {
		return nil, s.sealed(root)
	}
	return nil, fmt.Errorf("%w: the database is wrapped by %s, and what was given opens none of them; nothing was changed", ErrWrongRootKey, s.Names())
}

func (s Stored) openFirst(ctx context.Context, root RootKey) (*Keyset, error) {
	k, err := unwrapFirst(ctx, root, s.first)
	switch {
	case !errors.Is(err, ErrSeal):
		return k, err
	case s.Wraps[0].RootKey == root.ID():
		return nil, s.sealed(root)
	}
	return nil, s.wrong(root)
}

func (s Stored) wrong(root RootKey) error {
	return fmt.Errorf("%w: the database is wrapped by %s, and the root key given is %q; nothing was changed; "+
		"give a root key of the database with --root-key", ErrWrongRootKey, s.Names(), root.ID())
}

// sealed returns the error for a root key that has the id of a wrap and does not open it.
// The id of a local key is its fingerprint, so the wrap is damaged. Another key in an HSM
// or a service can have the same id.
func (s Stored) sealed(root RootKey) error {
	if _, isLocal := root.(*localRoot); isLocal {
		return s.damaged(root.ID(), "the keyset does not decrypt under it")
	}
	return fmt.Errorf("%w: the keyset does not decrypt under %q, which has the name of a root key of the database; "+
		"the key may have been deleted and created again; nothing was changed; start with another root key of the database; "+
		"if it is still the same key, the database is damaged: restore it from a backup", ErrWrongRootKey, root.ID())
}

func (s Stored) damaged(rootKeyID, what string) error {
	return fmt.Errorf("%w: root key %q belongs to the database, but %s; "+
		"restore the database from a backup and keep the root key", ErrDamaged, rootKeyID, what)
}

// Names lists the root keys that wrap the keyset, for messages.
func (s Stored) Names() string {
	names := make([]string, len(s.Wraps))
	for i, w := range s.Wraps {
		names[i] = fmt.Sprintf("%q", w.RootKey)
		if w.URL != "" && w.URL != w.RootKey {
			names[i] += " (" + w.URL + ")"
		}
	}
	return "root key " + strings.Join(names, " or ")
}
