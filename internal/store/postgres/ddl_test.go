package postgres

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A reader of the schema statements that the migrations and the schemas of other
// engines may consist of. It refuses every other statement and clause, so that a
// test decides about each of them.

// schema is what statements made.
type schema struct {
	tables  []*tableDef
	indexes []*indexDef

	applied []string // the versions that they note
	others  []string // statements that make nothing: DROP INDEX, UPDATE
}

type tableDef struct {
	name      string
	columns   []columnDef
	key       keyDef
	perhaps   bool // IF NOT EXISTS
	atPerhaps bool // each added column has IF NOT EXISTS
}

type columnDef struct {
	name, is, preset string // preset: DEFAULT
	collated, added  bool
}

type indexDef struct {
	name, table, where            string
	unique, concurrently, perhaps bool
	key                           keyDef
	hashed                        bool // USING HASH, of CockroachDB
}

// keyDef is the columns of a key. Those of YugabyteDB say how they are stored.
type keyDef struct {
	columns []string
	hash    int // how many of the first columns are hashed together
	ranged  int // how many have ASC
}

func (s *schema) table(name string) *tableDef {
	for _, t := range s.tables {
		if t.name == name {
			return t
		}
	}
	return nil
}

// indexesOf returns the indexes of a table and its primary key.
func (s *schema) indexesOf(table string) (all []*indexDef) {
	all = append(all, &indexDef{name: table + "_pkey", table: table, unique: true, key: s.table(table).key})
	for _, i := range s.indexes {
		if i.table == table {
			all = append(all, i)
		}
	}
	return all
}

var sqlToken = regexp.MustCompile(`--[^\n]*|\s+|'(?:[^']|'')*'|"[^"]*"|\$\d+|[A-Za-z_][A-Za-z_0-9]*|\d+|::|<>|>=|<=|\|\||.`)

// tokens splits SQL. It leaves out spaces and comments.
func tokens(sql string) (found []string) {
	for _, t := range sqlToken.FindAllString(sql, -1) {
		if strings.TrimSpace(t) != "" && !strings.HasPrefix(t, "--") {
			found = append(found, t)
		}
	}
	return found
}

// readDDL reads statements and adds what they make.
func (s *schema) readDDL(sql string) (err error) {
	p := &ddl{tokens: tokens(sql)}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v before: %s", r, strings.Join(p.tokens[:min(len(p.tokens), 12)], " "))
		}
	}()
	for len(p.tokens) > 0 {
		s.statement(p)
		p.want(";")
	}
	return nil
}

// ddl is the tokens that are left. It panics where the next is not what it must be.
type ddl struct{ tokens []string }

