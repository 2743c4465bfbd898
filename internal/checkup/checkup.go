// Package checkup judges the answers of a deployment's servers, and says what to do
// about each finding. It sends no requests: the command "doctor" collects the answers.
package checkup

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"strongroom/internal/admin"
	"strongroom/internal/domain"
)

// State is how bad a finding is.
type State string

// The states, the best first.
const (
	OK      State = "ok"
	Warning State = "warning" // it works now, but will fail soon or in a disaster
	Bad     State = "bad"     // it does not work, or is not safe
)

// Finding is the result of one check.
type Finding struct {
	Check  string `json:"check"`
	Where  string `json:"where"` // URL of a server, a path, "this machine", or "all"
	State  State  `json:"state"`
	Text   string `json:"text"`
	Remedy string `json:"remedy,omitempty"` // what to do; empty if it is ok
	Page   string `json:"page,omitempty"`   // of the documentation that says more
}

// Instance holds the answers of one server.
type Instance struct {
	URL     string
	Err     error // why it did not answer, or refused; then the other fields are not used
	Ready   Readiness
	Health  admin.Health
	Posture []domain.PostureCheck
	// Metrics has the gauges and counters: by name, summed over all labels, and by name and
	// labels, such as strongroom_http_connections{listener="api"}. A metric is missing if
	// the setting that it is about is off.
	Metrics map[string]float64
	// RSAKeys counts the active keys of RSA, unless RSAKeysErr says why it could not. It is
	// only used if [Instance.OffersRSA] is false.
	RSAKeys    admin.RotationPreview
	RSAKeysErr error
	// Asked and Answered are this machine's clock around the request for Health.
	Asked, Answered time.Time
}

// Readiness is the answer of GET /readyz of the operator listener.
type Readiness struct {
	Status   string // "ready"
	RootKeys []struct {
		Provider string
		Opens    bool
		Reason   string
	}
}

// Limits of the checks.
const (
	clockTolerance   = 2 * time.Second
	certificateSoon  = 30 * 24 * time.Hour
	certificateLate  = 3 * 24 * time.Hour
	backupLate       = 8 * 24 * time.Hour // a week, and a day for the backup itself
	checkpointLate   = 24 * time.Hour
	witnessLate      = time.Minute
	lagLate          = 5 * time.Minute
	connectionsShare = 0.9
)

// Of returns the findings about servers that share one database. version is the version
// of this binary.
func Of(instances []Instance, version string, now time.Time) []Finding {
	var all []Finding
	for _, i := range instances {
		if i.Err != nil {
			all = append(all, Finding{"server", i.URL, Bad, "The server does not answer this command: " + i.Err.Error(),
				"Start the server, or give the URL of its operator listener and a valid token.", "runbook.md#strongroomdown"})
			continue
		}
		for _, check := range []func(time.Time) Finding{i.ready, i.rootKey, i.clock, i.certificate, i.backup, i.checkpoint, i.witness,
			i.disk, i.trail, i.edited, i.connections, i.events, i.algorithms, i.posture} {
			f := check(now)
			f.Where = i.URL
			all = append(all, f)
		}
	}
	if slices.ContainsFunc(instances, func(i Instance) bool { return i.Err == nil }) {
		all = append(all, versions(instances, version))
	}
	return all
}

func (i Instance) ready(time.Time) Finding {
	if i.Ready.Status != "ready" {
		return Finding{Check: "readiness", State: Bad, Text: "/readyz answers " + i.Ready.Status + ", so load balancers send no requests.",
			Remedy: "Look for the log line \"not ready\", which has the reason.", Page: "runbook.md#strongroomnotready"}
	}
	return Finding{Check: "readiness", State: OK, Text: "The server is ready, and its database accepts writes."}
}

