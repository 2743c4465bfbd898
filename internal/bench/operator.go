package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// mostRead is the maximum number of devices that an operator reads one by one.
const mostRead = 256

// operator builds the requests of an operator who reads the admin API of a server that
// bench started.
type operator struct {
	to    *url.URL
	token string
	about []*strings.Replacer // for each device: replaces the names in braces
}

// newOperator returns the operator of the server whose operator listener is at
// address. It reads the token that serve created in the data directory.
func newOperator(dataDir, address string) (*operator, error) {
	text, err := os.ReadFile(filepath.Join(dataDir, "admin.token")) //nolint:gosec // of our own server
	if err != nil {
		return nil, err
	}
	words := strings.Fields(string(text))
	if len(words) == 0 {
		return nil, errors.New("the server's admin.token is empty")
	}
	return &operator{to: &url.URL{Scheme: "http", Host: address}, token: words[0]}, nil
}

// get returns a complete HTTP/1.1 request.
func (o *operator) get(path string) []byte {
	return fmt.Appendf(nil, "GET /admin/v1%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", path, o.to.Host, o.token)
}

// prepare looks up the ids and positions that the reads need.
func (o *operator) prepare(ctx context.Context, devices []device) error {
	c := &conn{to: o.to, deadline: time.Now().Add(answerTimeout)}
	defer c.close()
	var next struct{ devices, audit struct{ Next string } }
	if err := errors.Join(o.look(ctx, c, "/devices?limit=200", &next.devices), o.look(ctx, c, "/audit?limit=200", &next.audit)); err != nil {
		return err
	}
	if next.devices.Next == "" || next.audit.Next == "" {
		return errors.New("there is no second page to read: use more than 200 devices")
	}
	for _, d := range devices[:min(len(devices), mostRead)] {
		var found struct {
			Items []struct{ Account struct{ ID string } }
		}
		name := url.QueryEscape(d.name)
		if err := o.look(ctx, c, "/devices?deviceId="+name, &found); err != nil {
			return err
		}
		if len(found.Items) != 1 {
			return fmt.Errorf("the admin API has %d devices %s", len(found.Items), d.name)
		}
		o.about = append(o.about, strings.NewReplacer("{devices}", next.devices.Next, "{audit}", next.audit.Next,
			"{device}", name, "{prefix}", name[:max(1, len(name)-3)], "{key}", d.keyID, "{account}", found.Items[0].Account.ID))
	}
	return nil
}

// look makes one request outside of any measurement.
func (o *operator) look(ctx context.Context, c *conn, path string, into any) error {
	status, answer, err := c.do(ctx, o.get(path))
	if err == nil && status != 200 {
		err = fmt.Errorf("answered %s: %.200s", codeOf(status, answer), answer)
	}
	if err == nil {
		err = json.Unmarshal(answer, into)
	}
	return err
}

// request returns the ith request: every read of one device, then of the next.
func (o *operator) request(i int) request {
	r, about := reads[i%len(reads)], o.about[i/len(reads)%len(o.about)]
	return request{kindRead + kind(i%len(reads)), o.get(about.Replace(r.path)), []byte(about.Replace(r.want)), 0} //nolint:gosec // a small number
}
