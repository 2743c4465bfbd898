package place

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/witness/place/placetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestOneServerAtATimeLocksAFile(t *testing.T) {
	f := File{Path: filepath.Join(t.TempDir(), "witness")}
	first, err := f.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(t.Context(), heads, []byte("x"), ""); err != nil { // it replaces the file
		t.Fatal(err)
	}
	if _, err := f.Lock(); err == nil || !strings.Contains(err.Error(), f.Path+": another serve uses it") {
		t.Errorf("a second lock: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := f.Lock()
	if err != nil {
		t.Fatal(err)
	}
	_ = second.Close()
}

type kind interface {
	Read(ctx context.Context, k Key) (text []byte, version string, err error)
	Write(ctx context.Context, k Key, text []byte, version string) error
	Shared() bool
}

func secret(text string) Secret { return func() (string, error) { return text, nil } }

var heads = Key{"home", Heads}

func serving(t *testing.T, s *placetest.Server, token string) *HTTP {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL + "/prod")
	if err != nil {
		t.Fatal(err)
	}
	return NewHTTP(base, secret(token))
}

func inDatabase(t *testing.T, url string) *Postgres {
	t.Helper()
	p, err := NewPostgres(url, secret(""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.conn != nil {
			_ = p.conn.Close(context.Background())
		}
	})
	return p
}

func counted(t *testing.T) TPM {
	t.Helper()
	socket, _ := placetest.TPM(t, t.TempDir())
	return TPM{File: File{filepath.Join(t.TempDir(), "witness")}, Device: socket, Index: DefaultIndex, Auth: secret("")}
}

// Each part is read as it was written. If two writers have read the same version, only
// one of them can write.
func TestAPlaceKeepsTheNewestText(t *testing.T) {
	for name, of := range map[string]func(t *testing.T) kind{
		"file":     func(t *testing.T) kind { return File{filepath.Join(t.TempDir(), "witness")} },
		"tpm":      func(t *testing.T) kind { return counted(t) },
		"postgres": func(t *testing.T) kind { return inDatabase(t, emptyDatabase(t, pgtest.Shared(t))) },
		"http":     func(t *testing.T) kind { return serving(t, &placetest.Server{Token: "token"}, "token") },
	} {
		t.Run(name, func(t *testing.T) {
			p, ctx := of(t), t.Context()
			if _, _, err := p.Read(ctx, heads); !errors.Is(err, ErrNone) {
				t.Fatalf("an empty place: %v", err)
			}
			for _, k := range []Key{heads, {"home", Keys}} {
				if err := p.Write(ctx, k, []byte(k.Part), ""); err != nil {
					t.Fatal(err)
				}
			}
			text, version, err := p.Read(ctx, heads)
			if err != nil || string(text) != Heads {
				t.Fatalf("read %q: %v", text, err)
			}
			if err := p.Write(ctx, heads, []byte("newer"), version); err != nil {
				t.Fatal(err)
			}
			if text, _, err := p.Read(ctx, heads); err != nil || string(text) != "newer" {
				t.Fatalf("read %q: %v", text, err)
			}
			if !p.Shared() {
				return
			}
			for _, stale := range []string{"", version} {
				if err := p.Write(ctx, heads, []byte("late"), stale); !errors.Is(err, ErrChanged) {
					t.Errorf("a write over version %q: %v", stale, err)
				}
			}
			_, version, _ = p.Read(ctx, heads)
			var all sync.WaitGroup
			won := make(chan string, 8)
			for _, text := range []string{"a", "b", "c", "d"} {
				all.Go(func() {
					if p.Write(ctx, heads, []byte(text), version) == nil {
						won <- text
					}
				})
			}
			all.Wait()
			if text, _, _ := p.Read(ctx, heads); len(won) != 1 || <-won != string(text) {
				t.Errorf("%d of four writers won, and the text is %q", len(won), text)
			}
			if _, _, err := p.Read(ctx, Key{"another", Heads}); !errors.Is(err, ErrNone) {
				t.Errorf("another store has the text too: %v", err)
			}
		})
	}
}

func emptyDatabase(t *testing.T, s *pgtest.Server) string {
	t.Helper()
	name := "witness_" + strings.ToLower(t.Name()[len(t.Name())-4:]) + "_" + strings.ReplaceAll(filepath.Base(t.TempDir()), "-", "")
	s.Exec(t, "postgres", "CREATE DATABASE "+name)
	return s.URL(name)
}

// Each failure is temporary or not, and says what to do.
func TestAServerThatFailsIsExplained(t *testing.T) {
	server := &placetest.Server{Token: "token"}
	for _, c := range []struct {
		status int
		token  string
		away   bool
		says   string
	}{
		{http.StatusServiceUnavailable, "token", true, "503 Service Unavailable"},
		{http.StatusTooManyRequests, "token", true, "429"},
		{http.StatusFound, "token", false, "give the URL to which it redirects"},
		{http.StatusMethodNotAllowed, "token", false, "docs/how-to/witness.md"},
		{0, "other", false, "check the token of --witness-secret"},
		{http.StatusOK, "token", false, "without a strong ETag"},
	} {
		server.Answer(c.status)
		_, _, err := serving(t, server, c.token).Read(t.Context(), heads)
		if err == nil || IsAway(err) != c.away || !strings.Contains(err.Error(), c.says) {
			t.Errorf("status %d: %v", c.status, err)
		}
	}
	gone := httptest.NewServer(server)
	base, _ := url.Parse(gone.URL)
	gone.Close()
	if _, _, err := NewHTTP(base, secret("")).Read(t.Context(), heads); !IsAway(err) {
		t.Errorf("a server that is not there: %v", err)
	}
	unknown := httptest.NewTLSServer(server)
	defer unknown.Close()
	base, _ = url.Parse(unknown.URL)
	if _, _, err := NewHTTP(base, secret("")).Read(t.Context(), heads); IsAway(err) || !strings.Contains(err.Error(), "certificate is not accepted") {
		t.Errorf("a certificate of an unknown authority: %v", err)
	}
	failing := NewHTTP(base, func() (string, error) { return "", os.ErrNotExist })
	if _, _, err := failing.Read(t.Context(), heads); IsAway(err) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a token that is missing: %v", err)
	}
}

