//go:build cgo && linux

package helper

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/big"

	p11 "github.com/miekg/pkcs11"

	"strongroom/internal/pkcs11"
)

// keyBytes is the size of an AES key.
const keyBytes = 32

// modulusBytes is the minimum size of an RSA modulus.
const modulusBytes = 256

func (t *token) do(r pkcs11.Request) (a pkcs11.Answer, err error) {
	if err := t.open(r); err != nil {
		return a, err
	}
	if r.Op == pkcs11.Create {
		a.ID, err = t.create(r.Key)
		return a, err
	}
	k, err := t.key(r.Key)
	if err != nil {
		return a, err
	}
	switch r.Op {
	case pkcs11.Open:
		a.ID, err = k.id(), k.prove()
	case pkcs11.Wrap:
		a.Data, err = k.wrap(r.Data, r.Bound)
	case pkcs11.Unwrap:
		a.Data, err = k.opened(r.Data, r.Bound)
	default:
		err = fail(pkcs11.Protocol, "the helper knows no operation of this name")
	}
	return a, err
}

// key is a key in a token.
type key struct {
	*token
	object p11.ObjectHandle
	label  []byte
	cka    []byte // CKA_ID
	rsa    *rsaKey
}

// key finds the only key that n names. It searches for every request, so that a deleted
// key is noticed.
func (t *token) key(n pkcs11.Key) (*key, error) {
	var found []p11.ObjectHandle
	for kind, class := range map[pkcs11.Type]uint{pkcs11.Secret: p11.CKO_SECRET_KEY, pkcs11.Private: p11.CKO_PRIVATE_KEY} {
		if n.Type != "" && n.Type != kind {
			continue
		}
		objects, err := t.objects(n.Label, n.ID, p11.NewAttribute(p11.CKA_CLASS, class))
		if err != nil {
			return nil, err
		}
		found = append(found, objects...)
	}
	switch len(found) {
	case 0:
		return nil, fail(pkcs11.NoKey, "the token holds no secret or private key with this object and id")
	case 1:
		return t.checked(found[0], n)
	}
	return nil, fail(pkcs11.ManyKeys, "%d keys in the token have this object and id", len(found))
}

func (t *token) objects(label string, id []byte, more ...*p11.Attribute) ([]p11.ObjectHandle, error) {
	template := append([]*p11.Attribute{p11.NewAttribute(p11.CKA_TOKEN, true)}, more...)
	if label != "" {
		template = append(template, p11.NewAttribute(p11.CKA_LABEL, label))
	}
	if len(id) > 0 {
		template = append(template, p11.NewAttribute(p11.CKA_ID, id))
	}
	if err := t.module.FindObjectsInit(t.session, template); err != nil {
		return nil, failure("C_FindObjectsInit", err)
	}
	found, _, err := t.module.FindObjects(t.session, 8)
	if err = errors.Join(err, t.module.FindObjectsFinal(t.session)); err != nil {
		return nil, failure("C_FindObjects", err)
	}
	return found, nil
}

// checked refuses a key that cannot be a root key: the key must be unable to leave the
// token, and able to wrap.
func (t *token) checked(object p11.ObjectHandle, n pkcs11.Key) (*key, error) {
	k := &key{token: t, object: object}
	k.label, k.cka = k.attribute(p11.CKA_LABEL), k.attribute(p11.CKA_ID)
	kind := k.attribute(p11.CKA_KEY_TYPE)
	switch {
	case !isTrue(k.attribute(p11.CKA_SENSITIVE)), !isFalse(k.attribute(p11.CKA_EXTRACTABLE)):
		return nil, fail(pkcs11.Extractable, "the key may leave the token (CKA_SENSITIVE is not true, or CKA_EXTRACTABLE is not false)")
	case isFalse(k.attribute(p11.CKA_DECRYPT)):
		return nil, fail(pkcs11.NotPermitted, "the key may not decrypt (CKA_DECRYPT is false)")
	case is(kind, p11.CKK_AES):
		return k, k.checkAES()
	case is(kind, p11.CKK_RSA):
		return k, k.checkRSA(n.SHA1)
	}
	return nil, fail(pkcs11.WrongKind, "the key is neither AES nor RSA")
}

func (k *key) checkAES() error {
	switch {
	case !is(k.attribute(p11.CKA_VALUE_LEN), keyBytes):
		return fail(pkcs11.WrongKind, "the AES key has not 256 bits")
	case isFalse(k.attribute(p11.CKA_ENCRYPT)):
		return fail(pkcs11.NotPermitted, "the key may not encrypt (CKA_ENCRYPT is false)")
	}
	return nil
}

