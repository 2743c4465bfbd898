package config

import (
	"strings"
	"testing"
	"time"
)

func TestAWitnessIsAPathOrAURL(t *testing.T) {
	for text, want := range map[string]struct {
		kind, rest string
		every      time.Duration
		says       string // of a refusal
	}{
		"":                                   {},
		"none":                               {kind: WitnessNone},
		"/srv/witness":                       {kind: WitnessFile, rest: "/srv/witness"},
		"witness":                            {kind: WitnessFile, rest: "witness"},
		"./a:b":                              {kind: WitnessFile, rest: "./a:b"},
		"file:/srv/witness":                  {kind: WitnessFile, rest: "/srv/witness"},
		"file:":                              {says: "must be a path"},
		"tpm:/srv/witness":                   {kind: WitnessTPM, rest: "/srv/witness", every: time.Hour},
		"tpm:/w?every=5m&index=0x01800001":   {kind: WitnessTPM, rest: "/w", every: 5 * time.Minute},
		"tpm:":                               {says: "must be tpm:PATH"},
		"tpm:/w?every=5s":                    {says: "every at least 1m"},
		"tpm:/w?index=0x81000001":            {says: "an NV counter"},
		"tpm:/w?pin=1":                       {says: "must be tpm:PATH"},
		"postgres://witness@host/db":         {kind: WitnessPostgres, rest: "postgres://witness@host/db"},
		"postgres:///db?host=/run":           {kind: WitnessPostgres, rest: "postgres:///db?host=/run"},
		"postgres://u:secret@host/db":        {says: "must not contain a password"},
		"postgres://u@host/db?password=a":    {says: "must not contain a password"},
		"postgres://u@host/db?PassWord=a":    {says: "must not contain a password"},
		"https://witness.example/strongroom": {kind: WitnessHTTP, rest: "https://witness.example/strongroom"},
		"http://127.0.0.1:9200/strongroom":   {kind: WitnessHTTP, rest: "http://127.0.0.1:9200/strongroom"},
		"http://witness.example/strongroom":  {says: "http only for a loopback host"},
		"https://witness.example/?token=a":   {says: "must be a path"},
		"https://token@witness.example/":     {says: "must be a path"},
		"https://u:secret@witness.example/":  {says: "must not contain a password"},
		"vault:transit":                      {says: "must be a path"},
	} {
		var w Witness
		err := w.UnmarshalText([]byte(text))
		if want.says != "" {
			if err == nil || !strings.Contains(err.Error(), want.says) || strings.Contains(err.Error(), "secret@") {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		rest := w.Path
		if w.URL != nil {
			rest = w.URL.String()
		}
		if err != nil || w.Kind != want.kind || rest != want.rest || w.Every != want.every {
			t.Errorf("%q is %+v: %v", text, w, err)
		}
	}
}
