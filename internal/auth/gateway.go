package auth

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/tokenfile"
)

// GatewayConfig is what a [Gateway] needs. TokenFile or ClientCertificates is
// required: without proof anyone could name any account.
type GatewayConfig struct {
	// AccountHeader is the header that names the account.
	AccountHeader string
	// TokenFile has the service tokens, one in a line, followed by its scopes;
	// empty: none. Blank lines and lines that begin with # are skipped.
	TokenFile string
	// ClientCertificates: a client certificate that the TLS layer verified is a
	// proof too. Its authorities must issue certificates for gateways only,
	// unless ClientNames lists the gateways.
	ClientCertificates bool
	// ClientNames are the gateways' certificates, by one of their DNS names, or
	// by the common name if a certificate has no alternative names. Empty: all
	// verified ones.
	ClientNames []string
	// RequireScopes: a service token without scopes may do nothing.
	RequireScopes bool
	// Proofs verifies the DPoP proof of the device, which the gateway passes on.
	// Nil: it is ignored.
	Proofs *DPoP
	Logger *slog.Logger
}

// Gateway is the authenticator of gateway mode: a backend proves itself with a
// service token or a client certificate, and names the account in a header.
//
// The threat is a client that sends the header itself. Without proof the header
// is not read. Two headers are refused, because a gateway that adds its header
// to the client's did not decide which one counts.
type Gateway struct {
	tokenRefusals
	header       string
	tokens       *tokenfile.File[domain.Permission] // nil: no service tokens
	certificates bool
	names        []string
	proofs       *DPoP
	now          func() time.Time

	noAccount *domain.Error // the answer if the gateway names no account
}

var _ Authenticator = (*Gateway)(nil)

// NewGateway checks cfg and reads the token file.
func NewGateway(cfg GatewayConfig) (*Gateway, error) {
	if !isHeaderName(cfg.AccountHeader) {
		return nil, errors.New("gateway-account-header: must be a name of a header, and not one that has a meaning in HTTP")
	}
	if cfg.TokenFile == "" && !cfg.ClientCertificates {
		return nil, errors.New("gateway-token-file: this or client certificates are required: without authentication anyone could name any account")
	}
	g := &Gateway{
		tokenRefusals: tokenRefusals{refusals: countRefusals(reasonsOfGateway), log: cfg.Logger},
		header:        http.CanonicalHeaderKey(cfg.AccountHeader),
		certificates:  cfg.ClientCertificates,
		names:         cfg.ClientNames,
		proofs:        cfg.Proofs,
		now:           time.Now,
		noAccount: unauthenticated(domain.ReasonAccountMissing, fmt.Sprintf("The gateway must name the account in the header %s: once, in 1 to %d bytes of UTF-8, without control characters or space around it.",
			cfg.AccountHeader, domain.MaxAccountBytes)),
	}
	if cfg.TokenFile != "" {
		unscoped := gatewayPermissions
		if cfg.RequireScopes {
			unscoped = 0
		}
		var err error
		if g.tokens, err = tokenfile.OpenService(cfg.TokenFile, unscoped, cfg.Logger); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// reservedHeaders have another meaning, or Go's server removes them.
var reservedHeaders = []string{"Authorization", "Connection", "Content-Length", "Content-Type", "Cookie", "Host", "Transfer-Encoding", "X-Forwarded-For"}

// isHeaderName reports whether s is a token (RFC 9110, 5.6.2) and not reserved.
func isHeaderName(s string) bool {
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", c)) {
			return false
		}
	}
	return s != "" && !slices.Contains(reservedHeaders, http.CanonicalHeaderKey(s))
}

// gatewayPermissions are those of a gateway that names no scopes. A gateway is a
// backend, so it may redeem receipts.
const gatewayPermissions = domain.OrdinaryPermissions | domain.MayRedeemReceipts

// Authenticate implements [Authenticator]. The token of the request is the
// gateway's, so the proof of a device need not belong to it.
func (g *Gateway) Authenticate(r *http.Request) (domain.Caller, error) {
	c, err := g.gateway(r)
	if err != nil {
		return c, err
	}
	accounts := r.Header[g.header]
	if len(accounts) != 1 || !isName(accounts[0]) || strings.TrimSpace(accounts[0]) != accounts[0] {
		return domain.Caller{}, g.noAccount
	}
	thumbprint, err := g.proofs.Verify(r, "")
	if err != nil {
		return domain.Caller{}, err
	}
	c.Subject, c.Thumbprint = accounts[0], thumbprint
	return c, nil
}

// gateway returns the caller without an account.
func (g *Gateway) gateway(r *http.Request) (domain.Caller, error) {
	permissions, why := g.proof(r)
	if why != "" {
		g.refused(r, why, g.now())
		return domain.Caller{}, unauthenticated(domain.ReasonGatewayUnproven, "The gateway is not authenticated. Send its service token in the header Authorization: Bearer, or present its client certificate.")
	}
	c := domain.CallerFrom(r.Context())
	c.Mode, c.Permissions = domain.ModeGateway, permissions
	return c, nil
}

// proof returns what the gateway that sent r may do, or why it proved nothing.
// A certificate has no scopes and grants what a gateway needs, also with
// RequireScopes. So only a token can reset credentials.
func (g *Gateway) proof(r *http.Request) (domain.Permission, reason) {
	token, err := bearer(r.Header)
	if err == nil && g.tokens != nil {
		if permissions, ok := g.tokens.Find(sha256.Sum256([]byte(token))); ok {
			return permissions, ""
		}
	}
	if g.certificates && g.showsCertificate(r.TLS) {
		return gatewayPermissions, ""
	}
	why := wrongServiceToken
	errors.As(err, &why)
	return 0, why
}

// showsCertificate reports whether the connection is a gateway's. The TLS
// handshake verified the chain. The validity period is checked again, because
// connections live long.
func (g *Gateway) showsCertificate(c *tls.ConnectionState) bool {
	if c == nil || len(c.VerifiedChains) == 0 || len(c.VerifiedChains[0]) == 0 {
		return false
	}
	leaf, now := c.VerifiedChains[0][0], g.now()
	if !slices.Contains(leaf.ExtKeyUsage, x509.ExtKeyUsageClientAuth) || now.Before(leaf.NotBefore) || now.After(leaf.NotAfter) {
		return false
	}
	return len(g.names) == 0 || slices.ContainsFunc(namesOf(leaf), func(name string) bool {
		return slices.ContainsFunc(g.names, func(allowed string) bool { return asciiLower(allowed) == asciiLower(name) })
	})
}

// namesOf returns the DNS names of a certificate, or its common name if it has
// no alternative names of any kind (RFC 6125, 6.4.4).
func namesOf(c *x509.Certificate) []string {
	alternative := slices.ContainsFunc(c.Extensions, func(e pkix.Extension) bool { return e.Id.Equal(subjectAltName) })
	if !alternative && c.Subject.CommonName != "" {
		return []string{c.Subject.CommonName}
	}
	return c.DNSNames
}

var subjectAltName = asn1.ObjectIdentifier{2, 5, 29, 17}
