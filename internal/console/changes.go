package console

import (
	"cmp"
	"slices"
	"strings"

	"strongroom/internal/domain"
)

// end returns the part of an id that must be typed.
func end(id string) string { return id[max(0, len(id)-6):] }

func (c changes) aboutRevoke(r *request, f *form) error {
	d, err := c.UseCases.Key(r.Context(), r.PathValue("keyId"))
	if err != nil {
		return err
	}
	k := d.Keys[0]
	*f = form{Once: f.Once, Title: "Revoke this key", Button: "Revoke key", Danger: true, Confirm: end(k.ID), What: "the last six characters of the key id. This cannot be undone",
		Lead: "The key is revoked immediately, and its private key is erased. Ciphertexts of the device can no longer be decrypted. " +
			"The device keeps its passcode and PIN, and gets a new key when it next requests one.",
		Facts: []fact{{"Key", k.ID}, {"Device", d.DeviceID}, {"Account", subject(d.Account)}, {"State", string(k.State)}},
		Back:  deviceLink(d.Account.ID, d.DeviceID), Done: "The key was revoked."}
	return nil
}

func (c changes) aboutUnbind(r *request, f *form) error {
	d, err := c.UseCases.Key(r.Context(), r.PathValue("keyId"))
	if err != nil {
		return err
	}
	k := d.Keys[0]
	*f = form{Once: f.Once, Title: "Unbind this key", Button: "Unbind key", Danger: true,
		Lead: "The key no longer needs a proof by the device's own key (DPoP). The next correct passcode or PIN with a proof binds it again. " +
			"Until then anyone who knows the key id can guess the passcode and PIN. Verify the user's identity first.",
		Facts: []fact{{"Key", k.ID}, {"Device", d.DeviceID}, {"Account", subject(d.Account)}, {"Bound to", cmp.Or(k.Thumbprint, "nothing")}},
		Back:  deviceLink(d.Account.ID, d.DeviceID), Done: "The key was unbound."}
	return nil
}

func (c changes) aboutUnlock(r *request, f *form) error {
	info, err := c.UseCases.Account(r.Context(), r.PathValue("accountId"))
	if err != nil {
		return err
	}
	t := domain.CredentialType(r.PathValue("type"))
	if t != domain.Passcode && t != domain.TransactionPIN {
		return errNoPage
	}
	name := strings.ToLower(credential(t)[:1]) + credential(t)[1:]
	*f = form{Once: f.Once, Title: "Unlock the " + name, Button: "Unlock",
		Lead: "The locks of the account and of its devices end, and all failed attempts are reset. If an attacker was guessing, they get the full number of attempts again. " +
			"Verify the user's identity first.",
		Facts: []fact{{"Account", subject(info.Account)}, {"Credential", credential(t)}},
		Back:  "/accounts/" + info.Account.ID, Done: "The " + name + " was unlocked."}
	for _, cr := range info.Credentials {
		if cr.Type != t {
			continue
		}
		f.Facts = append(f.Facts, fact{"State", lockState(cr)})
		for _, d := range cr.LockedDevices {
			f.Facts = append(f.Facts, fact{"Locked device", lockedDevice(d)})
		}
		if f.Until = cr.LockedUntil; !locked(cr) {
			f.Done = "The " + name + " was not locked. Its failed attempts were reset."
		}
		if cr.Tampered {
			f.Lead += " The attempt counter was edited in the database. Unlocking replaces it. Check the audit trail first."
		}
	}
	return nil
}

// locked reports whether an unlock would end something.
func locked(cr domain.CredentialInfo) bool {
	return cr.Permanent || cr.Tampered || !cr.LockedUntil.IsZero() || len(cr.LockedDevices) > 0
}

func lockState(cr domain.CredentialInfo) string {
	failures := plural(cr.Failures, "failed attempt", "failed attempts") + " in a row"
	switch {
	case cr.Permanent:
		return "locked until an operator unlocks, after " + failures
	case !cr.LockedUntil.IsZero():
		return "locked, after " + failures
	case len(cr.LockedDevices) > 0:
		return "the account is not locked, " + plural(len(cr.LockedDevices), "device is", "devices are")
	}
	return "not locked; " + failures
}

func lockedDevice(d domain.LockedDevice) string {
	name := cmp.Or(d.DeviceID, "unknown device")
	if d.Permanent {
		return name + ", until an operator unlocks"
	}
	return name + ", until " + stamp(d.Until)
}

func (c changes) aboutRequireChange(r *request, f *form) error {
	info, err := c.UseCases.Account(r.Context(), r.PathValue("accountId"))
	if err != nil {
		return err
	}
	at := slices.IndexFunc(info.Credentials, func(cr domain.CredentialInfo) bool { return string(cr.Type) == r.PathValue("type") })
	if at < 0 {
		return errNoPage
	}
	t := info.Credentials[at].Type
	name := strings.ToLower(credential(t)[:1]) + credential(t)[1:]
	*f = form{Once: f.Once, Title: "Demand another " + name, Button: "Demand another " + name,
		Lead: "The next successful verify tells the app that the user must change the " + name + ". The " + name + " keeps working until then. " +
			"Only setting it again ends this.",
		Facts: []fact{{"Account", subject(info.Account)}, {"Credential", credential(t)}},
		Back:  "/accounts/" + info.Account.ID, Done: "The " + name + " must be changed now."}
	return nil
}

func subject(a domain.Account) string {
	if a.Subject == "" {
		return a.ID
	}
	return a.Subject
}

func (c changes) aboutExport(r *request, f *form) error {
	info, err := c.UseCases.Account(r.Context(), r.PathValue("accountId"))
	if err != nil {
		return err
	}
	a := info.Account
	*f = form{Once: f.Once, Title: "Export this account", Button: "Export",
		Lead: "Your browser saves a JSON file with what is stored about the account: its devices with all keys, its credentials without secrets, " +
			"its waiting events, and its entries in the audit trail. The file contains personal data.",
		Facts: []fact{{"Account", subject(a)}, {"Account id", a.ID}}, Back: "/accounts/" + a.ID, File: &file{name: "strongroom-account-" + a.ID + ".json"}}
	return nil
}

func (c changes) export(r *request, f *form, a domain.Act) (domain.ActResult, error) {
	return domain.ActResult{}, c.ExportAccount(r.Context(), f.File, r.PathValue("accountId"), a)
}

func (c changes) aboutErase(r *request, f *form) error {
	info, err := c.UseCases.Account(r.Context(), r.PathValue("accountId"))
	if f.Once == "" && isNotFound(err) {
		// It was sent twice, and the account is erased already: the result will say
		// so.
		info.Account.ID, err = r.PathValue("accountId"), nil
	}
	if err != nil {
		return err
	}
	a := info.Account
	*f = form{Once: f.Once, Title: "Erase this account", Button: "Erase account", Danger: true, Confirm: end(a.ID), What: "the last six characters of the account id. This cannot be undone",
		Lead: "Its keys, passcode, PIN and locks are erased permanently. The audit trail stays, and names the account only by a keyed hash. " +
			"If the user comes back, they get a new account.",
		Facts: []fact{{"Account", subject(a)}, {"Account id", a.ID}}, Back: "/accounts/" + a.ID, Done: "The account was erased."}
	if a.Issuer != "" {
		f.Facts = append(f.Facts, fact{"Issuer", a.Issuer})
	}
	return nil
}

func (c changes) erase(r *request, f *form, a domain.Act) (domain.ActResult, error) {
	f.Back = "/accounts"
	return c.UseCases.EraseAccount(r.Context(), r.PathValue("accountId"), a)
}