func (i Instance) rootKey(time.Time) Finding {
	for _, k := range i.Ready.RootKeys {
		if !k.Opens {
			return Finding{Check: "root key", State: Bad, Text: fmt.Sprintf("The root key of %s does not open the data keys (%s). The service works until it restarts.", k.Provider, k.Reason),
				Remedy: "If you have just rotated the root key, restart this instance with the new one. Otherwise make the key available again before an instance restarts.", Page: "runbook.md#strongroomrootkeygone"}
		}
	}
	return Finding{Check: "root key", State: OK, Text: "Each configured root key opens the data keys."}
}

// clock compares three clocks: this machine's, the instance's, and the database's.
func (i Instance) clock(time.Time) Finding {
	off := time.Duration(0) // of the instance, beyond the time that the request took
	if at := i.Health.InstanceTime; at.Before(i.Asked) {
		off = at.Sub(i.Asked)
	} else if at.After(i.Answered) {
		off = at.Sub(i.Answered)
	}
	if store := i.Health.StoreTime; !store.IsZero() {
		if gap := store.Sub(i.Health.InstanceTime); gap.Abs() > off.Abs() {
			off = gap
		}
	}
	if off.Abs() > clockTolerance {
		return Finding{Check: "clock", State: Bad, Text: fmt.Sprintf("The clocks of this machine, the instance and the database differ by %s. Locks and tokens end at the wrong time.", off.Abs().Round(time.Second)),
			Remedy: "Synchronise these clocks with NTP.", Page: "runbook.md#strongroomclockskew"}
	}
	return Finding{Check: "clock", State: OK, Text: "The clocks of this machine, the instance and the database agree."}
}

func (i Instance) certificate(now time.Time) Finding {
	end, ok := i.Metrics["strongroom_tls_certificate_not_after_seconds"]
	if !ok {
		return Finding{Check: "certificate", State: OK, Text: "The listeners have no TLS: a proxy in front must terminate TLS."}
	}
	left := time.Unix(int64(end), 0).Sub(now)
	f := Finding{Check: "certificate", State: OK, Text: "The TLS certificate is valid for another " + days(left) + "."}
	if left < certificateSoon {
		f.State, f.Remedy, f.Page = Warning, "Renew the certificate. The service re-reads the file when it changes.", "runbook.md#strongroomcertificateends"
	}
	if left < certificateLate {
		f.State = Bad
	}
	if left <= 0 {
		f.Text = "The TLS certificate has expired."
	}
	return f
}

func (i Instance) backup(time.Time) Finding {
	age, ok := i.Metrics["strongroom_backup_last_verified_age_seconds"]
	f := Finding{Check: "backup", Text: "The last verified backup is " + days(seconds(age)) + " old."}
	switch {
	case !ok:
		f.State, f.Text = Warning, "No backup was ever verified."
	case seconds(age) > backupLate:
		f.State = Warning
	default:
		f.State = OK
		return f
	}
	f.Remedy, f.Page = "Each day, run strongroom backup create, then strongroom backup verify --note.", "how-to/back-up.md"
	return f
}

func (i Instance) checkpoint(time.Time) Finding {
	age, ok := i.Metrics["strongroom_checkpoint_age_seconds"]
	switch {
	case !ok:
		return Finding{Check: "checkpoints", State: Warning, Text: "No checkpoints of the audit trail are signed. Anyone who can write to the database and the witness can restore an earlier state of both.",
			Remedy: "Set checkpoint-key, checkpoint-sink and checkpoint-interval.", Page: "how-to/checkpoints.md"}
	case seconds(age) > checkpointLate:
		return Finding{Check: "checkpoints", State: Bad, Text: "The last checkpoint is " + days(seconds(age)) + " old.",
			Remedy: "Look for the log line \"background work failed\".", Page: "runbook.md#strongroomcheckpointslate"}
	}
	return Finding{Check: "checkpoints", State: OK, Text: "The last checkpoint is " + days(seconds(age)) + " old."}
}

