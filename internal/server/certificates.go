package server

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"strongroom/internal/ownfile"
)

const maxPEMBytes = 1 << 20

func readPair(certPath, keyPath string) (tls.Certificate, error) {
	chain, err := readPEM("tls-cert", certPath, ownfile.Open)
	if err != nil {
		return tls.Certificate{}, err
	}
	if _, err := parseCertificates("tls-cert", chain); err != nil {
		return tls.Certificate{}, err
	}
	key, err := readPEM("tls-key", keyPath, ownfile.OpenSecret)
	if err != nil {
		return tls.Certificate{}, err
	}
	defer clear(key)
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil { // the chain itself was checked above
		return tls.Certificate{}, fmt.Errorf("tls-key: must hold the private key of tls-cert, as PEM and not encrypted: %s", strings.TrimPrefix(err.Error(), "tls: "))
	}
	return pair, nil
}

func readPool(setting, path string) (*x509.CertPool, map[string]struct{}, error) {
	text, err := readPEM(setting, path, ownfile.Open)
	if err != nil {
		return nil, nil, err
	}
	all, err := parseCertificates(setting, text)
	if err != nil {
		return nil, nil, err
	}
	pool, roots := x509.NewCertPool(), map[string]struct{}{}
	for _, certificate := range all {
		pool.AddCert(certificate)
		roots[string(certificate.Raw)] = struct{}{}
	}
	return pool, roots, nil
}

// The lines that begin and end a PEM block, also with damaged dashes. Elsewhere in a line
// they are a comment.
var pemBegin, pemEnd = regexp.MustCompile(`(?m)^-{1,5}BEGIN `), regexp.MustCompile(`(?m)^-{1,5}END `)

// parseCertificates reads every certificate of a file. crypto/tls skips what it
// cannot read, and pem.Decode skips a damaged block. An incomplete chain or pool looks
// right and fails some clients.
func parseCertificates(setting string, text []byte) ([]*x509.Certificate, error) {
	var all []*x509.Certificate
	blocks := max(len(pemBegin.FindAll(text, -1)), len(pemEnd.FindAll(text, -1))) // the damage may be in either line
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		text = rest
		blocks--
		if block.Type != "CERTIFICATE" {
			continue
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: certificate %d of the file cannot be read", setting, len(all)+1)
		}
		all = append(all, certificate)
	}
	if blocks != 0 {
		return nil, fmt.Errorf("%s: the file ends within a certificate or is damaged", setting)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is no certificate in the file; it must be PEM", setting)
	}
	return all, nil
}

func readPEM(setting, path string, open func(string) (*os.File, fs.FileInfo, error)) ([]byte, error) {
	file, _, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: the file cannot be opened: %w", setting, pathless(err))
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxPEMBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: the file cannot be read: %w", setting, pathless(err))
	}
	if len(text) > maxPEMBytes {
		return nil, fmt.Errorf("%s: the file is larger than 1 MiB", setting)
	}
	return text, nil
}

// pathless returns the cause of a file error without the file's name.
func pathless(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}
