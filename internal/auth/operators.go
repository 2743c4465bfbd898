package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/ratelimit"
	"strongroom/internal/tokenfile"
)

// OperatorsConfig is what [Operators] need.
type OperatorsConfig struct {
	// TokenFile has the admin tokens, see [tokenfile.MakeAdmin]. It must exist.
	TokenFile string
	// OIDC is the identity provider of operators; nil: none.
	OIDC *OIDCConfig
	// Now is the clock; nil: that of the process.
	Now    func() time.Time
	Logger *slog.Logger
}

// OIDCConfig is the identity provider of operators, and the claims of its
// access tokens.
type OIDCConfig struct {
	Issuer     string   // compared with the iss claim byte for byte
	KeySet     string   // as one of [JWTConfig.KeySets]; empty: discovery
	Audience   string   // a token's aud must have it
	Algorithms []string // as in [JWTConfig]

	NameClaim string   // the operator's name: 1 to 123 printable characters
	RoleClaim string   // a list of strings, or one string with spaces between words
	Viewers   []string // values that give the role viewer
	Operators []string // values that give the role operator

	// Client is the console at that provider, see [CodeFlow]; nil: browsers
	// cannot sign in with it.
	Client *OIDCClient
}

// Operators authenticates requests to the operator side, by an admin token or
// by an access token (RFC 9068) of the operators' identity provider.
//
// The threat is guessing and flooding. An admin token has 256 bits, which cannot
// be guessed, so wrong tokens are limited only to bound load and log lines. A
// valid token is never refused because of wrong ones: otherwise a client behind
// the same proxy could lock an operator out. A flood takes one counter for each
// of a bounded number of addresses. Nothing of a token is logged or sent back.
type Operators struct {
	*verifier[domain.Operator] // of the provider's tokens; without issuers if oidc is nil
	refusals
	tokens     *tokenfile.File[domain.Role]
	oidc       *OIDCConfig // nil: no provider
	log        *slog.Logger
	now        func() time.Time
	refusalLog lograte.Limit
	failures   attemptLimit // wrong tokens
}

// Above these limits in a minute, wrong tokens get 429 instead of 401.
const (
	wrongByAddress  = 60
	wrongOverall    = 600
	wrongAddresses  = 1024 // tracked addresses; beyond them wrongOverall limits
	maxOperatorName = 128
)

// OpenOperators checks cfg. It reads the token file, and a key set in a file.
func OpenOperators(cfg OperatorsConfig) (*Operators, error) {
	o := &Operators{verifier: &verifier[domain.Operator]{}, refusals: countRefusals(reasonsOfOperators), oidc: cfg.OIDC, log: cfg.Logger, now: cfg.Now,
		failures: newAttemptLimit(wrongByAddress, wrongOverall)}
	if o.now == nil {
		o.now = time.Now
	}
	var err error
	if o.tokens, err = tokenfile.OpenAdmin(cfg.TokenFile, cfg.Logger); err != nil {
		return nil, err
	}
	o.tokens.Now = o.now
	if cfg.OIDC == nil {
		return o, nil
	}
	c := *cfg.OIDC
	o.oidc, o.refusals = &c, countRefusals(reasonsOfOIDC)
	if c.Client != nil {
		o.refusals = countRefusals(reasonsOfCodeFlow)
	}
	keySets := []string{c.KeySet}
	o.verifier, err = newVerifier(verifierConfig{"admin-oidc-", []string{c.Issuer}, keySets, []string{c.Audience}, c.Algorithms, maxWaitingOperators, cfg.Logger}, c.bearer)
	if err != nil {
		return nil, err
	}
	o.verifier.now = o.now
	return o, nil
}

// Separate refuses tokens of operators that are also in the file of an authenticator of
// backends, see [tokenfile.Separate]. Call it before use.
func (o *Operators) Separate(backends Authenticator) error {
	var tokens *tokenfile.File[domain.Permission]
	switch backends := backends.(type) {
	case gateways:
		tokens = backends.tokens
	case receiptTokens:
		tokens = backends.tokens
	}
	if tokens == nil {
		return nil
	}
	return tokenfile.Separate(o.tokens, tokens)
}

// Authenticate returns the operator that sends r. A refusal is a *domain.Error
// with the code UNAUTHENTICATED, FORBIDDEN (a valid token without a role) or
// TOO_MANY_REQUESTS (too many wrong tokens). Any other error means that no token
// of the provider can be verified now. Safe for concurrent use.
func (o *Operators) Authenticate(r *http.Request) (domain.Operator, error) {
	operator, err := o.operatorOf(r)
	return operator, o.refuse(r, err)
}

func (o *Operators) operatorOf(r *http.Request) (domain.Operator, error) {
	text, err := bearer(r.Header)
	if err != nil {
		return domain.Operator{}, err
	}
	if operator, ok := o.tokenHolder(sha256.Sum256([]byte(text))); ok {
		return operator, nil
	}
	if o.oidc == nil || strings.Count(text, ".") != 2 {
		return domain.Operator{}, wrongToken
	}
	return o.authenticate(r.Context(), text)
}

// tokenHolder returns the operator of the admin token with this SHA-256.
func (o *Operators) tokenHolder(digest [sha256.Size]byte) (domain.Operator, bool) {
	role, ok := o.tokens.Find(digest)
	if !ok {
		return domain.Operator{}, false
	}
	return domain.Operator{Name: "token:" + hex.EncodeToString(digest[:4]), Role: role}, true
}

