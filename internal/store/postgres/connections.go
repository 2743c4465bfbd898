package postgres

// Connections returns how many connections are lent to transactions, how many
// are open and idle, and how many this handle opens at most.
func (s *Store) Connections() (busy, idle, most int) {
	for _, e := range s.endpoints() {
		stat := e.pool.Stat()
		busy, idle, most = busy+int(stat.AcquiredConns()), idle+int(stat.IdleConns()), most+int(stat.MaxConns())
	}
	return busy, idle, most
}
