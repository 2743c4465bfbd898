package sandbox

import (
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

// The doctor tells why a ciphertext does not decrypt, which is what nobody may
// ever be told of a real key: it is a padding oracle, made to be one.
//
// So its keys are its own. They are generated for it, live in this map only,
// for an hour, and never come near the store: there is no record of them, set
// and verify answer KEY_NOT_USABLE for their ids, and no setting, row or
// request can make one of them out of a device's key. Their ids begin with
// KeyPrefix, which no id of a stored key can: a hyphen is not in its alphabet.
type doctor struct {
	cfg  *Config
	rate map[string]*ratelimit.AddressRates // by address, for each of its calls

	// turn holds an element for the one request at work. However many ask, the
	// doctor takes one lane at most from those who verify.
	turn chan struct{}

	mu    sync.Mutex
	keys  map[string]*rsa.PrivateKey // guarded by mu
	order []string                   // guarded by mu; ids, oldest first
}

// KeyPrefix begins the keyId of every key that the doctor issues.
const KeyPrefix = "sandbox-"

const (
	keyLife    = time.Hour
	maxKeys    = 256      // some 5 KiB each
	maxOthers  = 4        // other keys that a ciphertext is tried with, each some milliseconds
	maxText    = 16 << 10 // bytes of text that are looked at
	maxBody    = 64 << 10 // bytes of a request, escapes counted
	turnWait   = 2 * time.Second
	maxClients = 10_000 // addresses whose rates are kept
)

func newDoctor(cfg *Config) *doctor {
	perMinute := func(n int) *ratelimit.AddressRates {
		return ratelimit.NewAddressRates([]domain.Rate{{Limit: n, Window: time.Minute}}, maxClients)
	}
	return &doctor{cfg: cfg, turn: make(chan struct{}, 1), keys: map[string]*rsa.PrivateKey{},
		rate: map[string]*ratelimit.AddressRates{keysPath: perMinute(10), diagnosePath: perMinute(120)}}
}

// issuedKey has the fields of the REST path that a client reads, so that a
// client can be pointed here.
type issuedKey struct {
	PublicKey      string `json:"publicKey"`
	KeyID          string `json:"keyId"`
	Algorithm      string `json:"algorithm"`
	KeySize        int    `json:"keySize"`
	CreatedAt      string `json:"createdAt"`
	ExpiresAt      string `json:"expiresAt"`
	PublicKeyPKCS1 string `json:"publicKeyPkcs1"`
}

// issue answers POST /sandbox/doctor/keys.
func (d *doctor) issue(w http.ResponseWriter, r *http.Request) {
	// What the object holds is of no importance: the key is nobody's. That it is
	// JSON keeps pages of other origins from asking.
	if _, refusal := strictjson.Request(w, r, maxBody); refusal != nil {
		d.refuse(w, r, refusal)
		return
	}
	var key *rsa.PrivateKey
	err := d.work(r, keysPath, func() (err error) {
		key, err = d.cfg.UseCases.ThrowAwayKey(r.Context())
		return err
	})
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	spki, err := devicekey.MarshalPublic(&key.PublicKey)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	pkcs1, err := devicekey.PKCS1(spki)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	now := time.Now().UTC()
	answer(w, http.StatusOK, issuedKey{
		PublicKey: devicekey.PEM(spki), KeyID: d.keep(key), Algorithm: string(devicekey.RSAOAEP256), KeySize: key.N.BitLen(),
		CreatedAt: now.Format(time.RFC3339), ExpiresAt: now.Add(keyLife).Format(time.RFC3339), PublicKeyPKCS1: pkcs1})
}

// keep remembers a key for an hour, or until there are too many.
func (d *doctor) keep(key *rsa.PrivateKey) string {
	id := KeyPrefix + domain.NewID()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keys[id] = key
	d.order = append(d.order, id)
	if len(d.order) > maxKeys {
		d.forget(d.order[0])
	}
	time.AfterFunc(keyLife, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.forget(id)
	})
	return id
}

// forget needs the lock.
func (d *doctor) forget(id string) {
	delete(d.keys, id)
	if i := slices.Index(d.order, id); i >= 0 {
		d.order = slices.Delete(d.order, i, i+1)
	}
}

func (d *doctor) key(id string) *rsa.PrivateKey {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keys[id]
}

// diagnose answers POST /sandbox/doctor/diagnose with {keyId, ciphertext,
// otherKeyIds}. Who names a key's id has it from the answer that issued it.
func (d *doctor) diagnose(w http.ResponseWriter, r *http.Request) {
	in, refusal := readQuestion(w, r)
	if refusal != nil {
		d.refuse(w, r, refusal)
		return
	}
	key := d.key(in.keyID)
	if key == nil {
		// One answer, whatever the id is: unknown, expired, of another instance,
		// or of a real key, at which nobody looks.
		answer(w, http.StatusOK, Diagnosis{Verdict: verdictUnknown, Findings: []Finding{}})
		return
	}
	var others []*rsa.PrivateKey
	for _, id := range in.others {
		if other := d.key(id); other != nil && id != in.keyID {
			others = append(others, other)
		}
	}
	var found Diagnosis
	err := d.work(r, diagnosePath, func() error {
		return d.cfg.UseCases.Admitted(r.Context(), func() { found = diagnose(key, others, d.cfg.Variants, in.text) })
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
	others, _ := members["otherKeyIds"].([]any)
	for _, v := range others[:min(len(others), maxOthers)] {
		if id, ok := v.(string); ok {
			q.others = append(q.others, id)
		}
	}
	return q, nil
}

// work runs fn when the caller's rate allows it and it is its turn.
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

// refuse answers in the shape of GraphQL's errors, as the API does.
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
	_ = json.NewEncoder(w).Encode(body) // a client that is gone needs no answer
}
