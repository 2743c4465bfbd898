package auth

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// sent is a request to the public URL with a token and a proof.
func sent(scheme, token, proof string, connection *tls.ConnectionState) *http.Request {
	r := httptest.NewRequest("POST", "/graphql", nil)
	r.Header.Set("Authorization", scheme+" "+token)
	if proof != "" {
		r.Header.Set("DPoP", proof)
	}
	r.TLS = connection
	return r
}

func hashOf(text string) string {
	digest := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(digest[:])
}

func TestATokenIsAcceptedOnlyFromItsSender(t *testing.T) {
	p := threeKeys(t)
	proofs := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}, Proofs: proofs.DPoP})
	device, stranger := p256(), prover{edKey()}
	thumbprint := proofs.mustTake(t, device.proof(proofs.clock, nil, nil))
	server := httptest.NewTLSServer(nil) // for its certificate
	defer server.Close()
	certificate := server.Certificate()
	presented := &tls.ConnectionState{PeerCertificates: []*x509.Certificate{certificate}}
	ofCertificate := must(certificateThumbprint(certificate))

	token := func(claims fields) string {
		return signed(fields{"alg": "EdDSA"}, p.claims(w.time()).with(claims), edKey())
	}
	plain := token(nil)
	bound := token(fields{"cnf": fields{"jkt": thumbprint}})
	inHardware := token(fields{"cnf": fields{"jkt": thumbprint}, "amr": []string{"pwd", "hwk"}})
	byCertificate := token(fields{"cnf": fields{"x5t#S256": hashOf(string(certificate.Raw))}})
	byBoth := token(fields{"cnf": fields{"jkt": thumbprint, "x5t#S256": hashOf(string(certificate.Raw))}})
	by := func(d prover, text string) string { return d.proof(proofs.clock, nil, fields{"ath": hashOf(text)}) }

	for name, tc := range map[string]struct {
		r    *http.Request
		want domain.Caller // what the sender proves
		why  string        // the reason of the refusal; empty: none
	}{
		"bearer token":                   {sent("Bearer", plain, "", nil), domain.Caller{}, ""},
		"bearer token with a proof":      {sent("Bearer", plain, by(device, plain), nil), domain.Caller{Thumbprint: thumbprint}, ""},
		"bound token":                    {sent("DPoP", bound, by(device, bound), nil), domain.Caller{Thumbprint: thumbprint, TokenBound: true}, ""},
		"bound token, hardware":          {sent("dpop", inHardware, by(device, inHardware), nil), domain.Caller{Thumbprint: thumbprint, TokenBound: true, HardwareKey: true}, ""},
		"hwk without cnf":                {sent("Bearer", token(fields{"amr": "hwk"}), "", nil), domain.Caller{}, ""},
		"certificate":                    {sent("Bearer", byCertificate, "", presented), domain.Caller{Thumbprint: ofCertificate, TokenBound: true}, ""},
		"proof and certificate":          {sent("DPoP", byBoth, by(device, byBoth), presented), domain.Caller{Thumbprint: thumbprint, TokenBound: true}, ""},
		"a certificate that none needs":  {sent("Bearer", plain, "", presented), domain.Caller{}, ""},
		"bound token as bearer token":    {sent("Bearer", bound, by(device, bound), nil), domain.Caller{}, domain.ReasonTokenBound},
		"bearer token as bound token":    {sent("DPoP", plain, by(device, plain), nil), domain.Caller{}, domain.ReasonTokenBound},
		"bound token without proof":      {sent("DPoP", bound, "", nil), domain.Caller{}, domain.ReasonDPoPProofRequired},
		"bound token, another key":       {sent("DPoP", bound, by(stranger, bound), nil), domain.Caller{}, domain.ReasonDPoPProofInvalid},
		"proof of another token":         {sent("DPoP", bound, by(device, plain), nil), domain.Caller{}, domain.ReasonDPoPProofInvalid},
		"proof of no token":              {sent("Bearer", plain, device.proof(proofs.clock, nil, nil), nil), domain.Caller{}, domain.ReasonDPoPProofInvalid},
		"certificate not presented":      {sent("Bearer", byCertificate, "", nil), domain.Caller{}, domain.ReasonTokenBound},
		"certificate, but no proof":      {sent("DPoP", byBoth, "", presented), domain.Caller{}, domain.ReasonDPoPProofRequired},
		"proof, but no certificate":      {sent("DPoP", byBoth, by(device, byBoth), nil), domain.Caller{}, domain.ReasonTokenBound},
		"a cnf that nothing here checks": {sent("Bearer", token(fields{"cnf": fields{"jwk": fields{}}}), by(device, plain), nil), domain.Caller{}, domain.ReasonTokenBound},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := w.Authenticate(tc.r)
			if tc.why != "" {
				if refusal := mustRefuse(t, err); refusal.Reason != tc.why || got != (domain.Caller{}) {
					t.Errorf("%s, %+v; want %s", refusal.Reason, got, tc.why)
				}
				return
			}
			if err != nil || got.Subject != "alice" {
				t.Fatalf("%+v, %v\n%s", got, err, w.log)
			}
			proven := domain.Caller{Thumbprint: got.Thumbprint, TokenBound: got.TokenBound, HardwareKey: got.HardwareKey}
			if proven != tc.want {
				t.Errorf("proves %+v, want %+v", proven, tc.want)
			}
		})
	}
	off := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	if _, err := off.Authenticate(sent("Bearer", byCertificate, "", presented)); mustRefuse(t, err).Reason != domain.ReasonTokenBound {
		t.Errorf("proofs off, certificate: %v", err)
	}
	for _, why := range []reason{boundAsBearer, unboundAsDPoP, noProof, wrongProofKey, wrongCertificate, boundToSender} {
		if w.Refusals()[string(why)] == 0 {
			t.Errorf("nothing was refused for %q", why)
		}
	}
}

