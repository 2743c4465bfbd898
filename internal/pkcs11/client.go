package pkcs11

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// idle is how long an unused helper is kept. A server checks its root keys more often.
const idle = 15 * time.Minute

// Client uses one key through one helper process, which it starts when needed. It is
// safe for concurrent use. One request runs at a time.
type Client struct {
	key   Key
	turn  chan struct{} // a lock with one place; it guards all fields below
	p     *process
	unuse *time.Timer
}

// NewClient returns the client for a key. It starts nothing.
func NewClient(key Key) *Client { return &Client{key: key, turn: make(chan struct{}, 1)} }

// Do sends a request to the helper and returns its answer. data is for Wrap and Unwrap,
// and bound is their associated data. Do fails with a [*Failure], or with the error of
// ctx. When ctx ends, a helper that has not answered is killed.
func (c *Client) Do(ctx context.Context, op Op, data, bound []byte) (Answer, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
	r := Request{Version: Version, Op: op, Key: c.key, Bound: bound, Data: data}
	used := c.p != nil
	a, err := c.once(ctx, r)
	if used && op != Create && ctx.Err() == nil && isAgain(err) {
		a, err = c.once(ctx, r)
	}
	return a, err
}

// signIns has a lock for each module and PIN file: a channel of one element that is full
// while a new helper signs in. Without it, two keys of one token could send a wrong PIN at
// the same time.
var signIns sync.Map // of chan struct{}

func signInLock(k Key) chan struct{} {
	place, _ := signIns.LoadOrStore(resolved(k.Module)+"\x00"+resolved(k.PINFile), make(chan struct{}, 1))
	lock, _ := place.(chan struct{})
	return lock
}

// resolved follows symbolic links, if the file exists.
func resolved(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// pins has the marks of the PINs that this process sent to tokens (see [Request.Refused]).
// Those that were refused or got no clear answer are not sent again, because repeated
// checks by a server would lock the token. An accepted PIN is sent again after a failure,
// so that a restarted HSM is used again without an operator.
var pins struct {
	mu               sync.Mutex
	accepted         map[string]bool
	refused, unclear [][]byte
}

// markKey is the key of marks. It is random for each process.
var markKey = sync.OnceValue(func() []byte { return []byte(rand.Text()) })

// mostMarks bounds each list of marks, so that a request fits into a line.
const mostMarks = 64

// remember keeps the mark of a PIN that a helper sent to a token. err is how the request
// ended.
func remember(in *SignIn, err error) {
	if in == nil {
		return
	}
	pins.mu.Lock()
	defer pins.mu.Unlock()
	f, is := errors.AsType[*Failure](err)
	switch {
	case in.Accepted:
		if pins.accepted == nil {
			pins.accepted = map[string]bool{}
		}
		pins.accepted[string(in.Mark)] = true
	case is && f.Code == WrongPIN:
		pins.refused = lastMarks(append(pins.refused, in.Mark))
	case pins.accepted[string(in.Mark)]:
	case !is, slices.Contains([]Code{Crashed, Protocol, DeviceFailure}, f.Code): // others say that the PIN was not checked
		pins.unclear = lastMarks(append(pins.unclear, in.Mark))
	}
}

func lastMarks(all [][]byte) [][]byte { return all[max(0, len(all)-mostMarks):] }

// isAgain reports whether a new helper may succeed after an older one failed, because it
// was killed or lost its session.
func isAgain(err error) bool {
	f, is := errors.AsType[*Failure](err)
	return is && f.Code != WrongKey
}

// once sends a request to the running helper or a new one. After a failure it ends the
// helper, so that the next request begins with a new session.
func (c *Client) once(ctx context.Context, r Request) (Answer, error) {
	if c.p == nil {
		turn := signInLock(c.key)
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
		p, err := start()
		if err != nil {
			return Answer{}, err
		}
		c.p = p
	}
	pins.mu.Lock()
	r.Refused, r.Unclear, r.MarkKey = slices.Clone(pins.refused), slices.Clone(pins.unclear), markKey()
	pins.mu.Unlock()
	a, err := c.p.ask(ctx, r)
	remember(c.p.signIn, err)
	if f, is := errors.AsType[*Failure](err); err == nil || is && f.Code == WrongKey {
		c.endLater()
		return a, err
	}
	c.end()
	return a, err
}

func (c *Client) endLater() {
	if c.unuse != nil {
		c.unuse.Reset(idle)
		return
	}
	c.unuse = time.AfterFunc(idle, func() {
		select {
		case c.turn <- struct{}{}:
			c.end()
			<-c.turn
		default: // in use
		}
	})
}

func (c *Client) end() {
	if c.p != nil {
		c.p.end()
		c.p = nil
	}
}

// process is a running helper.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
	buf *bufio.Reader

	signIn *SignIn // the helper's last report of a sign-in; nil: it sent no PIN
}

