package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/auth"
	"strongroom/internal/domain"
	"strongroom/internal/graph"
	"strongroom/internal/metrics"
	"strongroom/internal/rest"
)

// BenchmarkRequestPath measures the cost of a request outside the vault: all of
// this package, both transports, logging and metrics, over use cases that
// return immediately. Each kind of request alternates with a plain net/http
// handler that decodes JSON and encodes it again (echo), over the same number
// of connections. The clients are a separate process, so that the CPU time is
// only the server's: user and system time in microseconds for each request. One
// operation is a turn of turnLength requests of each kind. It reports the
// lowest of a kind's turns, which other work on the machine disturbed least.
//
//	go test ./internal/server -run '^$' -bench RequestPath -benchtime 10x
//
// With -bench 'RequestPath/^verify$' only that kind runs, which is useful for
// profiles.
func BenchmarkRequestPath(b *testing.B) {
	clients := startClients(b)
	api := benchServer(b)
	echo := echoServer(b)
	kinds := benchKinds(api, echo)
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				clients.run(b, k)
			}
		})
	}
	b.Run("interleaved", func(b *testing.B) {
		spent, took := make([]float64, len(kinds)), make([]float64, len(kinds))
		for n := 0; b.Loop(); n++ {
			for i, k := range kinds {
				cpu, wall := clients.run(b, k)
				if n == 0 || cpu.Seconds() < spent[i] {
					spent[i] = cpu.Seconds()
				}
				if n == 0 || wall.Seconds() < took[i] {
					took[i] = wall.Seconds()
				}
			}
		}
		for i, k := range kinds {
			b.ReportMetric(spent[i]*1e6/turnLength, "CPU-µs/"+k.name)
			b.ReportMetric(took[0]/took[i], k.name+"-of-echo")
		}
	})
}

const (
	turnLength       = 2000 // requests
	benchConnections = 8
)

// benchKind is one kind of request.
type benchKind struct {
	name    string
	Address string
	Request string // as it goes over the wire
	Status  int
}

func benchKinds(api, echo string) []benchKind {
	const identity = `{"deviceId":"4f1c9a52-7a6c-4c7e-9a4e-0c7f6f0f3f11","appVersion":"5.12.0"}`
	generate := `{"query":"mutation GenerateKey($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { publicKey keyId } }","variables":{"input":` + identity + `}}`
	verify := `{"query":"mutation Verify($input: EncryptedVerifyPasscodeInput!) { verifyUserPasscode(input: $input) }","variables":{"input":{"encryptedPasscode":"` +
		strings.Repeat("Zk9+", 128) + `","keyId":"%s","passwordAuthType":"PASSCODE"}}}`
	post := func(path, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nUser-Agent: okhttp/4.12.0\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			path, len(body), body)
	}
	kind := func(name, path, body string, status int) benchKind {
		return benchKind{name, api, post(path, body), status}
	}
	return []benchKind{
		{"echo", echo, post("/", generate), 200},
		kind("generate", "/graphql", generate, 200),
		kind("rest", "/api/encryption/keys", identity, 200),
		kind("verify", "/graphql", fmt.Sprintf(verify, "abcdefghijklmnopqrstuvwxyz"), 200),
		kind("inline", "/graphql", `{"query":"mutation { generateClientEncryptionKey(input: {deviceId: \"d\"}) { publicKey keyId } }"}`, 200),
		kind("overloaded", "/graphql", fmt.Sprintf(verify, busyKey), 503),
	}
}

// busyKey is a keyId for which benchUseCases answers OVERLOADED.
const busyKey = "busy"

// benchUseCases return immediately.
type benchUseCases struct {
	pair   domain.KeyPair
	meters *metrics.Metrics
}

func (u benchUseCases) GenerateKey(context.Context, domain.Identity) (domain.KeyPair, error) {
	return u.pair, nil
}

func (u benchUseCases) RotateKey(context.Context, domain.Identity) (domain.KeyPair, error) {
	return u.pair, nil
}

func (benchUseCases) SignKey(context.Context, domain.KeyPair) (string, error) { return "", nil }

func (benchUseCases) EncryptLikeClient(context.Context, domain.Encryption) (string, error) {
	return "", nil
}

func (benchUseCases) Set(context.Context, domain.Submission) (domain.Rule, error) { return "", nil }

func (benchUseCases) Verify(_ context.Context, s domain.Submission) (domain.Verdict, error) {
	if s.KeyID == busyKey {
		return domain.Verdict{}, domain.Overloaded()
	}
	return domain.Verdict{Match: true}, nil
}

func (benchUseCases) Status(context.Context, domain.StatusInput) (domain.CredentialStatus, error) {
	return domain.CredentialStatus{}, nil
}

func (benchUseCases) Authorize(context.Context, domain.Authorization) (domain.Verdict, error) {
	return domain.Verdict{}, nil
}

func (benchUseCases) Redeem(context.Context, string) (json.RawMessage, error) { return nil, nil }

