package auth

import (
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/tokenfile"
)

// Redeemers returns the authenticator of the backends that redeem receipts, beside
// that of callers. In jwt mode it is the same: a backend has a token with the scope
// receipt:redeem. A gateway redeems without naming an account. In device mode
// callers prove nothing, so backends have tokens of their own in tokenFile; empty:
// nobody may redeem.
func Redeemers(callers Authenticator, tokenFile string, log *slog.Logger) (Authenticator, error) {
	switch callers := callers.(type) {
	case *Gateway:
		return gateways{callers}, nil
	case device:
		if tokenFile == "" {
			return receiptTokens{}, nil
		}
		tokens, err := tokenfile.OpenReceipt(tokenFile, log)
		return receiptTokens{tokens, &tokenRefusals{log: log}}, err
	}
	return callers, nil
}

// gateways authenticates gateways, whose requests are for no account.
type gateways struct{ *Gateway }

func (g gateways) Authenticate(r *http.Request) (domain.Caller, error) { return g.gateway(r) }

// receiptTokens authenticates backends in device mode.
type receiptTokens struct {
	tokens   *tokenfile.File[domain.Permission] // nil: none
	refusals *tokenRefusals
}

func (a receiptTokens) Authenticate(r *http.Request) (domain.Caller, error) {
	if a.tokens == nil {
		return domain.Caller{}, &domain.Error{Code: domain.CodeOperationDisabled,
			Message: "Receipts cannot be redeemed here: no backend has a token. The operator sets --receipt-token-file."}
	}
	token, err := bearer(r.Header)
	permissions, ok := a.tokens.Find(sha256.Sum256([]byte(token)))
	if err != nil || !ok {
		why := wrongReceiptToken
		errors.As(err, &why)
		a.refusals.refused(r, why, time.Now())
		return domain.Caller{}, unauthenticated(domain.ReasonTokenInvalid, "The backend is not authenticated. Send a token of --receipt-token-file in the header Authorization: Bearer.")
	}
	c := domain.CallerFrom(r.Context())
	c.Mode, c.Permissions = domain.ModeDevice, permissions
	return c, nil
}
