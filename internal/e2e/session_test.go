package e2e

import (
	"os/exec"
	"strings"
	"testing"
)

func TestTheExampleSessionRuns(t *testing.T) {
	need(t, "sh", "curl", "openssl", "sed")
	i := start(t)
	out, err := exec.Command("../../examples/session.sh", i.base).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`{"data":{"setTransactionPin":true}}`, `{"data":{"verifyTransactionPin":true}}`,
		`{"data":{"verifyTransactionPin":false}}`, `"code":"KEY_NOT_USABLE"`, `\"totalOperations\":7`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the session lacks %s:\n%s", want, out)
		}
	}
	i.auditIntact()
	if code := i.stop(); code != 0 {
		t.Errorf("SIGTERM: exit code %d", code)
	}
}

// A service with other settings refuses all calls of the session, which must not look like success.
func TestTheExampleSessionStopsWithoutAKey(t *testing.T) {
	t.Parallel()
	need(t, "sh", "curl", "openssl", "sed")
	i := start(t, newProvider(t).flags()...)
	out, err := exec.Command("../../examples/session.sh", i.base).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "UNAUTHENTICATED") || !strings.HasSuffix(string(out), "The answer has no keyId: see its error above\n") {
		t.Errorf("%v\n%s", err, out)
	}
}
