package config

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Witness says where the witness is kept. The zero value means beside the data
// directory.
type Witness struct {
	Kind string   // one of the Witness… constants
	Path string   // of the file, for kinds file and tpm
	URL  *url.URL // of the server, for kinds postgres and http

	Device string        // path of the TPM; empty: the default
	Index  uint32        // NV index of the counter in the TPM; 0: the default
	Every  time.Duration // between two increments of that counter
}

// The kinds of witness.
const (
	WitnessDefault  = ""
	WitnessNone     = "none"
	WitnessFile     = "file"
	WitnessTPM      = "tpm"
	WitnessPostgres = "postgres"
	WitnessHTTP     = "http"
)

// The time between two increments of a counter in a TPM, whose memory wears out.
const (
	countEvery    = time.Hour
	minCountEvery = time.Minute
)

var (
	errWitness       = errors.New("must be a path, file:PATH, tpm:PATH, postgres://…, https://… (http only for a loopback host) or none")
	errWitnessSecret = errors.New("must not contain a password: give it with witness-secret")
	errWitnessTPM    = errors.New("must be tpm:PATH with at most ?device=PATH&index=0x01…&every=DURATION, where index is that of an NV counter of the owner and every at least 1m")
)

// UnmarshalText reads a path or URL.
func (w *Witness) UnmarshalText(text []byte) error {
	is, err := parseWitness(string(text))
	if err == nil {
		*w = is
	}
	return err
}

func parseWitness(text string) (w Witness, err error) {
	scheme, rest, isURL := strings.Cut(text, ":")
	switch {
	case strings.ContainsFunc(text, unicode.IsControl):
		return w, errControl
	case text == "":
		return w, nil
	case text == WitnessNone:
		return Witness{Kind: WitnessNone}, nil
	case !isURL || strings.ContainsAny(scheme, "/."):
		return Witness{Kind: WitnessFile, Path: text}, nil
	case scheme == "file" && rest != "":
		return Witness{Kind: WitnessFile, Path: rest}, nil
	case scheme == "tpm":
		return parseTPM(rest)
	}
	u, err := url.Parse(text)
	if err != nil || u.Fragment != "" {
		return w, errWitness
	}
	if hasPassword(u) || hasParameter(u, "password") {
		return w, errWitnessSecret
	}
	switch {
	case scheme == "postgres" || scheme == "postgresql":
		return Witness{Kind: WitnessPostgres, URL: u}, nil
	case isDiscoverable(text) && u.User == nil && u.RawQuery == "":
		return Witness{Kind: WitnessHTTP, URL: u}, nil
	}
	return w, errWitness
}

func parseTPM(rest string) (w Witness, err error) {
	path, query, _ := strings.Cut(rest, "?")
	options, err := url.ParseQuery(query)
	w = Witness{Kind: WitnessTPM, Path: path, Every: countEvery}
	if path == "" || err != nil {
		return w, errWitnessTPM
	}
	for name, values := range options {
		switch value := values[len(values)-1]; name {
		case "device":
			w.Device = value
		case "index":
			n, failed := strconv.ParseUint(value, 0, 32)
			if failed != nil || n>>24 != 1 { // the handle type TPM_HT_NV_INDEX
				return w, errWitnessTPM
			}
			w.Index = uint32(n)
		case "every":
			if w.Every, err = ParseDuration(value); err != nil || w.Every < minCountEvery {
				return w, errWitnessTPM
			}
		default:
			return w, errWitnessTPM
		}
	}
	return w, nil
}

// WitnessPath returns the file of the witness, "" if it has none. own reports whether it
// is the default, so that a start does not need it.
func (s *Settings) WitnessPath() (path string, own bool) {
	if s.Witness.Kind == WitnessDefault {
		return absolute(s.DataDir) + ".witness", true
	}
	if s.Witness.Path == "" {
		return "", false
	}
	return absolute(s.Witness.Path), false
}
