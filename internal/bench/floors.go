package bench

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"os"
	"runtime"
	"sync"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/crypto/verifier"
)

// Names of the floors.
const (
	floorPrimitives = "primitives"        // open and parse a private key, OAEP, open a verifier, hash
	floorCommit     = "durable commit"    // append 4 KiB to a file and wait for the disk
	floorGenerate   = "key generation"    // alone
	floorEcho       = "net/http echo, %d" // decode and encode the JSON of an "existing" request, for so many clients
)

// Cost is what determines the cost of a verification.
type Cost struct {
	Algorithm devicekey.Algorithm // of the devices' keys
	Bits      int                 // of the RSA modulus
	Verifier  verifier.Params
}

// specimen is one stored key and verifier in the service's storage format, and a
// ciphertext for them.
type specimen struct {
	keys                            *seal.Keyset
	algorithm                       devicekey.Algorithm
	spki, sealedKey, sealedVerifier []byte
	ciphertext                      []byte
}

const specimenSecret = "493817"

// newSpecimen and verify do the cryptography of the service. Nothing else in this
// package depends on it.
func newSpecimen(cost Cost) (*specimen, error) {
	keys, err := seal.NewKeyset()
	if err != nil {
		return nil, err
	}
	spki, private, err := newKey(cost)
	if err != nil {
		return nil, err
	}
	to, err := devicekey.ParseRecipient(devicekey.PEM(spki))
	if err != nil {
		return nil, err
	}
	var matrix argon2.Matrix
	defer matrix.Release()
	encoded, err := verifier.New(&matrix, []byte(specimenSecret), cost.Verifier)
	if err != nil {
		return nil, err
	}
	s := &specimen{keys: keys, algorithm: cost.Algorithm, spki: spki}
	text, err1 := to.Encrypt([]byte(specimenSecret), nil)
	s.ciphertext, err = base64.StdEncoding.DecodeString(text)
	var err2, err3 error
	s.sealedKey, err2 = keys.Seal(private, []byte("key"))
	s.sealedVerifier, err3 = keys.Seal(encoded, []byte("verifier"))
	return s, errors.Join(err, err1, err2, err3)
}

// newKey generates a key pair and returns it in its storage format.
func newKey(cost Cost) (spki, private []byte, err error) {
	if cost.Algorithm != devicekey.RSAOAEP256 {
		return devicekey.GenerateHPKE(cost.Algorithm)
	}
	key, err := devicekey.Generate(cost.Bits)
	if err != nil {
		return nil, nil, err
	}
	spki, err = devicekey.MarshalPublic(&key.PublicKey)
	return spki, devicekey.MarshalPrivate(key), err
}

// whole is the binding of a specimen's ciphertext: none.
var whole = devicekey.Binding{Forms: devicekey.Forms(devicekey.DefaultVariants, "", false)}

// verify does a verification without a server and a store. Each thread must
// have its own m.
func (s *specimen) verify(m *argon2.Matrix) error {
	plain, err := s.keys.Open(s.sealedKey, []byte("key"))
	if err != nil {
		return err
	}
	private, err := devicekey.ParsePrivate(s.algorithm, plain, s.spki)
	if err != nil {
		return err
	}
	secret, _, err := private.Open(s.ciphertext, whole)
	if err != nil {
		return err
	}
	encoded, err := s.keys.Open(s.sealedVerifier, []byte("verifier"))
	if err != nil {
		return err
	}
	same, err := verifier.Compare(m, encoded, secret)
	if err == nil && !same {
		err = errors.New("the primitives do not agree with one another")
	}
	return err
}

// primitivesFloor repeats a verification's primitives on as many threads as
// there are cores.
func primitivesFloor(ctx context.Context, cost Cost, d time.Duration) (Floor, error) {
	s, err := newSpecimen(cost)
	if err != nil {
		return Floor{}, err
	}
	return onEveryCore(ctx, floorPrimitives, d, s.verify)
}

func generateFloor(ctx context.Context, cost Cost, d time.Duration) (Floor, error) {
	return onEveryCore(ctx, floorGenerate, d, func(*argon2.Matrix) error {
		if cost.Algorithm != devicekey.RSAOAEP256 {
			_, _, err := devicekey.GenerateHPKE(cost.Algorithm)
			return err
		}
		_, err := rsa.GenerateKey(rand.Reader, cost.Bits)
		return err
	})
}

// onEveryCore repeats fn for d on as many threads as there are cores, after each has
// called it once to warm up. A thread finishes the call that is running at the
// end, so that rate and CPU are those of complete calls.
func onEveryCore(ctx context.Context, name string, d time.Duration, fn func(*argon2.Matrix) error) (Floor, error) {
	f := Floor{Name: name, Threads: runtime.GOMAXPROCS(0)}
	var mu sync.Mutex // guards f, done and failed
	var done int
	var failed error
	var times latencies
	var before usage
	var begin time.Time
	var warm, workers sync.WaitGroup
	warm.Add(f.Threads)
	start := make(chan struct{})
	for range f.Threads {
		workers.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var matrix argon2.Matrix
			defer matrix.Release()
			err := fn(&matrix)
			warm.Done()
			<-start
			n := 0
			for at := begin; err == nil && at.Sub(begin) < d && ctx.Err() == nil; n++ {
				err = fn(&matrix)
				now := time.Now()
				times.add(now.Sub(at))
				at = now
			}
			mu.Lock()
			defer mu.Unlock()
			done += n
			failed = errors.Join(failed, err)
			f.PerSecond += float64(n) / time.Since(begin).Seconds()
		})
	}
	warm.Wait()
	before, begin = usageOf(os.Getpid()), time.Now()
	close(start)
	workers.Wait()
	f.Latency = times.summary()
	if after := usageOf(os.Getpid()); after.known && done > 0 {
		f.CPUMillis = millis(after.cpu-before.cpu) / float64(done)
	}
	return f, errors.Join(failed, ctx.Err())
}

// commitFloor appends to a file in dir, 4 KiB at a time, and waits for the disk
// each time. A durable commit cannot be faster.
func commitFloor(ctx context.Context, dir string, d time.Duration) (_ Floor, err error) {
	f, err := os.CreateTemp(dir, "bench-commit-")
	if err != nil {
		return Floor{}, err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	page := make([]byte, 4096)
	rand.Read(page) // never fails: crypto/rand ends the process instead
	var times latencies
	begin := time.Now()
	for time.Since(begin) < d && ctx.Err() == nil {
		start := time.Now()
		if _, err := f.Write(page); err != nil {
			return Floor{}, err
		}
		if err := syncData(f); err != nil {
			return Floor{}, err
		}
		times.add(time.Since(start))
	}
	return Floor{Name: floorCommit, Threads: 1, PerSecond: float64(times.count()) / time.Since(begin).Seconds(),
		Latency: times.summary()}, ctx.Err()
}
