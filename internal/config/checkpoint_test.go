package config

import (
	"strings"
	"testing"
)

func TestCheckpointSettingsAreRequiredTogetherAndShowNoPassword(t *testing.T) {
	all := map[string]string{"checkpoint-key": "env:ROOM", "checkpoint-sink": "file:kept", "checkpoint-interval": "10m"}
	with := func(more map[string]string) map[string]string {
		flags := map[string]string{}
		for _, from := range []map[string]string{all, more} {
			for name, value := range from {
				flags[name] = value
			}
		}
		return flags
	}
	for name, tt := range map[string]struct {
		flags map[string]string
		want  string // of the problems, or ""
	}{
		"none":                   {nil, ""},
		"all":                    {all, ""},
		"the key, for a command": {map[string]string{"checkpoint-key": "file:room.key"}, ""},
		"to standard output":     {with(map[string]string{"checkpoint-sink": "stdout"}), ""},
		"to a URL":               {with(map[string]string{"checkpoint-sink": "https://collector.example.com/x"}), ""},
		"to a loopback URL":      {with(map[string]string{"checkpoint-sink": "http://127.0.0.1:9/x"}), ""},
		"to a plain URL":         {with(map[string]string{"checkpoint-sink": "http://collector.example.com"}), "must be file:PATH, stdout or an https URL"},
		"a password in a flag":   {with(map[string]string{"checkpoint-sink": "https://me:secret@collector.example.com"}), "must not contain a password"},
		"a token in a flag":      {with(map[string]string{"checkpoint-sink": "https://collector.example.com/?token=secret"}), "must not contain a password"},
		"a key in a flag":        {with(map[string]string{"checkpoint-key": "PRIVATE+KEY+secret"}), "never the value itself"},
		"no key":                 {with(map[string]string{"checkpoint-key": ""}), "checkpoint-sink: needs"},
		"no sink":                {with(map[string]string{"checkpoint-sink": ""}), "checkpoint-sink: needs"},
		"no interval":            {with(map[string]string{"checkpoint-interval": "0"}), "checkpoint-sink: needs"},
		"over the database":      {with(map[string]string{"checkpoint-sink": "file:data/strongroom.db"}), "must be a file of its own"},
		"over the key":           {with(map[string]string{"checkpoint-sink": "file:room.key", "checkpoint-key": "file:room.key"}), "must be a file of its own"},
	} {
		_, _, err := Load(tt.flags, nil)
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A password is not shown where it is allowed. The variable that holds
	// the key may have a name like ours.
	s, list, err := Load(map[string]string{"checkpoint-key": "env:STRONGROOM_ROOM"}, []string{
		"STRONGROOM_ROOM=PRIVATE+KEY+secret", "STRONGROOM_CHECKPOINT_INTERVAL=1h", "STRONGROOM_CHECKPOINT_SINK=https://me:secret@collector.example.com"})
	if err != nil || s.CheckpointSink.URL != "https://me:secret@collector.example.com" {
		t.Fatal(err)
	}
	for _, e := range list {
		if strings.Contains(e.Value, "secret") {
			t.Errorf("%s is shown as %s", e.Name, e.Value)
		}
	}
}
