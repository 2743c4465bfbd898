package domain

import (
	"slices"
	"time"
)

// Event names what an audit entry records. The set is closed: operators alert on it.
type Event string

// The events of the audit trail.
const (
	EventKeyIssued          Event = "key.issued"
	EventKeyRotated         Event = "key.rotated" // the previous key ended; key.issued follows for the new one
	EventKeyExpired         Event = "key.expired"
	EventKeyRevoked         Event = "key.revoked"
	EventKeyErased          Event = "key.erased"      // its grace ended and the private key was erased
	EventKeyRemoved         Event = "key.removed"     // its account was erased, and the record of the key with it
	EventKeyAppVersion      Event = "key.app_version" // the client named a newer app
	EventKeyBound           Event = "key.bound"       // each use of the key needs a proof by one key from now on
	EventKeyUnbound         Event = "key.unbound"     // the binding ended
	EventCredentialSet      Event = "credential.set"
	EventCredentialReset    Event = "credential.reset"       // set during a lock by a caller with credential:reset, which cleared the lock
	EventCredentialMarked   Event = "credential.must_change" // an operator demands that its secret is changed
	EventCredentialReused   Event = "credential.reused"      // a set to one of the previous secrets: refused, and a failure
	EventCredentialVerified Event = "credential.verified"
	EventCredentialMismatch Event = "credential.mismatch"
	EventCredentialRehashed Event = "credential.rehashed"
	EventCredentialLocked   Event = "credential.locked"
	EventDeviceLocked       Event = "device.locked" // one device of an account used up its own budget
	EventCredentialErased   Event = "credential.erased"
	EventAttemptsLapsed     Event = "attempts.lapsed" // attempts whose process died, counted as failures
	EventAttemptsReset      Event = "attempts.reset"  // a first set started a new attempt counter
	EventAttemptsUnlocked   Event = "attempts.unlocked"
	EventAttemptsReplayed   Event = "attempts.replayed" // failures that the backup lacked were counted again after a restore
	EventAttemptsErased     Event = "attempts.erased"
	EventAccountErased      Event = "account.erased"
	EventAccountExported    Event = "account.exported"      // an operator exported what is stored about an account
	EventAccountMoved       Event = "account.moved"         // a record of an account, or all of it, left for another store
	EventAccountReceived    Event = "account.received"      // a record of an account, or all of it, came from another store
	EventTamperingSeen      Event = "tampering.seen"        // a row failed its seal or MAC and was refused
	EventOperationsCounted  Event = "operations.counted"    // aggregate: operations that changed nothing
	EventRefusalsCounted    Event = "refusals.counted"      // aggregate: requests refused before their use case
	EventStoreInitialised   Event = "store.initialised"     // the first entry of all
	EventChainBegun         Event = "chain.begun"           // the first entry of a process's own chain
	EventChainTied          Event = "chain.tied"            // names the head of another chain
	EventCheckpoint         Event = "audit.checkpoint"      // a signed note of the heads of all chains was made
	EventRecordCarried      Event = "record.carried"        // repeats what a pruned entry said about a record
	EventChainVerified      Event = "chain.verified"        // a prune found a chain intact up to the entry that this one names
	EventPruned             Event = "audit.pruned"          // a chain may begin after the entry that this one names
	EventRotationStarted    Event = "rotation.started"      // an operator began a rotation plan
	EventRotationStopped    Event = "rotation.stopped"      // an operator ended it
	EventRotationFinished   Event = "rotation.finished"     // it ended by itself: it selects no further key
	EventRotationCarried    Event = "rotation.carried"      // record.carried of a rotation plan; an event of its own, so that the newest is found fast
	EventWebhookResent      Event = "webhook.resent"        // an operator sent an event again that was set aside
	EventGuessingSuspected  Event = "guessing.suspected"    // wrong answers for many accounts came from one source
	EventOverwriteRefused   Event = "overwrite.refused"     // a set may not replace the credential: no or a wrong current secret, or an old sign-in
	EventClockStepped       Event = "clock.stepped"         // a clock was set: the database's, or that of an instance's machine
	EventStoreRestored      Event = "store.restored"        // a backup was restored, or an operator accepted a database that is older than its witness, or the loss of the witness
	EventWitnessBegun       Event = "witness.begun"         // a file outside the database names the newest entries from now on
	EventSigningCreated     Event = "signing_key.created"   // the service made a key that signs from some time on
	EventSigningActivated   Event = "signing_key.activated" // an operator had a key sign earlier
	EventSigningErased      Event = "signing_key.erased"    // the private key of a retired one was erased
	EventSigningWithdrawn   Event = "signing_key.withdrawn" // an operator removed it: nothing that it signed is accepted
	EventRecordRewrapped    Event = "record.rewrapped"      // a record was sealed again under the primary data key
	EventDataKeyAdded       Event = "data_key.added"        // there is one more data key, which is not used yet
	EventDataKeyActivated   Event = "data_key.activated"    // new values are under it from now on
	EventDataKeyRewrapped   Event = "data_key.rewrapped"    // nothing is under an older data key any more
	EventRewrapPaused       Event = "rewrap.paused"         // an operator stopped the rewrap
	EventRewrapResumed      Event = "rewrap.resumed"        // and let it go on
	EventDataKeyDestroyed   Event = "data_key.destroyed"    // an operator destroyed the older data keys
	EventRootKeyAdded       Event = "root_key.added"        // the data keys were wrapped under one more root key
	EventRootKeyRemoved     Event = "root_key.removed"      // a wrap was removed
	EventRootKeyRotated     Event = "root_key.rotated"      // a wrap was replaced by one under another root key
	EventReceiptIssued      Event = "receipt.issued"        // a correct secret got a signed receipt
	EventReceiptRedeemed    Event = "receipt.redeemed"      // a backend used it up
)

