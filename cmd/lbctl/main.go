// Command lbctl is the operator's tool: it keeps the history's tables up to date, closes,
// restores and verifies boards, shows what the product spends, and loads scores from files.
//
// It reads flags and the environment, and prints; other packages, such as migrations, closing
// and importer, do the work.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/platform/progress"
)

// Exit statuses.
const (
	statusGood   = 0
	statusFaults = 1 // refused lines, differences, pending migrations
	statusFailed = 2 // nothing was done, or not everything: wrong flags, no connection, interrupted
)

// console is the surroundings of a command.
type console struct {
	stdout, stderr io.Writer
	terminal       bool // stderr is a terminal
	getenv         func(string) string
}

// notice prints a line without spoiling the progress that is shown.
func (c console) notice(text string) {
	over := ""
	if c.terminal {
		over = progress.ClearLine
	}
	_, _ = fmt.Fprintln(c.stderr, over+"lbctl:", text)
}

// writeJSON prints a report.
func writeJSON(c console, v any) error {
	out := json.NewEncoder(c.stdout)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

// groups are the parts of the list of commands.
var groups = []*cobra.Group{
	{ID: "product", Title: "State of the product:"},
	{ID: "boards", Title: "Boards and their history:"},
	{ID: "scores", Title: "Rules, and scores from files:"},
	{ID: "players", Title: "Players:"},
	{ID: "tool", Title: "This tool:"},
}

func newRoot(c console) *cobra.Command {
	root := &cobra.Command{
		Use: "lbctl", Short: "The operator's tool for the leaderboards",
		Long:          "lbctl is the operator's tool for the leaderboards.",
		SilenceErrors: true, SilenceUsage: true,
	}
	root.AddGroup(groups...)
	for _, of := range []struct {
		group   string
		command *cobra.Command
	}{
		{"product", statusCommand(c)},
		{"product", doctorCommand(c)},
		{"product", usageCommand(c)},
		{"product", webhooksCommand(c)},
		{"product", maintenanceCommand(c)},
		{"product", moveCommand(c)},
		{"boards", migrateCommand(c)},
		{"boards", closeCommand(c)},
		{"boards", settleCommand(c)},
		{"boards", archiveCommand(c)},
		{"boards", backupCommand(c)},
		{"boards", restoreCommand(c)},
		{"boards", verifyCommand(c)},
		{"scores", gameCommand(c)},
		{"scores", importCommand(c)},
		{"scores", importHistoryCommand(c)},
		{"players", bansCommand(c)},
		{"players", logCommand(c)},
		{"players", auditCommand(c)},
		{"players", exportPlayerCommand(c)},
		{"players", syncPlayersCommand(c)},
		{"players", badgeCommand(c)},
		{"players", ratingCommand(c)},
		{"tool", operatorCommand(c)},
		{"tool", versionCommand(c)},
		{"tool", referenceCommand(root, c)},
	} {
		of.command.GroupID = of.group
		root.AddCommand(of.command)
	}
	root.SetHelpCommandGroupID("tool")
	root.SetCompletionCommandGroupID("tool")
	root.SetFlagErrorFunc(flagError)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	return root
}

// ended is how a command ended that did not end well. Without err everything has been said.
type ended struct {
	status int
	err    error
}

func (e *ended) Error() string { return fmt.Sprint("status ", e.status) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], console{os.Stdout, os.Stderr, progress.IsTerminal(os.Stderr), os.Getenv}))
}

func run(ctx context.Context, args []string, c console) int {
	root, nothing := newRoot(c), false
	if len(args) == 0 {
		root.SetOut(c.stderr)
		args = []string{"help"}
		nothing = true
	}
	root.SetArgs(modern(root, args, c))
	status, err := statusGood, root.ExecuteContext(ctx)
	if err != nil || nothing {
		status = statusFailed
	}
	if end := (*ended)(nil); errors.As(err, &end) {
		status, err = end.status, end.err
	}
	switch {
	case errors.Is(err, context.Canceled):
		_, _ = fmt.Fprintln(c.stderr, "lbctl: interrupted")
	case err != nil:
		_, _ = fmt.Fprintln(c.stderr, "lbctl:", err)
	}
	return status
}
