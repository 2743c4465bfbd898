package tokenfile

import (
	"errors"
	"log/slog"

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
				return 0, errors.New("a word after the token is not a scope of this service")
			}
			all |= p
		}
		return all, nil
	}
	return open(path, kind[domain.Permission]{setting: "gateway-token-file", minLength: minServiceToken, grants: grants,
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
	return open(path, kind[domain.Permission]{setting: "receipt-token-file", minLength: minServiceToken, grants: grants,
		unreadable: "the receipt token file cannot be read; its last valid tokens stay in use",
		reloaded:   "the receipt token file was read again"}, log)
}