func TestADatabaseThatFailsIsExplained(t *testing.T) {
	s := pgtest.Start(t)
	url := emptyDatabase(t, s)
	p := inDatabase(t, url)
	if err := p.Write(t.Context(), heads, []byte("text"), ""); err != nil {
		t.Fatal(err)
	}
	s.Kill()
	if _, _, err := p.Read(t.Context(), heads); !IsAway(err) {
		t.Errorf("a server that was killed: %v", err)
	}
	if err := p.Write(t.Context(), heads, []byte("lost"), "1"); !IsAway(err) {
		t.Errorf("a write to a server that was killed: %v", err)
	}
	if err := s.Serve(); err != nil {
		t.Fatal(err)
	}
	if text, version, err := p.Read(t.Context(), heads); err != nil || string(text) != "text" || version != "1" {
		t.Errorf("after its return: %q, version %s, %v", text, version, err)
	}
	s.Exec(t, "postgres", "CREATE ROLE stranger LOGIN")
	for what, c := range map[string]struct{ url, says string }{
		"no such database": {s.URL("missing"), "does not exist"},
		"no right to it":   {strings.Replace(url, "postgres://", "postgres://stranger@", 1), "permission denied"},
	} {
		if strings.Count(c.url, "@") > 1 {
			_, rest, _ := strings.Cut(url, "@")
			c.url = "postgres://stranger@" + rest
		}
		_, _, err := inDatabase(t, c.url).Read(t.Context(), heads)
		if err == nil || IsAway(err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
	store := emptyDatabase(t, s)
	name := store[strings.LastIndex(store, "/")+1:]
	name, _, _ = strings.Cut(name, "?")
	s.Exec(t, name, "CREATE TABLE audit_log (id INT)")
	if _, _, err := inDatabase(t, store).Read(t.Context(), heads); err == nil || !strings.Contains(err.Error(), "database of Strongroom itself") {
		t.Errorf("the database of a store: %v", err)
	}
}

// The server of a witness is not trusted, so its answer must not crash the process.
func TestAnErrorWithoutACodeIsExplained(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			_, _ = c.Write([]byte("E\x00\x00\x00\x0eMgo away\x00\x00"))
			_ = c.Close()
		}
	}()
	p := inDatabase(t, "postgres://u@"+l.Addr().String()+"/x?sslmode=disable")
	if _, _, err := p.Read(t.Context(), heads); err == nil || !strings.Contains(err.Error(), "answers: go away") {
		t.Errorf("got %v", err)
	}
}

