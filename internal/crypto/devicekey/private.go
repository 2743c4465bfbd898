package devicekey

import (
	"crypto/fips140"
	"crypto/rsa"
	"crypto/subtle"
	"crypto/x509"
	"errors"
	"math/big"
	"math/bits"
)

// The errors of [ParsePrivate] and [ParseRSA]. Both mean that something other than
// this service has changed the record.
var (
	// ErrMismatch means that the private key does not belong to the public key.
	ErrMismatch = errors.New("private key does not belong to the public key")
	// ErrFormat means that this version does not know the format.
	ErrFormat = errors.New("not a private key in a known format")
)

// The plaintext of a sealed private key begins with a byte for its format. Format 2
// needs the public key, which is stored beside it and has the modulus n of 2h bytes:
//
//	offset  size  what
//	     0     1  format, 2
//	     1     h  prime p of n, big-endian
//	   1+h     h  q⁻¹ mod p, big-endian, where q = n/p
//
// That is 385 bytes at 3072 bits. The other numbers of the key are computed from
// these in a few microseconds. The inverse could be computed too, but in constant time
// that takes crypto/rsa more than 1 ms.
//
// Format 1, of Strongroom 0.1.0, is DER PKCS#8 (RFC 5958), about 1,800 bytes at
// 3072 bits. It can still be read. Format 3 is SerializePrivateKey (RFC 9180, 4) of the
// KEM of the key pair's algorithm: 32 bytes, which for X-Wing are its seed.
const (
	formatPKCS8      = 1
	formatPrime      = 2
	formatSerialized = 3
)

// MarshalPrivate encodes a private key as the plaintext to seal, one byte longer than
// the modulus. The caller wipes it. It panics on a key that is not from [Generate] or
// [ParseRSA], and on one whose numbers are inconsistent: if such a key were stored, no
// ciphertext for it could ever be decrypted.
func MarshalPrivate(key *rsa.PrivateKey) []byte {
	if err := key.Validate(); err != nil || key.E != publicExponent ||
		!halves(key.N, key.Primes[0]) || key.Precomputed.Qinv == nil {
		panic("devicekey: inconsistent private key")
	}
	size := key.Size()
	out := make([]byte, 1+size)
	out[0] = formatPrime
	key.Primes[0].FillBytes(out[1 : 1+size/2])
	key.Precomputed.Qinv.FillBytes(out[1+size/2:])
	return out
}

// ParsePrivate reads the plaintext of a stored private key of any algorithm, and its
// public key as DER SubjectPublicKeyInfo. It fails with [ErrFormat], or with
// [ErrMismatch] if the two keys do not belong together, so that neither of them can be
// exchanged alone. The caller wipes plain, and the key.
func ParsePrivate(a Algorithm, plain, spki []byte) (PrivateKey, error) {
	if len(plain) > 0 && plain[0] == formatSerialized {
		return parseSerialized(a, plain[1:], spki)
	}
	if a != RSAOAEP256 {
		return nil, ErrFormat
	}
	key, err := ParseRSA(plain, spki)
	if err != nil {
		return nil, err
	}
	by, err := accelerated(key)
	if err != nil {
		Wipe(key)
		return nil, err
	}
	return RSAKey{key, by}, nil
}

// ParseRSA is the inverse of [MarshalPrivate], and also reads the format of 0.1.0. It
// fails like [ParsePrivate]. The caller wipes plain, and the key with [Wipe].
//
// The private exponent D can differ from that of [Generate], but is equivalent.
// ParseRSA takes 0.25 ms of CPU at 3072 bits, nearly all of it in crypto/rsa, which
// checks that the numbers are consistent.
func ParseRSA(plain, spki []byte) (*rsa.PrivateKey, error) {
	if len(plain) == 0 {
		return nil, ErrFormat
	}
	switch plain[0] {
	case formatPKCS8:
		return parsePKCS8(plain[1:], spki)
	case formatPrime:
		return parsePrime(plain[1:], spki)
	}
	return nil, ErrFormat
}

func parsePKCS8(der, spki []byte) (*rsa.PrivateKey, error) {
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, ErrFormat // the cause could quote the numbers
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, ErrFormat
	}
	derived, err := MarshalPublic(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(derived, spki) != 1 {
		return nil, ErrMismatch
	}
	return key, nil
}

func parsePrime(numbers, spki []byte) (*rsa.PrivateKey, error) {
	pub, err := parseSPKI(spki)
	if err != nil {
		return nil, ErrMismatch
	}
	half := len(numbers) / 2
	if half == 0 || len(numbers)%2 != 0 {
		return nil, ErrFormat
	}
	p, qInv := new(big.Int).SetBytes(numbers[:half]), new(big.Int).SetBytes(numbers[half:])
	if !halves(pub.N, p) || pub.Size() != len(numbers) {
		return nil, ErrMismatch
	}
	key := complete(pub, p, qInv)
	// Precompute checks that the numbers are consistent, also that p·q is n. Validate
	// returns the result.
	key.Precompute()
	if err := key.Validate(); err != nil {
		Wipe(key)
		return nil, ErrMismatch
	}
	return key, nil
}

// halves reports whether p has half the bits of n. Then n/p has as many words as p,
// and both have fewer than n. The arithmetic below needs that.
func halves(n, p *big.Int) bool { return n.BitLen() == 2*p.BitLen() }

