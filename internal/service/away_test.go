package service

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"strongroom/internal/admin"
	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
	"strongroom/internal/store"
)

// away is a store that cannot be reached while the test says so.
type away struct {
	store.Store
	reads, writes atomic.Bool  // View and Update fail
	failed        atomic.Int64 // Updates
}

func (a *away) View(ctx context.Context, fn func(store.Tx) error) error {
	if a.reads.Load() {
		return fmt.Errorf("no connection: %w", store.ErrUnavailable)
	}
	return a.Store.View(ctx, fn)
}

func (a *away) Update(ctx context.Context, fn func(store.Tx) error) error {
	if a.writes.Load() {
		a.failed.Add(1)
		return fmt.Errorf("no connection: %w", store.ErrUnavailable)
	}
	return a.Store.Update(ctx, fn)
}

// withoutStore are the reads that need no database. Health says that it is away.
var withoutStore = map[string]bool{"": true, "/openapi.json": true, "/posture": true, "/health": true}

func TestEveryReadOfTheAdminAPISaysThatTheDatabaseIsAway(t *testing.T) {
	s := &away{}
	v := openVault(t, func(c *Config) { s.Store = c.Store; c.Store = s })
	api := admin.Handler(admin.Config{UseCases: operatorapi.UseCases{Inventory: v, Guesses: v, Status: v, Trail: v, Rotation: v, Webhook: v, Custody: v},
		Mode: v.Mode(), Refused: v.OperatorRefused, Log: slog.New(slog.NewTextHandler(v.log, nil))})
	get := func(target string) (*httptest.ResponseRecorder, string) {
		a := httptest.NewRecorder()
		api.ServeHTTP(a, httptest.NewRequestWithContext(v.ctx, http.MethodGet, admin.Root+target, nil))
		body, _ := io.ReadAll(a.Result().Body)
		return a, string(body)
	}
	targets := readsOf(t, get)
	for _, isAway := range []bool{true, false} {
		s.reads.Store(isAway)
		s.writes.Store(isAway)
		for _, target := range targets {
			a, body := get(target)
			var problem struct{ Code, Reason string }
			_ = json.Unmarshal([]byte(body), &problem)
			says := a.Code == 503 && problem.Code == string(domain.CodeOverloaded) && problem.Reason == domain.ReasonDatabaseUnavailable && a.Header().Get("Retry-After") != ""
			if says != (isAway && !withoutStore[target]) || a.Code == 500 {
				t.Errorf("GET %s with the database away (%v): %d %s", target, isAway, a.Code, body)
			}
		}
	}
	if n := strings.Count(v.log.String(), "operation failed"); n != 0 {
		t.Errorf("%d log lines say that an operation failed", n)
	}
}

// readsOf returns the targets of all GET operations in the OpenAPI document, below
// [admin.Root], with the examples of their paths.
func readsOf(t *testing.T, get func(string) (*httptest.ResponseRecorder, string)) (targets []string) {
	t.Helper()
	var doc struct {
		Paths map[string]struct {
			Get *struct {
				Parameters []struct {
					Name, In string
					Example  any
				}
			}
		}
	}
	_, text := get("/openapi.json")
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	for path, methods := range doc.Paths {
		if methods.Get == nil {
			continue
		}
		target := strings.TrimPrefix(path, admin.Root)
		for _, p := range methods.Get.Parameters {
			if p.In == "path" {
				target = strings.ReplaceAll(target, "{"+p.Name+"}", fmt.Sprint(p.Example))
			}
		}
		targets = append(targets, target)
	}
	if len(targets) < 20 {
		t.Fatalf("the document describes only %d reads", len(targets))
	}
	return targets
}
