package postgres

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

	sqlPutEvent = `
		INSERT INTO outbox (tenant, ` + eventColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

	sqlPutEventOnce = sqlPutEvent + `
		ON CONFLICT (tenant, account_id, seq) DO NOTHING`

	sqlNextLane = `
		SELECT ` + eventColumns + ` FROM outbox
		WHERE tenant = $1 AND account_id > $2 ORDER BY account_id, seq LIMIT 1`

	sqlFirstEvent = `
		SELECT ` + eventColumns + ` FROM outbox
		WHERE tenant = $1 AND account_id = $2 ORDER BY seq LIMIT 1`

	sqlDeleteEvent = `
		DELETE FROM outbox WHERE tenant = $1 AND account_id = $2 AND seq = $3`

	sqlDeleteEvents = `
		DELETE FROM outbox
		WHERE tenant = $1 AND (account_id, seq) IN (
			SELECT o.account_id, o.seq FROM outbox o
			WHERE o.tenant = $1 AND o.time < $2 ORDER BY o.time LIMIT $3)`

	sqlOldestEvent = `
		SELECT time FROM outbox WHERE tenant = $1 ORDER BY time LIMIT 1`

	sqlCountEvents = `
		SELECT count(*) FROM (SELECT 1 FROM outbox WHERE tenant = $1 ORDER BY time LIMIT $2) AS counted`

	sqlPutDeadLetter = `
		INSERT INTO outbox_dead (tenant, ` + deadColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (tenant, account_id, seq) DO NOTHING`

	sqlDeadLetter = `
		SELECT ` + deadColumns + ` FROM outbox_dead WHERE tenant = $1 AND id = $2 AND length(id) > 0 LIMIT 1`

	sqlDeadLetters = `
		SELECT ` + deadColumns + ` FROM outbox_dead
		WHERE tenant = $1 AND (dead_at, id) > ($2, $3) AND dead_at > 0 ORDER BY dead_at, id LIMIT $4`

	sqlCountDeadLetters = `
		SELECT count(*) FROM (SELECT 1 FROM outbox_dead WHERE tenant = $1 AND dead_at > 0 ORDER BY dead_at LIMIT $2) AS counted`

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

func (t *tx) NumberEvents(lane string, n int) (last int64, err error) {
	last, err = row(t, (*cells).integer, sqlNumberEvents, domain.Tenant, lane, n)
	if err == nil {
		note(&t.numbered, lane, last)
	}
	return last, err
}

// PutEvent lets the event of a number that this transaction has just taken wait
// for the statement after it: nobody else has this number.
func (t *tx) PutEvent(e domain.OutboxEvent) error {
	if last, taken := t.numbered[e.Lane]; taken && e.Seq <= last {
		return t.postpone(&request{sql: sqlPutEvent, args: eventValues(e), raises: true})
	}
	return t.execOne(sqlPutEventOnce, eventValues(e)...)
}

func eventValues(e domain.OutboxEvent) []any {
	return []any{domain.Tenant, e.Lane, e.Seq, e.ID, string(e.Event), domain.Micros(e.Time), e.Data, e.MAC}
}

func scanEvent(r *cells) domain.OutboxEvent {
	return domain.OutboxEvent{Lane: r.text(), Seq: r.integer(), ID: r.text(), Event: domain.Event(r.text()), Time: r.time(),
		Data: r.blob(), MAC: r.blob()}
}

func (t *tx) NextLane(after string) (domain.OutboxEvent, error) {
	return row(t, scanEvent, sqlNextLane, domain.Tenant, after)
}

func (t *tx) FirstEvent(lane string) (domain.OutboxEvent, error) {
	return row(t, scanEvent, sqlFirstEvent, domain.Tenant, lane)
}

func (t *tx) DeleteEvent(lane string, seq int64) error {
	_, err := t.exec(sqlDeleteEvent, domain.Tenant, lane, seq)
	return err
}

func (t *tx) DeleteEvents(before time.Time, limit int) (deleted int, err error) {
	n, err := t.exec(sqlDeleteEvents, domain.Tenant, domain.Micros(before), limit)
	return int(n), err
}

func (t *tx) WaitingEvents(limit int) (n int64, oldest time.Time, err error) {
	times, err := rows(t, (*cells).time, sqlOldestEvent, domain.Tenant)
	if err != nil || len(times) == 0 {
		return 0, time.Time{}, err
	}
	n, err = row(t, (*cells).integer, sqlCountEvents, domain.Tenant, limit)
	return n, times[0], err
}

func (t *tx) PutDeadLetter(d domain.DeadLetter) error {
	return t.execOne(sqlPutDeadLetter, append(eventValues(d.OutboxEvent), d.MarshalReason(), domain.Micros(d.DeadAt))...)
}

func scanDeadLetter(r *cells) domain.DeadLetter {
	d := domain.DeadLetter{OutboxEvent: scanEvent(r)}
	d.UnmarshalReason(r.text())
	d.DeadAt = r.time()
	return d
}

func (t *tx) DeadLetter(id string) (domain.DeadLetter, error) {
	return row(t, scanDeadLetter, sqlDeadLetter, domain.Tenant, id)
}

func (t *tx) DeadLetters(after domain.DeadLetterPosition, limit int) ([]domain.DeadLetter, error) {
	return rows(t, scanDeadLetter, sqlDeadLetters, domain.Tenant, domain.Micros(after.DeadAt), after.ID, limit)
}

func (t *tx) CountDeadLetters(limit int) (int64, error) {
	return row(t, (*cells).integer, sqlCountDeadLetters, domain.Tenant, limit)
}

func (t *tx) DeleteDeadLetter(lane string, seq int64) error {
	_, err := t.exec(sqlDeleteDeadLetter, domain.Tenant, lane, seq)
	return err
}

func (t *tx) DeleteDeadLettersOf(lane string, below int64) error {
	_, err := t.exec(sqlDeleteDeadLettersOf, domain.Tenant, lane, below)
	return err
}

func (t *tx) DeleteDeadLetters(before time.Time, limit int) (deleted int, err error) {
	n, err := t.exec(sqlDeleteDeadLetters, domain.Tenant, domain.Micros(before), limit)
	return int(n), err
}