func (p *ddl) next() string {
	if len(p.tokens) == 0 {
		panic("the statement ends")
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

// skip skips these tokens if they are next.
func (p *ddl) skip(words ...string) bool {
	if len(p.tokens) < len(words) || !slices.Equal(p.tokens[:len(words)], words) {
		return false
	}
	p.tokens = p.tokens[len(words):]
	return true
}

func (p *ddl) want(words ...string) {
	if !p.skip(words...) {
		panic("no " + strings.Join(words, " "))
	}
}

var plainName = regexp.MustCompile(`^[a-z][a-z_]*$`)

func (p *ddl) name() string {
	n := p.next()
	if !plainName.MatchString(n) {
		panic(n + " is no plain name")
	}
	return n
}

func (s *schema) statement(p *ddl) {
	switch {
	case p.skip("CREATE", "TABLE"):
		t := &tableDef{perhaps: p.skip("IF", "NOT", "EXISTS"), atPerhaps: true, name: p.name()}
		p.want("(")
		for !p.skip("PRIMARY", "KEY") {
			t.columns = append(t.columns, p.column())
			p.want(",")
		}
		t.key = p.key()
		p.want(")")
		if p.skip("PARTITION", "BY", "RANGE") {
			p.key()
		}
		s.tables = append(s.tables, t)
	case p.skip("ALTER", "TABLE"):
		s.alter(p, s.table(p.name()))
	case p.skip("ALTER", "INDEX"):
		i := slices.IndexFunc(s.indexes, func(i *indexDef) bool { return i.name == p.tokens[0] })
		_ = p.name()
		p.want("RENAME", "TO")
		if to := p.name(); i >= 0 { // otherwise it belongs to a primary key
			s.indexes[i].name = to
		}
	case p.skip("CREATE", "INDEX"):
		s.indexes = append(s.indexes, p.index(false))
	case p.skip("CREATE", "UNIQUE", "INDEX"):
		s.indexes = append(s.indexes, p.index(true))
	case p.skip("INSERT", "INTO", "schema_version", "(", "version_id", ",", "is_applied", ")", "VALUES"):
		for {
			p.want("(")
			s.applied = append(s.applied, p.next())
			p.want(",", "true", ")")
			if !p.skip(",") {
				break
			}
		}
		p.want("ON", "CONFLICT", "(", "version_id", ")", "DO", "NOTHING")
	case p.skip("DROP", "INDEX", "CONCURRENTLY", "IF", "EXISTS"):
		s.others = append(s.others, "DROP INDEX "+p.name())
	case p.skip("SET", "LOCAL"):
		p.rest()
	case p.skip("UPDATE"):
		s.others = append(s.others, "UPDATE "+p.rest())
	default:
		panic("a statement that no engine's schema has")
	}
}

// alter reads an ALTER TABLE. A table that becomes a partition is removed from the schema:
// other engines have no partitions.
func (s *schema) alter(p *ddl, t *tableDef) {
	switch {
	case p.skip("ADD", "COLUMN"):
		t.atPerhaps = p.skip("IF", "NOT", "EXISTS") && t.atPerhaps
		c := p.column()
		c.added = true
		t.columns = append(t.columns, c)
	case p.skip("RENAME", "TO"):
		was := t.name
		t.name = p.name()
		for _, i := range s.indexes {
			if i.table == was {
				i.table = t.name
			}
		}
	case p.skip("ATTACH", "PARTITION"):
		part := p.name()
		p.rest()
		s.tables = slices.DeleteFunc(s.tables, func(t *tableDef) bool { return t.name == part })
		s.indexes = slices.DeleteFunc(s.indexes, func(i *indexDef) bool { return i.table == part })
	case p.skip("ADD", "CONSTRAINT"), p.skip("VALIDATE", "CONSTRAINT"), p.skip("DROP", "CONSTRAINT"):
		p.rest() // only the migration that attaches a partition needs it
	default:
		panic("ALTER TABLE with a change that this parser does not know")
	}
}

// rest is everything up to the end of the statement.
func (p *ddl) rest() string {
	n := slices.Index(p.tokens, ";")
	if n < 0 {
		panic("the statement has no end")
	}
	text := strings.Join(p.tokens[:n], " ")
	p.tokens = p.tokens[n:]
	return strings.NewReplacer(" IN ( ", " IN (", " ( ", "(", "( ", "(", " )", ")", " , ", ", ").Replace(text)
}

func (p *ddl) column() columnDef {
	c := columnDef{name: p.name(), is: p.next()}
	if !slices.Contains([]string{"TEXT", "BIGINT", "INTEGER", "BYTEA", "BOOLEAN"}, c.is) {
		panic("type " + c.is)
	}
	c.collated = p.skip("COLLATE", `"C"`)
	p.want("NOT", "NULL")
	if p.skip("DEFAULT") {
		c.preset = p.next()
	}
	return c
}

func (p *ddl) key() (k keyDef) {
	p.want("(")
	if p.skip("(") {
		for k.columns = []string{p.name()}; p.skip(","); {
			k.columns = append(k.columns, p.name())
		}
		p.want(")", "HASH")
		k.hash = len(k.columns)
		if p.skip(")") {
			return k
		}
		p.want(",")
	}
	for {
		k.columns = append(k.columns, p.name())
		if p.skip("ASC") {
			k.ranged++
		}
		if p.skip(")") {
			return k
		}
		p.want(",")
	}
}

func (p *ddl) index(unique bool) *indexDef {
	i := &indexDef{unique: unique, concurrently: p.skip("CONCURRENTLY"), perhaps: p.skip("IF", "NOT", "EXISTS"), name: p.name()}
	p.want("ON")
	i.table = p.name()
	i.key = p.key()
	i.hashed = p.skip("USING", "HASH")
	if p.skip("WHERE") {
		i.where = p.rest()
	}
	return i
}