// The counter only rises, even if somebody deletes it and the service defines it
// again.
func TestACounterInATPMNeverFalls(t *testing.T) {
	dir := t.TempDir()
	socket, stop := placetest.TPM(t, dir)
	p := TPM{Device: socket, Index: DefaultIndex, Auth: secret("a")}
	if n, err := p.Count(t.Context()); n != 0 || err != nil {
		t.Fatalf("%d, %v before it exists", n, err)
	}
	first, err := p.Raise(t.Context())
	if err != nil || first < 1 {
		t.Fatalf("raised to %d: %v", first, err)
	}
	second, err := p.Raise(t.Context())
	if err != nil || second != first+1 {
		t.Fatalf("raised to %d after %d: %v", second, first, err)
	}
	other := p
	other.Auth = secret("b")
	if _, err := other.Raise(t.Context()); err == nil || !strings.Contains(err.Error(), "authorization value is wrong") {
		t.Errorf("with a wrong value: %v", err)
	}
	stop()
	if _, err := p.Count(t.Context()); err == nil || !strings.Contains(err.Error(), socket) {
		t.Errorf("without a TPM: %v", err)
	}
	p.Device, _ = placetest.TPM(t, dir) // the machine restarts
	if n, err := p.Count(t.Context()); n != second || err != nil {
		t.Errorf("%d after a restart, want %d: %v", n, second, err)
	}
	undefine(t, p)
	if n, err := p.Count(t.Context()); n != 0 || err != nil {
		t.Errorf("%d after it was deleted: %v", n, err)
	}
	if n, err := p.Raise(t.Context()); n <= second || err != nil {
		t.Errorf("%d after it was deleted and defined anew, want above %d: %v", n, second, err)
	}
}

// A message that the server says to be long must not fill the memory of the process.
func TestALongMessageOfAPostgreSQLServerIsRefused(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	poured := make(chan int, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = conn.Read(make([]byte, 4<<10)) // the startup message
		all, err := conn.Write([]byte{'R', 0x3f, 0, 0, 0})
		for err == nil {
			var n int
			n, err = conn.Write(make([]byte, 64<<10))
			all += n
		}
		poured <- all
	}()
	p, err := NewPostgres("postgres://witness@"+listener.Addr().String()+"/witness?sslmode=disable", func() (string, error) { return "", nil })
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = p.Read(t.Context(), Key{Home: "home", Part: Heads})
	if !IsAway(err) || strings.Contains(err.Error(), "deadline") {
		t.Errorf("got %v", err)
	}
	if n := <-poured; n > 32<<20 { // what the buffers of the connection take
		t.Errorf("the client read up to %d bytes", n)
	}
}