// Wipe overwrites the exported numbers of a private key and removes them from the key.
// The unexported copy of crypto/rsa remains: the key can still decrypt with it, but
// can do nothing else.
func Wipe(key *rsa.PrivateKey) {
	secrets := append([]*big.Int{key.D, key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv}, key.Primes...)
	for _, n := range secrets {
		if n != nil {
			clear(n.Bits())
		}
	}
	key.D, key.Primes, key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv = nil, nil, nil, nil, nil
	if fips140.Enforced() { // then crypto/rsa decrypts only if there are two primes of the same size
		key.Primes = []*big.Int{big.NewInt(1), big.NewInt(1)}
	}
}

// The following functions do arithmetic on secrets, as words, least significant first.
// Their course depends only on the size of the key: there is no branch, index or
// division that depends on a secret, which math/big does not promise. If the input
// is inconsistent, the results are wrong, and crypto/rsa refuses them.

// complete returns the key with the modulus n = p·q. halves(n, p) must be true.
func complete(pub *rsa.PublicKey, p, qInv *big.Int) *rsa.PrivateKey {
	q := quotient(pub.N.Bits(), p.Bits())
	p1, q1 := minusOne(p.Bits()), minusOne(q)
	phi := totient(pub.N.Bits(), p.Bits(), q)
	defer func() { clear(p1); clear(q1); clear(phi) }()
	number := func(words []big.Word) *big.Int { return new(big.Int).SetBits(words) }
	return &rsa.PrivateKey{
		PublicKey: *pub,
		D:         number(inverse(phi)),
		Primes:    []*big.Int{p, number(q)},
		Precomputed: rsa.PrecomputedValues{
			Dp:   number(inverse(p1)),
			Dq:   number(inverse(q1)),
			Qinv: qInv,
		},
	}
}

// quotient returns n/p for an odd p that divides n and has half its words. The division
// is exact, so it can start at the low end without trial digits: each word of the
// quotient is the one that makes a word of n zero (Jebelean 1993).
func quotient(n, p []big.Word) []big.Word {
	rest := append(make([]big.Word, 0, len(p)), n[:len(p)]...)
	defer clear(rest)
	q := make([]big.Word, len(p))
	inv := inverseWord(uint(p[0]))
	for i := range q {
		digit := uint(rest[i]) * inv
		q[i] = big.Word(digit)
		var carry uint
		for j := i; j < len(rest); j++ {
			hi, lo := bits.Mul(digit, uint(p[j-i]))
			lo, c := bits.Add(lo, carry, 0)
			word, borrow := bits.Sub(uint(rest[j]), lo, 0)
			rest[j], carry = big.Word(word), hi+c+borrow
		}
	}
	return q
}

// inverse returns the inverse of the public exponent e modulo m, if there is one. It is
// (k·m + 1)/e for the only k below e for which that is a whole number.
func inverse(m []big.Word) []big.Word {
	multiple := publicExponent - inverseMod(residue(m))
	inv := inverseWord(publicExponent)
	out := make([]big.Word, len(m))
	carry, borrow := uint(1), uint(0)
	for i, word := range m {
		hi, lo := bits.Mul(multiple, uint(word))
		lo, c := bits.Add(lo, carry, 0)
		carry = hi + c
		lo, c = bits.Sub(lo, borrow, 0)
		digit := lo * inv
		out[i] = big.Word(digit)
		hi, _ = bits.Mul(digit, publicExponent)
		borrow = hi + c
	}
	return out
}

// residue returns m modulo e = 2¹⁶+1. Because 2¹⁶ is -1 modulo e, it is the sum of
// m's digits of 16 bits with alternating signs.
func residue(m []big.Word) uint {
	var sum uint
	for _, word := range m {
		for shift := 0; shift < bits.UintSize; shift += 32 {
			sum += uint(word>>shift&0xffff) + publicExponent - uint(word>>(shift+16)&0xffff)
		}
	}
	return sum % publicExponent // by a constant: compiled to a multiplication
}

// inverseMod returns 1/x modulo the prime e, as x to the power e-2 = 2¹⁶-1.
func inverseMod(x uint) uint {
	power := uint64(x)
	for range 15 {
		power = power * power % publicExponent * uint64(x) % publicExponent
	}
	return uint(power)
}

// inverseWord returns 1/x modulo 2 to the size of a word, for odd x. x is its own
// inverse modulo 8, and each round doubles the number of correct bits.
func inverseWord(x uint) uint {
	inv := x
	for range 5 {
		inv *= 2 - x*inv
	}
	return inv
}

// minusOne returns m-1 for an odd m.
func minusOne(m []big.Word) []big.Word {
	out := append(make([]big.Word, 0, len(m)), m...)
	out[0] &^= 1 // no borrow
	return out
}

// totient returns n - p - q + 1 = (p-1)·(q-1).
func totient(n, p, q []big.Word) []big.Word {
	out := append(make([]big.Word, 0, len(n)), n...)
	subtract(out, p)
	subtract(out, q)
	carry := uint(1)
	for i := range out {
		var word uint
		word, carry = bits.Add(uint(out[i]), 0, carry)
		out[i] = big.Word(word)
	}
	return out
}

// subtract subtracts m from n, in place. n has at least as many words as m.
func subtract(n, m []big.Word) {
	var borrow uint
	for i := range n {
		var word uint
		if i < len(m) {
			word = uint(m[i])
		}
		word, borrow = bits.Sub(uint(n[i]), word, borrow)
		n[i] = big.Word(word)
	}
}
