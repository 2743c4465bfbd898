package bench

// kind is what one request does. A Mix has several kinds.
type kind uint8

const (
	kindIssue kind = iota
	kindExisting
	kindSet
	kindVerify
	kindWrong
	kindSummary
	kindRead // the first of the operator's reads; the others follow
	kinds    = kindRead + kind(len(reads))
)

var kindNames = func() (names [kinds]string) {
	copy(names[:], []string{"issue", "existing", "set", "verify", "wrong", "summary"})
	for i, r := range reads {
		names[int(kindRead)+i] = r.name
	}
	return names
}()

// request is built before the clock runs, so that only the write is left.
type request struct {
	kind   kind
	bytes  []byte
	want   []byte // what a successful answer contains
	serial int    // offset of the serial number of a new device; 0: there is none
}

// reads are the requests of an operator, in this order. Lists are read in the longest
// pages. Names in braces are placeholders for the ids of one device, or for the position
// of the second page.
var reads = [...]struct {
	name string
	path string // below /admin/v1
	want string // what a successful answer contains
}{
	{"devices", "/devices?limit=200", `"deviceId":"`},
	{"devices, next page", "/devices?limit=200&after={devices}", `"deviceId":"`},
	{"devices by prefix", "/devices?limit=200&prefix={prefix}", `"deviceId":"{prefix}`},
	{"device by name", "/devices?deviceId={device}", `"deviceId":"{device}"`},
	{"device by key", "/devices?keyId={key}", `"keyId":"{key}"`},
	{"key", "/keys/{key}", `"keyId":"{key}"`},
	{"accounts", "/accounts?limit=200", `"subject":"`},
	{"account by name", "/accounts?subject={device}", `"id":"{account}"`},
	{"account", "/accounts/{account}", `"credentials":[{`},
	{"locks", "/locks?limit=200", `"items":[`},
	{"lock trend, 31 days", "/locks/trend?hours=744", `"items":[{`},
	{"suspicions", "/suspicions", `"items":[`},
	{"health", "/health", `"store":true`},
	{"posture", "/posture", `"items":[{`},
	{"operations, 1 h", "/operations?hours=1", `"widthSeconds":`},
	{"operations, 24 h", "/operations?hours=24", `"widthSeconds":`},
	{"operations, 30 days", "/operations?hours=720", `"widthSeconds":`},
	{"operations, 3 years", "/operations?hours=26280", `"widthSeconds":`},
	{"summary, 24 h", "/summary?hours=24", `"totalOperations":`},
	{"summary, 1 year", "/summary?hours=8760", `"totalOperations":`},
	{"audit", "/audit?limit=200", `"seq":`},
	{"audit, next page", "/audit?limit=200&after={audit}", `"seq":`},
	{"audit of an account", "/audit?limit=200&accountId={account}", `"keyId":"{key}"`},
	{"audit of a key", "/audit?limit=200&keyId={key}", `"keyId":"{key}"`},
	{"audit of a rare event", "/audit?limit=200&event=credential.locked", `"items":[`},
	{"audit of a frequent event", "/audit?limit=200&event=credential.verified", `"seq":`},
	{"audit, nothing like it", "/audit?limit=200&outcome=nothing", `"items":[]`},
	{"rotation plans", "/rotation-plans", `"items":[`},
	{"export of 1000 entries", "/audit/export?limit=1000", `"hash":"`},
}
