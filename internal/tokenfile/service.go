package tokenfile

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"

	"strongroom/internal/domain"
)

// minServiceToken is the shortest service token: 16 random characters of base64
// have 96 bits.
const minServiceToken = 16

// OpenService reads a file of service tokens. A line is a token, followed by its
// scopes. A token without scopes grants unscoped.
func OpenService(path string, unscoped domain.Permission, log *slog.Logger) (*File[domain.Permission], error) {
	grants := func(scopes [][]byte) (all domain.Permission, err error) {
		if len(scopes) == 0 {
			return unscoped, nil
		}
		for _, scope := range scopes {
			p := domain.ParseScope(string(scope))
			if p == 0 {
				return 0, errors.New("a word after the token is not a scope; the scopes are " + strings.Join(domain.Scopes(), ", "))
			}
			all |= p
		}
		return all, nil
	}
	return openService(path, kind[domain.Permission]{setting: "gateway-token-file", minLength: minServiceToken, grants: grants,
		unreadable: "the gateway token file cannot be read; its last valid tokens stay in use",
		reloaded:   "the gateway token file was read again"}, log)
}

// OpenReceipt reads a file of tokens with which backends redeem receipts in device
// mode. A line is a token.
func OpenReceipt(path string, log *slog.Logger) (*File[domain.Permission], error) {
	grants := func(words [][]byte) (domain.Permission, error) {
		if len(words) > 0 {
			return 0, errors.New("a line has one token and nothing else")
		}
		return domain.MayRedeemReceipts, nil
	}
	return openService(path, kind[domain.Permission]{setting: "receipt-token-file", minLength: minServiceToken, grants: grants,
		unreadable: "the receipt token file cannot be read; its last valid tokens stay in use",
		reloaded:   "the receipt token file was read again"}, log)
}

// openService opens a file that the operator writes. If the file is missing, the error says
// how to write it.
func openService(path string, k kind[domain.Permission], log *slog.Logger) (*File[domain.Permission], error) {
	f, err := open(path, k, log)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; create the file with mode 0600 and one token per line; make a token: openssl rand -base64 32", err)
	}
	return f, err
}
