package domain

// The reasons that an error can carry beside its code. They distinguish what a
// client handles differently, so that it need not parse messages. Like codes
// they never change; docs/api.md lists them.
const (
	ReasonAddressRate        = "ADDRESS_RATE"
	ReasonCallerRate         = "CALLER_RATE"
	ReasonDecryptionFailures = "DECRYPTION_FAILURES"
	ReasonKeyGenerationLimit = "KEY_GENERATION_LIMIT"
	ReasonOverwritesRefused  = "OVERWRITES_REFUSED"
	ReasonVerifiesInProgress = "VERIFIES_IN_PROGRESS"
	ReasonSignInFailures     = "SIGN_IN_FAILURES"
	ReasonReadsInProgress    = "READS_IN_PROGRESS"

	ReasonAtCapacity          = "AT_CAPACITY"
	ReasonDatabaseUnavailable = "DATABASE_UNAVAILABLE"

	ReasonMissingScope    = "MISSING_SCOPE"
	ReasonMissingRole     = "MISSING_ROLE"
	ReasonCallerUnproven  = "CALLER_UNPROVEN"
	ReasonTooManyDevices  = "TOO_MANY_DEVICES"
	ReasonCurrentRequired = "CURRENT_REQUIRED"
	ReasonSignInRequired  = "SIGN_IN_REQUIRED"

	ReasonTokenMissing      = "TOKEN_MISSING"
	ReasonTokenRepeated     = "TOKEN_REPEATED"
	ReasonTokenExpired      = "TOKEN_EXPIRED"
	ReasonTokenNotYetValid  = "TOKEN_NOT_YET_VALID"
	ReasonTokenInvalid      = "TOKEN_INVALID"
	ReasonTokenBound        = "TOKEN_SENDER_CONSTRAINED"
	ReasonDPoPUnsupported   = "DPOP_UNSUPPORTED"
	ReasonDPoPProofRequired = "DPOP_PROOF_REQUIRED"
	ReasonDPoPProofInvalid  = "DPOP_PROOF_INVALID"
	ReasonDPoPProofTime     = "DPOP_PROOF_TIME"
	ReasonDPoPNonceRequired = "DPOP_NONCE_REQUIRED"
	ReasonGatewayUnproven   = "GATEWAY_UNPROVEN"
	ReasonAccountMissing    = "ACCOUNT_MISSING"
	ReasonCertificateEnded  = "CERTIFICATE_UNTRUSTED"
	ReasonCallersUnverified = "CALLERS_UNVERIFIABLE"

	ReasonHelperDisabled        = "HELPER_DISABLED"
	ReasonIntrospectionDisabled = "INTROSPECTION_DISABLED"
	ReasonSeveralMutations      = "SEVERAL_MUTATIONS"
)

// The scopes of a lock.
const (
	LockScopeAccount = "ACCOUNT"
	LockScopeDevice  = "DEVICE"
)
