package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/product/app"
)

const versionLong = `Prints the release and the revision, as far as the build knows them, the version of Go, and the required database schema.
lbctl status shows those of a deployment.
`

func versionCommand(c console) *cobra.Command {
	cmd, _ := define("version", "print version and required schema", versionLong, 0)
	return does(cmd, func(context.Context, []string) (int, error) {
		of := ""
		if revision := app.Revision(); revision != "" && revision != app.Version() {
			of = "revision " + revision + ", "
		}
		_, err := fmt.Fprintf(c.stdout, "lbctl %s, %s%s, needs migration %05d\n", app.Version(), of, runtime.Version(), archive.SchemaVersion)
		return statusGood, err
	})
}
