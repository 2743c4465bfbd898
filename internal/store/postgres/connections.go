package postgres

// Connections returns how many connections are lent to transactions, how many
// are open and idle, and how many this handle opens at most. If there are several servers,
// the numbers are those of the server with the most lent connections.
func (s *Store) Connections() (busy, idle, most int) {
	busy = -1
	for _, e := range s.endpoints() {
		if stat := e.pool.Stat(); int(stat.AcquiredConns()) > busy {
			busy, idle, most = int(stat.AcquiredConns()), int(stat.IdleConns()), int(stat.MaxConns())
		}
	}
	return busy, idle, most
}
