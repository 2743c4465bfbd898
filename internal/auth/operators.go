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
	"strongroom/internal/loglines"
	"strongroom/internal/ratelimit"
)

// OperatorsConfig is what [Operators] need.
type OperatorsConfig struct {
	// TokenFile has the admin tokens, see [MakeAdminToken]. It must be there.
	TokenFile string
	// OIDC is the identity provider of operators; nil: none.
	OIDC *OIDCConfig
	// Now is the clock; nil: that of the process.
	Now    func() time.Time
	Logger *slog.Logger
}

// OIDCConfig is whose access tokens operators may show, and what they say.
type OIDCConfig struct {
	Issuer     string   // compared with the iss claim byte for byte
	KeySet     string   // as one of [JWTConfig.KeySets]; empty: discovery
	Audience   string   // a token's aud must have it
	Algorithms []string // as in [JWTConfig]

	NameClaim string   // who it is: a text of 1 to 123 printable characters
	RoleClaim string   // a list of texts, or one text with spaces between words
	Viewers   []string // what there gives the role viewer
	Operators []string // what there gives the role operator

	// Client is the console at that provider, see [CodeFlow]; nil: browsers
	// cannot sign in by it.
	Client *OIDCClient
}

// Operators says who sends a request to the operator side: who holds an admin
// token, or an access token (RFC 9068) of the identity provider of operators.
//
// The threat is who tries tokens, or floods with them. An admin token has 256
// bits, so that no number of tries finds one: wrong ones are limited for the
// sake of load and noise. So a right token is never refused for the wrong ones
// before it: else who shares an address with an operator, as all do behind one
// proxy, could shut him out. A flood makes one counter for each of so many
// addresses, and no more. Nothing of a token is ever logged or answered.
type Operators struct {
	refusals
	tokens   *tokenFile[domain.Role]
	provider *verifier[domain.Operator] // nil: none
	oidc     OIDCConfig                 // of that provider
	log      *slog.Logger
	now      func() time.Time
	refused  loglines.Limit

	byAddress *ratelimit.AddressRates // of wrong tokens
	overall   *ratelimit.Rates
}

// What wrong tokens are answered 401 rather than 429: so many in a minute.
const (
	wrongByAddress  = 60
	wrongOverall    = 600
	wrongAddresses  = 1024 // remembered at once; past them wrongOverall is what limits
	maxOperatorName = 128
)

// Why an operator is refused, beside what refuses a caller's token.
const (
	wrongToken reason = "no admin token"
	noName     reason = "no name that the audit trail can hold"
	noRole     reason = "no role"
)

// OpenOperators checks cfg and reads the token file; a key set in a file too.
func OpenOperators(cfg OperatorsConfig) (*Operators, error) {
	o := &Operators{refusals: countRefusals(reasonsOfOperators), log: cfg.Logger, now: cfg.Now, byAddress: ratelimit.NewAddressRates(aMinute(wrongByAddress), wrongAddresses), overall: ratelimit.NewRates(aMinute(wrongOverall), 1)}
	if o.now == nil {
		o.now = time.Now
	}
	var err error
	if o.tokens, err = openTokenFile(cfg.TokenFile, adminTokens(), cfg.Logger); err != nil {
		return nil, err
	}
	o.tokens.now = o.now
	if cfg.OIDC == nil {
		return o, nil
	}
	c := *cfg.OIDC
	o.refusals = countRefusals(reasonsOfOIDC)
	t := trust{"admin-oidc-", []string{c.Issuer}, nil, []string{c.Audience}, c.Algorithms, cfg.Logger}
	if c.KeySet != "" {
		t.keySets = []string{c.KeySet}
	}
	if o.provider, err = newVerifier(t, c.bearer); err != nil {
		return nil, err
	}
	o.provider.now = o.now
	o.oidc = c
	if c.Client != nil {
		o.refusals = countRefusals(reasonsOfCodeFlow)
	}
	return o, nil
}

// Start begins to fetch the provider's key set, as [JWT] does.
func (o *Operators) Start() {
	if o.provider != nil {
		o.provider.Start()
	}
}

// Close ends what Start began.
func (o *Operators) Close() {
	if o.provider != nil {
		o.provider.Close()
	}
}

// KeySets returns the state of the provider's key set, if there is one.
func (o *Operators) KeySets() []KeySetState {
	if o.provider == nil {
		return nil
	}
	return o.provider.KeySets()
}

// Authenticate returns who sends r. A refusal is a *domain.Error with the code
// UNAUTHENTICATED, FORBIDDEN (a good token that gives no role) or
// TOO_MANY_REQUESTS (one wrong token too many); any other error means that no
// token of the provider can be verified now. Safe for concurrent use.
func (o *Operators) Authenticate(r *http.Request) (domain.Operator, error) {
	who, err := o.identify(r)
	return who, o.settle(r, err)
}

