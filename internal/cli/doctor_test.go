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

	"strongroom/internal/checkup"
	"strongroom/internal/config"
)

// listenAs listens with a socket of a user.
func listenAs(t *testing.T, uid int, address string) net.Listener {
	t.Helper()
	var plain net.ListenConfig
	plain.SetMultipathTCP(false) // otherwise the kernel shows an inner socket, which cannot be given away
	l, err := plain.Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	socket, err := l.(*net.TCPListener).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if controlErr := socket.Control(func(fd uintptr) { err = unix.Fchown(int(fd), uid, -1) }); errors.Join(controlErr, err) != nil {
		t.Fatal(controlErr, err)
	}
	return l
}

// While the server is stopped, any user can listen on its port.
func TestTheDoctorSendsNoTokenToAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can give a socket away")
	}
	const stranger = 4242
	for name, c := range map[string]struct {
		uid         int    // of the listener at 127.0.0.1
		also, admin string // where a stranger listens too, and the host of admin-listen
		want        bool
	}{
		"the server":                    {0, "", "127.0.0.1", true},
		"a stranger":                    {stranger, "", "127.0.0.1", false},
		"a stranger at another address": {0, "127.0.0.2", "127.0.0.1", true},
		"a stranger at localhost":       {stranger, "", "localhost", false},
	} {
		t.Run(name, func(t *testing.T) {
			asked := ""
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.Header.Get("Authorization") }))
			_ = server.Listener.Close()
			server.Listener = listenAs(t, c.uid, "127.0.0.1:0")
			server.Start()
			defer server.Close()
			_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
			if c.also != "" {
				listenAs(t, stranger, net.JoinHostPort(c.also, port))
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "admin.token"), []byte(strings.Repeat("t", 43)+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("STRONGROOM_ADMIN_LISTEN", net.JoinHostPort(c.admin, port))
			var out strings.Builder
			p := &Program{Stdout: &out, Stderr: &out, OpenSchema: func(context.Context, *config.Settings, bool) (Schema, error) {
				return nil, errors.New("there is no database")
			}}
			code := p.Run(t.Context(), []string{"doctor", "--data-dir", dir})
			if code != ExitFailed || (asked != "") != c.want || strings.Contains(out.String(), "user 4242 listens on") == c.want {
				t.Errorf("exit code %d, the listener got the token %q:\n%s", code, asked, out.String())
			}
		})
	}
}

func TestTheDoctorRefusesInvalidServerFlags(t *testing.T) {
	t.Setenv(config.AdminTokenVariable, strings.Repeat("t", 43))
	for want, args := range map[string][]string{
		"--server: must be a URL":  {"--server", "vault-1:8081"},
		"--server: must be https":  {"--server", "https://vault-1:8081", "--server", "http://vault-2.example:8081"},
		"--token-file: open /none": {"--server", "https://vault-1:8081", "--token-file", "/none"},
	} {
		var out strings.Builder
		p := &Program{Stdout: &out, Stderr: &out}
		code := p.Run(t.Context(), append([]string{"doctor"}, args...))
		if code != ExitUsage || !strings.Contains(out.String(), want) {
			t.Errorf("exit code %d, want %d:\n%s", code, ExitUsage, out.String())
		}
	}
}

// open is a schema in which every role may create objects.
type open struct{ Schema }

func (open) AnyoneCreates(context.Context) string                       { return "REVOKE x" }
func (open) CheckSchema(context.Context) error                          { return nil }
func (open) SchemaVersion(context.Context) (have, known int64, _ error) { return 14, 14, nil }
func (open) Close() error                                               { return nil }

// A server only logs this at its start.
func TestTheDoctorWarnsIfEveryRoleMayCreateObjects(t *testing.T) {
	p := &Program{OpenSchema: func(context.Context, *config.Settings, bool) (Schema, error) { return open{}, nil }}
	f := p.database(t.Context(), &config.Settings{})
	if f.State != checkup.Warning || !strings.Contains(f.Text, "Every role may create objects in the schema") || f.Remedy != "Run REVOKE x." {
		t.Errorf("it finds %+v", f)
	}
}
