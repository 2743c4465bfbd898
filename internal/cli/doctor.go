package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/checkup"
	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
	"strongroom/internal/process"
	"strongroom/internal/table"
)

type doctorCmd struct {
	kong.Plugins
	Servers   []string `name:"server" placeholder:"URL" help:"URL of a server's operator listener. Repeat it for each instance of one deployment. Without it: the server of these settings on this machine, and also its database and disk."`
	TokenFile string   `placeholder:"FILE" help:"File whose first word is the token for --server. Default: the token in $STRONGROOM_ADMIN_TOKEN."`
	ServerCA  string   `name:"server-ca" placeholder:"FILE" help:"Certificate authorities (PEM) of --server, if this machine does not trust them already."`
	JSON      bool     `name:"json" help:"Print JSON."`
}

// Run asks the servers, judges their answers, and ends with exit code 1 unless every
// finding is ok.
func (c doctorCmd) Run(ctx context.Context, p *Program) error {
	var findings []checkup.Finding
	var stranger error
	servers := make([]adminclient.Server, len(c.Servers))
	for n, url := range c.Servers {
		servers[n] = adminclient.Server{URL: url, TokenFile: c.TokenFile, CAFile: c.ServerCA}
		if _, err := adminclient.Dial(servers[n]); err != nil { // Dial only checks the flags; it does not connect
			return ExitError{ExitUsage, err}
		}
	}
	if len(servers) == 0 {
		s, err := p.settings()
		if err != nil {
			return err
		}
		here, err := serverHere(s, c)
		if err != nil {
			return err
		}
		servers, stranger = append(servers, here), strangerAt(ctx, strings.TrimPrefix(here.URL, "http://"), s.DataDir)
		findings = append(findings, p.database(ctx, s))
		if findings[0].State != checkup.Bad { // else that finding says why it does not start
			findings = append(findings, p.starts(ctx, s))
		}
		findings = append(findings, disk(s.DataDir))
	}
	instances := make([]checkup.Instance, len(servers))
	var all sync.WaitGroup
	for n, server := range servers {
		if instances[n] = (checkup.Instance{URL: server.URL, Err: stranger}); stranger == nil {
			all.Go(func() { instances[n] = examine(ctx, server) })
		}
	}
	all.Wait()
	findings = append(checkup.Of(instances, p.Version, time.Now()), findings...)
	if err := c.print(p.Stdout, findings); err != nil {
		return err
	}
	for _, f := range findings {
		if f.State != checkup.OK {
			return ExitError{Code: ExitFailed}
		}
	}
	return nil
}

// serverHere returns the operator listener of a server with these settings on this
// machine.
func serverHere(s *config.Settings, c doctorCmd) (adminclient.Server, error) {
	address, err := hereOf(s.AdminListen)
	if err != nil || s.AdminTLS {
		return adminclient.Server{}, usageError("give --server https://NAME:PORT and --token-file: the operator listener has TLS, and the settings do not contain the name in its certificate")
	}
	token := c.TokenFile
	if token == "" && os.Getenv(config.AdminTokenVariable) == "" {
		token = s.AdminTokenFile
	}
	return adminclient.Server{URL: "http://" + address, TokenFile: token, CAFile: c.ServerCA}, nil
}

// strangerAt fails if a user who could not read the token listens at the address of the
// server of this machine. While the server is stopped, any user can do that.
func strangerAt(ctx context.Context, address, dataDir string) error {
	host, service, _ := net.SplitHostPort(address) // of serverHere
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", service)
	if err != nil {
		return err
	}
	all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host) // a connection may go to any of them
	if err != nil {
		return err
	}
	for _, ip := range all {
		at := netip.AddrPortFrom(ip.Unmap(), uint16(port)) //nolint:gosec // LookupPort returns at most 65535
		for _, uid := range process.Listeners(at) {
			if uid != 0 && uid != os.Geteuid() && !ownfile.IsOwner(dataDir, uid) {
				return fmt.Errorf("user %d listens on %s, and neither runs this command nor owns the data directory, "+
					"so no token was sent; if that process is the server, run this command as its user or give --server", uid, at)
			}
		}
	}
	return nil
}

// examine reads from one server everything that checkup judges.
func examine(ctx context.Context, server adminclient.Server) checkup.Instance {
	i := checkup.Instance{URL: server.URL}
	i.Err = func() error {
		a, err := adminclient.Dial(server)
		if err != nil {
			return err
		}
		i.Asked = time.Now()
		if err := a.Read(ctx, "/health", nil, &i.Health); err != nil {
			return err
		}
		i.Answered = time.Now()
		var posture admin.List[domain.PostureCheck]
		if err := a.Read(ctx, "/posture", nil, &posture); err != nil {
			return err
		}
		i.Posture = posture.Items
		ready, err := a.Page(ctx, "/readyz")
		if err != nil {
			return err
		}
		if err := adminclient.Decode(ready, &i.Ready); err != nil {
			return err
		}
		metrics, err := a.Page(ctx, "/metrics")
		if err != nil {
			return err
		}
		if i.Metrics, err = checkup.Metrics(bytes.NewReader(metrics)); err == nil && !i.OffersRSA() {
			i.RSAKeysErr = a.Read(ctx, "/rotation-plans/preview", values("upgrade", "true"), &i.RSAKeys) // also keys of today
		}
		return err
	}()
	return i
}

