package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/apiclient"
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/local"
	"github.com/framedle/leaderboards/internal/progress"
	"github.com/framedle/leaderboards/internal/replay"
)

const replayUsage = `Usage: lbctl replay [flags]

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

type replayFlags struct {
	replay.Options
	file, date string
	url, redis string
}

func runReplay(ctx context.Context, args []string, c console) (int, error) {
	f, err := readReplayFlags(args, c)
	if err != nil {
		return statusFailed, err
	}
	if f.Day, err = chooseDay(f.file, f.date); err != nil {
		return statusFailed, err
	}
	stopProduct, err := connect(ctx, f, c)
	if err != nil {
		return statusFailed, err
	}
	report, err := playDay(ctx, f, c)
	if err := errors.Join(err, stopProduct()); err != nil {
		return statusFailed, err
	}
	if err := report.Print(c.stdout, f.Day); err != nil {
		return statusFailed, err
	}
	if report.Faults.Count > 0 {
		return statusFaults, nil
	}
	return statusGood, nil
}

func readReplayFlags(args []string, c console) (*replayFlags, error) {
	f := &replayFlags{}
	flags := flagsOf("replay", replayUsage, c)
	flags.StringVar(&f.file, "file", "", "CSV `file` of days; a made-up day when empty")
	flags.StringVar(&f.date, "date", "", "`day` of the file, as 2022-02-02; the one with the most players when empty")
	flags.StringVar(&f.url, "url", "", "`address` of a running local product; one is started when empty")
	flags.StringVar(&f.redis, "redis", local.RedisAuto, "for the product that is started: auto, embedded or redis://`host:port`")
	flags.IntVar(&f.Steps, "steps", 1440, "how many `times` the clock is moved over the day")
	flags.IntVar(&f.Workers, "workers", 8, "submissions under way at once; with 1, the clock moves for each player and the whole order is checked")
	flags.Uint64Var(&f.Seed, "seed", 1, "`number` that decides the order in which players come")
	plain, err := parse(flags, args, 1)
	switch {
	case err != nil:
		return nil, err
	case len(plain) == 1 && f.file != "":
		return nil, fmt.Errorf("%q is one file too many", plain[0])
	case len(plain) == 1:
		f.file = plain[0]
	}
	return f, nil
}

func chooseDay(path, date string) (replay.Day, error) {
	var source io.Reader = strings.NewReader(replay.Sample())
	if path != "" {
		file, err := os.Open(path)
		if err != nil {
			return replay.Day{}, err
		}
		defer func() { _ = file.Close() }() // only read
		source = file
	} else {
		path = "the made-up day"
	}
	days, err := replay.ParseDays(source)
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

// connect finds or starts the product and gives the replay its hands on it.
func connect(ctx context.Context, f *replayFlags, c console) (stop func() error, err error) {
	stop = func() error { return nil }
	address := f.url
	if address == "" {
		product, err := startProduct(ctx, f.redis, c)
		if err != nil {
			return stop, err
		}
		stop = product.Close
		address = product.URL
		f.SetClock = func(_ context.Context, now time.Time) error { product.Clock.Set(now); return nil }
		f.Engine = product.Upstash.Redis().CommandStats
		f.Heap = liveHeap
	}
	config := apiclient.Config{URL: address}
	asking, err := apiclient.New(config)
	if err != nil {
		return stop, errors.Join(err, stop())
	}
	secrets, err := asking.LocalSecrets(ctx)
	if err != nil {
		return stop, errors.Join(fmt.Errorf("ask the local product for its key: %w", err), stop())
	}
	config.SigningKey = secrets.SigningKey
	if f.Client, err = apiclient.New(config); err != nil {
		return stop, errors.Join(err, stop())
	}
	if f.SetClock == nil {
		f.SetClock = asking.SetLocalClock
		stop = func() error { return asking.SetLocalClock(context.WithoutCancel(ctx), time.Time{}) }
	}
	return stop, nil
}

func startProduct(ctx context.Context, redis string, c console) (*local.Product, error) {
	framedle, err := app.LoadGame("")
	if err != nil {
		return nil, err
	}
	product, err := local.Start(ctx, local.Options{Addr: "127.0.0.1:0", Redis: redis, Game: framedle, Log: c.stderr})
	if err != nil {
		return nil, err
	}
	say(c.stderr, "lbctl: the product runs at %s, boards in %s\n", product.URL, product.RedisKind)
	return product, nil
}

// liveHeap is what is alive after a collection. The second one frees what
// finalizers and pools held through the first.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func playDay(ctx context.Context, f *replayFlags, c console) (replay.Report, error) {
	var done atomic.Int64
	f.Progress = func(n int) { done.Store(int64(n)) }
	stop := progress.Show(progress.Options{Out: c.stderr, Terminal: c.terminal}, func() progress.State {
		n := done.Load()
		return progress.State{Share: float64(n) / float64(f.Day.Players), Count: n, Unit: "players"}
	})
	defer stop()
	return replay.Run(ctx, f.Options)
}
