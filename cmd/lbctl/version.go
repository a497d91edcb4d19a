package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/product/app"
)

const versionLong = `Prints which release or revision this is, the Go it was built with, and the
migration that it needs in the database. That of a deployment is in lbctl status.
`

func versionCommand(c console) *cobra.Command {
	cmd, _ := define("version", "print which build this is, and the tables it needs", versionLong, 0)
	return does(cmd, func(context.Context, []string) (int, error) {
		_, err := fmt.Fprintf(c.stdout, "lbctl %s, %s, needs migration %05d\n", app.Version(), runtime.Version(), archive.SchemaVersion)
		return statusGood, err
	})
}
