package sandbox

import (
	"compress/gzip"
	"context"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// service gives the doctor ready keys, and does its work at once.
type service struct {
	issued  atomic.Int32
	refused []domain.Code
	full    bool
	release chan struct{} // work waits for it; nil: nothing does
}

func (s *service) ThrowAwayKey(context.Context) (*rsa.PrivateKey, error) {
	return twoKeys()[(s.issued.Add(1)-1)%2], nil
}

func (s *service) Admitted(_ context.Context, fn func()) error {
	if s.release != nil {
		<-s.release
	}
	if s.full {
		return domain.Overloaded()
	}
	fn()
	return nil
}

func (s *service) Refused(_ context.Context, code domain.Code) { s.refused = append(s.refused, code) }

// stand is a sandbox without a server.
type stand struct {
	*service
	pages   map[string]Page
	doctor  *doctor
	explore http.Handler
	address netip.Addr
}

func newStand() *stand {
	s := &service{}
	pages := New(Config{UseCases: s, Log: slog.New(slog.DiscardHandler), Mode: domain.ModeDevice, Attempts: 5,
		Variants: devicekey.DefaultVariants, Introspection: true})
	return &stand{s, pages.Pages(), pages.doctor, pages.Explorer(), netip.MustParseAddr("192.0.2.1")}
}

func (s *stand) send(method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r = r.WithContext(domain.WithCaller(r.Context(), domain.Caller{Address: s.address}))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.pages[path].Handler.ServeHTTP(w, r)
	return w
}

func (s *stand) post(t *testing.T, path string, body any, answer any) int {
	t.Helper()
	w := s.send("POST", path, string(must(json.Marshal(body))), "Content-Type", "application/json")
	if err := json.Unmarshal(w.Body.Bytes(), answer); err != nil {
		t.Fatalf("%s: %v: %s", path, err, w.Body)
	}
	return w.Code
}

func (s *stand) key(t *testing.T) (k issuedKey) {
	t.Helper()
	if code := s.post(t, keysPath, map[string]any{}, &k); code != http.StatusOK || !strings.HasPrefix(k.KeyID, keyPrefix) {
		t.Fatalf("%d %+v", code, k)
	}
	return k
}

func (s *stand) ask(t *testing.T, keyID, text string, others ...string) (d Diagnosis) {
	t.Helper()
	s.post(t, diagnosePath, map[string]any{"keyId": keyID, "ciphertext": text, "otherKeyIds": others}, &d)
	return d
}

func TestADoctorKeyDecryptsOnlyItsCiphertextsForOneHour(t *testing.T) {
	keys := twoKeys() // made outside the bubble, whose time they would take
	text := base64.StdEncoding.EncodeToString(sealed(keys[0], "493817"))
	synctest.Test(t, func(t *testing.T) {
		s := newStand()
		k := s.key(t)
		if d := s.ask(t, k.KeyID, text); d.Verdict != verdictAccepted {
			t.Errorf("made for it: %+v", d)
		}
		second := s.key(t)
		if d := s.ask(t, second.KeyID, text, k.KeyID); d.Verdict != verdictRefused || d.Findings[0].Code != string(otherKey) {
			t.Errorf("made for another key that was named: %+v", d)
		}
		if d := s.ask(t, second.KeyID, text); d.Findings[0].Code != string(undecryptable) {
			t.Errorf("made for another key that was not named: %+v", d)
		}
		time.Sleep(keyLife - time.Second)
		if d := s.ask(t, k.KeyID, text); d.Verdict != verdictAccepted {
			t.Errorf("within the hour: %+v", d)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if d := s.ask(t, k.KeyID, text); d.Verdict != verdictUnknown {
			t.Errorf("after the hour: %+v", d)
		}
	})
}

func TestTheDoctorAnswersAllUnknownKeysAlike(t *testing.T) {
	s := newStand()
	k := s.key(t)
	text := base64.StdEncoding.EncodeToString(sealed(twoKeys()[0], "493817"))
	var first string
	for _, id := range []string{domain.NewID(), keyPrefix + domain.NewID(), strings.TrimPrefix(k.KeyID, keyPrefix), strings.ToUpper(k.KeyID), k.KeyID + " ", "", "x' OR 1=1"} {
		w := s.send("POST", diagnosePath, string(must(json.Marshal(map[string]any{"keyId": id, "ciphertext": text}))), "Content-Type", "application/json")
		if first == "" {
			first = w.Body.String()
		}
		if w.Code != http.StatusOK || w.Body.String() != first || !strings.Contains(first, verdictUnknown) {
			t.Errorf("%q: %d %s, another: %s", id, w.Code, w.Body, first)
		}
	}
	if stored := regexp.MustCompile(`^[a-z2-7]{26}$`); stored.MatchString(k.KeyID) || !stored.MatchString(domain.NewID()) {
		t.Errorf("the id of a doctor's key, %s, could be the id of a stored key", k.KeyID)
	}
}

func TestTheDoctorLimitsKeysAndRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStand()
		first := s.key(t)
		var last issuedKey
		for n := range maxKeys {
			s.address = netip.AddrFrom4([4]byte{192, 0, byte(n / 8 / 256), byte(n / 8)})
			last = s.key(t)
		}
		if d := s.ask(t, first.KeyID, "x"); d.Verdict != verdictUnknown {
			t.Errorf("the oldest key above the limit is kept: %+v", d)
		}
		if d := s.ask(t, last.KeyID, "x"); d.Verdict == verdictUnknown {
			t.Error("the newest key is gone")
		}
		s.address = netip.MustParseAddr("198.51.100.7")
		var refusal struct {
			Errors []struct {
				Extensions struct {
					Code              domain.Code `json:"code"`
					RetryAfterSeconds int         `json:"retryAfterSeconds"`
				} `json:"extensions"`
			} `json:"errors"`
		}
		code := 0
		for range 11 {
			code = s.post(t, keysPath, map[string]any{}, &refusal)
		}
		if code != http.StatusTooManyRequests || refusal.Errors[0].Extensions.Code != domain.CodeTooManyRequests || refusal.Errors[0].Extensions.RetryAfterSeconds < 1 {
			t.Errorf("11 keys in a minute: %d %+v", code, refusal)
		}
		s.full = true
		if code := s.post(t, diagnosePath, map[string]any{"keyId": last.KeyID, "ciphertext": "x"}, &refusal); code != http.StatusServiceUnavailable {
			t.Errorf("no lane is free: %d", code)
		}
		time.Sleep(keyLife) // or timers outlive the test
	})
}