func start() (*process, error) {
	name, args, err := find()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(name, args...)} //nolint:gosec // the helper of this program
	p.cmd.Env = environment(os.Environ())
	p.cmd.Dir = "/"
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt in the terminal must reach only the server
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		if p.out, err = p.cmd.StdoutPipe(); err == nil {
			err = p.cmd.Start()
		}
	}
	if err != nil {
		return nil, &Failure{Code: NoHelper, Detail: "starting " + name + ": " + err.Error()}
	}
	p.buf = bufio.NewReaderSize(p.out, MaxLine)
	return p, nil
}

func (p *process) ask(ctx context.Context, r Request) (Answer, error) {
	stop := context.AfterFunc(ctx, func() {
		_ = p.cmd.Process.Kill()
		_ = p.out.Close() // otherwise a child of the helper could keep it open
	})
	a, err := p.exchange(r)
	if !stop() {
		return Answer{}, ctx.Err()
	}
	return a, err
}

func (p *process) exchange(r Request) (Answer, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return Answer{}, &Failure{Code: Protocol, Detail: "the request cannot be encoded"}
	}
	defer clear(line)
	_, err = p.in.Write(append(line, '\n'))
	if err != nil {
		return Answer{}, p.crashed()
	}
	for {
		a, err := p.read()
		if err != nil || a.SignIn == nil {
			return a, err
		}
		p.signIn = a.SignIn
	}
}

// read reads a line of the helper.
func (p *process) read() (a Answer, err error) {
	line, err := p.buf.ReadSlice('\n')
	defer clear(line)
	switch {
	case errors.Is(err, bufio.ErrBufferFull), err == nil && json.Unmarshal(line, &a) != nil:
		return Answer{}, &Failure{Code: Protocol, Detail: p.cmd.Path + " answered something else than a helper does"}
	case err != nil:
		return Answer{}, p.crashed()
	case a.Failure != nil:
		return Answer{}, a.Failure
	}
	return a, nil
}

func (p *process) crashed() *Failure {
	_ = p.in.Close()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	return &Failure{Code: Crashed, Detail: "the helper process " + p.cmd.Path + " ended without an answer (" + p.cmd.ProcessState.String() + ")"}
}

func (p *process) end() {
	_ = p.in.Close()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// builtIn means that this binary is its own helper.
var builtIn bool

// BuiltIn declares that this binary runs the helper if its only argument is
// [Subcommand]. Call it before the first request.
func BuiltIn() { builtIn = true }

// find returns the command of the helper: this binary itself, the program beside it, or
// the program in $PATH.
func find() (name string, args []string, err error) {
	self, err := os.Executable()
	if err == nil && builtIn {
		return self, []string{Subcommand}, nil
	}
	beside := filepath.Join(filepath.Dir(self), Program)
	if _, is := os.Stat(beside); err == nil && is == nil {
		return beside, nil, nil
	}
	if name, err = exec.LookPath(Program); err != nil {
		return "", nil, &Failure{Code: NoHelper, Detail: "there is no program " + Program + " beside " + self + " and none in $PATH"}
	}
	return name, nil, nil
}

// EnvironmentVariable is the variable with the names of additional variables for the
// helper, separated by spaces.
const EnvironmentVariable = "STRONGROOM_PKCS11_ENV"

// passed are prefixes of the names of variables that PKCS#11 modules read.
var passed = []string{
	"SOFTHSM2_", "OPENSC_", "P11_KIT_", "PKCS11_", // SoftHSM, OpenSC, p11-kit, proxies
	"ChrystokiConfigurationPath", "CS_PKCS11_", "CKNFAST_", "NFAST_", "ET_PTKC_", "ET_HSM_", // Thales, Utimaco, Entrust
	"YUBIHSM_PKCS11_", "KMS_PKCS11_CONFIG", "CLOUDHSM_", // Yubico, Google, Amazon
}

// environment returns the variables for the helper: those that modules are known to
// read, and those that the operator names. It never includes settings of the service.
func environment(all []string) []string {
	names := strings.Fields(os.Getenv(EnvironmentVariable))
	var env []string
	for _, v := range all {
		name, _, _ := strings.Cut(v, "=")
		if isPassed(name, names) && !strings.HasPrefix(name, "STRONGROOM_") {
			env = append(env, v)
		}
	}
	return env
}

func isPassed(name string, names []string) bool {
	return name == "HOME" || name == "PATH" || slices.Contains(names, name) ||
		slices.ContainsFunc(passed, func(beginning string) bool { return strings.HasPrefix(name, beginning) })
}
