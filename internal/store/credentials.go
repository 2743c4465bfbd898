package store

import "strongroom/internal/domain"

// Credentials are the verifiers of accounts.
type Credentials interface {
	// Credential returns the credential, or ErrNotFound.
	Credential(accountID string, t domain.CredentialType) (domain.Credential, error)
	// PutCredential writes the record under key's authority: in one atomic
	// statement it checks that the key with this id may be used for set at
	// time Now, and that the stored version is still c.Version-1 (no row, for
	// version 1). It fails with ErrKeyNotUsable or ErrConflict. An engine may send
	// the write with the next statement or with the commit, and fail then.
	PutCredential(c domain.Credential, keyID string) error
	// AddCredential adds a record of any version that another store had, or fails with
	// ErrConflict if the account has one of this type. No key's authority is needed.
	AddCredential(c domain.Credential) error
	// RehashCredential replaces the sealed verifier if the stored version is
	// still c.Version-1, or fails with ErrConflict: a concurrent set wins.
	RehashCredential(c domain.Credential) error
	// DeleteCredential erases the row. If there is none it does nothing.
	DeleteCredential(accountID string, t domain.CredentialType) error
}

// PreviousCredentials are the verifiers that present ones replaced.
type PreviousCredentials interface {
	// PreviousCredentials returns at most limit of an account's replaced
	// credentials of this type, newest version first. limit is positive.
	PreviousCredentials(accountID string, t domain.CredentialType, limit int) ([]domain.Credential, error)
	// KeepPrevious adds a replaced credential, or fails with ErrConflict if one of this
	// version exists, perhaps only with the commit. It then erases all replaced credentials of
	// the same account and type, except the keep newest versions. If keep is 0 it adds none
	// and erases all.
	KeepPrevious(c domain.Credential, keep int) error
	// ResealPrevious replaces the sealed verifier of a replaced credential, or fails
	// with ErrConflict if there is none of this version.
	ResealPrevious(c domain.Credential) error
	// DeletePrevious erases all of an account's replaced credentials of this
	// type. If there is none it does nothing.
	DeletePrevious(accountID string, t domain.CredentialType) error
}

// AttemptCounters count the guesses at credentials.
type AttemptCounters interface {
	// Attempts returns the counter, or ErrNotFound before the first attempt.
	Attempts(accountID string, t domain.CredentialType) (domain.Attempts, error)
	// Guarded returns the counter and the credential that it guards, in one
	// round trip. It returns nil for a row that does not exist.
	Guarded(accountID string, t domain.CredentialType) (*domain.Attempts, *domain.Credential, error)
	// ReserveAttempt writes a counter with a new pending attempt: in one atomic
	// statement it checks that the key with this id may be used for verify at
	// time Now, and that the stored version is still a.Version-1 (no row, for
	// version 1). It fails with ErrKeyNotUsable or ErrConflict, perhaps only with
	// the commit, like PutCredential.
	ReserveAttempt(a domain.Attempts, keyID string) error
	// DeleteAttempts erases the counter. If there is none it does nothing.
	DeleteAttempts(accountID string, t domain.CredentialType) error
}

// Walks visit every row whose changes the audit trail describes.
type Walks interface {
	// EachKey calls fn for every key of the store.
	EachKey(fn func(domain.DeviceKey) error) error
	// EachCredential calls fn for every credential of the store.
	EachCredential(fn func(domain.Credential) error) error
	// EachAttempts calls fn for every attempt counter of the store, with its place in
	// the list of locks.
	EachAttempts(fn func(domain.ListedLock) error) error
}

// SealedRows are the rows that hold sealed values or MACs, page by page, so that they
// can be sealed again under another data key. A page begins after the row last, of
// which only the fields of the order are read. If last is nil, it begins at the first
// row. It has at most limit rows. limit is positive.
type SealedRows interface {
	// KeysAfter returns keys in order of account and id.
	KeysAfter(last *domain.DeviceKey, limit int) ([]domain.DeviceKey, error)
	// CredentialsAfter returns credentials in order of account and type.
	CredentialsAfter(last *domain.Credential, limit int) ([]domain.Credential, error)
	// PreviousAfter returns replaced credentials in order of account, type and version.
	PreviousAfter(last *domain.Credential, limit int) ([]domain.Credential, error)
	// AttemptsAfter returns attempt counters in order of account and type.
	AttemptsAfter(last *domain.Attempts, limit int) ([]domain.Attempts, error)
	// CountSealedRows counts the rows of all four kinds, up to most rows of each kind.
	CountSealedRows(most int) (int64, error)
}
