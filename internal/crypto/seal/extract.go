package seal

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// OutsideHeap calls use with n bytes of memory that the Go runtime does not
// manage, and then wipes and releases them. The runtime moves stacks and frees
// memory without wiping either, so a key on the heap can leave copies.
func OutsideHeap(n int, use func([]byte) error) error {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return fmt.Errorf("reserving memory for the root key: %v", err)
	}
	err = use(b)
	clear(b)
	return errors.Join(err, unix.Munmap(b))
}

// derive is HKDF-SHA-256 without salt (RFC 5869): it returns n bytes for each label.
// It leaves no copy of secret in memory. crypto/hkdf would leave two for each label,
// in the block buffers of its hashes, which cannot be wiped.
func derive(secret []byte, n int, labels ...string) ([][]byte, error) {
	prk := make([]byte, 0, sha256.Size)
	err := OutsideHeap(sha256.BlockSize, func(block []byte) (err error) {
		prk, err = extract(secret, block, prk)
		return err
	})
	defer func() { clear(prk) }()
	if err != nil {
		return nil, err
	}
	keys := make([][]byte, len(labels))
	for i, label := range labels {
		if keys[i], err = hkdf.Expand(sha256.New, prk, label, n); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// extract appends to out the HKDF-Extract of a secret of [RootKeySize] bytes without
// salt, which is HMAC-SHA-256 under a key of zeros. The padded message of the inner
// hash is built in block: the hash reads whole blocks in place, and copies only
// incomplete ones.
func extract(secret, block, out []byte) ([]byte, error) {
	inner := sha256.New()
	inner.Write(pad(0x36))
	copy(block, secret)
	block[RootKeySize] = 0x80
	binary.BigEndian.PutUint64(block[sha256.BlockSize-8:], 8*(sha256.BlockSize+RootKeySize))
	inner.Write(block)
	// The message is padded already, so the state after its last block is the digest.
	// The encoded state is a magic number of 4 bytes, then that.
	state, err := inner.(encoding.BinaryAppender).AppendBinary(nil) //nolint:forcetypeassert // documented by crypto/sha256
	if err != nil {
		return nil, err
	}
	defer clear(state)
	outer := sha256.New()
	outer.Write(pad(0x5c))
	outer.Write(state[4 : 4+sha256.Size])
	return outer.Sum(out), nil
}

func pad(b byte) []byte {
	p := make([]byte, sha256.BlockSize)
	for i := range p {
		p[i] = b
	}
	return p
}
