package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"strongroom/internal/store"
)

// checkpointAfter is how many pages are written to the WAL before it is copied
// into the database file and begins again. With a larger number, a page that is
// written several times is copied less often. SQLite would copy the WAL inside
// the commit that fills it, and one request in a hundred would wait for the pages
// of all others. Here a goroutine does it.
const checkpointAfter = 8000

// checkpointer copies the WAL into the database file while writers go on, and
// syncs the file. Writers add little meanwhile. They wait only while this rest is
// copied, because the WAL can begin again only when all of it was copied.
type checkpointer struct {
	conn *conn    // while it is open, the WAL file is not removed
	file *os.File // the database; only used to sync it
	stop context.CancelFunc
	done chan struct{}
}

// startCheckpointer starts the goroutine, which owns the connection from now on.
func startCheckpointer(c *conn, w *writer, path string) (*checkpointer, error) {
	file, err := os.Open(path) //nolint:gosec // G304: the operator named it
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &checkpointer{conn: c, file: file, stop: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		for {
			select {
			case <-ctx.Done():
				return
			case <-w.grown:
				p.checkpoint(ctx, w)
			}
		}
	}()
	return p, nil
}

// checkpoint reports an error only by making Ping write. The next checkpoint
// copies what this one did not, and if the disk fails, commits fail too.
func (p *checkpointer) checkpoint(ctx context.Context, w *writer) {
	_, err := p.conn.checkpoint(sqlCheckpointBeside)
	if err == nil {
		// SQLite syncs while the last writer waits. This sync brings most of the
		// file to the disk before.
		err = p.file.Sync()
	}
	if err != nil {
		w.fail(explain(err))
		return
	}
	_ = w.alone(ctx, func(c *conn) error {
		_, err := c.checkpoint(sqlCheckpointBeside)
		return err
	})
}

// close waits for a running checkpoint and closes the connection. It closes the
// file last, because that drops the locks of this process on it.
func (p *checkpointer) close() error {
	p.stop()
	<-p.done
	return errors.Join(p.conn.close(), p.file.Close())
}

// checkpoint runs a checkpoint, and reports whether readers or another
// checkpoint kept it from finishing.
func (c *conn) checkpoint(query string) (unfinished bool, err error) {
	s, err := c.run(query, nil)
	if err != nil {
		return false, err
	}
	defer s.reset()
	if _, err := s.next(); err != nil {
		return isBusy(err), err
	}
	return s.Integer() != 0, nil
}

// pagesWritten is how many pages the connection has written since the last call.
func (c *conn) pagesWritten() int {
	lib.Xsqlite3_db_status(c.tls, c.db, lib.SQLITE_DBSTATUS_CACHE_WRITE, c.out, c.out+4, 1)
	return int(binary.NativeEndian.Uint32(libc.GoBytes(c.out, pointerSize)))
}

// Scrub moves the WAL into the database file and truncates it, so that values
// that secure_delete overwrote in the file are gone from the WAL too. It blocks
// nobody: while a read still needs the WAL, it does what it can and returns
// store.ErrScrubLater. It cannot overwrite blocks that the file system no longer
// uses.
func (s *Store) Scrub(ctx context.Context) error {
	return s.writer.alone(ctx, func(c *conn) error {
		for start := time.Now(); ; time.Sleep(busyPoll) {
			unfinished, err := c.checkpoint(sqlCheckpointAndCut)
			switch {
			case unfinished && time.Since(start) > scrubWait:
				return store.ErrScrubLater
			case unfinished:
			case err != nil:
				return fmt.Errorf("scrubbing: %w", explain(err))
			default:
				// The gaps of pages in the cache are not cleared (see gaps.go). Later
				// writes would bring them into the WAL again.
				lib.Xsqlite3_db_release_memory(c.tls, c.db)
				return nil
			}
		}
	})
}

// scrubWait is how long Scrub delays other writers so that current reads can end.
const scrubWait = 100 * time.Millisecond

const (
	sqlCheckpointBeside = `PRAGMA wal_checkpoint(PASSIVE)`
	sqlCheckpointAndCut = `PRAGMA wal_checkpoint(TRUNCATE)`
)
