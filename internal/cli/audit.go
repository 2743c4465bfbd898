package cli

type auditCmd struct {
	Verify        auditVerifyCmd     `cmd:"" help:"Verify the chains of the trail, all records against the trail, and the trail against checkpoints. Writes nothing. Exit 0: intact, 1: damaged, 2: not readable."`
	Checkpoint    auditCheckpointCmd `cmd:"" help:"Sign the heads of all chains and print the checkpoint. Keep it on another machine."`
	CheckpointKey checkpointKeyCmd   `cmd:"" name:"checkpoint-key" help:"Create a key that signs checkpoints."`
	Export        auditExportCmd     `cmd:"" help:"Export the trail as JSON lines, from the start or from where an earlier export ended."`
	Prune         auditPruneCmd      `cmd:"" help:"Remove the oldest entries. The remaining entries still verify all records. If there are entries to remove, the trail is verified first."`
}