func (i Instance) witness(time.Time) Finding {
	age, ok := i.Metrics["strongroom_witness_age_seconds"]
	switch {
	case !ok:
		return Finding{Check: "witness", State: Warning, Text: "There is no witness: an older copy of the database would start without notice.",
			Remedy: "Set witness to a place outside the database.", Page: "how-to/witness.md"}
	case seconds(age) > witnessLate:
		return Finding{Check: "witness", State: Bad, Text: "The witness was last up to date " + seconds(age).Round(time.Second).String() + " ago.",
			Remedy: "Check that the service can reach the witness and write to it.", Page: "runbook.md#strongroomwitnesslate"}
	}
	return Finding{Check: "witness", State: OK, Text: "The witness is up to date."}
}

func (i Instance) disk(time.Time) Finding {
	free, ok := i.Metrics["strongroom_disk_free_bytes"]
	if !ok {
		return Finding{Check: "disk", State: OK, Text: "The database is on another server. Check the disk there."}
	}
	return Disk(uint64(free), uint64(i.Metrics["strongroom_disk_size_bytes"]))
}

// Disk judges the free space, in bytes, of a file system that the service writes to.
func Disk(free, size uint64) Finding {
	f := Finding{Check: "disk", State: OK, Text: fmt.Sprintf("%d of %d MiB are free.", free>>20, size>>20)}
	switch {
	case free < 1<<30 || free < size/20:
		f.State = Bad
	case free < size/7:
		f.State = Warning
	default:
		return f
	}
	f.Remedy, f.Page = "Free or add disk space: on a full disk the service cannot verify anything.", "runbook.md#strongroomdiskfull"
	return f
}

func (i Instance) trail(time.Time) Finding {
	lag := max(i.Metrics["strongroom_audit_lag_seconds"], i.Metrics["strongroom_rollup_lag_seconds"])
	if seconds(lag) > lagLate {
		return Finding{Check: "audit trail", State: Bad, Text: "The counts of the last " + seconds(lag).Round(time.Second).String() + " are not in the database yet.",
			Remedy: "Look for the log line \"background work failed\".", Page: "runbook.md#strongroomauditlag"}
	}
	return Finding{Check: "audit trail", State: OK, Text: "The audit trail is up to date. Only strongroom audit verify detects changed or missing entries."}
}

func (i Instance) edited(time.Time) Finding {
	if n := i.Metrics["strongroom_tampering_total"]; n > 0 {
		return Finding{Check: "edited rows", State: Bad, Text: fmt.Sprintf("Edited rows were refused %.0f times since the start.", n),
			Remedy: "Treat it as an attack until it is explained.", Page: "runbook.md#strongroomtampering"}
	}
	return Finding{Check: "edited rows", State: OK, Text: "No edited row was found since the start."}
}

func (i Instance) connections(time.Time) Finding {
	f := Finding{Check: "capacity", State: OK, Text: "Connections and waiting requests are below their limits."}
	for _, part := range []struct{ name, used, most, labels, page string }{
		{"connections to the API", "strongroom_http_connections", "strongroom_http_connections_max", `{listener="api"}`, "runbook.md#strongroomconnections"},
		{"connections to the operator listener", "strongroom_http_connections", "strongroom_http_connections_max", `{listener="operator"}`, "runbook.md#strongroomconnections"},
		{"waiting requests", "strongroom_lane_requests", "strongroom_lane_requests_max", "", "runbook.md#strongroomwaitingfull"},
	} {
		used, most := i.Metrics[part.used+part.labels], i.Metrics[part.most+part.labels]
		if most > 0 && used > connectionsShare*most {
			f.State, f.Text = Warning, fmt.Sprintf("%.0f of %.0f %s are in use.", used, most, part.name)
			f.Remedy, f.Page = "Find out which clients use them, or add an instance.", part.page
		}
	}
	return f
}

