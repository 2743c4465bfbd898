package postgres

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
)

// A connection that dies in the middle of a result must not leave a part of
// it together with the whole result of the next attempt.
func TestAResultThatIsCutOffIsNotReadTwice(t *testing.T) {
	address := pgtest.Database(t)
	direct := migrated(t, address)
	err := direct.Update(context.Background(), func(tx store.Tx) error {
		for i := range 100 {
			if err := tx.InsertEntry(domain.Entry{Chain: "c", Seq: int64(i) + 1, Event: "e", Count: 1, Account: make([]byte, 4000)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(address)
	host := u.Host
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	var cutAfter atomic.Int64
	cutAfter.Store(-1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s, _ := net.Dial("tcp", host)
			go func() { io.Copy(s, c); s.Close() }()
			go func() {
				defer c.Close()
				b := make([]byte, 4096)
				for {
					n, err := s.Read(b)
					if err != nil {
						return
					}
					c.Write(b[:n])
					if left := cutAfter.Load(); left >= 0 {
						if cutAfter.Add(-int64(n)) < 0 {
							cutAfter.Store(-1)
							s.Close()
							return
						}
					}
				}
			}()
		}
	}()
	u.Host = l.Addr().String()
	s := opened(t, u.String())
	cutAfter.Store(200_000)
	n := 0
	err = s.View(context.Background(), func(tx store.Tx) error {
		return tx.EachEntry("c", 0, func(domain.Entry) error { n++; return nil })
	})
	if err == nil && n != 100 || err != nil && n > 100 {
		t.Errorf("%d entries of 100, error %v", n, err)
	}
	if cutAfter.Load() != -1 {
		t.Error("the connection was not cut")
	}
}
