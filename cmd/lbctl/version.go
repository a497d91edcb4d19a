package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/product/app"
)

const versionLong = `Prints the release or revision, the version of Go, and the required database schema.
lbctl status shows those of a deployment.
`

func versionCommand(c console) *cobra.Command {
	cmd, _ := define("version", "print version and required schema", versionLong, 0)
	return does(cmd, func(context.Context, []string) (int, error) {
		_, err := fmt.Fprintf(c.stdout, "lbctl %s, %s, needs migration %05d\n", app.Version(), runtime.Version(), archive.SchemaVersion)
		return statusGood, err
	})
}