func (benchUseCases) Summary(context.Context, float64) (domain.Summary, error) {
	return domain.Summary{}, nil
}

func (u benchUseCases) Refused(_ context.Context, code domain.Code) { u.meters.Refusal(code) }

// benchServer serves like the command, except for the use cases and the log,
// which goes to /dev/null with one system call for each line.
func benchServer(b *testing.B) (address string) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	modulus := new(big.Int).SetBytes(bytes.Repeat([]byte{0xc5}, 3072/8)) // nobody decrypts here
	spki, err := x509.MarshalPKIXPublicKey(&rsa.PublicKey{N: modulus, E: 65537})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { null.Close() })
	logger := slog.New(LogRequestID(slog.NewTextHandler(null, nil)))
	meters := metrics.New(prometheus.NewRegistry())
	useCases := benchUseCases{meters: meters, pair: domain.KeyPair{
		KeyID: "abcdefghijklmnopqrstuvwxyz", PublicKey: spki, Algorithm: "RSA-OAEP-256", Bits: 3072, CreatedAt: time.Now(),
	}}
	s, err := Listen(Config{
		Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0",
		GraphQL:         graph.Handler(graph.Config{UseCases: useCases, Introspection: true, LookedUp: func(bool) {}, Log: logger}),
		REST:            rest.Handler(rest.Config{UseCases: useCases, Log: logger}),
		Metrics:         meters.Handler(),
		Authenticator:   auth.Device(nil),
		Operators:       operatorsOf(b, nil, testToken),
		Ready:           func(context.Context) error { return nil },
		Refused:         useCases.Refused,
		Answered:        meters.HTTPRequest,
		Logger:          logger,
		ShutdownTimeout: time.Second,
	})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx) }()
	b.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	return s.Addr().String()
}

// echoServer is the baseline: the cost of net/http and encoding/json alone.
func echoServer(b *testing.B) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var v any
		if err := json.NewDecoder(r.Body).Decode(&v); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	})}
	done := make(chan error)
	go func() { done <- s.Serve(l) }()
	b.Cleanup(func() {
		s.Close()
		<-done
	})
	return l.Addr().String()
}

// clients is a process that sends requests.
type clients struct {
	in  *json.Encoder
	out *bufio.Reader
}

const beClients = "STRONGROOM_TEST_BE_CLIENTS"

func startClients(b *testing.B) *clients {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), beClients+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	return &clients{json.NewEncoder(in), bufio.NewReader(out)}
}

// run takes one turn. It returns the CPU time of this process, the server, and
// how long the turn took.
func (c *clients) run(b *testing.B, k benchKind) (cpu, took time.Duration) {
	before, start := cpuTime(), time.Now()
	if err := c.in.Encode(k); err != nil {
		b.Fatal(err)
	}
	said, err := c.out.ReadString('\n')
	cpu, took = cpuTime()-before, time.Since(start)
	if err != nil || said != "ok\n" {
		b.Fatalf("%s: %q, %v", k.name, said, err)
	}
	return cpu, took
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// clientsMain is the process of clients: it reads a kind of request, sends it
// turnLength times, reports the result, and reads the next kind.
func clientsMain() {
	in := json.NewDecoder(os.Stdin)
	open := map[string][]*bufio.ReadWriter{} // by address
	for {
		var k benchKind
		if err := in.Decode(&k); err != nil {
			return
		}
		if open[k.Address] == nil {
			for range benchConnections {
				c, err := net.Dial("tcp", k.Address)
				if err != nil {
					fmt.Println(err)
					return
				}
				open[k.Address] = append(open[k.Address], bufio.NewReadWriter(bufio.NewReaderSize(c, 16<<10), bufio.NewWriterSize(c, 16<<10)))
			}
		}
		var turn sync.WaitGroup
		errs := make([]error, benchConnections)
		for i, c := range open[k.Address] {
			turn.Go(func() {
				for range turnLength / benchConnections {
					if errs[i] == nil {
						errs[i] = exchange(c, k)
					}
				}
			})
		}
		turn.Wait()
		said := "ok"
		for _, err := range errs {
			if err != nil {
				said = err.Error()
			}
		}
		fmt.Println(said)
	}
}

// exchange sends one request and reads its answer, with as little work as
// possible.
func exchange(c *bufio.ReadWriter, k benchKind) error {
	if _, err := c.WriteString(k.Request); err != nil {
		return err
	}
	if err := c.Flush(); err != nil {
		return err
	}
	length := -1
	for first := true; ; first = false {
		line, err := c.ReadSlice('\n')
		if err != nil {
			return err
		}
		switch text := string(line); {
		case first && text[9:12] != strconv.Itoa(k.Status):
			return fmt.Errorf("status %q", text)
		case strings.HasPrefix(text, "Content-Length: "):
			if length, err = strconv.Atoi(strings.TrimSpace(text[16:])); err != nil {
				return err
			}
		case text == "\r\n":
			_, err := io.CopyN(io.Discard, c, int64(length))
			return err
		}
	}
}
