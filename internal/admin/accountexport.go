package admin

import (
	"encoding/base64"

	"strongroom/internal/domain"
)

// AccountExport is what is stored about an account, without its entries in the
// trail.
type AccountExport struct {
	ActResult
	Account     Account          `json:"account"`
	Credentials []Credential     `json:"credentials"`
	Devices     []ExportedDevice `json:"devices"`
	MoreKeys    bool             `json:"moreKeys"`
}

// ExportedDevice is a device with all its keys.
type ExportedDevice struct {
	DeviceID      string        `json:"deviceId"`
	KeyGeneration KeyGeneration `json:"keyGeneration"`
	Keys          []ExportedKey `json:"keys"`
}

// ExportedKey is a key with its public half: base64 of the DER SubjectPublicKeyInfo.
type ExportedKey struct {
	Key
	PublicKey string `json:"publicKey"`
}

func accountExport(e domain.AccountExport) AccountExport {
	return AccountExport{result(e.ActResult), account(e.Account), listOf(e.Credentials, "", credential).Items,
		listOf(e.Devices, "", exportedDevice).Items, e.MoreKeys}
}

func exportedDevice(d domain.ExportedDevice) ExportedDevice {
	return ExportedDevice{d.DeviceID, keyGeneration(d.KeyGeneration), listOf(d.Keys, "", exportedKey).Items}
}

func exportedKey(k domain.ExportedKey) ExportedKey {
	return ExportedKey{key(k.KeyInfo), base64.StdEncoding.EncodeToString(k.PublicKey)}
}
