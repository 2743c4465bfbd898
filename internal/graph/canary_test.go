package graph

// canary is a secret that no answer and no log line may ever hold.
const canary = "hunter2canary"
