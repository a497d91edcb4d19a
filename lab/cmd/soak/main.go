// Command soak plays a quarter of a whole game against the product, with everything that
// goes wrong in that time, and compares every board with a plain model. It only reads
// flags and prints; package soak does the work.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/lab/soak"
)

// Exit statuses.
const (
	statusRight  = 0
	statusWrong  = 1
	statusFailed = 2 // the run could not be played to its end
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// command is the parsed flags.
type command struct {
	soak.Options
	redis    string
	database string
	out      io.Writer
}

func run(ctx context.Context, args []string, out, messages io.Writer) int {
	c, err := parse(args, messages)
	if errors.Is(err, flag.ErrHelp) {
		return statusRight
	}
	if err == nil {
		c.out = out
		_, _ = fmt.Fprintf(out, "seed %d: %d players, %d days from %s\n", c.Seed, c.Players, c.Days, c.Start)
		err = c.play(ctx, c.Options)
	}
	var wrong *soak.Failure
	switch {
	case err == nil:
		return statusRight
	case errors.As(err, &wrong):
		_, _ = fmt.Fprintln(out, wrong)
		c.shrink(ctx, wrong)
		return statusWrong
	}
	_, _ = fmt.Fprintln(messages, "soak:", err)
	return statusFailed
}

func parse(args []string, messages io.Writer) (*command, error) {
	c := &command{}
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.Uint64Var(&c.Seed, "seed", 0, "`number` that decides everything; 0 takes one at random and prints it")
	flags.IntVar(&c.Players, "players", 2000, "how many `players` there are")
	flags.IntVar(&c.Days, "days", 90, "how many `days` are played")
	start := flags.String("start", "2026-11-10", "the first `date`")
	flags.IntVar(&c.Steps, "steps", 8, "`times` a day at which plays are sent")
	flags.IntVar(&c.Every, "every", 18, "`days` from one look at all boards to the next")
	flags.IntVar(&c.ImportDays, "imports", 5, "how many `days` back the operator fills days, 0 for not at all")
	flags.IntVar(&c.Workers, "workers", 4, "requests under way at once")
	flags.StringVar(&c.redis, "redis", local.RedisAuto, "what holds the boards: auto, embedded or redis://`host:port`, which must be empty")
	flags.StringVar(&c.database, "database-url", "", "what holds the history: auto, or the `address` of an empty Postgres; no history without one")
	flags.IntVar(&c.PlayedLossDay, "loss-in-play", 0, "`day` of the run in which Redis is emptied while everybody plays on, and restored after that; 0 for none")
	flags.IntVar(&c.LossDay, "loss", 0, "`day` of the run that begins with an empty Redis, which is then restored from the history; 0 for none")
	flags.BoolVar(&c.Removals, "removals", false, "have the operator take scores and players out")
	flags.BoolVar(&c.History, "history", false, "expect closed periods that have left Redis")
	flags.BoolVar(&c.Streaks, "streaks", false, "expect XP, level and streak in GET /v1/me")
	flags.BoolVar(&c.Snapshots, "snapshots", false, "expect the top of closed weeks and months in the database")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is no flag; see -help", flags.Arg(0))
	}
	for c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	var err error
	if c.Start, err = game.ParseDate(*start); err != nil {
		return nil, fmt.Errorf("-start: %w", err)
	}
	c.Game, err = soak.Quarter()
	return c, err
}

// play makes one run against a new product.
func (c *command) play(ctx context.Context, o soak.Options) error {
	product, err := local.Start(ctx, local.Options{Addr: "127.0.0.1:0", Redis: c.redis, DatabaseURL: c.database, Game: c.Game, Log: io.Discard})
	if err != nil {
		return err
	}
	o.Product = product
	if job := product.Jobs.Closing(); o.LossDay+o.PlayedLossDay > 0 {
		o.Restore = func(ctx context.Context) error {
			_, err := job.Restore(ctx, closing.RestoreOptions{})
			return err
		}
		o.Verify = func(ctx context.Context) error { return verify(ctx, job) }
	}
	o.Log = func(format string, args ...any) { _, _ = fmt.Fprintf(c.out, format+"\n", args...) }
	began := time.Now()
	report, err := soak.Run(ctx, o)
	if err := errors.Join(err, product.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, `Plays      %10d  %d requests refused, %d sent again
Schedules  %10d  runs, %d of them cut off
Boards     %10d  read in %d looks, %d rows, %d cards
Everything is right, in %s.
`, report.Plays, report.Refused, report.Repeated, report.Runs, report.Killed,
		report.Boards, report.Looks, report.Rows, report.Cards, time.Since(began).Round(time.Second))
	return err
}

// verify returns the first differences between Redis and the history as an error.
func verify(ctx context.Context, job *closing.Closing) error {
	var found []error
	_, err := job.Verify(ctx, func(d lifecycle.Difference) {
		if len(found) < 12 {
			found = append(found, fmt.Errorf("%s of %s: %s in Redis, %s in the history", d.Player, d.Key, d.Redis, d.Postgres))
		}
	})
	return errors.Join(err, errors.Join(found...))
}

// shrink looks for a smaller run that fails too. It does so only if it can start a new
// product for each run.
func (c *command) shrink(ctx context.Context, wrong *soak.Failure) {
	if c.database != "" && c.database != local.DatabaseAuto || c.redis != local.RedisAuto && c.redis != local.RedisEmbedded {
		return // they still hold what this run left
	}
	smallest, wrong, err := soak.Shrink(c.Options, wrong, func(o soak.Options) error { return c.play(ctx, o) })
	if err != nil {
		_, _ = fmt.Fprintln(c.out, "looking for a smaller run:", err)
	}
	_, _ = fmt.Fprintf(c.out, "The smallest run found that fails: -seed %d -players %d -days %d\n%s\n", smallest.Seed, smallest.Players, smallest.Days, wrong)
}
