package config

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"strongroom/internal/domain"
)

// WebhookURL is where events are sent. A nil URL means that no events are sent.
type WebhookURL struct{ *url.URL }

// UnmarshalText reads a URL, or an empty text.
func (w *WebhookURL) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*w = WebhookURL{}
		return nil
	}
	u, err := url.Parse(string(text))
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" || u.Fragment != "" || u.Opaque != "" {
		return errors.New("must be an https URL (http only for a host of webhook-allow)")
	}
	*w = WebhookURL{u}
	return nil
}

// Secret reports whether the URL contains a password, or a query that may contain one.
func (w WebhookURL) Secret() bool {
	if w.URL == nil {
		return false
	}
	return hasPassword(w.URL) || w.RawQuery != ""
}

// WebhookEvents are the events that are sent.
type WebhookEvents []domain.Event

// UnmarshalText reads names of events, separated by commas. An empty text means
// [domain.EventsOut].
func (w *WebhookEvents) UnmarshalText(text []byte) error {
	var out WebhookEvents
	for item := range items(text) {
		e := domain.Event(item)
		if !slices.Contains(domain.EventsOut, e) && !slices.Contains(domain.EventsOutByName, e) || slices.Contains(out, e) {
			return errors.New("must be event names from docs/events.md, such as key.issued,credential.locked, each once")
		}
		out = append(out, e)
	}
	if out == nil {
		out = slices.Clone(domain.EventsOut)
	}
	*w = out
	return nil
}

// WebhookNetworks returns the networks and addresses in webhook-allow.
func (s *Settings) WebhookNetworks() (all []netip.Prefix) {
	for _, item := range s.WebhookAllow {
		if n, ok := network(item); ok {
			all = append(all, n)
		}
	}
	return all
}

// WebhookHosts returns the host names in webhook-allow.
func (s *Settings) WebhookHosts() (all []string) {
	for _, item := range s.WebhookAllow {
		if _, ok := network(item); !ok {
			all = append(all, item)
		}
	}
	return all
}

func network(item string) (netip.Prefix, bool) {
	if a, err := netip.ParseAddr(item); err == nil && a.Zone() == "" {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), true
	}
	n, err := netip.ParsePrefix(item)
	return n, err == nil
}

// checkWebhook checks the settings of events that are sent.
func (s *Settings) checkWebhook() Problems {
	var problems Problems
	hosts, networks := s.WebhookHosts(), s.WebhookNetworks()
	for _, h := range hosts {
		problems.need(!strings.ContainsAny(h, "/:*@ "), "webhook-allow: must be host names, without port and without *, or networks such as 10.0.0.0/8")
	}
	for _, n := range networks {
		problems.need(n == n.Masked() && n.Bits() > 0 && !n.Addr().Is4In6(), "webhook-allow: a network must have no bits set after the prefix, not write IPv4 as IPv6, and not be the whole Internet")
	}
	if s.WebhookURL.URL == nil {
		problems.need(s.WebhookSecret == (KeySource{}), "webhook-url: is required with webhook-secret: without it no events are sent")
		return problems
	}
	problems.need(s.WebhookSecret != (KeySource{}), "webhook-secret: is required with webhook-url: receivers need the signature to recognize genuine events")
	address, err := netip.ParseAddr(s.WebhookURL.Hostname())
	named := slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, s.WebhookURL.Hostname()) }) ||
		err == nil && slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(address.Unmap()) })
	problems.need(s.WebhookURL.Scheme == "https" || named, "webhook-url: must be https, or its host must be named in webhook-allow")
	return problems
}
