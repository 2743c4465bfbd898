package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/graph/generated"
)

// defaultHours is the window of a summary if timeframeHours is null. The schema
// has the same default for an omitted argument.
const defaultHours = 24

// resolver calls one use case for each field.
type resolver struct{ useCases UseCases }

var _ generated.ResolverRoot = resolver{}

func (r resolver) Query() generated.QueryResolver                 { return query(r) }
func (r resolver) Mutation() generated.MutationResolver           { return mutation(r) }
func (r resolver) KeyPairResult() generated.KeyPairResultResolver { return keyPairResult(r) }
func (r resolver) CredentialStatus() generated.CredentialStatusResolver {
	return credentialStatus{}
}

type query resolver

func (q query) GetEncryptionMetricsSummary(ctx context.Context, timeframeHours *float64) (*string, error) {
	hours := float64(defaultHours)
	if timeframeHours != nil {
		hours = *timeframeHours
	}
	summary, err := q.useCases.Summary(ctx, hours)
	if err != nil {
		return nil, err
	}
	doc, err := json.Marshal(summary)
	if err != nil {
		return nil, fmt.Errorf("encoding the summary: %v", err)
	}
	return new(string(doc)), nil
}

func (q query) CredentialStatus(ctx context.Context, input domain.StatusInput) (*domain.CredentialStatus, error) {
	return pointer(q.useCases.Status(ctx, input))
}

type mutation resolver

func (m mutation) GenerateClientEncryptionKey(ctx context.Context, input domain.Identity) (*domain.KeyPair, error) {
	return pointer(m.useCases.GenerateKey(ctx, input))
}

func (m mutation) RotateClientEncryptionKey(ctx context.Context, input domain.Identity) (*domain.KeyPair, error) {
	return pointer(m.useCases.RotateKey(ctx, input))
}

func (m mutation) EncryptDataLikeClient(ctx context.Context, input generated.EncryptDataPayload) (*generated.EncryptDataResult, error) {
	e := domain.Encryption{Body: domain.Secret(input.Body), PublicKey: input.PublicKey}
	defer e.Body.Wipe()
	if input.Operation != nil {
		e.Operation = domain.Operation(*input.Operation)
	}
	if input.KeyID != nil {
		e.KeyID = *input.KeyID
	}
	if input.PasswordAuthType != nil {
		e.Type = *input.PasswordAuthType
	}
	encrypted, err := m.useCases.EncryptLikeClient(ctx, e)
	return &generated.EncryptDataResult{EncryptedData: encrypted}, err
}

func (m mutation) SetUserPasscode(ctx context.Context, input domain.Submission) (*bool, error) {
	return m.submit(ctx, set, domain.Passcode, input)
}

func (m mutation) VerifyUserPasscode(ctx context.Context, input domain.Submission) (*bool, error) {
	return m.submit(ctx, verify, domain.Passcode, input)
}

func (m mutation) SetTransactionPin(ctx context.Context, input domain.Submission) (*bool, error) {
	return m.submit(ctx, set, domain.TransactionPIN, input)
}

func (m mutation) VerifyTransactionPin(ctx context.Context, input domain.Submission) (*bool, error) {
	return m.submit(ctx, verify, domain.TransactionPIN, input)
}

func (m mutation) submit(ctx context.Context, use submissionUse, t domain.CredentialType, input domain.Submission) (*bool, error) {
	input.Type = t
	is, beside, err := use(ctx, m.useCases, input)
	if err != nil {
		return nil, err
	}
	register(ctx, beside)
	return &is, nil
}

// register adds extensions to the answer.
func register(ctx context.Context, extensions map[string]any) {
	for name, value := range extensions {
		graphql.RegisterExtension(ctx, name, value)
	}
}

// submissionUse runs a use case on a submission. It returns the Boolean answer and
// the extensions of the answer.
type submissionUse func(context.Context, UseCases, domain.Submission) (is bool, beside map[string]any, err error)

func set(ctx context.Context, useCases UseCases, s domain.Submission) (is bool, beside map[string]any, err error) {
	rule, err := useCases.Set(ctx, s)
	if rule != "" {
		beside = map[string]any{"rejection": map[string]any{"code": domain.CodeCredentialRejected, "rule": rule}}
	}
	return rule == "", beside, err
}

func verify(ctx context.Context, useCases UseCases, s domain.Submission) (is bool, beside map[string]any, err error) {
	verdict, err := useCases.Verify(ctx, s)
	beside = besideVerdict(verdict)
	if verdict.Receipt != "" {
		beside["receipt"] = verdict.Receipt
	}
	return verdict.Match, beside, err
}

// AuthorizeTransaction returns the receipt in a field of its own.
func (m mutation) AuthorizeTransaction(ctx context.Context, input domain.Authorization) (*generated.TransactionAuthorization, error) {
	verdict, err := m.useCases.Authorize(ctx, input)
	if err != nil {
		return nil, err
	}
	register(ctx, besideVerdict(verdict))
	answer := &generated.TransactionAuthorization{Authorized: verdict.Match, ExpiresAt: timeOrNull(verdict.ExpiresAt)}
	if verdict.Receipt != "" {
		answer.Receipt = &verdict.Receipt
	}
	return answer, nil
}

// besideVerdict returns the extensions that tell the caller more about a verdict.
func besideVerdict(verdict domain.Verdict) map[string]any {
	beside := map[string]any{}
	if verdict.MustChange {
		beside["mustChange"] = true
	}
	if verdict.AttemptsLeft != nil {
		beside["attemptsLeft"] = *verdict.AttemptsLeft
	}
	return beside
}

func pointer[T any](v T, err error) (*T, error) { return &v, err }

type keyPairResult resolver

func (keyPairResult) PublicKey(_ context.Context, pair *domain.KeyPair) (string, error) {
	return devicekey.PEM(pair.PublicKey), nil
}

func (keyPairResult) PublicKeyPkcs1(_ context.Context, pair *domain.KeyPair) (string, error) {
	return devicekey.PKCS1For(devicekey.Algorithm(pair.Algorithm), pair.PublicKey)
}

func (keyPairResult) PublicKeyBytes(_ context.Context, pair *domain.KeyPair) (*string, error) {
	if text, ok := devicekey.PublicKeyBytes(devicekey.Algorithm(pair.Algorithm), pair.PublicKey); ok {
		return &text, nil
	}
	return nil, nil
}

// Times are in whole seconds, because the standard date parsers of Swift and Java
// refuse fractions.

func (keyPairResult) CreatedAt(_ context.Context, pair *domain.KeyPair) (string, error) {
	return pair.CreatedAt.UTC().Format(time.RFC3339), nil
}

func (r keyPairResult) SignedKey(ctx context.Context, pair *domain.KeyPair) (*string, error) {
	return pointer(r.useCases.SignKey(ctx, *pair))
}

func (keyPairResult) ExpiresAt(_ context.Context, pair *domain.KeyPair) (*string, error) {
	return timeOrNull(pair.ExpiresAt), nil
}

func timeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC().Format(time.RFC3339))
}

type credentialStatus struct{}

// LockedUntil is rounded up, so that a client that waits until then is never too
// early.
func (credentialStatus) LockedUntil(_ context.Context, s *domain.CredentialStatus) (*string, error) {
	until := s.LockedUntil
	if whole := until.Truncate(time.Second); whole.Before(until) {
		until = whole.Add(time.Second)
	}
	return timeOrNull(until), nil
}

func (credentialStatus) UpdatedAt(_ context.Context, s *domain.CredentialStatus) (*string, error) {
	return timeOrNull(s.UpdatedAt), nil
}
