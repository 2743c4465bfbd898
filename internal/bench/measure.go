package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"strongroom/internal/crypto/devicekey"
)

// Measure takes the floors and does the runs, one after another.
func Measure(ctx context.Context, cfg Config) (_ *Section, err error) {
	m := &measurement{cfg: cfg, closed: map[Scenario]closedLoop{}, alone: map[string]float64{}}
	if cfg.Cost.Algorithm != devicekey.RSAOAEP256 {
		cfg.Cost.Bits = 0
	}
	m.section = Section{Algorithm: string(cfg.Cost.Algorithm), Bits: cfg.Cost.Bits, Argon2Time: cfg.Cost.Verifier.Time, Argon2Memory: cfg.Cost.Verifier.Memory, PBKDF2Iterations: cfg.Cost.Verifier.Iterations,
		Target: cmp.Or(cfg.URL, "a server of its own "+strings.Join(cfg.ServeArgs, " ")), Devices: cfg.Devices}
	if cfg.URL != "" {
		if err := reachable(ctx, cfg.URL); err != nil {
			return nil, err
		}
	}
	if cfg.Floors > 0 {
		if err := m.takeFloors(ctx); err != nil {
			return nil, fmt.Errorf("measuring the floors: %w", err)
		}
	}
	stop, err := m.target(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	m.say("enrolling devices")
	if err := m.clients.enrol(ctx, cfg.Devices); err != nil {
		return nil, err
	}
	switch key := m.clients.keys[0]; {
	case key.Algorithm() != cfg.Cost.Algorithm:
		return nil, fmt.Errorf("the devices' keys are of %s, but the machine limits are measured for another algorithm: give --key-algorithm %s", key.Algorithm(), key.Algorithm())
	case key.Algorithm() == devicekey.RSAOAEP256 && key.KeySize() != cfg.Cost.Bits:
		return nil, fmt.Errorf("the devices' keys have %d bits, but the machine limits are measured for another size: give --rsa-bits %d", key.KeySize(), key.KeySize())
	}
	for range max(1, cfg.Rounds) {
		for _, r := range cfg.Runs {
			if err := m.run(ctx, r); err != nil {
				return nil, fmt.Errorf("%s: %w", r.Name, err)
			}
		}
	}
	if cfg.Rounds > 1 {
		m.section.Medians = medians(m.section.Runs)
	}
	if cfg.Idle > 0 && m.pid != 0 {
		m.say("waiting %v to see how much memory is released", cfg.Idle)
		wait(ctx, cfg.Idle)
		m.section.IdleMiB = mebi(usageOf(m.pid).rss)
	}
	return &m.section, ctx.Err()
}

func (m *measurement) takeFloors(ctx context.Context) error {
	take := func(f Floor, err error) error {
		m.section.Floors = append(m.section.Floors, f)
		return err
	}
	m.say("floors: %s", floorPrimitives)
	if err := take(primitivesFloor(ctx, m.cfg.Cost, m.cfg.Floors)); err != nil {
		return err
	}
	m.say("floors: %s", floorGenerate)
	if err := take(generateFloor(ctx, m.cfg.Cost, m.cfg.Floors)); err != nil {
		return err
	}
	m.say("floors: %s", floorCommit)
	if err := take(commitFloor(ctx, m.cfg.Dir, m.cfg.Floors/2)); err != nil {
		return err
	}
	for _, clients := range m.echoClients() {
		m.say("floors: "+floorEcho, clients)
		if err := take(m.echoFloor(ctx, clients, m.cfg.Floors)); err != nil {
			return err
		}
	}
	return nil
}

// echoClients returns the numbers of clients for which the runs need an echo: a closed
// loop of Existing is compared with an echo for the same number of clients.
func (m *measurement) echoClients() []int {
	var all []int
	for _, r := range m.cfg.Runs {
		if l := r.Loads[0]; len(r.Loads) == 1 && l.Scenario == Existing && !l.open() {
			all = append(all, l.Clients)
		}
	}
	if len(all) == 0 {
		return []int{defaultClients}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// run runs one run and keeps its result.
func (m *measurement) run(ctx context.Context, r Run) error {
	loads, err := m.rates(ctx, r.Loads)
	if err != nil {
		return err
	}
	for _, l := range loads { // before the server's CPU is measured: preparing requests takes CPU too
		if _, err := m.clients.pool(ctx, l.Scenario); err != nil {
			return err
		}
	}
	warmup := m.cfg.Warmup
	if r.Cold {
		warmup = 0
	} else if err := m.settle(ctx); err != nil {
		return err
	}
	m.near = nil
	if err := m.takeNear(ctx, loads); err != nil {
		return err
	}
	result, err := m.drive(ctx, r.Name, loads, warmup, m.cfg.Duration)
	if err != nil {
		return err
	}
	if err := m.takeNear(ctx, loads); err != nil {
		return err
	}
	m.relate(&result, loads)
	m.section.Runs = append(m.section.Runs, result)
	return nil
}

// takeNear takes the floor of a closed loop of one load once more. Machines change
// their speed within seconds, above all when they share caches with others, so a run
// must be compared with a floor that was taken right before or after it.
func (m *measurement) takeNear(ctx context.Context, loads []Load) error {
	l := loads[0]
	if m.cfg.Floors == 0 || len(loads) > 1 || l.open() {
		return nil
	}
	var f Floor
	var err error
	switch l.Scenario {
	case Verify, Wrong, Set:
		f, err = primitivesFloor(ctx, m.cfg.Cost, m.cfg.Floors)
	case Existing:
		f, err = m.echoFloor(ctx, l.Clients, m.cfg.Floors)
	default:
		return nil
	}
	m.near = append(m.near, f)
	return err
}

const (
	settleTime = time.Minute // at most
	settleLook = 500 * time.Millisecond
	settled    = 10 * time.Millisecond // of CPU within settleLook
)

// settle waits until the server has finished its background work, such as replacing
// the key pairs that a run has used.
func (m *measurement) settle(ctx context.Context) error {
	for end, last := time.Now().Add(settleTime), usageOf(m.pid); m.pid != 0 && last.known && time.Now().Before(end); {
		if !wait(ctx, settleLook) {
			break
		}
		now := usageOf(m.pid)
		if now.cpu-last.cpu <= settled {
			break
		}
		last = now
	}
	return ctx.Err()
}

// rates replaces a rate that is a multiple of the capacity by a number. It measures
// the capacity first if no run has done so.
func (m *measurement) rates(ctx context.Context, loads []Load) ([]Load, error) {
	loads = slices.Clone(loads)
	for i, l := range loads {
		if l.Times == 0 {
			continue
		}
		if _, known := m.closed[l.Scenario]; !known {
			if err := m.run(ctx, NewRun(Load{Scenario: l.Scenario, Clients: defaultClients})); err != nil {
				return nil, err
			}
		}
		loads[i].Rate = max(1, l.Times*m.closed[l.Scenario].perSecond)
	}
	return loads, nil
}

// drive runs loads at the same time and computes their CPU and memory.
func (m *measurement) drive(ctx context.Context, name string, loads []Load, warmup, duration time.Duration) (RunResult, error) {
	result := RunResult{Name: name, Seconds: duration.Seconds()}
	var server, own []usage
	last := make([]answered, len(loads))
	var begun time.Time
	streams, _, err := m.clients.run(ctx, loads, warmup, duration, func(streams []*stream) {
		own = append(own, usageOf(os.Getpid()))
		if m.pid != 0 {
			server = append(server, usageOf(m.pid))
		}
		if len(own) == 1 {
			begun = time.Now()
			m.say("%s", name)
			return
		}
		m.say("  %s", progress(time.Since(begun), streams, last))
	})
	if err != nil {
		return result, err
	}
	for _, s := range streams {
		result.Loads = append(result.Loads, s.outcome())
	}
	result.account(own, server)
	return result, nil
}
