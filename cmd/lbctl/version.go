package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
)

const versionUsage = `Usage: lbctl version

Prints which release or revision this is, the Go it was built with, and the
migration that it needs in the database. That of a deployment is in lbctl status.
`

func runVersion(_ context.Context, args []string, c console) (int, error) {
	flags := flag.NewFlagSet("version", flag.ContinueOnError)
	flags.SetOutput(c.stderr)
	flags.Usage = func() { _, _ = fmt.Fprint(c.stderr, versionUsage) }
	if _, err := parse(flags, args, 0); err != nil {
		return statusFailed, err
	}
	_, err := fmt.Fprintf(c.stdout, "lbctl %s, %s, needs migration %05d\n", app.Version(), runtime.Version(), archive.SchemaVersion)
	return statusGood, err
}
