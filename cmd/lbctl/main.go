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
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/framedle/leaderboards/internal/progress"
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

// command is one command of the tool.
type command struct {
	name, does string
	run        func(context.Context, []string, console) (int, error)
}

func commands() []command {
	return []command{
		{"migrate", "bring the tables of the history up to date", runMigrate},
		{"close", "close days, a week or a month, as the schedules do", runClose},
		{"settle", "settle a week of leagues again, by what the history has now", runSettle},
		{"restore", "make all boards again from the history", runRestore},
		{"archive", "archive closed days that the history does not have", runArchive},
		{"verify", "hold the boards against the history", runVerify},
		{"game", "check a game file, or say what a change of its rules does", runGame},
		{"move", "copy everything in Redis into another, empty one", runMove},
		{"maintenance", "have writes wait, and let them in again", runMaintenance},
		{"status", "say how the product stands, and what to do about what is wrong", runStatus},
		{"webhooks", "say how telling other programs goes, and have it done again", runWebhooks},
		{"usage", "print what the product spends, by day and function, and who spends", runUsage},
		{"export-player", "write everything that is kept of a player", runExportPlayer},
		{"bans", "print who may not play", runBans},
		{"log", "print what was done, and by whom", runLog},
		{"audit", "print what submissions did, in games that record it", runAudit},
		{"doctor", "ask a deployment everything once, and say what is wrong", runDoctor},
		{"sync-players", "read users and organizations of Clerk in", runSyncPlayers},
		{"import", "load scores from CSV or JSON lines", runImport},
		{"version", "print which build this is, and the tables it needs", runVersion},
	}
}

func usage() string {
	text := "lbctl is the operator's tool for the leaderboards.\n\n"
	for _, c := range commands() {
		text += fmt.Sprintf("  lbctl %-14s %s\n", c.name, c.does)
	}
	return text + "\nlbctl COMMAND -help tells more.\n"
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], console{os.Stdout, os.Stderr, progress.IsTerminal(os.Stderr), os.Getenv}))
}

func run(ctx context.Context, args []string, c console) int {
	if len(args) == 0 {
		_, _ = fmt.Fprint(c.stderr, usage())
		return statusFailed
	}
	if slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
		_, _ = fmt.Fprint(c.stdout, usage())
		return statusGood
	}
	all := commands()
	i := slices.IndexFunc(all, func(known command) bool { return known.name == args[0] })
	if i < 0 {
		_, _ = fmt.Fprintf(c.stderr, "lbctl: there is no command %q; lbctl help lists them\n", args[0])
		return statusFailed
	}
	status, err := all[i].run(ctx, args[1:], c)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return statusGood
	case errors.Is(err, context.Canceled):
		_, _ = fmt.Fprintln(c.stderr, "lbctl: interrupted")
	case err != nil:
		_, _ = fmt.Fprintln(c.stderr, "lbctl:", err)
	}
	return status
}

// parse parses flags and at most the given number of other arguments, in any order.
func parse(flags *flag.FlagSet, args []string, most int) ([]string, error) {
	var plain []string
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return plain, nil
		}
		if len(plain) == most {
			return nil, fmt.Errorf("%q is one argument too many; see lbctl %s -help", flags.Arg(0), flags.Name())
		}
		plain = append(plain, flags.Arg(0))
		args = flags.Args()[1:]
	}
}
