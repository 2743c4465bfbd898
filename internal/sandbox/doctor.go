package sandbox

import (
	"context"
	"crypto/hpke"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"strongroom/internal/apierr"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
	"strongroom/internal/strictjson"
)

// doctor explains why a ciphertext does not decrypt. For a real key, nobody may
// ever learn that: the doctor is a padding oracle on purpose.
//
// So it has keys of its own. They are generated for it and kept only in this
// map, for an hour. They are never in the store, set and verify answer
// KEY_NOT_USABLE for their ids, and no setting, row or request can turn a
// device's key into one of them. Their ids begin with keyPrefix. No id of a
// stored key can, because no cell may have the tag before the hyphen.
type doctor struct {
	cfg  *Config
	rate map[string]*ratelimit.AddressRates // by address, for each path

	// turn holds an element for the one request that is processed. However many
	// requests wait, the doctor takes at most one worker from verifications.
	turn chan struct{}

	mu    sync.Mutex
	keys  map[string]*sandboxKey // guarded by mu
	order []string               // guarded by mu; ids, oldest first
}

// keyPrefix is the prefix of the keyId of every key that the doctor issues.
const keyPrefix = domain.SandboxCell + "-"

const (
	keyLife    = time.Hour
	maxKeys    = 256      // about 5 KiB each
	maxOthers  = 4        // other keys that are tried for a ciphertext, for a few milliseconds each
	maxText    = 16 << 10 // bytes of text that are examined
	maxBody    = 64 << 10 // bytes of a request, including escapes
	turnWait   = 2 * time.Second
	maxClients = 10_000 // addresses whose rates are kept
)

func newDoctor(cfg *Config) *doctor {
	perMinute := func(n int) *ratelimit.AddressRates {
		return ratelimit.NewAddressRates([]domain.Rate{{Limit: n, Window: time.Minute}}, maxClients)
	}
	return &doctor{cfg: cfg, turn: make(chan struct{}, 1), keys: map[string]*sandboxKey{},
		rate: map[string]*ratelimit.AddressRates{keysPath: perMinute(10), diagnosePath: perMinute(120)}}
}

// issuedKey has the fields of the REST path that clients read, so that a client
// can use this path instead.
type issuedKey struct {
	PublicKey      string `json:"publicKey"`
	KeyID          string `json:"keyId"`
	Algorithm      string `json:"algorithm"`
	KeySize        int    `json:"keySize"`
	CreatedAt      string `json:"createdAt"`
	ExpiresAt      string `json:"expiresAt"`
	PublicKeyPKCS1 string `json:"publicKeyPkcs1"`
	PublicKeyBytes string `json:"publicKeyBytes,omitempty"` // only for HPKE keys
}

// sandboxKey is one of the doctor's keys.
type sandboxKey struct {
	id        string
	algorithm devicekey.Algorithm
	rsa       *rsa.PrivateKey // nil for HPKE
	hpke      hpke.PrivateKey // nil for RSA
	end       *time.Timer     // calls forget at the end of keyLife
}

// bits returns the modulus size of an RSA key, or 0 for HPKE.
func (k *sandboxKey) bits() int {
	if k.rsa == nil {
		return 0
	}
	return k.rsa.N.BitLen()
}

// issue answers POST /sandbox/doctor/keys.
func (d *doctor) issue(w http.ResponseWriter, r *http.Request) {
	// The request must be JSON, which pages of other origins cannot send.
	members, refusal := strictjson.Request(w, r, maxBody)
	if refusal != nil {
		d.refuse(w, r, refusal)
		return
	}
	algorithm, refusal := d.algorithm(members)
	if refusal != nil {
		d.refuse(w, r, refusal)
		return
	}
	k := &sandboxKey{id: keyPrefix + domain.NewID(), algorithm: algorithm}
	var spki []byte
	err := d.work(r, keysPath, func() (err error) {
		spki, err = d.generate(r.Context(), k)
		return err
	})
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	pkcs1, err := devicekey.PKCS1For(algorithm, spki)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	d.keep(k)
	now := time.Now().UTC()
	public, _ := devicekey.PublicKeyBytes(algorithm, spki)
	answer(w, http.StatusOK, issuedKey{
		PublicKey: devicekey.PEM(spki), KeyID: k.id, Algorithm: string(algorithm), KeySize: max(k.bits(), devicekey.KeySize(algorithm)),
		CreatedAt: now.Format(time.RFC3339), ExpiresAt: now.Add(keyLife).Format(time.RFC3339), PublicKeyPKCS1: pkcs1, PublicKeyBytes: public})
}

// algorithms returns the algorithms of the doctor's keys.
func (d *doctor) algorithms() []devicekey.Algorithm {
	return slices.DeleteFunc(slices.Clone(devicekey.Algorithms), func(a devicekey.Algorithm) bool { return !a.Allowed() })
}

// algorithm returns the algorithm in a request for a key. Other members of the
// object are ignored, because the key belongs to no account.
func (d *doctor) algorithm(members map[string]any) (devicekey.Algorithm, *domain.Error) {
	name, named := members["algorithm"]
	if !named || name == nil {
		return devicekey.RSAOAEP256, nil
	}
	text, _ := name.(string)
	a := devicekey.Algorithm(text)
	switch {
	case !slices.Contains(devicekey.Algorithms, a):
		return "", domain.BadInput("algorithm", "must be one of "+devicekey.Names(devicekey.Algorithms))
	case !a.Allowed():
		return "", domain.BadInput("algorithm", "must not be HPKE-X25519 in FIPS mode: X25519 alone is not approved")
	}
	return a, nil
}

