package cli

type auditCmd struct {
	Verify        auditVerifyCmd     `cmd:"" help:"Check the trail's chains, every record against them, and them against checkpoints. Writes nothing. Exit 0: intact, 1: damaged, 2: it could not be read."`
	Checkpoint    auditCheckpointCmd `cmd:"" help:"Sign the heads of all chains now and print that, to be kept elsewhere."`
	CheckpointKey checkpointKeyCmd   `cmd:"" name:"checkpoint-key" help:"Look after the key that signs checkpoints."`
	Export        auditExportCmd     `cmd:"" help:"Write the trail as JSON lines, and go on where an earlier export ended."`
	Prune         auditPruneCmd      `cmd:"" help:"Remove the oldest entries, so that what is left proves the same of the records. If there are any, verifies the trail first."`
}
