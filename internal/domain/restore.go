package domain

import "time"

// Restore is what is known of a restore from a backup.
type Restore struct {
	Made     time.Time // when the backup was made
	Newest   time.Time // of the newest entry of the trail in it
	Heads    string    // SHA-256 of the heads of the trail in it, in hexadecimal
	From, To int64     // the store's epoch before and after
}
