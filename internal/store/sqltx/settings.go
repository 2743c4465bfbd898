package sqltx

import (
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	// sqlSetting reads a setting by tenant and name.
	sqlSetting = `
		SELECT value FROM setting WHERE tenant = $1 AND name = $2`

	sqlPutSetting = `
		INSERT INTO setting (tenant, name, value) VALUES ($1, $2, $3)
		ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value`

	// Names are compared byte by byte, so names with the same prefix are adjacent.
	// The upper bound is the prefix followed by the last Unicode character.
	sqlSettingsOf = `
		SELECT name, value FROM setting WHERE tenant = $1 AND name >= $2 AND name < $3`

	sqlEachSetting = `
		SELECT name, value FROM setting WHERE tenant = $1 AND name > $2 AND name < $3
		ORDER BY name LIMIT $4`

	sqlRemoveSetting = `
		DELETE FROM setting WHERE tenant = $1 AND name = $2`
)

func (t facts) Setting(name string) ([]byte, error) {
	return One(t.db, Row.Blob, sqlSetting, domain.Tenant, name)
}

func (t facts) PutSetting(name string, value []byte) error {
	return run(t.db, sqlPutSetting, domain.Tenant, name, value)
}

func (t facts) PutSettingLater(name string, value []byte) error {
	return write(t.db, Write{Query: sqlPutSetting, Args: []any{domain.Tenant, name, value}, Any: true})
}

func (t facts) Settings(prefix string) (map[string][]byte, error) {
	all := map[string][]byte{}
	err := t.db.Query(func(r Row) { name := r.Text(); all[name] = r.Blob() },
		sqlSettingsOf, domain.Tenant, prefix, prefix+"\U0010FFFF")
	return all, err
}

type setting struct {
	name  string
	value []byte
}

func (t facts) EachSetting(prefix string, fn func(name string, value []byte) error) error {
	return walk(func(s setting) error { return fn(s.name, s.value) }, func(last *setting) ([]setting, error) {
		after := prefix
		if last != nil {
			after = last.name
		}
		return All(t.db, func(r Row) setting { return setting{r.Text(), r.Blob()} },
			sqlEachSetting, domain.Tenant, after, prefix+"\U0010FFFF", store.PageSize)
	})
}

func (t facts) DeleteSetting(name string) error {
	return run(t.db, sqlRemoveSetting, domain.Tenant, name)
}