func TestAnInvalidTokenDoesNotUseUpTheProof(t *testing.T) {
	p := threeKeys(t)
	proofs := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}, Proofs: proofs.DPoP})
	token := signed(fields{"alg": "EdDSA"}, p.claims(w.time()).with(fields{"nbf": w.time().Add(2 * time.Minute).Unix()}), edKey())
	proof := p256().proof(proofs.clock, nil, fields{"ath": hashOf(token)})
	if _, err := w.Authenticate(sent("Bearer", token, proof, nil)); mustRefuse(t, err).Reason != domain.ReasonTokenNotYetValid {
		t.Errorf("got %v", err)
	}
	w.pass(2 * time.Minute)
	if c, err := w.Authenticate(sent("Bearer", token, proof, nil)); err != nil || c.Thumbprint == "" {
		t.Errorf("got %+v, %v", c, err)
	}
	if !TakesDPoP(w.JWT) {
		t.Error("challenges do not name the scheme DPoP")
	}
}

func TestDeviceAndGatewayModesVerifyProofs(t *testing.T) {
	proofs := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
	gateway := newTestGateway(t, GatewayConfig{TokenFile: tokenFileOf(t, oneToken), Proofs: proofs.DPoP})
	d := p256()
	thumbprint := proofs.mustTake(t, d.proof(proofs.clock, nil, nil))
	for name, to := range map[string]Authenticator{"device": Device(proofs.DPoP), "gateway": gateway} {
		if TakesDPoP(to) {
			t.Errorf("%s: challenges name a scheme that it refuses", name)
		}
		ask := func(proof string) (domain.Caller, error) {
			r := sent("Bearer", oneToken, proof, nil)
			r.Header.Set("Strongroom-Account", "alice")
			return to.Authenticate(r)
		}
		proof := d.proof(proofs.clock, nil, fields{"ath": hashOf("the app's token, which the gateway keeps")})
		if c, err := ask(proof); err != nil || c.Thumbprint != thumbprint || c.TokenBound {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
		if c, err := ask(""); err != nil || c.Thumbprint != "" {
			t.Errorf("%s, no proof: %+v, %v", name, c, err)
		}
		_, err := ask(proof)
		if refusal := (*domain.Error)(nil); !errors.As(err, &refusal) || refusal.Reason != domain.ReasonDPoPProofInvalid {
			t.Errorf("%s, replayed: %v", name, err)
		}
	}
}

func TestWithoutProofsTheHeaderIsIgnored(t *testing.T) {
	var off *DPoP
	r := request("not a proof")
	if c, err := Device(off).Authenticate(r); err != nil || c.Thumbprint != "" || off.Nonce() != "" {
		t.Errorf("%+v, %v", c, err)
	}
}
