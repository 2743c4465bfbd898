package postgres

// Connections returns how many connections are lent to transactions, how many
// are open and idle, and how many this handle opens at most.
func (s *Store) Connections() (busy, idle, most int) {
	stat := s.pool.Stat()
	return int(stat.AcquiredConns()), int(stat.IdleConns()), int(stat.MaxConns())
}