// FrequentEvents are not in the index of the trail by event: there are so many that
// indexing them would slow down each operation. The list is the same as in the
// released migrations, so every event that was added later is rare.
var FrequentEvents = []Event{EventCredentialVerified, EventCredentialMismatch, EventOperationsCounted, EventRefusalsCounted,
	EventKeyIssued, EventKeyAppVersion, EventCredentialSet, EventChainTied, EventCheckpoint, EventRecordCarried}

// Rare reports whether entries of this event are in the index of the trail by
// event.
func (e Event) Rare() bool { return !slices.Contains(FrequentEvents, e) }

// Known reports whether the trail can have entries of this event.
func (e Event) Known() bool { return slices.Contains(Events(), e) }

// Events are all events of the trail, in order of their names.
func Events() []Event {
	return slices.Sorted(slices.Values(slices.Concat(EventsOut, EventsOutByName, EventsOfTheTrail)))
}

// Entry is one line of the audit trail. The hash of each covers the hash of
// the one before it. Times are the database's; accounts and devices appear as
// keyed hashes only, secrets in no form at all.
type Entry struct {
	Chain     string
	Seq       int64 // from 1, without gaps
	Time      time.Time
	RequestID string
	Actor     string // "caller", "system", or "operator:" and [Operator.Name]; entries of 0.1 say "operator" only
	Event     Event
	Outcome   string    // "ok", a verdict, a rule, or an error code
	Operation Operation // the encryption operation that this entry counts as, or ""
	Failed    bool      // that operation failed
	Count     int64     // 1, or how many an aggregate stands for
	Duration  time.Duration
	KeyID     string
	Account   []byte // keyed hash, 16 bytes, or empty
	Device    []byte // keyed hash, 16 bytes, or empty
	Record    string // kind and id of the row that changed ("key/…"), or ""
	Version   int64  // of that row
	Before    []byte // digest of that row as the change found it; empty: there was none
	Digest    []byte // of that row as it now is; empty: it is gone
	Reason    string // the reason that an operator gave, or a detail of the event
	Prev      []byte // Hash of the entry before
	Hash      []byte // keyed, over everything above; see [ShortHash]

	// About is what the event in the outbox says in clear text. It is no part of
	// the trail: it is neither stored nor hashed.
	About About
	// Tampered says to operators that the entry does not fit its Hash. It is no
	// part of the trail either.
	Tampered bool
}

// IsVerdict reports whether the event is a verdict. Most entries are.
func (e Event) IsVerdict() bool { return e == EventCredentialVerified || e == EventCredentialMismatch }

// Sizes in a short verdict, in bytes. In a long one, the hash has 37 and a digest 32. A tag
// of 128 bits is long enough (HMAC-SHA-256-128, RFC 4868). 8 bytes distinguish all states of
// one attempt counter: the row of the counter has a MAC, so nobody can choose a state with
// the same digest.
const (
	ShortHash   = 1 + 4 + 16 // format, key id and tag
	ShortDigest = 8
)

// Canonical is the entry, Prev included and Hash left out, in the one form
// that Hash is computed over. The leading number is the format version. A new
// field comes last, and only if it is not empty: entries without it then keep
// their form, and no other entry can have the form of one with it. So the
// version stays 1.
func (e Entry) Canonical() []byte {
	failed := []byte{0}
	if e.Failed {
		failed[0] = 1
	}
	return Encode([]byte{1}, []byte(Tenant), []byte(e.Chain), EncodeInt(e.Seq), EncodeTime(e.Time), []byte(e.RequestID),
		[]byte(e.Actor), []byte(e.Event), []byte(e.Outcome), []byte(e.Operation), failed, EncodeInt(e.Count),
		EncodeInt(e.Duration.Microseconds()), []byte(e.KeyID), e.Account, e.Device, []byte(e.Record),
		EncodeInt(e.Version), e.Before, e.Digest, []byte(e.Reason), e.Prev)
}

// The kinds of record that an entry can be about, as the part before "/" in
// [Entry.Record].
const (
	RecordKey        = "key"
	RecordCredential = "credential"
	RecordAttempts   = "attempts"
	RecordChain      = "chain"
	RecordPlan       = "plan"    // of key rotation; it is kept in a setting, and its record ends when it does
	RecordMove       = "move"    // of an account; it is kept in a setting. Its entries name the account: see [MoveOf]
	RecordSetting    = "setting" // no entry is about one: a setting that must not be edited has a MAC
	// RecordAccount: its id is a keyed hash of its name, and it holds nothing else, so
	// no entry holds its digest. The entry of its erasure names it, for readers
	// who have only the id.
	RecordAccount = "account"
	// RecordSigningKey: its row carries a MAC, and no entry holds its digest. The
	// entries about it name it by its number.
	RecordSigningKey = "signing-key"
	RecordEvent      = "event" // of the outbox, which has a MAC; an entry names it if an operator sends it again
)