func (i Instance) events(time.Time) Finding {
	if n := i.Metrics["strongroom_webhook_dead_letters"]; n > 0 {
		return Finding{Check: "webhook", State: Warning, Text: fmt.Sprintf("%.0f events are dead letters, because the receiver did not accept them.", n),
			Remedy: "Repair the receiver, then run strongroom admin webhook resend --all.", Page: "runbook.md#strongroomwebhookdeadletters"}
	}
	return Finding{Check: "webhook", State: OK, Text: "There are no dead letters."}
}

// OffersRSA reports whether the server issues keys of RSA-OAEP-256. Its metrics have a
// counter for each algorithm that it offers, also before the first key.
func (i Instance) OffersRSA() bool {
	_, offered := i.Metrics["strongroom_keys_issued_total"+`{algorithm="RSA-OAEP-256"}`]
	return offered
}

// algorithms looks for devices that use RSA while the server offers none. The server does
// not know whether their apps can use anything else.
func (i Instance) algorithms(time.Time) Finding {
	f := Finding{Check: "key algorithms", State: Warning, Page: "how-to/hpke-keys.md"}
	switch {
	case i.OffersRSA():
		return Finding{Check: f.Check, State: OK, Text: "The server offers RSA-OAEP-256, so an app that lists no algorithms gets a key."}
	case i.RSAKeysErr != nil:
		f.Text = "The server does not offer RSA-OAEP-256, and the devices that use it could not be counted: " + i.RSAKeysErr.Error() + "."
		f.Remedy = "Run this command again when the server is ready."
		return f
	case i.RSAKeys.Selected == 0:
		return Finding{Check: f.Check, State: OK, Text: "The server does not offer RSA-OAEP-256, and no device uses it."}
	}
	keys := fmt.Sprint(i.RSAKeys.Selected)
	if i.RSAKeys.SelectedMore {
		keys = "at least " + keys
	}
	f.Text = "The server does not offer RSA-OAEP-256, but devices use it (active keys: " + keys + "). If their apps list no algorithms, their requests for a key are refused with BAD_USER_INPUT."
	f.Remedy = "Add RSA-OAEP-256 to key-algorithms until all apps list an algorithm of the server. Then revoke the RSA keys of devices that no longer come."
	return f
}

func (i Instance) posture(time.Time) Finding {
	var off []string
	for _, check := range i.Posture {
		if check.Required && check.State == domain.CheckOff {
			off = append(off, check.Name)
		}
	}
	if len(off) > 0 {
		return Finding{Check: "posture", State: Warning, Text: "Checks that production needs are off: " + strings.Join(off, ", ") + ".",
			Remedy: "Run strongroom admin posture. It says what an attacker gains from each, and which setting to change.", Page: "how-to/harden.md"}
	}
	return Finding{Check: "posture", State: OK, Text: "Every check that production needs is on."}
}

// versions compares the instances with each other and with this binary.
func versions(instances []Instance, version string) Finding {
	found := map[string][]string{version: {"this command"}}
	for _, i := range instances {
		if i.Err == nil {
			found[i.Health.Version] = append(found[i.Health.Version], i.URL)
		}
	}
	if len(found) == 1 {
		return Finding{Check: "version", Where: "all", State: OK, Text: "Everything is version " + version + "."}
	}
	var parts []string
	for v, who := range found {
		parts = append(parts, v+" ("+strings.Join(who, ", ")+")")
	}
	slices.SortFunc(parts, cmp.Compare)
	return Finding{"version", "all", Warning, "Versions differ: " + strings.Join(parts, ", ") + ".", "Finish the upgrade.", "how-to/upgrade.md"}
}

func seconds(s float64) time.Duration {
	return time.Duration(min(s, math.MaxInt64/float64(time.Second)) * float64(time.Second))
}

// days formats a duration for people: in days; below 2 days in hours, below 2 hours in
// minutes.
func days(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(d/(24*time.Hour)))
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d hours", int(d/time.Hour))
	}
	return fmt.Sprintf("%d min", int(d/time.Minute))
}
