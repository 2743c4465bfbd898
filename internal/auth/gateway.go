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
)

// GatewayConfig is what a [Gateway] needs. TokenFile or ClientCertificates
// must be given: without proof anyone could name any account.
type GatewayConfig struct {
	// AccountHeader is the header that names the account.
	AccountHeader string
	// TokenFile has the service tokens, one in a line, its scopes behind it;
	// empty: none. Lines that begin with # and blank lines are skipped.
	TokenFile string
	// ClientCertificates: a client certificate that the TLS layer verified is a
	// proof too. It must be verified against authorities that make certificates
	// for gateways, and for nobody else unless ClientNames tells them apart.
	ClientCertificates bool
	// ClientNames are the certificates that are gateways, by one of their DNS
	// names, or by the common name where a certificate has no alternative
	// names. Empty: all that were verified.
	ClientNames []string
	// RequireScopes: a service token without scopes behind it may do nothing.
	RequireScopes bool
	Logger        *slog.Logger
}

// Gateway is the authenticator of gateway mode: a backend that proves itself,
// by a service token or a client certificate, names the account in a header.
//
// The threat is a client that sends the header itself: without proof the
// header is not even looked at, and two of them are refused, for a gateway
// that adds its header to the client's has not decided which one counts.
type Gateway struct {
	refusals
	header       string
	tokens       *tokenFile[domain.Permission] // nil: no service tokens
	certificates bool
	names        []string
	now          func() time.Time

	unnamed *domain.Error // where the gateway names no account
}

var _ Authenticator = (*Gateway)(nil)

// NewGateway checks cfg and reads the token file.
func NewGateway(cfg GatewayConfig) (*Gateway, error) {
	if !isHeaderName(cfg.AccountHeader) {
		return nil, errors.New("gateway-account-header: must be a name of a header, and not one that has a meaning in HTTP")
	}
	if cfg.TokenFile == "" && !cfg.ClientCertificates {
		return nil, errors.New("gateway-token-file: it or client certificates are needed: without proof anyone could name any account")
	}
	g := &Gateway{
		refusals:     countRefusals(reasonsOfGateway),
		header:       http.CanonicalHeaderKey(cfg.AccountHeader),
		certificates: cfg.ClientCertificates,
		names:        cfg.ClientNames,
		now:          time.Now,
		unnamed: unauthenticated(domain.ReasonAccountMissing, fmt.Sprintf("The gateway must name the account in the header %s: once, in 1 to %d bytes of UTF-8, without control characters or space around it.",
			cfg.AccountHeader, domain.MaxAccountBytes)),
	}
	if cfg.TokenFile != "" {
		unscoped := domain.OrdinaryPermissions
		if cfg.RequireScopes {
			unscoped = 0
		}
		var err error
		if g.tokens, err = openTokenFile(cfg.TokenFile, serviceTokens(unscoped), cfg.Logger); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// wrongServiceToken is why a gateway is refused, beside what [bearer] refuses.
const wrongServiceToken reason = "no service token"

// minServiceToken is the least length of a service token in characters: 16 of
// base64 are 96 bits, if they are random.
const minServiceToken = 16

// serviceTokens is the kind of file that has a gateway's tokens, each with its
// scopes behind it.
func serviceTokens(unscoped domain.Permission) tokenKind[domain.Permission] {
	k := tokenKind[domain.Permission]{setting: "gateway-token-file", least: minServiceToken}
	k.grants = func(scopes [][]byte) (all domain.Permission, err error) {
		if len(scopes) == 0 {
			return unscoped, nil
		}
		for _, scope := range scopes {
			p := domain.ParseScope(string(scope))
			if p == 0 {
				return 0, errors.New("a word behind the token is not a scope of this service")
			}
			all |= p
		}
		return all, nil
	}
	k.said.unreadable = "the gateway token file cannot be read, its last good tokens stay in use"
	k.said.again = "the gateway token file was read again"
	return k
}

// Headers that say something else already, or that Go's server takes away.
var takenHeaders = []string{"Authorization", "Connection", "Content-Length", "Content-Type", "Cookie", "Host", "Transfer-Encoding", "X-Forwarded-For"}

// isHeaderName says whether s is a token (RFC 9110, 5.6.2) that is free.
func isHeaderName(s string) bool {
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", c)) {
			return false
		}
	}
	return s != "" && !slices.Contains(takenHeaders, http.CanonicalHeaderKey(s))
}

// Authenticate implements [Authenticator].
func (g *Gateway) Authenticate(r *http.Request) (domain.Caller, error) {
	permissions, why := g.proof(r)
	if why != "" {
		g.add(why)
		return domain.Caller{}, unauthenticated(domain.ReasonGatewayUnproven, "The gateway did not prove itself. Send its service token in one header Authorization, after the word Bearer and a space, or present its client certificate.")
	}
	accounts := r.Header[g.header]
	if len(accounts) != 1 || !isName(accounts[0]) || strings.TrimSpace(accounts[0]) != accounts[0] {
		return domain.Caller{}, g.unnamed
	}
	c := domain.CallerFrom(r.Context())
	c.Mode, c.Subject, c.Permissions = domain.ModeGateway, accounts[0], permissions
	return c, nil
}

// proof says what the gateway may do that r is from, or why it is from none. Scopes
// belong to tokens: certificates have none and give the ordinary permissions,
// also where scopes are asked for. So only a token can reset.
func (g *Gateway) proof(r *http.Request) (domain.Permission, reason) {
	token, err := bearer(r.Header)
	if err == nil && g.tokens != nil {
		if permissions, ok := g.tokens.find(sha256.Sum256([]byte(token))); ok {
			return permissions, ""
		}
	}
	if g.certificates && g.showsCertificate(r.TLS) {
		return domain.OrdinaryPermissions, ""
	}
	why := wrongServiceToken
	errors.As(err, &why)
	return 0, why
}

// showsCertificate says whether the connection is a gateway's. Its chain was
// verified when it began; the time of the certificate is looked at again,
// because connections live long.
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

// namesOf is the names by which a certificate is known: its DNS names, or the
// common name where it has no alternative names of any kind (RFC 6125, 6.4.4).
func namesOf(c *x509.Certificate) []string {
	alternative := slices.ContainsFunc(c.Extensions, func(e pkix.Extension) bool { return e.Id.Equal(subjectAltName) })
	if !alternative && c.Subject.CommonName != "" {
		return []string{c.Subject.CommonName}
	}
	return c.DNSNames
}

var subjectAltName = asn1.ObjectIdentifier{2, 5, 29, 17}
