package rootkey

import (
	"strings"
	"testing"

	"filippo.io/age"
	"filippo.io/age/plugin"
)

// A file may have identities of hardware and of paper, in any order. Each of them is used.
func TestAnAgeFileMayHaveSeveralKindsOfIdentities(t *testing.T) {
	mine, other := newIdentity(t), newIdentity(t)
	hardware := plugin.EncodeIdentity("absent", []byte("serial"))
	wrapped := mustWrap(t, "age:"+mine.Recipient().String())
	for _, lines := range [][]string{
		{mine.String()},
		{"# created: today", "", other.String(), mine.String()},
		{hardware, mine.String()},
		{other.String(), hardware, "# paper", mine.String()},
	} {
		if err := unwrap(t, "age-identity:"+secretFile(t, strings.Join(lines, "\n")), wrapped); err != nil {
			t.Errorf("%d lines: %v", len(lines), err)
		}
	}
	for name, text := range map[string]string{"empty": "", "a comment": "# nothing", "broken": mine.String() + "\nAGE-SECRET-KEY-1"} {
		if _, err := ReadIdentities(secretFile(t, text)); err == nil || !strings.Contains(err.Error(), "not an age identity") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func newIdentity(t *testing.T) *age.X25519Identity {
	t.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return id
}
