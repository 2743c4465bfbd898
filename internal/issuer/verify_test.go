package issuer

import (
	"context"
	"encoding/base64"
	"errors"
	"testing"
	"testing/synctest"

	"strongroom/internal/crypto/signing"
)

// The database may hang while another request reads the keys.
func TestAVerificationWhoseClientLeavesDoesNotWaitForTheKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := New(Config{})
		if err := i.lock(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, leave := context.WithCancel(t.Context())
		answered := make(chan error, 1)
		header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"` + signing.Algorithm + `","kid":"unknown","typ":"drill"}`))
		go func() {
			_, _, err := i.Verify(ctx, "drill", header+".e30.AA")
			answered <- err
		}()
		leave()
		if err := <-answered; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
