package auth

import (
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

func TestDeviceModeTakesNoNameFromARequest(t *testing.T) {
	r := httptest.NewRequest("POST", "/graphql?account=eve", nil)
	r.Header.Set("Authorization", "Bearer eve")
	r.Header.Set("X-Account", "eve")
	r = r.WithContext(domain.WithCaller(r.Context(), domain.Caller{RequestID: "id"}))

	got, err := Device().Authenticate(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(domain.Caller{Mode: domain.ModeDevice, RequestID: "id"}, got); diff != "" {
		t.Errorf("caller (-want +got):\n%s", diff)
	}
}
