package cli

type adminCmd struct {
	Devices    devicesCmd    `cmd:"" help:"List devices."`
	Device     deviceCmd     `cmd:"" help:"Show a device with its keys."`
	Key        keyCmd        `cmd:"" help:"Show a key and its device."`
	Accounts   accountsCmd   `cmd:"" help:"List accounts."`
	Account    accountCmd    `cmd:"" help:"Show an account with its credentials, failures and locks."`
	Locks      locksCmd      `cmd:"" help:"List active locks."`
	Suspicions suspicionsCmd `cmd:"" help:"List sources that guess secrets of many accounts."`
	Health     healthCmd     `cmd:"" help:"Show instance health."`
	Posture    postureCmd    `cmd:"" help:"Show which security checks (the posture) are on or off, and what an attacker gains."`
	Operations operationsCmd `cmd:"" help:"Show operations over time, or their totals."`
	Cells      cellsCmd      `cmd:"" help:"Show the operations of several cells and their totals, or find the cell of an account."`
	Audit      trailCmd      `cmd:"" help:"Search the audit trail, newest first."`
	Rotation   rotationCmd   `cmd:"" help:"Replace old keys when their devices next request a key."`
	Webhook    webhookCmd    `cmd:"" help:"Show queued events and dead letters, and send dead letters again."`

	Credential credentialCmd `cmd:"" help:"Require a user to change a passcode or PIN."`

	Unlock unlockCmd `cmd:"" help:"Unlock a credential and reset its failures."`
	Revoke revokeCmd `cmd:"" help:"Revoke a device key immediately, even one in its rotation grace."`
	Unbind unbindCmd `cmd:"" help:"End the binding of a device key to the device's own key (DPoP), for an owner who lost that key."`
	Erase  eraseCmd  `cmd:"" help:"Erase an account with its private keys, credentials and locks."`

	Token adminTokenCmd `cmd:"" help:"Rotate or retire admin tokens."`
}