func TestAKeyAboveTheDoctorsLimitLeavesMemory(t *testing.T) {
	d := newStand().doctor
	keep := func() weak.Pointer[sandboxKey] {
		k := &sandboxKey{id: keyPrefix + domain.NewID()}
		d.keep(k)
		return weak.Make(k)
	}
	first := keep()
	for range maxKeys {
		keep()
	}
	runtime.GC()
	if first.Value() != nil {
		t.Error("a forgotten key stays in memory until its hour is over, so the limit does not bound the memory")
	}
	for len(d.order) > 0 {
		d.forget(d.order[0])
	}
}

func TestTheDoctorRunsOneDiagnosisAtATime(t *testing.T) {
	twoKeys()
	synctest.Test(t, func(t *testing.T) {
		s := newStand()
		k := s.key(t)
		s.release = make(chan struct{})
		first := make(chan string)
		go func() { first <- s.ask(t, k.KeyID, "x").Verdict }()
		synctest.Wait()
		var refusal any
		if code := s.post(t, diagnosePath, map[string]any{"keyId": k.KeyID, "ciphertext": "x"}, &refusal); code != http.StatusServiceUnavailable {
			t.Errorf("a second one at once: %d %v", code, refusal)
		}
		close(s.release)
		if verdict := <-first; verdict != verdictRefused {
			t.Errorf("the first: %s", verdict)
		}
		time.Sleep(keyLife) // or a timer outlives the test
	})
}

func TestTheDoctorRefusesInvalidRequestsAndRepeatsNothing(t *testing.T) {
	s := newStand()
	const secret = "Kx7Canary04711"
	for _, tc := range []struct {
		path, media, body string
		status            int
	}{
		{diagnosePath, "text/plain", `{"keyId":"x","ciphertext":"` + secret + `"}`, http.StatusUnsupportedMediaType}, // what a page of another origin could send
		{keysPath, "application/x-www-form-urlencoded", "a=b", http.StatusUnsupportedMediaType},
		{keysPath, "application/json", `[]`, http.StatusBadRequest},
		{diagnosePath, "application/json", `{"keyId":"x","` + secret + `":`, http.StatusBadRequest},
		{diagnosePath, "application/json", `{"ciphertext":"` + secret + `"}`, http.StatusBadRequest},
		{diagnosePath, "application/json", `{"keyId":"x","ciphertext":["` + secret + `"]}`, http.StatusBadRequest},
		{diagnosePath, "application/json", `{"keyId":"x","ciphertext":"` + strings.Repeat("A", maxText+1) + secret + `"}`, http.StatusBadRequest},
		{diagnosePath, "application/json", `{"keyId":"x","ciphertext":"` + strings.Repeat("A", maxBody) + secret + `"}`, http.StatusRequestEntityTooLarge},
	} {
		w := s.send("POST", tc.path, tc.body, "Content-Type", tc.media)
		if w.Code != tc.status || strings.Contains(w.Body.String(), secret) || !strings.Contains(w.Body.String(), `"code"`) {
			t.Errorf("%s %s %.60s: %d %.200s, want %d", tc.path, tc.media, tc.body, w.Code, w.Body, tc.status)
		}
	}
	if len(s.refused) != 8 {
		t.Errorf("%d refusals were counted", len(s.refused))
	}
}

var policyWords = regexp.MustCompile(`'unsafe-|https?:|\*`)