// refuse counts and logs a reason, and returns its answer. It returns other
// errors as they are.
func (o *Operators) refuse(r *http.Request, err error) error {
	why, ok := errors.AsType[reason](err)
	if !ok {
		return err
	}
	o.add(why)
	if o.oidc != nil && why != noToken {
		if write, omitted := o.refusalLog.Next(o.now()); write {
			o.log.InfoContext(r.Context(), "an operator's bearer token is refused", append(logAttrs(err), "omitted", omitted)...)
		}
	}
	if why == noRole {
		return &domain.Error{Code: domain.CodeForbidden, Reason: domain.ReasonMissingRole,
			Message: "The token is valid but grants no role. Its claim " + o.oidc.RoleClaim + " must have one of the values " +
				strings.Join(slices.Concat(o.oidc.Viewers, o.oidc.Operators), ", ") + "."}
	}
	if why != noToken {
		if err := o.countFailure(r); err != nil {
			return err
		}
	}
	return o.refusal(why)
}

// countFailure counts a wrong token, and returns a refusal above the limits.
func (o *Operators) countFailure(r *http.Request) error {
	return o.failures.take(r, o.now(), "Too many wrong tokens. Wait as long as the header Retry-After says, or send a valid token, which is accepted at once.")
}

func (o *Operators) refusal(why reason) *domain.Error {
	switch why {
	case severalHeaders, dpopScheme, boundToSender, expired, notYetValid:
		return why.refusal()
	}
	code := domain.ReasonTokenInvalid
	if why == noToken {
		code = domain.ReasonTokenMissing
	}
	if o.oidc != nil {
		return unauthenticated(code, "Send an access token of the operators' identity provider, or a token of DATA-DIR/admin.token, as Authorization: Bearer.")
	}
	return unauthenticated(code, "Send the first line of DATA-DIR/admin.token as Authorization: Bearer.")
}

// attemptLimit limits the attempts of one address, and of all, in a minute.
type attemptLimit struct {
	byAddress *ratelimit.AddressRates
	overall   *ratelimit.Rates
}

func newAttemptLimit(byAddress, overall int) attemptLimit {
	perMinute := func(limit int) []domain.Rate { return []domain.Rate{{Limit: limit, Window: time.Minute}} }
	return attemptLimit{ratelimit.NewAddressRates(perMinute(byAddress), wrongAddresses), ratelimit.NewRates(perMinute(overall), 1)}
}

// take counts an attempt, and returns a refusal with this message above a limit.
func (l *attemptLimit) take(r *http.Request, now time.Time, message string) error {
	wait, ok := l.byAddress.Take(domain.CallerFrom(r.Context()).Address, now)
	if ok {
		wait, ok = l.overall.Take([16]byte{}, now)
	}
	if ok {
		return nil
	}
	return domain.TooManyRequests(domain.ReasonSignInFailures, message, wait)
}

// bearer returns the operator of an access token. A token with the console's
// client as its audience was made for the console only.
func (c *OIDCConfig) bearer(t *token) (domain.Operator, error) {
	if t.confirmation != (confirmation{}) { // operators' proofs are not verified
		return domain.Operator{}, boundToSender
	}
	if c.Client != nil && slices.Contains(t.audiences, c.Client.ID) {
		return domain.Operator{}, notForAccess
	}
	return c.operator(t)
}

// operator returns the operator that a token names, with the highest of its
// roles.
func (c *OIDCConfig) operator(t *token) (domain.Operator, error) {
	name, _ := t.claims[c.NameClaim].(string)
	o := domain.Operator{Name: "oidc:" + name}
	if name == "" || utf8.RuneCountInString(o.Name) > maxOperatorName || !isPrintable(name) {
		return domain.Operator{}, claimError{noName, c.NameClaim, t.claims[c.NameClaim] != nil}
	}
	for _, word := range words(t.claims[c.RoleClaim]) {
		switch {
		case slices.Contains(c.Operators, word):
			o.Role = domain.RoleOperator
		case slices.Contains(c.Viewers, word):
			o.Role = max(o.Role, domain.RoleViewer)
		}
	}
	if o.Role == domain.NoRole {
		return domain.Operator{}, claimError{noRole, c.RoleClaim, t.claims[c.RoleClaim] != nil}
	}
	return o, nil
}

// claimError is a reason in one claim. present tells a provider that leaves the
// claim out from a person who has no role.
type claimError struct {
	reason
	claim   string // its name, from the settings
	present bool
}

func (e claimError) Unwrap() error { return e.reason }

// logAttrs are the log attributes of a refusal. They hold nothing of a token.
func logAttrs(err error) []any {
	why, _ := errors.AsType[reason](err)
	attrs := []any{"reason", string(why)}
	if in, ok := errors.AsType[claimError](err); ok {
		attrs = append(attrs, "claim", in.claim, "present", in.present)
	}
	return attrs
}

// words reads a list of strings, or one string both as a whole and split at
// spaces. Any other claim has no words.
func words(claim any) []string {
	if text, ok := claim.(string); ok {
		return append(strings.Fields(text), text)
	}
	list, _ := stringList(claim)
	return list
}

// isPrintable reports whether s is safe in one line of the trail: no line ends,
// bidirectional marks or zero-width characters, and no spaces around it that
// make two names look the same.
func isPrintable(s string) bool {
	return utf8.ValidString(s) && strings.TrimSpace(s) == s && strings.IndexFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) < 0
}
