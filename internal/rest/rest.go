// Package rest serves the paths that are not GraphQL: POST /api/encryption/keys,
// for clients that want a key pair without a query language, and POST
// /api/receipts/redeem, for backends. They have the same rules as /graphql:
// strict JSON, limited size, and answers that repeat nothing of the request and
// contain no internals.
package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"strongroom/internal/apierr"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/strictjson"
)

// maxBody limits a request in bytes. Both strings of an identity, fully escaped,
// need a tenth of it.
const maxBody = 64 << 10

// UseCases is what the paths call. An error that is or wraps a *domain.Error or
// *domain.KeyGenerationLimitError is shown to the client. Any other error is
// logged, and the client gets status 500.
type UseCases interface {
	GenerateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error)
	// Redeem uses up a receipt and returns its claims, a JSON object.
	Redeem(ctx context.Context, receipt string) (json.RawMessage, error)
	// SignKey returns a key pair of the caller as a signed key: a JWS.
	SignKey(ctx context.Context, pair domain.KeyPair) (string, error)
	// Refused counts a request that was refused before any use case ran.
	Refused(ctx context.Context, code domain.Code)
}

// Config configures [Handler] and [RedeemHandler]. All fields are required.
type Config struct {
	UseCases UseCases

	// Log gets internal errors, with the context of the request.
	Log *slog.Logger
}

type handler struct {
	Config
	call call
}

// call calls a use case with the members of a body. If refusal is set, the
// members are wrong, and nothing was called.
type call func(ctx context.Context, members map[string]any) (answer any, refusal *domain.Error, err error)

// Handler serves POST /api/encryption/keys. It is safe for concurrent use. It
// leaves other methods, the headers that all answers share and a panic to the server,
// which answers in the same format.
func Handler(cfg Config) http.Handler {
	h := &handler{Config: cfg}
	h.call = h.issue
	return h
}

// RedeemHandler is [Handler] for POST /api/receipts/redeem.
func RedeemHandler(cfg Config) http.Handler {
	h := &handler{Config: cfg}
	h.call = h.redeem
	return h
}

// keyPair is the answer, with the field names of the GraphQL schema.
type keyPair struct {
	PublicKey      string  `json:"publicKey"`
	KeyID          string  `json:"keyId"`
	Algorithm      string  `json:"algorithm"`
	KeySize        int     `json:"keySize"`
	CreatedAt      string  `json:"createdAt"`
	ExpiresAt      *string `json:"expiresAt"` // null: never
	PublicKeyPKCS1 string  `json:"publicKeyPkcs1"`
	PublicKeyBytes string  `json:"publicKeyBytes,omitempty"` // only for HPKE keys
	SignedKey      string  `json:"signedKey,omitempty"`      // only for a request with a challenge
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, body := h.answer(w, r)
	encoded, err := json.Marshal(body)
	if err != nil { // unreachable: strings and numbers
		panic(fmt.Errorf("encoding an answer: %T", err))
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(encoded)))
	w.WriteHeader(status)
	_, _ = w.Write(encoded) // an error means that the client disconnected
}

func (h *handler) answer(w http.ResponseWriter, r *http.Request) (status int, body any) {
	ctx := r.Context()
	members, refusal := strictjson.Request(w, r, maxBody)
	var answer any
	var err error
	if refusal == nil {
		answer, refusal, err = h.call(ctx, members)
	}
	if refusal != nil {
		h.UseCases.Refused(ctx, refusal.Code)
		return fail(w, refusal)
	}
	if err != nil {
		return h.failed(ctx, w, err)
	}
	return http.StatusOK, answer
}

// issue reads the fields of a ClientIdentityInput and generates a key.
func (h *handler) issue(ctx context.Context, members map[string]any) (any, *domain.Error, error) {
	var id domain.Identity
	var ok bool
	for name := range members { // first: a member can be missing because its name is misspelt
		if !slices.Contains([]string{"deviceId", "appVersion", "challenge", "algorithms"}, name) {
			return nil, &domain.Error{Code: domain.CodeBadUserInput,
				Message: "The body must have no members except deviceId, appVersion, challenge and algorithms. Names are case-sensitive."}, nil
		}
	}
	if id.DeviceID, ok = members["deviceId"].(string); !ok {
		return nil, domain.BadInput("deviceId", "is required and must be a string"), nil
	}
	if v := members["appVersion"]; v != nil {
		if id.AppVersion, ok = v.(string); !ok {
			return nil, domain.BadInput("appVersion", "must be a string or null"), nil
		}
	}
	if v := members["challenge"]; v != nil {
		challenge, ok := v.(string)
		if !ok {
			return nil, domain.BadInput("challenge", "must be a string or null"), nil
		}
		id.Challenge = &challenge
	}
	if id.Algorithms, ok = strictjson.Strings(members["algorithms"]); !ok {
		return nil, domain.BadInput("algorithms", "must be a list of strings or null"), nil
	}
	pair, err := h.generate(ctx, id)
	return pair, nil, err
}

// redeem reads {"receipt"} and redeems it.
func (h *handler) redeem(ctx context.Context, members map[string]any) (any, *domain.Error, error) {
	for name := range members {
		if name != "receipt" {
			return nil, &domain.Error{Code: domain.CodeBadUserInput, Message: "The body must have no members except receipt. Names are case-sensitive."}, nil
		}
	}
	receipt, ok := members["receipt"].(string)
	if !ok {
		return nil, domain.BadInput("receipt", "is required and must be a string"), nil
	}
	claims, err := h.UseCases.Redeem(ctx, receipt)
	return claims, nil, err
}

func (h *handler) generate(ctx context.Context, id domain.Identity) (*keyPair, error) {
	pair, err := h.UseCases.GenerateKey(ctx, id)
	if err != nil {
		return nil, err
	}
	algorithm := devicekey.Algorithm(pair.Algorithm)
	pkcs1, err := devicekey.PKCS1For(algorithm, pair.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("encoding the public key: %v", err)
	}
	out := &keyPair{
		PublicKey:      devicekey.PEM(pair.PublicKey),
		KeyID:          pair.KeyID,
		Algorithm:      pair.Algorithm,
		KeySize:        pair.Bits,
		CreatedAt:      pair.CreatedAt.UTC().Format(time.RFC3339),
		PublicKeyPKCS1: pkcs1,
	}
	out.PublicKeyBytes, _ = devicekey.PublicKeyBytes(algorithm, pair.PublicKey)
	if id.Challenge != nil {
		if out.SignedKey, err = h.UseCases.SignKey(ctx, pair); err != nil {
			return nil, err
		}
	}
	if !pair.ExpiresAt.IsZero() {
		out.ExpiresAt = new(pair.ExpiresAt.UTC().Format(time.RFC3339))
	}
	return out, nil
}

// failed turns the error of the use case into an answer.
func (h *handler) failed(ctx context.Context, w http.ResponseWriter, err error) (int, any) {
	refusal, ok := apierr.Find(err)
	if !ok {
		apierr.Log(ctx, h.Log, err)
		refusal = &domain.Error{Code: domain.CodeInternal,
			Message: "The service failed. Quote the request id " + domain.CallerFrom(ctx).RequestID + " to its operator."}
	}
	return fail(w, refusal)
}

func fail(w http.ResponseWriter, refusal *domain.Error) (int, any) {
	apierr.SetRetryAfter(w.Header(), refusal)
	if refusal.Code == domain.CodeUnauthenticated {
		apierr.Challenge(w.Header(), refusal, nil, false) // RFC 9110, 15.5.2
	}
	return apierr.Status(refusal), apierr.ToREST(refusal)
}