// settle makes the refusal of whoever could not be identified.
func (o *Operators) settle(r *http.Request, err error) error {
	var why reason
	if !errors.As(err, &why) {
		return err
	}
	o.add(why)
	if o.provider != nil && why != noToken {
		if write, omitted := o.refused.Next(o.now()); write {
			o.log.InfoContext(r.Context(), "an operator's bearer token is refused", append(inLog(err), "omitted", omitted)...)
		}
	}
	if why == noRole {
		return &domain.Error{Code: domain.CodeForbidden, Reason: domain.ReasonMissingRole,
			Message: "The token is good and gives no role here. Ask for the role viewer or operator of this service."}
	}
	if why != noToken {
		if err := o.count(r); err != nil {
			return err
		}
	}
	return o.refusal(why)
}

func (o *Operators) identify(r *http.Request) (domain.Operator, error) {
	text, err := bearer(r.Header)
	if err != nil {
		return domain.Operator{}, err
	}
	if who, ok := o.holder(sha256.Sum256([]byte(text))); ok {
		return who, nil
	}
	if o.provider == nil || strings.Count(text, ".") != 2 {
		return domain.Operator{}, wrongToken
	}
	return o.provider.take(r.Context(), text)
}

// holder is who holds the admin token with this SHA-256.
func (o *Operators) holder(digest [sha256.Size]byte) (domain.Operator, bool) {
	role, ok := o.tokens.find(digest)
	if !ok {
		return domain.Operator{}, false
	}
	return domain.Operator{Name: "token:" + hex.EncodeToString(digest[:4]), Role: role}, true
}

func aMinute(limit int) []domain.Rate { return []domain.Rate{{Limit: limit, Window: time.Minute}} }

// count counts a wrong token, and refuses it if there were too many before.
func (o *Operators) count(r *http.Request) error {
	now := o.now()
	wait, ok := o.byAddress.Take(domain.CallerFrom(r.Context()).Address, now)
	if ok {
		wait, ok = o.overall.Take([16]byte{}, now)
	}
	if ok {
		return nil
	}
	return domain.TooManyRequests(domain.ReasonSignInFailures, "Too many wrong tokens. Wait as long as the header Retry-After says, or send a valid token, which is accepted at once.", wait)
}

func (o *Operators) refusal(why reason) *domain.Error {
	switch {
	case why == severalHeaders, why == dpopScheme, why == boundToSender, why == expired, why == notYetValid:
		return why.refusal()
	case o.provider != nil:
		return unauthenticated(tokenReason(why), "Send an access token of the operators' identity provider, or a token of DATA-DIR/admin.token, as Authorization: Bearer.")
	}
	return unauthenticated(tokenReason(why), "Send the first line of DATA-DIR/admin.token as Authorization: Bearer.")
}

// tokenReason tells a client that sent nothing from one that sent a wrong token.
func tokenReason(why reason) string {
	if why == noToken {
		return domain.ReasonTokenMissing
	}
	return domain.ReasonTokenInvalid
}

// bearer is who sends a good access token. What names the console's client as
// its audience was made for the console, whatever else it names.
func (c *OIDCConfig) bearer(t *token) (domain.Operator, error) {
	if c.Client != nil && slices.Contains(t.audiences, c.Client.ID) {
		return domain.Operator{}, notForAccess
	}
	return c.operator(t)
}

// operator is who a good token names, with the highest role that it gives.
func (c *OIDCConfig) operator(t *token) (domain.Operator, error) {
	name, _ := t.claims[c.NameClaim].(string)
	o := domain.Operator{Name: "oidc:" + name}
	if name == "" || utf8.RuneCountInString(o.Name) > maxOperatorName || !isPrintable(name) {
		return domain.Operator{}, lacking{noName, c.NameClaim, t.claims[c.NameClaim] != nil}
	}
	for _, word := range rolesIn(t.claims[c.RoleClaim]) {
		switch {
		case slices.Contains(c.Operators, word):
			o.Role = domain.RoleOperator
		case slices.Contains(c.Viewers, word):
			o.Role = max(o.Role, domain.RoleViewer)
		}
	}
	if o.Role == domain.NoRole {
		return domain.Operator{}, lacking{noRole, c.RoleClaim, t.claims[c.RoleClaim] != nil}
	}
	return o, nil
}

// lacking is a reason that lies in one claim. Whether a token has it at all is
// what tells a provider that leaves it out from a person who has no role.
type lacking struct {
	reason
	claim   string // its name, by the settings
	present bool
}

func (l lacking) Unwrap() error { return l.reason }

// inLog is a reason as attributes of a line of the log: nothing of a token.
func inLog(err error) []any {
	var why reason
	errors.As(err, &why)
	attrs := []any{"reason", string(why)}
	var in lacking
	if errors.As(err, &in) {
		attrs = append(attrs, "claim", in.claim, "present", in.present)
	}
	return attrs
}

// rolesIn reads a list, or one text, whole and as words between spaces. What is
// none of these has no role in it.
func rolesIn(claim any) []string {
	if text, ok := claim.(string); ok {
		return append(strings.Fields(text), text)
	}
	list, _ := texts(claim)
	return list
}

// isPrintable reports whether s can stand in one line of the trail as what it
// is: no line ends, marks that turn the direction, characters of no width,
// nor spaces around it that make two names look like one.
func isPrintable(s string) bool {
	return utf8.ValidString(s) && strings.TrimSpace(s) == s && strings.IndexFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) < 0
}
