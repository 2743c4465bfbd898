package rootkey

import (
	"strings"
	"testing"
)

// An operator writes a secret into a URL. The error goes to the log of a server.
func TestARefusedURLIsShownWithoutSecrets(t *testing.T) {
	const canary = "hunter2"
	covered := map[string]bool{"file": true} // any path is allowed
	for url, part := range map[string]string{
		"vault:https://h:8200/transit/key?token=" + canary:          "vault:https://h:8200/transit/key…: ",
		"vault:https://h:8200/transit/key?" + canary:                "not NAME=VALUE",
		"vault:https://h:8200/transit/key?ca=/ca&token=a;" + canary: "well-formed",
		"vault:https://h:8200/transit/key&token=" + canary:          "vault:https://h:8200/transit/key…: ",
		"vault:https://h:8200/transit/key#" + canary:                "vault:https://h:8200/transit/key…: ",
		"vault:https://root:" + canary + "@h:8200/transit/key":      "vault:…: ",
		"vault:https://root:a?" + canary + "@h:8200/transit/key":    "vault:…: ",
		"vault:" + canary: "vault:…: ",
		"vault:https://h/transit/key?auth=" + canary:                       "approle or kubernetes",
		"tpm:?auth=" + canary:                                              `tpm:…: unknown parameter "auth"`,
		"tpm:/dev/tpm0?auth=" + canary:                                     `tpm:/dev/tpm0…: unknown parameter "auth"`,
		"tpm:/dev/tpm0?" + canary:                                          "not NAME=VALUE",
		"tpm:?auth-file=" + canary:                                         "auth-file must be an absolute path",
		"tpm:?handle=" + canary:                                            "handle must be",
		"awskms:arn:aws:kms:eu-west-1:123456789012:key/a?secret=" + canary: "awskms:arn:aws:kms:eu-west-1:123456789012:key/a…: ",
		"awskms:arn:aws:kms:eu-west-1:123456789012:key/a?endpoint=https://u:" + canary + "@h": "awskms:…: ",
		"awskms:AKIA:" + canary: "awskms:…: ",
		"gcpkms:projects/p/locations/l/keyRings/r/cryptoKeys/k?access_token=" + canary: "gcpkms:projects/p/locations/l/keyRings/r/cryptoKeys/k…: ",
		"gcpkms:" + canary: "gcpkms:…: ",
		"azurekeyvault:https://bank.vault.azure.net/keys/k?sig=" + canary:    "azurekeyvault:https://bank.vault.azure.net/keys/k…: ",
		"azurekeyvault:https://u:" + canary + "@bank.vault.azure.net/keys/k": "azurekeyvault:…: ",
		"pkcs11:object=root?module-path=/lib/hsm.so&pin-value=" + canary:     "pkcs11:…: ",
		"env:" + canary + "=":                    "env:…: ",
		"systemd-credential:/" + canary:          "systemd-credential:…: ",
		"age:AGE-SECRET-KEY-1" + canary:          "age:…: ",
		"age-identity:AGE-SECRET-KEY-1" + canary: "age-identity:…: this is the identity itself",
		"age-identity:age-plugin-x-1" + canary:   "age-identity:…: this is the identity itself",
		canary:                                   "does not begin with a provider",
		canary + ":" + canary:                    "does not begin with a provider",
	} {
		covered[Scheme(url)] = true
		_, opened := Open(t.Context(), url)
		for what, err := range map[string]error{"Check": Check(url), "Open": opened, "Create": Create(t.Context(), url)} {
			if err == nil || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), canary) {
				t.Errorf("%s(%s): %v, want %q and no secret", what, url, err, part)
			}
		}
	}
	if _, err := ReadIdentities("AGE-SECRET-KEY-1" + canary); err == nil || strings.Contains(err.Error(), canary) {
		t.Errorf("ReadIdentities: %v", err)
	}
	for scheme := range providers {
		if !covered[scheme] {
			t.Errorf("no URL of %s has a secret here", scheme)
		}
	}
}
