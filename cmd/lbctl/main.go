// Command lbctl is the operator's tool: it makes the tables of the history,
// loads scores from files, and plays a whole day of a real game against the
// product to prove its ranks.
//
// It reads flags and the environment and prints; what it does is the work of
// packages migrations, importer and replay.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/framedle/leaderboards/internal/progress"
)

// Exit statuses.
const (
	statusGood   = 0
	statusFaults = 1 // refused lines, wrong ranks, migrations yet to be applied
	statusFailed = 2 // nothing could be done, or not all: wrong flags, no connection, interrupted
)

// console is what a command is run with.
type console struct {
	stdout, stderr io.Writer
	terminal       bool // a person watches stderr
	getenv         func(string) string
}

// notice tells something beside the progress that is shown.
func (c console) notice(text string) {
	over := ""
	if c.terminal {
		over = progress.ClearLine
	}
	_, _ = fmt.Fprintln(c.stderr, over+"lbctl:", text)
}

const usage = `lbctl is the operator's tool for the leaderboards.

  lbctl migrate       bring the tables of the history up to date
  lbctl import FILE   load scores from CSV or JSON lines
  lbctl replay        play a whole day of a real game and check every rank

lbctl COMMAND -help tells more.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], console{os.Stdout, os.Stderr, progress.IsTerminal(os.Stderr), os.Getenv}))
}

func run(ctx context.Context, args []string, c console) int {
	if len(args) == 0 {
		_, _ = fmt.Fprint(c.stderr, usage)
		return statusFailed
	}
	var status int
	var err error
	switch name, rest := args[0], args[1:]; name {
	case "migrate":
		status, err = runMigrate(ctx, rest, c)
	case "import":
		status, err = runImport(ctx, rest, c)
	case "replay":
		status, err = runReplay(ctx, rest, c)
	case "help", "-h", "-help", "--help":
		_, _ = fmt.Fprint(c.stdout, usage)
	default:
		status, err = statusFailed, fmt.Errorf("there is no command %q; use migrate, import or replay", name)
	}
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

// parse reads flags and at most the given number of plain arguments, in any order.
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
