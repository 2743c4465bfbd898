package rollback

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// BeatPrefix is the prefix of the names of the settings that hold beats. The
// instance's name follows.
const BeatPrefix = "beat/"

// condition is what an instance says about itself.
type condition string

const (
	running  condition = "running"
	ended    condition = "ended"   // it gives no more verdicts
	detected condition = "latched" // it has detected a rollback and refuses everything
)

// beat is a row that shows other instances that this one runs, and what it
// remembers. Its MAC needs the key, and its number only increases.
type beat struct {
	Instance  string             `json:"instance"`
	Number    int64              `json:"number"`
	At        int64              `json:"at"` // by the store's clock
	Condition condition          `json:"condition"`
	Heads     entries            `json:"heads"` // the newest entries of its own chains
	Read      map[string]entries `json:"read"`  // the newest entries that it remembers of other instances, by name
}

// entries maps a chain to the number of an entry. The key is the chain's name
// without the instance's name.
type entries map[string]int64

// seal encodes a beat: the length of the MAC, the MAC, the beat.
func (b *Beats) seal(of beat) ([]byte, error) {
	text, err := json.Marshal(of)
	mac := b.MAC(text)
	return slices.Concat([]byte{byte(len(mac))}, mac, text), err //nolint:gosec // a MAC is short
}

// open decodes the beat of an instance and checks its MAC.
func (b *Beats) open(instance string, value []byte) (of beat, ok bool) {
	if len(value) == 0 || len(value) <= int(value[0]) {
		return beat{}, false
	}
	mac, text := value[1:1+int(value[0])], value[1+int(value[0]):]
	if !b.Genuine(text, mac) {
		return beat{}, false
	}
	err := json.Unmarshal(text, &of)
	return of, err == nil && of.Instance == instance
}

// Running returns the names of the instances whose beats, by the names of their
// settings, say that they run now, by the store's clock. genuine checks a MAC. A beat from
// the future is older than a clock that was set back: a running instance soon writes another.
func Running(values map[string][]byte, genuine func(beat, mac []byte) bool, now time.Time) (instances []string) {
	b := &Beats{Genuine: genuine}
	for name, value := range values {
		instance := strings.TrimPrefix(name, BeatPrefix)
		if of, ok := b.open(instance, value); ok && of.Condition == running && now.Sub(domain.FromMicros(of.At)).Abs() < beatLease {
			instances = append(instances, instance)
		}
	}
	return instances
}

// RunningChains returns the chains of the instances that may still run: those whose beats,
// by the names of their settings, are younger than beatKept. For an instance whose beat
// lists no chains yet, it returns the name of the instance.
func RunningChains(values map[string][]byte, genuine func(beat, mac []byte) bool, now time.Time) (chains []string) {
	b := &Beats{Genuine: genuine}
	for name, value := range values {
		instance := strings.TrimPrefix(name, BeatPrefix)
		of, ok := b.open(instance, value)
		if !ok || of.Condition != running || now.Sub(domain.FromMicros(of.At)) >= beatKept {
			continue
		}
		if len(of.Heads) == 0 {
			chains = append(chains, instance)
		}
		for rest := range of.Heads {
			chains = append(chains, instance+"/"+rest)
		}
	}
	return chains
}

// beats reads the beats of other instances, and checks this process's own beat like
// ownBeat. If the beat of a running instance was removed or replaced by an older one, the
// database was put back.
func (t *tx) beats() (map[string]beat, error) {
	b := &t.s.beats
	values, err := t.Settings(BeatPrefix)
	if err != nil {
		return nil, err
	}
	found, known := map[string]beat{}, b.numbers()
	for name, value := range values {
		instance := strings.TrimPrefix(name, BeatPrefix)
		if of, ok := b.open(instance, value); ok && instance != b.Instance {
			found[instance] = of
		}
	}
	for instance, number := range known {
		_, there := values[BeatPrefix+instance]
		if of, genuine := found[instance]; !there || genuine && of.Number < number {
			return nil, t.findBeat(instance, "the beat of another instance was removed or replaced by an older one",
				func(t *tx) error { _, err := t.beats(); return err })
		}
	}
	return found, t.checkOwn(values[BeatPrefix+b.Instance])
}