// The server of the witness is another one than that of the store, so it must not get
// the store's password.
func TestOnlyTheWitnesssOwnPasswordIsSent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	sent := make(chan string, 1)
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			b := pgproto3.NewBackend(c, c)
			_, _ = b.ReceiveStartupMessage()
			b.Send(&pgproto3.AuthenticationCleartextPassword{})
			_ = b.Flush()
			_ = b.SetAuthType(pgproto3.AuthTypeCleartextPassword)
			answer, _ := b.Receive()
			password, _ := answer.(*pgproto3.PasswordMessage)
			if password == nil {
				password = &pgproto3.PasswordMessage{Password: "nothing"}
			}
			sent <- password.Password
			b.Send(&pgproto3.ErrorResponse{Code: "28P01", Message: "no"})
			_ = b.Flush()
			_ = c.Close()
		}
	}()
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	host, port, _ := net.SplitHostPort(l.Addr().String())
	base := "postgres://u@" + l.Addr().String() + "/x?sslmode=disable"
	service, others := file("[vault]\npassword=of-the-store\n"), file("db.example:5432:*:*:of-the-store\n")
	for what, c := range map[string]struct {
		url, secret string
		variables   map[string]string
		want        string
	}{
		"PGPASSWORD":             {base, "", map[string]string{"PGPASSWORD": "of-the-store"}, ""},
		"PGSERVICE":              {base, "", map[string]string{"PGSERVICE": "vault", "PGSERVICEFILE": service}, ""},
		"a passfile of others":   {base, "", map[string]string{"PGPASSFILE": others}, ""},
		"a line in the passfile": {base, "", map[string]string{"PGPASSWORD": "of-the-store", "PGPASSFILE": file(host + ":" + port + ":*:*:own\n")}, "own"},
		"a passfile of its own":  {base + "&passfile=" + file("*:*:*:*:own\n"), "", map[string]string{"PGPASSWORD": "of-the-store"}, "own"},
		"witness-secret":         {base, "own", map[string]string{"PGPASSWORD": "of-the-store", "PGPASSFILE": file("*:*:*:*:other\n")}, "own"},
	} {
		t.Run(what, func(t *testing.T) {
			for _, name := range []string{"PGPASSWORD", "PGSERVICE", "PGSERVICEFILE", "PGPASSFILE"} {
				t.Setenv(name, c.variables[name])
			}
			p, err := NewPostgres(c.url, secret(c.secret))
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := p.Read(t.Context(), heads); err == nil || !strings.Contains(err.Error(), "28P01") {
				t.Errorf("got %v", err)
			}
			if got := <-sent; got != c.want {
				t.Errorf("sent %q, want %q", got, c.want)
			}
		})
	}
}

// The note belongs on another disk than the database, and it must stay there.
func TestAWitnessFileThatIsASymbolicLinkIsRefused(t *testing.T) {
	dir := t.TempDir()
	there, at := filepath.Join(dir, "there"), File{Path: filepath.Join(dir, "note")}
	for _, k := range []Key{heads, {"home", Keys}} {
		if err := os.Symlink(there, at.path(k)); err != nil {
			t.Fatal(err)
		}
		for _, target := range []string{"missing", "there"} {
			_, _, reading := at.Read(t.Context(), k)
			writing := at.Write(t.Context(), k, []byte("new"), "")
			for _, err := range []error{reading, writing} {
				if err == nil || !strings.Contains(err.Error(), at.path(k)+" is a symbolic link") {
					t.Errorf("a link to a file that is %s: %v", target, err)
				}
			}
			if err := os.WriteFile(there, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if target, err := os.Readlink(at.path(k)); err != nil || target != there {
			t.Errorf("the link was replaced: %q, %v", target, err)
		}
		if err := os.Remove(there); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(dir, dir+".link"); err != nil { // the directory may be one
		t.Fatal(err)
	}
	beyond := File{Path: filepath.Join(dir+".link", "other")}
	if err := beyond.Write(t.Context(), heads, []byte("new"), ""); err != nil {
		t.Error(err)
	}
}
