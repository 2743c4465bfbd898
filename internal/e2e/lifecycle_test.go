package e2e

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// operator reads a page of the operator side, as the admin token allows.
func (i *instance) operator(path string) string {
	i.t.Helper()
	token, err := os.ReadFile(filepath.Join(i.dataDir, "admin.token"))
	if err != nil {
		i.t.Fatal(err)
	}
	req, err := http.NewRequest("GET", i.admin+path, nil)
	if err != nil {
		i.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	resp, err := client.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		i.t.Fatalf("%s on the operator side: %d %v\n%s", path, resp.StatusCode, err, body)
	}
	return string(body)
}
