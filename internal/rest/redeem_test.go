package rest

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"strongroom/internal/domain"
)

func redeem(f *fake, body string) (w *httptest.ResponseRecorder, text, log string) {
	return doAt(RedeemHandler, "/api/receipts/redeem", f, "POST", "application/json", body)
}

func TestRedeemingReturnsTheClaimsAsSigned(t *testing.T) {
	f := &fake{claims: `{"iss":"https://vault.example.com","sub":"<é>"}`}
	w, text, _ := redeem(f, `{"receipt":"e30.e30.c2ln"}`)
	if w.Code != http.StatusOK || text != strings.ReplaceAll(strings.ReplaceAll(f.claims, "<", `\u003c`), ">", `\u003e`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), text)
	}
	if !slices.Equal(f.redeemed, []string{"e30.e30.c2ln"}) || f.caller.RequestID != requestID || len(f.refused) > 0 {
		t.Errorf("redeemed %q for %v, refused %v", f.redeemed, f.caller, f.refused)
	}
}

func TestInvalidRedeemBodiesReachNoUseCase(t *testing.T) {
	for name, tc := range map[string]struct {
		body    string
		status  int
		message string
	}{
		"nothing":           {`{}`, 400, "receipt is required and must be a string."},
		"null":              {`{"receipt":null}`, 400, "receipt is required and must be a string."},
		"a number":          {`{"receipt":1}`, 400, "receipt is required and must be a string."},
		"a further member":  {`{"receipt":"x","hunter2canary":1}`, 400, "The body must have no members except receipt. Names are case-sensitive."},
		"a misspelt member": {`{"Receipt":"x"}`, 400, "The body must have no members except receipt. Names are case-sensitive."},
		"two receipts":      {`{"receipt":"x","receipt":"y"}`, 400, "The body must be one JSON object, but an object in it has two members of the same name."},
		"an array":          {`["hunter2canary"]`, 400, "The body must be one JSON object, but it is not an object."},
		"64 KiB":            {`{"receipt":"` + strings.Repeat("e", 64<<10) + `"}`, 413, "The body must be at most 65536 bytes."},
	} {
		f := &fake{}
		w, text, _ := redeem(f, tc.body)
		checkFailure(t, name, w, text, tc.status, tc.message)
		if len(f.redeemed) > 0 || len(f.refused) != 1 {
			t.Errorf("%s: redeemed %q, refused %v", name, f.redeemed, f.refused)
		}
	}
}

func TestRefusedReceiptsUseTheCommonErrorFormat(t *testing.T) {
	for name, tc := range map[string]struct {
		err     error
		status  int
		message string
	}{
		"redeemed before": {domain.Conflict("It was redeemed before."), 409, "It was redeemed before."},
		"not a receipt":   {domain.BadInput("receipt", "must be one"), 400, "receipt must be one."},
		"no scope":        {domain.Caller{}.Require(domain.MayRedeemReceipts), 403, "The caller lacks the scope receipt:redeem. Ask for a token that has it."},
		"overloaded":      {domain.Overloaded(), 503, domain.Overloaded().Message},
		"anything else":   {errors.New("dialing 10.0.0.1"), 500, "The service failed. Quote the request id therequestid to its operator."},
	} {
		w, text, log := redeem(&fake{err: tc.err}, `{"receipt":"x"}`)
		checkFailure(t, name, w, text, tc.status, tc.message)
		if logged := strings.Contains(log, "10.0.0.1"); logged != (tc.status == 500) {
			t.Errorf("%s: logged %q", name, log)
		}
	}
}
