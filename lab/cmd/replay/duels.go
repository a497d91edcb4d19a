package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/duelreplay"
	"github.com/framedle/leaderboards/lab/model"
	"github.com/framedle/leaderboards/upstash"
)

const duelsUsage = `Usage: replay duels [flags] [FILE]

Plays a history of matches as duels through the public API: for each one
POST /v1/duels with an id of its own and POST /v1/duels/{id}/result, many at
once, but in order for every team. Then it holds every answer, every stored
rating and the board against a plain computation.

The product runs in this process, over a valkey-server or redis-server where the
machine has one; or, with -url, it is one that cmd/local runs elsewhere and that
has no duels yet.

The file is CSV with the columns home_team, away_team, home_score and
away_score, oldest match first. Without one, a made-up season is played.

Exit status: 0 every rating was right, 1 one was wrong, 2 the history could not
be played to its end.

Flags:
`

type duelsFlags struct {
	duelreplay.Options
	url, redis string
	cut        int
}

// playDuels reads the flags, plays the history, prints the report and counts the faults.
func playDuels(ctx context.Context, args []string, c console) (faults int64, err error) {
	f := &duelsFlags{}
	flags := flagsOf(c, duelsUsage, &f.url, &f.redis)
	flags.IntVar(&f.Workers, "workers", 32, "matches under way at once")
	flags.IntVar(&f.Passes, "passes", 1, "how often the whole history is sent; after the first, nothing may change")
	flags.IntVar(&f.cut, "cut", 0, "`percent` of requests that are lost on purpose, with or without their effect, 0 to 50")
	file, err := parse(flags, args)
	if err != nil {
		return 0, err
	}
	if f.Workers < 1 || f.Passes < 1 || f.cut < 0 || f.cut > 50 {
		return 0, errors.New("use -workers 1 or more, -passes 1 or more, and -cut 0 to 50")
	}
	if f.History, err = readMatches(file); err != nil {
		return 0, err
	}
	stop, err := f.connect(ctx, c)
	if err != nil {
		return 0, err
	}
	var report duelreplay.Report
	err = c.watched(len(f.History.Matches)*f.Passes, "matches", func(done func(int)) (err error) {
		f.Progress = done
		report, err = duelreplay.Run(ctx, f.Options)
		return err
	})
	if err := errors.Join(err, stop()); err != nil {
		return 0, err
	}
	return report.Faults.Count, report.Print(c.stdout)
}

func readMatches(path string) (*duelreplay.History, error) {
	file, err := source(path, string(duelreplay.Sample()))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read
	path = cmp.Or(path, "the made-up season")
	history, err := duelreplay.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return history, nil
}

// connect finds or starts the product, and sets the replay's access to it.
func (f *duelsFlags) connect(ctx context.Context, c console) (stop func() error, err error) {
	framedle, err := app.LoadGame("")
	if err != nil {
		return nil, err
	}
	f.Elo = model.Elo{K: duel.RulesOf(framedle).K, Start: duel.RulesOf(framedle).Start, Scale: duel.RulesOf(framedle).Scale}
	t, err := connect(ctx, f.url, f.redis, c)
	if err != nil {
		return nil, err
	}
	f.Calls = caller.New(t.url, t.secrets.SigningKey, nil)
	f.Calls.HTTP.Transport = duelreplay.Cut{Percent: f.cut, To: f.Calls.HTTP.Transport}
	redis, err := upstash.New(upstash.Config{URL: t.secrets.RedisURL, Token: t.secrets.RedisToken})
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	f.Ratings = func(ctx context.Context) (map[string]float64, error) { return duelreplay.Stored(ctx, redis) }
	return t.Close, nil
}
