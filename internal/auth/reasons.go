package auth

import (
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/lograte"
)

// reason is why a caller or an operator is refused. Its texts are a closed set:
// the log and the metric token_refusals_total have them. Clients are told less,
// see [reason.refusal].
type reason string

func (r reason) Error() string { return string(r) }

// The request has no bearer token that can be read.
const (
	noToken        reason = "no bearer token"
	severalHeaders reason = "several Authorization headers"
	malformed      reason = "malformed token"
	dpopScheme     reason = "authorization scheme DPoP"
)

// The token is not in the token file.
const (
	wrongServiceToken reason = "no service token"
	wrongReceiptToken reason = "no receipt token"
	wrongToken        reason = "no admin token"
)

// The JWT is not accepted.
const (
	headerRefused  reason = "header that is never taken"
	wrongType      reason = "token type"
	wrongAlgorithm reason = "signature algorithm"
	unknownIssuer  reason = "issuer"
	unknownKey     reason = "unknown key"
	ambiguousKey   reason = "no key id where not exactly one key fits"
	wrongSignature reason = "signature"
	wrongAudience  reason = "audience"
	noExpiry       reason = "no exp"
	noSubject      reason = "no sub that can name an account"
	malformedClaim reason = "malformed claim"
	notForAccess   reason = "not an access token"
	notForSignIn   reason = "not an ID token"
	boundToSender  reason = "sender-constrained token"
	expired        reason = "expired"
	notYetValid    reason = "not yet valid"
	futureSignIn   reason = "sign-in in the future"
)

// The JWT is valid, but does not name an operator.
const (
	noName reason = "no name that the audit trail can hold"
	noRole reason = "no role"
)

// The DPoP proof is not accepted.
const (
	severalProofs   reason = "several DPoP headers"
	proofTooLong    reason = "DPoP proof too long"
	proofMalformed  reason = "malformed DPoP proof"
	proofHeader     reason = "DPoP header that is never taken"
	proofType       reason = "type of DPoP proof"
	proofAlgorithm  reason = "signature algorithm of DPoP proof"
	badProofKey     reason = "key of DPoP proof"
	privateProofKey reason = "private key in DPoP proof"
	proofSignature  reason = "signature of DPoP proof"
	proofClaim      reason = "claim of DPoP proof"
	proofMethod     reason = "htm of DPoP proof"
	proofURL        reason = "htu of DPoP proof"
	proofStale      reason = "stale DPoP proof"
	proofFuture     reason = "DPoP proof from the future"
	proofToken      reason = "ath of DPoP proof"
	proofNonce      reason = "nonce of DPoP proof"
	proofReplayed   reason = "replayed DPoP proof"
)

// The sender of a token did not prove what its claim cnf demands.
const (
	boundAsBearer    reason = "token bound to a DPoP key as bearer token"
	unboundAsDPoP    reason = "scheme DPoP with a token that is bound to no key"
	noProof          reason = "no DPoP proof"
	wrongProofKey    reason = "DPoP key other than the token's"
	wrongCertificate reason = "client certificate other than the token's"
)

// The console's sign-in fails before there is an ID token.
const (
	stateMismatch    reason = "no sign-in that this browser began"
	deniedByProvider reason = "denied by the provider"
	invalidCode      reason = "no code that the provider takes"
	wrongNonce       reason = "nonce"
)

// The reasons that each kind of authenticator can have.
var (
	reasonsOfBearer = []reason{noToken, severalHeaders, malformed, dpopScheme}
	reasonsOfToken  = append([]reason{headerRefused, wrongType, wrongAlgorithm, unknownIssuer, unknownKey, ambiguousKey, wrongSignature,
		wrongAudience, noExpiry, noSubject, malformedClaim, notForAccess, boundToSender, expired, notYetValid, futureSignIn}, reasonsOfBearer...)
	reasonsOfJWT       = append([]reason{boundAsBearer, unboundAsDPoP, noProof, wrongProofKey, wrongCertificate}, reasonsOfToken...)
	reasonsOfOperators = append([]reason{wrongToken}, reasonsOfBearer...)
	reasonsOfOIDC      = append([]reason{wrongToken, noName, noRole}, reasonsOfToken...)
	reasonsOfCodeFlow  = append([]reason{stateMismatch, deniedByProvider, invalidCode, notForSignIn, wrongNonce}, reasonsOfOIDC...)
	reasonsOfDPoP      = []reason{severalProofs, proofTooLong, proofMalformed, proofHeader, proofType, proofAlgorithm, badProofKey, privateProofKey,
		proofSignature, proofClaim, proofMethod, proofURL, proofStale, proofFuture, proofToken, proofNonce, proofReplayed}
	reasonsOfGateway = append([]reason{wrongServiceToken}, reasonsOfBearer...)
)

