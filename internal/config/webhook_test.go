package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

func TestWebhookSettingsAreChecked(t *testing.T) {
	good := map[string]string{"webhook-url": "https://events.example.com/in", "webhook-secret": "file:/etc/secrets"}
	for _, c := range []struct{ name, value, problem string }{
		{"webhook-url", "https://events.example.com/in", ""},
		{"webhook-url", "http://events.example.com/in", "webhook-url: must be https, or its host must be named in webhook-allow"},
		{"webhook-url", "ftp://events.example.com", "webhook-url (flag): must be an https URL"},
		{"webhook-url", "https://", "webhook-url (flag): must be an https URL"},
		{"webhook-url", "events.example.com", "webhook-url (flag): must be an https URL"},
		{"webhook-url", "https://u:hunter2@events.example.com", "webhook-url (flag): must not contain a password"},
		{"webhook-url", "https://events.example.com?token=hunter2", "webhook-url (flag): must not contain a password"},
		{"webhook-url", "", "webhook-url: is required with webhook-secret"},
		{"webhook-secret", "", "webhook-secret: is required with webhook-url"},
		{"webhook-secret", "whsec_hunter2", "webhook-secret (flag): must be file:PATH or env:NAME"},
		{"webhook-events", "key.issued, credential.verified", ""},
		{"webhook-events", "key.issued,key.issued", "webhook-events (flag): must be event names"},
		{"webhook-events", "strongroom.key.issued", "webhook-events (flag): must be event names"},
		{"webhook-events", "chain.tied", "webhook-events (flag): must be event names"},
		{"webhook-allow", "events.internal,10.0.0.0/8,fd00::/8,192.168.1.7", ""},
		{"webhook-allow", "https://events.internal", "webhook-allow: must be host names"},
		{"webhook-allow", "events.internal:8443", "webhook-allow: must be host names"},
		{"webhook-allow", "*.internal", "webhook-allow: must be host names"},
		{"webhook-allow", "10.0.0.1/8", "webhook-allow: a network must"},
		{"webhook-allow", "0.0.0.0/0", "webhook-allow: a network must"},
		{"webhook-timeout", "0", "webhook-timeout (flag): must be a duration from 1s to 1m"},
		{"webhook-give-up", "31d", "webhook-give-up (flag): must be a duration from 1m to 30d"},
	} {
		flags := map[string]string{}
		for name, value := range good {
			flags[name] = value
		}
		flags[c.name] = c.value
		_, _, err := Load(flags, nil)
		switch {
		case c.problem == "" && err != nil:
			t.Errorf("%s %q: %v", c.name, c.value, err)
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem) || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("%s %q: %v, want %s", c.name, c.value, err, c.problem)
		}
	}
	s, list, err := Load(map[string]string{"webhook-secret": "env:HOOK", "webhook-allow": "10.1.2.3, Events.internal,::1", "webhook-events": "credential.locked"},
		[]string{"STRONGROOM_WEBHOOK_URL=http://u:hunter2@10.1.2.3/in", "HOOK=x"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Events.internal"}, s.WebhookHosts()); diff != "" || len(s.WebhookNetworks()) != 2 {
		t.Errorf("hosts (-want +got):\n%s and networks %v", diff, s.WebhookNetworks())
	}
	if diff := cmp.Diff(WebhookEvents{domain.EventCredentialLocked}, s.WebhookEvents); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	for _, e := range list {
		if strings.Contains(e.Value, "hunter2") {
			t.Errorf("%s is shown as %s", e.Name, e.Value)
		}
	}
}