func TestPagesHaveStrictPoliciesAndAssetsAreImmutable(t *testing.T) {
	s := newStand()
	linked := map[string]bool{}
	for _, path := range []string{"/sandbox/", "/sandbox/pay", "/sandbox/doctor", "/graphql"} {
		w := httptest.NewRecorder()
		if path == "/graphql" {
			s.explore.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		} else {
			w = s.send("GET", path, "")
		}
		csp := w.Header().Get("Content-Security-Policy")
		if policyWords.MatchString(csp) || !strings.HasPrefix(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: %s", path, csp)
		}
		page := w.Body.String()
		if strings.Contains(page, " style=") || strings.Contains(page, "<style") || regexp.MustCompile(`<script[^>]*>[^<]|\son[a-z]+=`).MatchString(page) {
			t.Errorf("%s has inline code or styles", path)
		}
		for _, m := range regexp.MustCompile(`(?:src|href)="([^"#]+)"`).FindAllStringSubmatch(page, -1) {
			linked[m[1]] = true
			if _, ok := s.pages[m[1]]; !ok && m[1] != "/graphql" && m[1] != "/schema.graphql" {
				t.Errorf("%s refers to %s, which does not exist", path, m[1])
			}
		}
	}
	for path := range s.pages {
		if !strings.HasPrefix(path, assetsPath) {
			continue
		}
		packed := s.send("GET", path, "", "Accept-Encoding", "gzip, br")
		plain := s.send("GET", path, "")
		unpacked := must(io.ReadAll(must(gzip.NewReader(packed.Body))))
		if diff := cmp.Diff(plain.Body.String(), string(unpacked)); diff != "" || len(unpacked) == 0 {
			t.Errorf("%s: packed and plain differ: %.200s", path, diff)
		}
		if h := plain.Header(); h.Get("Content-Type") == "" || !strings.Contains(h.Get("Cache-Control"), "immutable") || h.Get("Content-Encoding") != "" {
			t.Errorf("%s: %v", path, h)
		}
		for _, m := range regexp.MustCompile(`from '\./([^']+)'`).FindAllStringSubmatch(plain.Body.String(), -1) {
			linked[assetsPath+m[1]] = true
			if _, ok := s.pages[assetsPath+m[1]]; !ok && !strings.Contains(path, "vendor-") {
				t.Errorf("%s imports %s, which does not exist", path, m[1])
			}
		}
	}
	for path := range s.pages {
		if strings.HasPrefix(path, assetsPath) && !linked[path] {
			t.Errorf("nothing refers to %s", path)
		}
	}
}

func TestNearMissPathsRedirectToTheirPages(t *testing.T) {
	s := newStand()
	for path, to := range map[string]string{"/": "/sandbox/", "/sandbox": "/sandbox/", "/sandbox/doctor/": "/sandbox/doctor"} {
		if w := s.send("GET", path, ""); w.Code/100 != 3 || w.Header().Get("Location") != to {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		if browsers := path == "/"; s.pages[path].Browser != browsers {
			t.Errorf("%s exists for browsers only: %v", path, !browsers)
		}
	}
}

func TestPagesHaveTheFieldsThatTheModeNeeds(t *testing.T) {
	for mode, want := range map[domain.Mode][2]bool{domain.ModeDevice: {false, false}, domain.ModeJWT: {true, false}, domain.ModeGateway: {true, true}} {
		pages := New(Config{Mode: mode, AccountHeader: "X-Account"}).Pages()
		for _, path := range []string{"/sandbox/", "/sandbox/pay", "/sandbox/doctor"} {
			w := httptest.NewRecorder()
			pages[path].Handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
			page := w.Body.String()
			if got := [2]bool{strings.Contains(page, `id="token"`), strings.Contains(page, `data-header="X-Account"`)}; got != want {
				t.Errorf("%s in mode %s: fields for a token and an account: %v, want %v", path, mode, got, want)
			}
		}
		for path, p := range pages {
			if costs := path == keysPath || path == diagnosePath; p.Caller != costs {
				t.Errorf("%s is for callers only: %v", path, p.Caller)
			}
		}
	}
}

// The vendored files are exactly what their packages build, without manual changes.
func TestVendoredFilesAreReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: installing packages, by -short")
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			skipLoudly(t, tool+" is not installed: the vendored files were not compared with their packages")
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "build.mjs"} {
		if err := os.WriteFile(dir+"/"+name, must(os.ReadFile("third_party/"+name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		skipLoudly(t, "npm could not install GraphiQL: the vendored files were not compared with their packages\n"+string(out))
	}
	build := exec.Command("node", "build.mjs")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"graphiql.js", "graphiql.css", "licences.txt"} {
		open := func(path string) string {
			f := must(os.Open(path + "/" + name + ".gz"))
			defer f.Close()
			return string(must(io.ReadAll(must(gzip.NewReader(f)))))
		}
		if open(dir) != open("third_party") {
			t.Errorf("%s differs from what its packages build", name)
		}
	}
}

// skipLoudly skips where a tool is missing, but never where the test is meant
// to run.
func skipLoudly(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip("SKIPPED: " + why)
}
