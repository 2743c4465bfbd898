package main

import (
	"log/slog"
	"strings"

	"strongroom/internal/config"
	"strongroom/internal/domain"
)

// warnOfPosture logs a warning for each check that --hardened requires and that is
// off. A service that only its own machine can reach is a sandbox, or is behind a proxy
// that we cannot see: there it logs only the checks that matter in a sandbox.
func warnOfPosture(log *slog.Logger, s *config.Settings) {
	undefended := s.Undefended()
	if s.Hardened {
		message := "the posture is hardened"
		if len(undefended) > 0 {
			message = "the posture is hardened, except for checks that were turned off explicitly"
		}
		log.Info(message, "posture", "hardened", "off", checksThatAreOff(s))
	} else if s.Private() {
		warnOfSandbox(log, undefended)
		undefended = nil
	}
	for _, check := range undefended {
		warnOfCheck(log, check)
	}
	if strings.HasPrefix(s.AdminURL, "https:") && !s.AdminTLS && len(s.TrustedProxies) == 0 {
		log.Warn("the proxy in front of the console is not in --trusted-proxies: all browsers share its address and its sign-in limits")
	}
	if s.DeviceProof != "off" && s.PublicURL == "" && len(s.TrustedProxies) > 0 {
		log.Warn("--public-url is not set, but proxies are: DPoP proofs that clients make for the URL of a proxy are refused")
	}
}

func warnOfCheck(log *slog.Logger, check domain.PostureCheck) {
	log.Warn("not hardened", "part", check.Name, "settings", "--"+strings.Join(check.Settings, ", --"), "gain", check.Gain)
}

func warnOfSandbox(log *slog.Logger, undefended []domain.PostureCheck) {
	for _, check := range undefended {
		switch check.Name {
		case "root-key-apart":
			log.Warn("the root key is in the data directory: it protects a stolen database file, but not a copied directory; see --root-key")
		case "known-callers":
			log.Info("accounts are devices: anyone who reaches the API and knows a key id can act for its device")
		case "operator-transport", "narrow-proxies": // these are not defaults: someone set them
			warnOfCheck(log, check)
		}
	}
}

// checksThatAreOff lists all checks that are off, also those that --hardened does not
// require.
func checksThatAreOff(s *config.Settings) string {
	var names []string
	for _, check := range s.Posture() {
		if check.State == domain.CheckOff {
			names = append(names, check.Name)
		}
	}
	return strings.Join(names, ",")
}