// database judges the database of these settings. OpenSchema also refuses a PostgreSQL
// server whose settings could lose acknowledged commits.
func (p *Program) database(ctx context.Context, s *config.Settings) checkup.Finding {
	f := checkup.Finding{Check: "database", Where: "this machine", State: checkup.Bad, Page: "how-to/upgrade.md"}
	schema, err := p.OpenSchema(ctx, s, false)
	if err == nil {
		defer func() { _ = schema.Close() }() // it was only read
		err = schema.CheckSchema(ctx)
	}
	if err != nil {
		f.Text, f.Remedy, f.Page = "The database cannot be used: "+err.Error()+".", "Do what the message says.", "reference/troubleshooting.md"
		return f
	}
	have, known, err := schema.SchemaVersion(ctx)
	switch {
	case err != nil:
		f.Text, f.Remedy = "The schema cannot be read: "+err.Error()+".", "Check the log of the database server."
	case have < known:
		f.State, f.Text, f.Remedy = checkup.Warning, fmt.Sprintf("The schema has version %d, and this binary needs %d.", have, known), "Run strongroom migrate, or restart the service."
	case have > known:
		f.State, f.Text, f.Remedy = checkup.Warning, fmt.Sprintf("The schema has version %d, and this binary only knows versions up to %d.", have, known), "Finish the upgrade on this machine."
	default:
		if revoke := anyoneCreates(ctx, schema); revoke != "" {
			f.State, f.Text = checkup.Warning, "Every role may create objects in the schema of the database, and so could change what statements do."
			f.Remedy, f.Page = "Run "+revoke+".", "how-to/postgresql.md#set-up-postgresql"
			return f
		}
		return checkup.Finding{Check: "database", Where: f.Where, State: checkup.OK, Text: fmt.Sprintf("Its settings keep acknowledged commits, and its schema has version %d.", have)}
	}
	return f
}

// anyoneCreates returns the statement to run if every role may create objects in the
// schema, and "" for an engine without roles.
func anyoneCreates(ctx context.Context, schema Schema) string {
	if s, ok := schema.(interface{ AnyoneCreates(context.Context) string }); ok {
		return s.AnyoneCreates(ctx)
	}
	return ""
}

// starts judges whether the database opens now with the accounts and the root keys of
// these settings. It does not compare the database with its witness or checkpoints, as a
// start does.
func (p *Program) starts(ctx context.Context, s *config.Settings) checkup.Finding {
	f := checkup.Finding{Check: "start", Where: "this machine", State: checkup.Bad, Page: "runbook.md#strongroomrootkeygone"}
	v, err := p.OpenVault(ctx, s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		f.Text, f.Remedy, f.Page = "The server could not start now: "+err.Error()+".", "Do what the message says.", "reference/troubleshooting.md"
		return f
	}
	defer func() { _ = v.Close() }() // it was only read
	if v.Mode != s.Accounts {
		f.Text = fmt.Sprintf("The server could not start now with these settings: the database holds accounts of mode %s, and accounts is %s.", v.Mode, s.Accounts)
		f.Remedy, f.Page = "Set accounts to "+string(v.Mode)+", or name another database.", "callers.md#which-mode"
		return f
	}
	keys, err := v.RootKeys.RootKeys(asOperator(ctx))
	if err != nil {
		f.Text, f.Remedy = "The root keys cannot be read: "+plainRefusal(err).Error()+".", "Do what the message says."
		return f
	}
	for _, k := range keys {
		if k.Problem != "" {
			f.State, f.Text, f.Remedy = checkup.Warning, "The database opens now, but not with each of its root keys: "+k.Problem+".", "Make this root key available again, or remove it."
			return f
		}
	}
	return checkup.Finding{Check: "start", Where: f.Where, State: checkup.OK, Text: "Each root key of the settings opens the database, and its accounts have the mode of the settings. It was not compared with its witness and checkpoints: only a start does this."}
}

// disk judges the free space for the data directory.
func disk(dir string) checkup.Finding {
	free, size, err := process.Disk(dir)
	if err != nil {
		return checkup.Finding{Check: "data directory", Where: dir, State: checkup.Bad, Text: "The free space cannot be read: " + err.Error() + ".", Remedy: "Check the path and the mount."}
	}
	f := checkup.Disk(free, size)
	f.Check, f.Where = "data directory", dir
	return f
}

// print prints JSON, or each finding and below it what to do.
func (c doctorCmd) print(w io.Writer, findings []checkup.Finding) error {
	if c.JSON {
		text, err := json.MarshalIndent(map[string]any{"items": findings}, "", "  ")
		if err != nil {
			return err
		}
		_, err = w.Write(append(admin.Printable(text), '\n'))
		return err
	}
	count := map[checkup.State]int{}
	where := ""
	for _, f := range findings {
		if count[f.State]++; f.Where != where {
			where = f.Where
			fmt.Fprintf(w, "%s\n", table.Words(where))
		}
		var text strings.Builder
		state := fmt.Sprintf("  %-8s ", f.State)
		indent := strings.Repeat(" ", len(state))
		table.Wrap(&text, indent, table.Words(f.Check+": "+f.Text), table.UsualLine)
		fmt.Fprint(w, state, strings.TrimPrefix(text.String(), indent))
		if f.Page != "" {
			f.Remedy += " See docs/" + f.Page
		}
		if f.Remedy != "" {
			table.Wrap(w, indent, table.Words(f.Remedy), table.UsualLine)
		}
	}
	fmt.Fprintf(w, "%d ok, %s, %d bad.\n", count[checkup.OK], counted(count[checkup.Warning], "warning", "warnings"), count[checkup.Bad])
	return nil
}
