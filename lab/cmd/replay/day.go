package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/replay"
	"github.com/framedle/leaderboards/lab/stage"
)

const dayUsage = `Usage: replay [flags] [FILE]

Plays one day of a real daily puzzle through the public API: one POST /v1/scores
for each player, with the day's own distribution of tries, spread over its 24
hours by moving the local clock. Then it reads the board back and holds every
rank against a plain model in memory.

The product runs in this process, over a valkey-server or redis-server where the
machine has one; or, with -url, it is one that cmd/local runs elsewhere.

The file is CSV with the columns date, reported_results, pct_1 to pct_6 and
pct_fail. Without one, a made-up day of 2,000 players is played.

Exit status: 0 every rank was right, 1 one was wrong, 2 the day could not be
played to its end.

Flags:
`

type dayFlags struct {
	replay.Options
	file, date string
	url, redis string
}

// playDay reads the flags, plays the day, prints the report and counts the faults.
func playDay(ctx context.Context, args []string, c console) (faults int64, err error) {
	f, err := readDayFlags(args, c)
	if err != nil {
		return 0, err
	}
	if f.Day, err = chooseDay(f.file, f.date); err != nil {
		return 0, err
	}
	stop, err := f.connect(ctx, c)
	if err != nil {
		return 0, err
	}
	var report replay.Report
	err = c.watched(f.Day.Players, "players", func(done func(int)) (err error) {
		f.Progress = done
		report, err = replay.Run(ctx, f.Options)
		return err
	})
	if err := errors.Join(err, stop()); err != nil {
		return 0, err
	}
	return report.Faults.Count, report.Print(c.stdout, f.Day)
}

func readDayFlags(args []string, c console) (*dayFlags, error) {
	f := &dayFlags{}
	flags := flagsOf(c, dayUsage, &f.url, &f.redis)
	flags.StringVar(&f.file, "file", "", "CSV `file` of days; a made-up day when empty")
	flags.StringVar(&f.date, "date", "", "`day` of the file, as 2022-02-02; the one with the most players when empty")
	flags.IntVar(&f.Steps, "steps", 1440, "how many `times` the clock is moved over the day")
	flags.IntVar(&f.Workers, "workers", 8, "submissions under way at once; with 1, the clock moves for each player and the whole order is checked")
	flags.Uint64Var(&f.Seed, "seed", 1, "`number` that decides the order in which players come")
	file, err := parse(flags, args)
	switch {
	case err != nil:
		return nil, err
	case file != "" && f.file != "":
		return nil, fmt.Errorf("%q is one file too many", file)
	case file != "":
		f.file = file
	}
	return f, nil
}

func chooseDay(path, date string) (replay.Day, error) {
	file, err := source(path, replay.Sample())
	if err != nil {
		return replay.Day{}, err
	}
	defer func() { _ = file.Close() }() // only read
	path = cmp.Or(path, "the made-up day")
	days, err := replay.ParseDays(file)
	if err != nil {
		return replay.Day{}, fmt.Errorf("%s: %w", path, err)
	}
	if date == "" {
		return replay.Busiest(days), nil
	}
	wanted, err := game.ParseDate(date)
	if err != nil {
		return replay.Day{}, fmt.Errorf("-date: %w", err)
	}
	day, ok := replay.OnDate(days, wanted)
	if !ok {
		return replay.Day{}, fmt.Errorf("%s has no %s", path, date)
	}
	return day, nil
}

// connect finds or starts the product, and sets the replay's access to it.
func (f *dayFlags) connect(ctx context.Context, c console) (stop func() error, err error) {
	t, err := connect(ctx, f.url, f.redis, c)
	if err != nil {
		return nil, err
	}
	f.Calls, f.Usage = caller.New(t.url, t.secrets.SigningKey, nil), t.control.Usage
	if t.product == nil {
		f.SetClock = t.control.SetClock
		return func() error { return f.SetClock(context.WithoutCancel(ctx), time.Time{}) }, nil
	}
	f.SetClock = func(_ context.Context, now time.Time) error { t.product.Clock.Set(now); return nil }
	f.Engine, f.Heap = t.product.Upstash.Redis().CommandStats, stage.LiveHeap
	return t.Close, nil
}
