package auth

import (
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strongroom/internal/domain"
)

func TestDeviceModeTakesNoNameFromARequest(t *testing.T) {
	r := httptest.NewRequest("POST", "/graphql?account=eve", nil)
	r.Header.Set("Authorization", "Bearer eve")
	r.Header.Set("X-Account", "eve")
	r = r.WithContext(domain.WithCaller(r.Context(), domain.Caller{RequestID: "id"}))

	got, err := Device(nil).Authenticate(r)
	if err != nil {
		t.Fatal(err)
	}
	want := domain.Caller{Mode: domain.ModeDevice, RequestID: "id", Permissions: domain.OrdinaryPermissions}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
		t.Errorf("caller (-want +got):\n%s", diff)
	}
}
