// Command local runs the whole product in one process on this machine: without an account,
// without a container, and leaving nothing behind.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "local:", err)
		os.Exit(1)
	}
}

// keeps returns the flag by which the product uses something that exists before it or stays
// behind it; "" if it uses nothing.
func keeps(o local.Options) string {
	switch {
	case o.Data != "":
		return "-data"
	case strings.Contains(o.Redis, "://"):
		return "-redis"
	case strings.Contains(o.DatabaseURL, "://"):
		return "-database-url"
	}
	return ""
}

func run(ctx context.Context, args []string, out, log io.Writer) (err error) {
	flags := flag.NewFlagSet("local", flag.ContinueOnError)
	flags.SetOutput(log)
	o := local.Options{Log: log, Counters: true}
	flags.StringVar(&o.Addr, "addr", "127.0.0.1:8080", "loopback `address` to listen on")
	flags.StringVar(&o.Redis, "redis", local.RedisAuto, "auto (a valkey-server or redis-server found on this machine, else embedded), embedded, or redis://`host:port`")
	flags.StringVar(&o.DatabaseURL, "database-url", local.DatabaseAuto, "auto (a Postgres found on this machine, else no history), none, or postgres://`user:password@host:port/name`")
	flags.StringVar(&o.Data, "data", "", "`folder` that stores the data between runs; without one it is deleted")
	flags.BoolVar(&o.Schedules, "schedules", true, "run schedules when they are due; otherwise only POST /_local/schedules/{function} does")
	flags.BoolVar(&o.Queue, "queue", false, "queue single scores (202) and write them in batches, as with QueueMode in template.yaml")
	flags.DurationVar(&o.QueueWindow, "queue-window", local.DefaultQueueWindow, "how long scores are collected in the queue")
	flags.BoolVar(&o.Limits, "limits", false, "apply IP limits to this machine too; the last entry of X-Forwarded-For is the caller's IP")
	lively := flags.Bool("demo", false, "simulated players: a week of data, and boards that update live")
	gamePath := flags.String("game", "", "game `file`; the built-in games/framedle.yaml without one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; see -help", flags.Arg(0))
	}
	if o.QueueWindow <= 0 {
		return fmt.Errorf("-queue-window %s: must be positive, e.g. 1s", o.QueueWindow)
	}
	if o.Sites, err = jobs.SitesFrom(os.Getenv); err != nil {
		return err
	}
	if o.Game, err = loadGame(*gamePath); err != nil {
		return err
	}
	if kept := keeps(o); *lively && kept != "" {
		return errors.New("-demo plays an empty game that is deleted at the end; use it without " + kept)
	}
	began := time.Now()
	written := make(chan struct{})
	if *lively {
		o.SchedulesAfter = written
	}
	product, err := local.Start(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, product.Close()) }()
	hello := welcome{product: product, game: o.Game}
	if o.Data == "" && !strings.HasPrefix(o.Redis, "redis://") {
		hello.players = "no scores yet; `make demo` adds live sample data"
	}
	if *lively {
		var played func()
		if hello.players, played, err = startDemo(ctx, product.URL, o, log); err != nil {
			return err
		}
		defer played() // before the product closes
		close(written)
	}
	hello.took = time.Since(began)
	if err := hello.print(out); err != nil {
		return err
	}
	return product.Wait(ctx)
}

func loadGame(path string) (*game.Game, error) {
	if path == "" {
		return app.LoadGame("")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return gamefile.Parse(path, data)
}
