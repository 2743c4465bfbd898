package service

import (
	"strings"
	"testing"

	"strongroom/internal/domain"
)

// A tag that is set, changed or removed later concerns new keys only.
func TestKeysKeepTheTagOfTheirCell(t *testing.T) {
	cell := ""
	v := openVault(t, func(c *Config) { c.Cell = cell })
	plain := v.issue("plain")
	v.setPIN(plain, "8302")
	cell = "eu1"
	v.kill()
	tagged := v.issue("tagged")
	v.setPIN(tagged, "8302")
	if strings.Contains(plain.KeyID, "-") || !strings.HasPrefix(tagged.KeyID, "eu1-") || !domain.IsKeyID(tagged.KeyID) {
		t.Errorf("the ids are %s and, in a cell, %s", plain.KeyID, tagged.KeyID)
	}
	if again := v.issue("tagged"); again.KeyID != tagged.KeyID {
		t.Errorf("a key has two ids: %s and %s", tagged.KeyID, again.KeyID)
	}
	cell = "eu2"
	v.kill()
	v.expect("a key without a tag", v.verifyPIN(plain, "8302"), "true")
	v.expect("a key of the tag before", v.verifyPIN(tagged, "8302"), "true")
	if id := v.rotate("tagged").KeyID; !strings.HasPrefix(id, "eu2-") {
		t.Errorf("a rotation makes the id %s", id)
	}
	v.expect("the rotated key", v.verifyPIN(tagged, "8302"), "KEY_NOT_USABLE")
	v.intact()
}

// Another cell's key gets the answer of an unknown one, also if both ids differ in
// the tag only.
func TestAKeyOfAnotherCellIsUnknown(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Cell = "eu1" })
	k := v.issue("phone")
	v.setPIN(k, "8302")
	_, rest := domain.CutCell(k.KeyID)
	for _, id := range []string{domain.InCell("eu2", rest), rest, "-" + rest, "EU1-" + rest, domain.NewKeyID("eu2"), domain.NewID()} {
		other := k
		other.KeyID = id
		v.expect(id, v.verifyPIN(other, "8302"), "KEY_NOT_USABLE")
	}
	v.expect("its own key", v.verifyPIN(k, "8302"), "true")
}
