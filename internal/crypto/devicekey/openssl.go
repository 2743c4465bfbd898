//go:build openssl && cgo

package devicekey

/*
#cgo pkg-config: libcrypto
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// open_oaep decrypts with RSA-OAEP. It returns the length of the plaintext, or -1.
// OpenSSL owns the copy of the label.
static int open_oaep(EVP_PKEY *key, const EVP_MD *hash, const EVP_MD *mgf, const void *label, int labelLen,
	unsigned char *out, size_t outLen, const unsigned char *in, size_t inLen) {
	int n = -1;
	void *copy = NULL;
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
	if (ctx != NULL && EVP_PKEY_decrypt_init(ctx) == 1 &&
		EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) == 1 &&
		EVP_PKEY_CTX_set_rsa_oaep_md(ctx, hash) == 1 && EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, mgf) == 1 &&
		(labelLen == 0 || ((copy = OPENSSL_memdup(label, labelLen)) != NULL &&
			EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, copy, labelLen) == 1)) &&
		EVP_PKEY_decrypt(ctx, out, &outLen, in, inLen) == 1)
		n = (int)outLen;
	EVP_PKEY_CTX_free(ctx);
	ERR_clear_error();
	return n;
}
*/
import "C"

import (
	"crypto"
	"crypto/fips140"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"io"
	"runtime"
	"unsafe"
)

// Engine names the implementation that decrypts with RSA, with its version.
func Engine() string {
	if fips140.Enabled() {
		return goEngine
	}
	return C.GoString(C.OpenSSL_version(C.OPENSSL_VERSION))
}

// nativeKey is a private key in the memory of OpenSSL. When the garbage collector finds
// that it is no longer used, OpenSSL overwrites and frees its numbers.
type nativeKey struct {
	key  *C.EVP_PKEY
	size int
}

// accelerated returns a decrypter that uses OpenSSL. OpenSSL 3.5 takes a third of the
// time of crypto/rsa if the processor has AVX512-IFMA. In FIPS mode, Go's module must do
// RSA.
func accelerated(key *rsa.PrivateKey) (decrypter, error) {
	if fips140.Enabled() {
		return key, nil
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, ErrFormat // the cause could quote the numbers
	}
	defer clear(der)
	begin := (*C.uchar)(unsafe.Pointer(unsafe.SliceData(der)))
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(begin)
	native := C.d2i_AutoPrivateKey(nil, &begin, C.long(len(der)))
	if native == nil {
		C.ERR_clear_error()
		return nil, ErrFormat
	}
	k := &nativeKey{native, key.Size()}
	runtime.AddCleanup(k, func(native *C.EVP_PKEY) { C.EVP_PKEY_free(native) }, native)
	return k, nil
}

func (k *nativeKey) Public() crypto.PublicKey { return nil }

func (k *nativeKey) Size() int { return k.size }

var errOpenSSL = errors.New("OpenSSL: decryption error")

// Decrypt is one call into OpenSSL, which checks the padding in constant time and
// blinds the ciphertext.
func (k *nativeKey) Decrypt(_ io.Reader, ciphertext []byte, opts crypto.DecrypterOpts) ([]byte, error) {
	oaep := opts.(*rsa.OAEPOptions)
	out := make([]byte, k.size)
	var label unsafe.Pointer
	if len(oaep.Label) > 0 {
		label = unsafe.Pointer(unsafe.SliceData(oaep.Label))
	}
	n := C.open_oaep(k.key, digest(oaep.Hash), digest(oaep.MGFHash), label, C.int(len(oaep.Label)),
		(*C.uchar)(unsafe.SliceData(out)), C.size_t(len(out)), (*C.uchar)(unsafe.SliceData(ciphertext)), C.size_t(len(ciphertext)))
	runtime.KeepAlive(k)
	if n < 0 {
		clear(out)
		return nil, errOpenSSL
	}
	return out[:n], nil
}

func digest(h crypto.Hash) *C.EVP_MD {
	if h == crypto.SHA1 {
		return C.EVP_sha1()
	}
	return C.EVP_sha256()
}
