package sqltx

import (
	"time"

	"strongroom/internal/domain"
)

const (
	eventColumns = `account_id, seq, id, event, time, data, mac`
	deadColumns  = eventColumns + `, reason, dead_at`

	sqlNumberEvents = `
		INSERT INTO outbox_lane (tenant, account_id, last_seq) VALUES ($1, $2, $3)
		ON CONFLICT (tenant, account_id) DO UPDATE SET last_seq = outbox_lane.last_seq + excluded.last_seq
		RETURNING last_seq`

	// AppendEvent adds an event. It fails if the partition has one of this number.
	AppendEvent = `
		INSERT INTO outbox (tenant, ` + eventColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

	sqlPutEvent = AppendEvent + `
		ON CONFLICT (tenant, account_id, seq) DO NOTHING`

	sqlNextPartition = `
		SELECT ` + eventColumns + ` FROM outbox
		WHERE tenant = $1 AND account_id > $2 ORDER BY account_id, seq LIMIT 1`

	sqlFirstEvent = `
		SELECT ` + eventColumns + ` FROM outbox
		WHERE tenant = $1 AND account_id = $2 ORDER BY seq LIMIT 1`

	sqlEventsOf = `
		SELECT ` + eventColumns + ` FROM outbox
		WHERE tenant = $1 AND account_id = $2 AND seq > $3 ORDER BY seq LIMIT $4`

	sqlDeleteEvent = `
		DELETE FROM outbox WHERE tenant = $1 AND account_id = $2 AND seq = $3`

	sqlDeleteEvents = `
		DELETE FROM outbox
		WHERE tenant = $1 AND (account_id, seq) IN (
			SELECT o.account_id, o.seq FROM outbox o
			WHERE o.tenant = $1 AND o.time < $2 ORDER BY o.time LIMIT $3)`

	sqlOldestEvent = `
		SELECT time FROM outbox WHERE tenant = $1 ORDER BY time LIMIT 1`

	sqlPutDeadLetter = `
		INSERT INTO outbox_dead (tenant, ` + deadColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (tenant, account_id, seq) DO NOTHING`

	// PostgreSQL finds these by partial indexes, whose conditions on id and
	// dead_at must be repeated here. Every dead letter fulfils them.
	sqlDeadLetter = `
		SELECT ` + deadColumns + ` FROM outbox_dead WHERE tenant = $1 AND id = $2 AND length(id) > 0 LIMIT 1`

	sqlDeadLetters = `
		SELECT ` + deadColumns + ` FROM outbox_dead
		WHERE tenant = $1 AND (dead_at, id) > ($2, $3) AND dead_at > 0 ORDER BY dead_at, id LIMIT $4`

	sqlDeadLettersOf = `
		SELECT ` + deadColumns + ` FROM outbox_dead
		WHERE tenant = $1 AND account_id = $2 ORDER BY seq LIMIT $3`

	sqlDeleteDeadLetter = `
		DELETE FROM outbox_dead WHERE tenant = $1 AND account_id = $2 AND seq = $3`

	sqlDeleteDeadLettersOf = `
		DELETE FROM outbox_dead WHERE tenant = $1 AND account_id = $2 AND seq < $3`

	sqlDeleteDeadLetters = `
		DELETE FROM outbox_dead
		WHERE tenant = $1 AND (account_id, seq) IN (
			SELECT d.account_id, d.seq FROM outbox_dead d
			WHERE d.tenant = $1 AND d.dead_at < $2 AND d.dead_at > 0 ORDER BY d.dead_at, d.id LIMIT $3)`
)

func (t lists) NumberEvents(partition string, n int) (last int64, err error) {
	return One(t.db, Row.Integer, sqlNumberEvents, domain.Tenant, partition, n)
}

// EventValues are the arguments of AppendEvent.
func EventValues(e domain.OutboxEvent) []any {
	return []any{domain.Tenant, e.Partition, e.Seq, e.ID, string(e.Event), domain.Micros(e.Time), e.Data, e.MAC}
}

func scanEvent(r Row) domain.OutboxEvent {
	return domain.OutboxEvent{Partition: r.Text(), Seq: r.Integer(), ID: r.Text(), Event: domain.Event(r.Text()), Time: r.Time(),
		Data: r.Blob(), MAC: r.Blob()}
}

func (t lists) NextPartition(after string) (domain.OutboxEvent, error) {
	return One(t.db, scanEvent, sqlNextPartition, domain.Tenant, after)
}

func (t lists) EventsOf(partition string, after int64, limit int) ([]domain.OutboxEvent, error) {
	return All(t.db, scanEvent, sqlEventsOf, domain.Tenant, partition, after, limit)
}

func (t lists) FirstEvent(partition string) (domain.OutboxEvent, error) {
	return One(t.db, scanEvent, sqlFirstEvent, domain.Tenant, partition)
}

func (t lists) DeleteEvent(partition string, seq int64) error {
	return run(t.db, sqlDeleteEvent, domain.Tenant, partition, seq)
}

func (t lists) DeleteEvents(before time.Time, limit int) (deleted int, err error) {
	return written(t.db.Exec(sqlDeleteEvents, domain.Tenant, domain.Micros(before), limit))
}

func (t lists) WaitingEvents(limit int) (n int64, oldest time.Time, err error) {
	times, err := All(t.db, Row.Time, sqlOldestEvent, domain.Tenant)
	if err != nil || len(times) == 0 {
		return 0, time.Time{}, err
	}
	n, err = t.count(t.texts.CountEvents, limit)
	return n, times[0], err
}

func (t lists) count(query string, limit int) (int64, error) {
	n, err := One(t.db, Row.Integer, query, domain.Tenant, limit)
	return min(n, int64(limit)), err
}

func (t lists) PutDeadLetter(d domain.DeadLetter) error {
	return ExecOne(t.db, sqlPutDeadLetter, append(EventValues(d.OutboxEvent), d.MarshalReason(), domain.Micros(d.DeadAt))...)
}

func scanDeadLetter(r Row) domain.DeadLetter {
	d := domain.DeadLetter{OutboxEvent: scanEvent(r)}
	d.UnmarshalReason(r.Text())
	d.DeadAt = r.Time()
	return d
}

func (t lists) DeadLetter(id string) (domain.DeadLetter, error) {
	return One(t.db, scanDeadLetter, sqlDeadLetter, domain.Tenant, id)
}

func (t lists) DeadLetters(after domain.DeadLetterPosition, limit int) ([]domain.DeadLetter, error) {
	return All(t.db, scanDeadLetter, sqlDeadLetters, domain.Tenant, domain.Micros(after.DeadAt), after.ID, limit)
}

func (t lists) DeadLettersOf(partition string, limit int) ([]domain.DeadLetter, error) {
	return All(t.db, scanDeadLetter, sqlDeadLettersOf, domain.Tenant, partition, limit)
}

func (t lists) CountDeadLetters(limit int) (int64, error) {
	return t.count(t.texts.CountDeadLetters, limit)
}

func (t lists) DeleteDeadLetter(partition string, seq int64) error {
	return run(t.db, sqlDeleteDeadLetter, domain.Tenant, partition, seq)
}

func (t lists) DeleteDeadLettersOf(partition string, below int64) error {
	return run(t.db, sqlDeleteDeadLettersOf, domain.Tenant, partition, below)
}

func (t lists) DeleteDeadLetters(before time.Time, limit int) (deleted int, err error) {
	return written(t.db.Exec(sqlDeleteDeadLetters, domain.Tenant, domain.Micros(before), limit))
}
