package bench

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"time"
)

// echoed is what an "existing" request holds.
type echoed struct {
	Query     string `json:"query"`
	Variables struct {
		Input struct {
			DeviceID   string `json:"deviceId"`
			AppVersion string `json:"appVersion,omitempty"`
		} `json:"input"`
	} `json:"variables"`
}

const maxEcho = 64 << 10 // bytes of a body, as the service takes

// Echo serves at address until ctx is done. It does the least that a JSON service on
// net/http can do: it decodes a request into a struct and answers with the encoded
// struct. It answers GET with 200, for the process that waits for the start.
func Echo(ctx context.Context, address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	s := &http.Server{Handler: http.HandlerFunc(echo), ReadHeaderTimeout: 5 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() }) // nothing of it is worth draining
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func echo(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		return
	}
	var e echoed
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxEcho)).Decode(&e); err != nil {
		http.Error(w, "not the JSON of a request", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(e) // a disconnected client is not a failure
}