func (k *key) checkRSA(sha1 bool) error {
	modulus := new(big.Int).SetBytes(k.attribute(p11.CKA_MODULUS))
	if modulus.BitLen() < 8*modulusBytes {
		return fail(pkcs11.WrongKind, "the RSA key has less than %d bits, or its private key does not show its modulus", 8*modulusBytes)
	}
	e := new(big.Int).SetBytes(k.attribute(p11.CKA_PUBLIC_EXPONENT))
	if !e.IsInt64() || e.Int64() < 3 || e.Int64() > 1<<31-1 {
		e.SetInt64(65537) // some tokens do not show it for a private key; if it is wrong, prove fails
	}
	k.rsa = newRSAKey(modulus, int(e.Int64()), sha1)
	return nil
}

// attribute returns an attribute, or nil if the token does not show it.
func (k *key) attribute(kind uint) []byte {
	all, err := k.module.GetAttributeValue(k.session, k.object, []*p11.Attribute{p11.NewAttribute(kind, nil)})
	if err != nil || len(all) != 1 {
		return nil
	}
	return all[0].Value
}

func isTrue(value []byte) bool { return len(value) == 1 && value[0] != 0 }

func isFalse(value []byte) bool { return len(value) == 1 && value[0] == 0 }

func is(value []byte, number int) bool {
	return bytes.Equal(value, p11.NewAttribute(p11.CKA_KEY_TYPE, number).Value)
}

// nameBytes is the size from which a CKA_ID is assumed to be unique among all tokens.
const nameBytes = 8

// id returns the root key id. It is the same in another token with a copy of the key. A
// short CKA_ID such as 01 is not unique, so the label is added.
func (k *key) id() string {
	name := bytes.Clone(k.cka)
	if len(name) < nameBytes {
		name = append(append(name, 0), k.label...)
	}
	if k.rsa != nil {
		name = k.rsa.public.N.Bytes()
	}
	sum := sha256.Sum256(name)
	return "pkcs11:" + hex.EncodeToString(sum[:8])
}

// prove tests the key: it wraps and unwraps a random value.
func (k *key) prove() error {
	value := make([]byte, keyBytes)
	rand.Read(value) // never fails
	wrapped, err := k.wrap(value, nil)
	if err != nil {
		return err
	}
	got, err := k.unwrap(wrapped, nil)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, value) {
		return fail(pkcs11.DeviceFailure, "the token did not decrypt what it encrypted")
	}
	return nil
}

// opened unwraps data. Modules return different codes for data that does not decrypt. So
// after any failure it tests the key and unwraps again. If only the test works, the data
// is of another key. One failure does not prove that, because an HSM can fail for a moment.
func (k *key) opened(wrapped, bound []byte) ([]byte, error) {
	plain, err := k.unwrap(wrapped, bound)
	if err == nil || k.prove() != nil {
		return plain, err
	}
	if plain, err = k.unwrap(wrapped, bound); err != nil {
		return nil, fail(pkcs11.WrongKey, "the data does not decrypt under this key")
	}
	return plain, nil
}

// create generates an AES key that cannot leave the token. If the key does not work, it is
// deleted again.
func (t *token) create(n pkcs11.Key) (string, error) {
	if n.Type == pkcs11.Private {
		return "", fail(pkcs11.WrongKind, "only AES keys are created")
	}
	same, err := t.objects(n.Label, nil)
	if err != nil {
		return "", err
	}
	if len(same) > 0 {
		return "", fail(pkcs11.Exists, "the token holds an object of this name")
	}
	id := n.ID
	if len(id) == 0 {
		id = make([]byte, 16)
		rand.Read(id)
	}
	object, err := t.module.GenerateKey(t.session, []*p11.Mechanism{p11.NewMechanism(p11.CKM_AES_KEY_GEN, nil)}, newAES(n.Label, id))
	if err != nil {
		return "", failure("C_GenerateKey", err)
	}
	k, err := t.checked(object, n)
	if err == nil {
		err = k.prove()
	}
	if err != nil {
		_ = t.module.DestroyObject(t.session, object)
		return "", err
	}
	return k.id(), nil
}

func newAES(label string, id []byte) []*p11.Attribute {
	return []*p11.Attribute{
		p11.NewAttribute(p11.CKA_CLASS, p11.CKO_SECRET_KEY),
		p11.NewAttribute(p11.CKA_KEY_TYPE, p11.CKK_AES),
		p11.NewAttribute(p11.CKA_VALUE_LEN, keyBytes),
		p11.NewAttribute(p11.CKA_TOKEN, true),
		p11.NewAttribute(p11.CKA_PRIVATE, true),
		p11.NewAttribute(p11.CKA_SENSITIVE, true),
		p11.NewAttribute(p11.CKA_EXTRACTABLE, false),
		p11.NewAttribute(p11.CKA_ENCRYPT, true),
		p11.NewAttribute(p11.CKA_DECRYPT, true),
		p11.NewAttribute(p11.CKA_WRAP, false),
		p11.NewAttribute(p11.CKA_UNWRAP, false),
		p11.NewAttribute(p11.CKA_LABEL, label),
		p11.NewAttribute(p11.CKA_ID, id),
	}
}
