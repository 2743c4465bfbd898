package auth

import "sync/atomic"

// refusals count the bearer tokens that were refused, by their reasons. The
// map is never written to.
type refusals map[reason]*atomic.Uint64

// Why a bearer token can be refused, by who refuses it.
var (
	reasonsOfBearer = []reason{noToken, severalHeaders, malformed, dpopScheme}
	reasonsOfJWT    = append([]reason{headerRefused, wrongType, wrongAlgorithm, unknownIssuer, unknownKey, ambiguousKey, wrongSignature,
		wrongAudience, noExpiry, noSubject, malformedClaim, notForAccess, boundToSender, expired, notYetValid, futureSignIn}, reasonsOfBearer...)
	reasonsOfOperators = append([]reason{wrongToken}, reasonsOfBearer...)
	reasonsOfOIDC      = append([]reason{wrongToken, noName, noRole}, reasonsOfJWT...)
	reasonsOfCodeFlow  = append([]reason{foreignAnswer, deniedThere, badCode, notForSignIn, wrongNonce}, reasonsOfOIDC...)
	reasonsOfGateway   = append([]reason{wrongServiceToken}, reasonsOfBearer...)
)

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

// Refusals returns how many bearer tokens were refused, and requests without
// one, by reason. Every reason that can come is there from the start. It is
// safe for concurrent use.
func (r refusals) Refusals() map[string]uint64 {
	all := make(map[string]uint64, len(r))
	for why, n := range r {
		all[string(why)] = n.Load()
	}
	return all
}
