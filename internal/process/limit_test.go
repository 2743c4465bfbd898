package process

import (
	"log/slog"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTheMemoryLimitIsTheSmallestVisibleCgroupLimit(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"version 2, in a container": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "268435456\n"}, 256 << 20},
		"version 2, of a unit": {map[string]string{"proc/self/cgroup": "0::/system.slice/strongroom.service\n",
			"sys/fs/cgroup/system.slice/strongroom.service/memory.max": "max\n", "sys/fs/cgroup/system.slice/memory.max": "536870912\n"}, 512 << 20},
		"version 2, none": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 0},
		"version 1": {map[string]string{"proc/self/cgroup": "5:cpu:/\n4:memory:/docker/x\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "134217728\n"}, 128 << 20},
		"version 1, none": {map[string]string{"proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
		"nothing":         {nil, 0},
		"not understood":  {map[string]string{"proc/self/cgroup": "x\n0::/../..\n"}, 0},
	} {
		files := fstest.MapFS{}
		for path, text := range c.files {
			files[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := cgroupLimit(files); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestTheLogSaysWhereTheMemoryLimitComesFrom(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	for _, c := range []struct {
		variable string
		mib      int
		want     string
	}{
		{"64MiB", 128, "mib=64 from=GOMEMLIMIT"}, // the runtime has read it already
		{"", 128, "mib=128 from=memory-limit"},
	} {
		t.Setenv("GOMEMLIMIT", c.variable)
		debug.SetMemoryLimit(64 << 20)
		var text strings.Builder
		LimitMemory(c.mib, slog.New(slog.NewTextHandler(&text, nil)))
		if !strings.Contains(text.String(), c.want) {
			t.Errorf("GOMEMLIMIT=%s: %q, want %q in it", c.variable, text.String(), c.want)
		}
	}
}
