// Package vectors tests devicekey with the RSA-OAEP test vectors of Project
// Wycheproof (https://github.com/C2SP/wycheproof, Apache License 2.0). They are a
// module in go.mod and not in the binary: only this test imports them. It has its own
// directory because they have 100 MB.
package vectors

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"testing"

	"github.com/c2sp/wycheproof"

	"strongroom/internal/crypto/devicekey"
)

// vectorFile is what we use of schema rsaes_oaep_decrypt_schema_v1.json.
type vectorFile struct {
	NumberOfTests int `json:"numberOfTests"`
	TestGroups    []struct {
		PrivateKeyPKCS8 hexBytes `json:"privateKeyPkcs8"`
		Tests           []vector `json:"tests"`
	} `json:"testGroups"`
}

type vector struct {
	ID         int      `json:"tcId"`
	Comment    string   `json:"comment"`
	Flags      []string `json:"flags"`
	Message    hexBytes `json:"msg"`
	Ciphertext hexBytes `json:"ct"`
	Label      hexBytes `json:"label"`
	Result     string   `json:"result"`
}

type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

func TestOpenAgreesWithWycheproof(t *testing.T) {
	for name, variant := range map[string]devicekey.Variant{
		"rsa_oaep_2048_sha256_mgf1sha256_test.json": devicekey.SHA256,
		"rsa_oaep_3072_sha256_mgf1sha256_test.json": devicekey.SHA256,
		"rsa_oaep_4096_sha256_mgf1sha256_test.json": devicekey.SHA256,
		"rsa_oaep_2048_sha256_mgf1sha1_test.json":   devicekey.SHA256MGF1SHA1,
		"rsa_oaep_3072_sha256_mgf1sha1_test.json":   devicekey.SHA256MGF1SHA1,
		"rsa_oaep_4096_sha256_mgf1sha1_test.json":   devicekey.SHA256MGF1SHA1,
		"rsa_oaep_2048_sha1_mgf1sha1_test.json":     devicekey.SHA1,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkFile(t, name, variant)
		})
	}
}

func checkFile(t *testing.T, name string, variant devicekey.Variant) {
	data, err := fs.ReadFile(wycheproof.TestVectors, name)
	if err != nil {
		t.Fatal(err)
	}
	var file vectorFile
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	seen, opened, labelled := 0, 0, 0
	for _, group := range file.TestGroups {
		key := mustKey(t, group.PrivateKeyPKCS8)
		for _, v := range group.Tests {
			seen++
			if len(v.Label) > 0 && variant == devicekey.SHA256 {
				checkLabelled(t, key, v)
				labelled++
			}
			if check(t, key, v, variant) {
				opened++
			}
		}
	}
	if seen != file.NumberOfTests || opened == 0 || opened == seen || variant == devicekey.SHA256 && labelled == 0 {
		t.Errorf("%d of %d vectors seen, %d opened: the file is not what it was", seen, file.NumberOfTests, opened)
	}
}

// mustKey takes the way of a stored key, so that it is tried with foreign keys
// too.
func mustKey(t *testing.T, pkcs8 []byte) devicekey.RSAKey {
	t.Helper()
	parsed, err := x509.ParsePKCS8PrivateKey(pkcs8)
	if err != nil {
		t.Fatal(err)
	}
	foreign, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		t.Fatalf("a %T is no RSA key", parsed)
	}
	spki, err := devicekey.MarshalPublic(&foreign.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	key, err := devicekey.ParsePrivate(devicekey.RSAOAEP256, devicekey.MarshalPrivate(foreign), spki)
	if err != nil {
		t.Fatal(err)
	}
	return key.(devicekey.RSAKey)
}

// checkLabelled opens a vector by its own label, where one is accepted: with
// SHA-256. It opens under no other label.
func checkLabelled(t *testing.T, key devicekey.RSAKey, v vector) {
	t.Helper()
	for _, required := range []bool{false, true} {
		plaintext, form, err := devicekey.OpenForm(key, v.Ciphertext, devicekey.Forms(devicekey.DefaultVariants, string(v.Label), required))
		if v.Result == "valid" && (err != nil || !bytes.Equal(plaintext, v.Message) || form.String() != "sha256-labelled") {
			t.Errorf("%d %v %s: by its label: got %x by %v, %v; want %x", v.ID, v.Flags, v.Comment, plaintext, form, err, v.Message)
		}
		if v.Result != "valid" && !errors.Is(err, devicekey.ErrDecryption) {
			t.Errorf("%d %v %s: by its label: got %x, error %v; want ErrDecryption", v.ID, v.Flags, v.Comment, plaintext, err)
		}
		other := devicekey.Forms(devicekey.DefaultVariants, string(v.Label)+"/", required)
		if plaintext, _, err := devicekey.OpenForm(key, v.Ciphertext, other); !errors.Is(err, devicekey.ErrDecryption) {
			t.Errorf("%d %v %s: by another label: got %x, error %v; want ErrDecryption", v.ID, v.Flags, v.Comment, plaintext, err)
		}
	}
}

// check reports whether the vector opened. Without a purpose the label is
// empty, so a vector that is valid for another label must be refused like an
// invalid one.
func check(t *testing.T, key devicekey.RSAKey, v vector, variant devicekey.Variant) bool {
	t.Helper()
	plaintext, got, err := devicekey.Open(key, v.Ciphertext, devicekey.DefaultVariants)
	if v.Result == "valid" && len(v.Label) == 0 {
		if err != nil || !bytes.Equal(plaintext, v.Message) || got != variant {
			t.Errorf("%d %v %s: got %x by %v, %v; want %x by %v", v.ID, v.Flags, v.Comment, plaintext, got, err, v.Message, variant)
		}
		return true
	}
	if !errors.Is(err, devicekey.ErrDecryption) || plaintext != nil {
		t.Errorf("%d %v %s: got %x, error %v; want ErrDecryption", v.ID, v.Flags, v.Comment, plaintext, err)
	}
	return false
}