// generate generates the key pair of k, and returns the public key as DER
// SubjectPublicKeyInfo.
func (d *doctor) generate(ctx context.Context, k *sandboxKey) (spki []byte, err error) {
	if k.algorithm == devicekey.RSAOAEP256 {
		if k.rsa, err = d.cfg.UseCases.ThrowAwayKey(ctx); err != nil {
			return nil, err
		}
		return devicekey.MarshalPublic(&k.rsa.PublicKey)
	}
	refused := d.cfg.UseCases.Admitted(ctx, func() { k.hpke, spki, err = newHPKE(k.algorithm) })
	if refused != nil {
		return nil, refused
	}
	return spki, err
}

// keep keeps a key for an hour, or until there are too many.
func (d *doctor) keep(k *sandboxKey) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keys[k.id] = k
	d.order = append(d.order, k.id)
	if len(d.order) > maxKeys {
		d.forget(d.order[0])
	}
	id := k.id // a stopped timer stays in memory for a while, and must not keep the key there
	k.end = time.AfterFunc(keyLife, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.forget(id)
	})
}

// forget removes a key. The caller holds the lock.
func (d *doctor) forget(id string) {
	if k := d.keys[id]; k != nil {
		k.end.Stop() // otherwise each key of the last hour would have a timer
	}
	delete(d.keys, id)
	if i := slices.Index(d.order, id); i >= 0 {
		d.order = slices.Delete(d.order, i, i+1)
	}
}

func (d *doctor) key(id string) *sandboxKey {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keys[id]
}

// diagnose answers POST /sandbox/doctor/diagnose with {keyId, ciphertext,
// otherKeyIds, operation}. Only the client that a key was issued to knows its
// id.
func (d *doctor) diagnose(w http.ResponseWriter, r *http.Request) {
	in, refusal := readQuestion(w, r)
	if refusal != nil {
		d.refuse(w, r, refusal)
		return
	}
	k := d.key(in.keyID)
	if k == nil {
		// The answer is the same for every such id: unknown, expired, of another
		// instance, or of a real key, which is never looked up.
		answer(w, http.StatusOK, Diagnosis{Verdict: verdictUnknown, Findings: []Finding{}})
		return
	}
	var others []*sandboxKey
	for _, id := range in.others {
		if other := d.key(id); other != nil && id != in.keyID {
			others = append(others, other)
		}
	}
	in.required = d.cfg.PurposeRequired
	var found Diagnosis
	err := d.work(r, diagnosePath, func() error {
		return d.cfg.UseCases.Admitted(r.Context(), func() { found = diagnose(k, others, d.cfg.Variants, in) })
	})
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	answer(w, http.StatusOK, found)
}

type question struct {
	keyID, text string
	others      []string
	operation   domain.Operation // that the ciphertext is for; "": any
	required    bool             // as PurposeRequired in [Config]
}

func readQuestion(w http.ResponseWriter, r *http.Request) (q question, refusal *domain.Error) {
	members, refusal := strictjson.Request(w, r, maxBody)
	if refusal != nil {
		return q, refusal
	}
	var ok bool
	if q.keyID, ok = members["keyId"].(string); !ok {
		return q, domain.BadInput("keyId", "is required and must be a string")
	}
	if q.text, ok = members["ciphertext"].(string); !ok || len(q.text) > maxText {
		return q, domain.BadInput("ciphertext", "is required and must be a string of at most 16384 bytes")
	}
	if operation := members["operation"]; operation != nil && operation != "" {
		name, _ := operation.(string) // "" if it is not a string; no purpose has the operation "", so it is refused
		if q.operation = domain.Operation(name); !slices.ContainsFunc(purposes, func(p purpose) bool { return p.operation == q.operation }) {
			return q, domain.BadInput("operation", "must be the GraphQL field that takes the ciphertext, such as verifyTransactionPin, or setTransactionPin/current or setUserPasscode/current")
		}
	}
	others, _ := members["otherKeyIds"].([]any)
	for _, v := range others[:min(len(others), maxOthers)] {
		if id, ok := v.(string); ok {
			q.others = append(q.others, id)
		}
	}
	return q, nil
}

// work runs fn if the caller's rate allows it, when it is its turn.
func (d *doctor) work(r *http.Request, call string, fn func() error) error {
	if wait, ok := d.rate[call].Take(domain.CallerFrom(r.Context()).Address, time.Now()); !ok {
		return domain.TooManyRequests(domain.ReasonAddressRate, "Too many requests from this address. Try again after retryAfterSeconds.", wait)
	}
	timer := time.NewTimer(turnWait)
	defer timer.Stop()
	select {
	case d.turn <- struct{}{}:
	case <-timer.C:
		return domain.Overloaded()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	defer func() { <-d.turn }()
	return fn()
}

// refuse answers in the format of GraphQL errors, like the API.
func (d *doctor) refuse(w http.ResponseWriter, r *http.Request, err error) {
	refusal, ok := apierr.Find(err)
	if !ok {
		apierr.Log(r.Context(), d.cfg.Log, err)
		refusal = &domain.Error{Code: domain.CodeInternal, Message: "The service failed. Quote the request id to its operator."}
	}
	d.cfg.UseCases.Refused(r.Context(), refusal.Code)
	extensions := map[string]any{"code": refusal.Code}
	if seconds := refusal.RetryAfterSeconds(); seconds > 0 {
		extensions["retryAfterSeconds"] = seconds
	}
	apierr.SetRetryAfter(w.Header(), refusal)
	answer(w, apierr.Status(refusal), map[string]any{"errors": []any{map[string]any{"message": refusal.Message, "extensions": extensions}}})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // an error means that the client disconnected
}
