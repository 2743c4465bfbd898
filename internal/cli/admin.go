package cli

import (
	"strongroom/internal/config"
)

type adminCmd struct {
	Devices    devicesCmd    `cmd:"" help:"List devices."`
	Device     deviceCmd     `cmd:"" help:"Show a device with its keys."`
	Key        keyCmd        `cmd:"" help:"Show a key and its device."`
	Accounts   accountsCmd   `cmd:"" help:"List accounts."`
	Account    accountCmd    `cmd:"" help:"Show an account with its credentials, failures and locks."`
	Locks      locksCmd      `cmd:"" help:"List the locks that stand."`
	Suspicions suspicionsCmd `cmd:"" help:"List sources from which many accounts are guessed."`
	Health     healthCmd     `cmd:"" help:"Show how the instance is."`
	Posture    postureCmd    `cmd:"" help:"Show what the settings defend against or leave open."`
	Operations operationsCmd `cmd:"" help:"Show operations over time, or their sums."`
	Audit      trailCmd      `cmd:"" help:"Search the audit trail, newest first."`
	Rotation   rotationCmd   `cmd:"" help:"Have old keys replaced at their next use."`
	Webhook    webhookCmd    `cmd:"" help:"Show what of the events waits to be sent or was set aside, and send it again."`

	Unlock unlockCmd `cmd:"" help:"End the lock of a credential and forget its failures."`
	Revoke revokeCmd `cmd:"" help:"End a device key at once, in grace or not."`
	Erase  eraseCmd  `cmd:"" help:"Erase an account: its private keys, its credentials and their locks."`

	Token adminTokenCmd `cmd:"" help:"Change the tokens that open the operator side."`
}

// addSettings gives each command the settings that it takes as flags.
func (c *adminCmd) addSettings() {
	for _, one := range []*connection{&c.Devices.connection, &c.Device.connection, &c.Key.connection, &c.Accounts.connection,
		&c.Account.connection, &c.Locks.connection, &c.Suspicions.connection, &c.Health.connection, &c.Posture.connection,
		&c.Operations.connection, &c.Audit.connection, &c.Rotation.Preview.connection, &c.Rotation.Start.connection, &c.Rotation.Stop.connection,
		&c.Rotation.Status.connection, &c.Webhook.Status.connection, &c.Webhook.DeadLetters.connection,
		&c.Webhook.Resend.connection, &c.Unlock.connection, &c.Revoke.connection, &c.Erase.connection} {
		one.Plugins = config.StoreFlags()
	}
	c.Token.Rotate.Plugins = config.AdminTokenFlags()
	c.Token.Retire.Plugins = config.AdminTokenFlags()
}