// refusal is the answer to a client. It helps an honest client to correct its
// request. All other reasons have one answer.
func (r reason) refusal() *domain.Error {
	if remedy, ok := proofRemedies[r]; ok {
		code := domain.ReasonDPoPProofInvalid
		if r == proofStale || r == proofFuture {
			code = domain.ReasonDPoPProofTime // a new proof by the same clock is refused again
		}
		return unauthenticated(code, "The DPoP proof is not valid: "+remedy+". Make a new proof for each request (RFC 9449).")
	}
	switch r {
	case proofNonce:
		return unauthenticated(domain.ReasonDPoPNonceRequired, "The DPoP proof needs a current nonce. Make a new proof with the value of the header DPoP-Nonce of this answer as its claim nonce.")
	case noProof:
		return unauthenticated(domain.ReasonDPoPProofRequired, "The token is bound to a key (cnf.jkt). Send a DPoP proof by this key in the header DPoP.")
	case wrongProofKey:
		return unauthenticated(domain.ReasonDPoPProofInvalid, "The token is bound to another key (cnf.jkt) than that of the DPoP proof. Make the proof by the key of the token.")
	case boundAsBearer:
		return unauthenticated(domain.ReasonTokenBound, "The token is bound to a key (cnf.jkt). Send it in the header Authorization after the word DPoP, not Bearer, with a DPoP proof by this key.")
	case unboundAsDPoP:
		return unauthenticated(domain.ReasonTokenBound, "The token is bound to no key (no cnf.jkt). Send it in the header Authorization after the word Bearer, not DPoP.")
	case wrongCertificate:
		return unauthenticated(domain.ReasonTokenBound, "The token is bound to a client certificate (cnf.x5t#S256). Present this certificate in the TLS handshake.")
	case noToken:
		return unauthenticated(domain.ReasonTokenMissing, "A bearer token is needed. Send it in the header Authorization, after the word Bearer and a space.")
	case severalHeaders:
		return unauthenticated(domain.ReasonTokenRepeated, "Send one Authorization header with one bearer token.")
	case dpopScheme:
		return unauthenticated(domain.ReasonDPoPUnsupported, "The Authorization scheme DPoP is not supported, because this service does not check DPoP proofs. "+
			"Send a token that is not bound to a key (no cnf claim), after the word Bearer and a space.")
	case boundToSender:
		return unauthenticated(domain.ReasonTokenBound, "The token is sender-constrained by a claim cnf that this service does not check. "+
			"Configure the identity provider to issue a token without cnf for this service, or with cnf.jkt or cnf.x5t#S256 if this service verifies proofs of possession.")
	case expired:
		return unauthenticated(domain.ReasonTokenExpired, "The bearer token has expired. Get a new one.")
	case notYetValid:
		return unauthenticated(domain.ReasonTokenNotYetValid, "The bearer token is not valid yet. Check that the clocks are synchronised, then send it again.")
	}
	return unauthenticated(domain.ReasonTokenInvalid, "The bearer token is not valid here. Get a new one that the identity provider made for this service.")
}

// proofRemedies complete the answer to a client whose proof is refused. They say
// which rule the proof breaks, and have no part of it.
var proofRemedies = map[reason]string{
	severalProofs:   "send one DPoP header",
	proofTooLong:    fmt.Sprintf("it must have at most %d bytes", maxProofBytes),
	proofMalformed:  "it must be a JWS in compact form, in base64url without padding, whose header and claims are JSON objects without repeated names",
	proofHeader:     "its header must not have crit or b64",
	proofType:       "typ must be dpop+jwt",
	proofAlgorithm:  "alg must be ES256, EdDSA or Ed25519, and that of the key",
	badProofKey:     "jwk must be a public key on P-256 for ES256, or on Ed25519 for EdDSA and Ed25519",
	privateProofKey: "jwk has a private key, which is now disclosed; make a new key, and send only the public one",
	proofSignature:  "the signature does not verify by the key in jwk",
	proofClaim:      fmt.Sprintf("it needs jti (1 to %d bytes), htm, htu and iat (seconds since 1970); ath and nonce must be strings", maxProofIDBytes),
	proofMethod:     "htm must be the method of the request",
	proofURL:        "htu must be the public URL of the request, without query and fragment",
	proofStale:      fmt.Sprintf("iat is more than %.0f s ago; compare your clock with the header Date of this answer", proofLifetime.Seconds()),
	proofFuture:     fmt.Sprintf("iat is more than %.0f s ahead; compare your clock with the header Date of this answer", clockSkew.Seconds()),
	proofToken:      "ath must be the SHA-256 of the access token in base64url",
	proofReplayed:   "a proof with this jti was accepted before",
}

func unauthenticated(reason, message string) *domain.Error {
	return &domain.Error{Code: domain.CodeUnauthenticated, Reason: reason, Message: message}
}

// refusals counts refused requests by reason. The map is never written to.
type refusals map[reason]*atomic.Uint64

func countRefusals(of []reason) refusals {
	r := refusals{}
	for _, why := range of {
		r[why] = new(atomic.Uint64)
	}
	return r
}

func (r refusals) add(why reason) {
	if n := r[why]; n != nil {
		n.Add(1)
	}
}

// Refusals returns the number of refused requests by reason. Every reason that
// is possible is in the map from the start. Safe for concurrent use.
func (r refusals) Refusals() map[string]uint64 {
	all := make(map[string]uint64, len(r))
	for why, n := range r {
		all[string(why)] = n.Load()
	}
	return all
}

// tokenRefusals counts refused bearer tokens by reason, and logs them.
type tokenRefusals struct {
	refusals
	log   *slog.Logger
	lines lograte.Limit
}

// refused counts a request whose token is refused, and writes a line at most
// [lograte.PerSecond] times a second. The line does not contain the token.
func (t *tokenRefusals) refused(r *http.Request, why reason, now time.Time) {
	t.add(why)
	if write, omitted := t.lines.Next(now); write {
		t.log.InfoContext(r.Context(), "a bearer token is refused", "reason", string(why), "omitted", omitted)
	}
}
