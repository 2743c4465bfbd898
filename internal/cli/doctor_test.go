package cli

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"strongroom/internal/config"
)

// While the server is stopped, any user can listen on its port.
func TestTheDoctorSendsNoTokenToAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can give a socket away")
	}
	for uid, want := range map[int]bool{0: true, 4242: false} {
		asked := ""
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.Header.Get("Authorization") }))
		_ = server.Listener.Close()
		var plain net.ListenConfig
		plain.SetMultipathTCP(false) // otherwise the kernel shows an inner socket, which cannot be given away
		var err error
		if server.Listener, err = plain.Listen(t.Context(), "tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		server.Start()
		socket, err := server.Listener.(*net.TCPListener).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		if err := socket.Control(func(fd uintptr) { err = unix.Fchown(int(fd), uid, -1) }); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "admin.token"), []byte(strings.Repeat("t", 43)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv("STRONGROOM_ADMIN_LISTEN", server.Listener.Addr().String())
		var out strings.Builder
		p := &Program{Stdout: &out, Stderr: &out, OpenSchema: func(context.Context, *config.Settings, bool) (Schema, error) {
			return nil, errors.New("there is no database")
		}}
		code := p.Run(t.Context(), []string{"doctor", "--data-dir", dir})
		if code != ExitFailed || (asked != "") != want || strings.Contains(out.String(), "user 4242 listens on") == want {
			t.Errorf("user %d: exit code %d, the listener got the token %q:\n%s", uid, code, asked, out.String())
		}
		server.Close()
	}
}