// ownBeat checks that this process's beat is the one that it wrote.
func (t *tx) ownBeat() error {
	value, err := t.Setting(BeatPrefix + t.s.beats.Instance)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return t.checkOwn(value)
}

// checkOwn checks the value stored as this process's beat; nil: there is none. That is no
// error if this process has not written its beat for a long time: others may have removed it.
// A paused process finds a beat that it wrote, with a MAC by a data key that was destroyed
// meanwhile. So bytes that it wrote are its beat, whatever their MAC is.
func (t *tx) checkOwn(value []byte) error {
	b := &t.s.beats
	at, durable, tried := b.own()
	if value == nil && (durable == 0 || t.Now().Sub(at) > beatKept/2) || b.wroteThis(value) {
		return nil
	}
	if is, genuine := b.open(b.Instance, value); genuine && is.Number >= durable && is.Number <= tried {
		return nil
	}
	return t.findBeat(b.Instance, "this instance's beat was removed or replaced by another one", (*tx).ownBeat)
}

func (t *tx) findBeat(instance, what string, again func(*tx) error) error {
	p := place{kind: domain.RecordSetting, id: BeatPrefix + instance}
	return t.find(p, p.kind+"/"+p.id, what, again)
}

// numbers returns the numbers of the beats of other running instances.
func (b *beats) numbers() map[string]int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := map[string]int64{}
	for instance, p := range b.living() {
		all[instance] = p.number
	}
	return all
}

// own returns what this process knows about its own beat.
func (b *beats) own() (at time.Time, durable, tried int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at, b.durable, b.tried
}

// wroteThis reports whether a value is the newest durable beat of this process, or one that
// it has tried to write since.
func (b *beats) wroteThis(value []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.mine, func(beat []byte) bool { return bytes.Equal(beat, value) })
}

// noteTried notes a beat for which it is not known whether it was written.
func (b *beats) noteTried(value []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mine = append(b.mine, value); len(b.mine) > mineKept {
		b.mine = slices.Delete(b.mine, 1, 2)
	}
}

// longGone returns the instances that ended more than beatKept ago.
func (b *beats) longGone(now time.Time) (all []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	live := b.living()
	for instance, p := range b.peers {
		if live[instance] == nil && now.Sub(p.at) > beatKept {
			all = append(all, instance)
		}
	}
	return all
}

// removeEnded removes the beats of instances that ended more than beatKept ago. An
// instance that was only paused may have written its beat again meanwhile.
func (t *tx) removeEnded() error {
	b := &t.s.beats
	for _, instance := range b.longGone(t.Now()) {
		value, err := t.Setting(BeatPrefix + instance)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if of, genuine := b.open(instance, value); genuine && t.Now().Sub(domain.FromMicros(of.At)) <= beatKept {
			continue
		}
		if err := t.DeleteSetting(BeatPrefix + instance); err != nil {
			return err
		}
	}
	return nil
}

// beatWriter is what writing a beat needs of a transaction.
type beatWriter interface {
	Now() time.Time
	PutSettingLater(name string, value []byte) error
}

// put writes this process's beat, and returns its value.
func (b *Beats) put(tx beatWriter, of beat) (value []byte, at time.Time, err error) {
	at = tx.Now()
	of.At = domain.Micros(at)
	if value, err = b.seal(of); err != nil {
		return nil, at, err
	}
	return value, at, tx.PutSettingLater(BeatPrefix+b.Instance, value)
}

// split splits the name of a chain into the instance's name and the rest.
func split(chain string) (instance, rest string) {
	instance, rest, _ = strings.Cut(chain, "/")
	return instance, rest
}
