// Command local runs the whole product in one process on this machine: no
// account, no container, nothing left behind.
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
	"time"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/auth/devissuer"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/gamefile"
	"github.com/framedle/leaderboards/internal/local"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "local:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("local", flag.ContinueOnError)
	flags.SetOutput(log)
	o := local.Options{Log: log, Counters: true}
	flags.StringVar(&o.Addr, "addr", "127.0.0.1:8080", "loopback `address` to listen on")
	flags.StringVar(&o.Redis, "redis", local.RedisAuto, "auto (a valkey-server or redis-server found on this machine, else embedded), embedded, or redis://`host:port`")
	flags.StringVar(&o.DatabaseURL, "database-url", local.DatabaseAuto, "auto (a Postgres found on this machine, else no history), none, or postgres://`user:password@host:port/name`")
	flags.StringVar(&o.Data, "data", "", "`folder` that keeps boards and history between runs; nothing is kept without one")
	flags.BoolVar(&o.Schedules, "schedules", true, "fire schedules when they are due; without, only POST /_local/schedules/{function} does")
	flags.BoolVar(&o.Queue, "queue", false, "single scores are answered with 202 and written many at once, as with QueueMode in template.yaml")
	flags.DurationVar(&o.QueueWindow, "queue-window", local.DefaultQueueWindow, "how long scores gather in the queue")
	flags.BoolVar(&o.Limits, "limits", false, "the limits on addresses hold for this machine too; the last entry of X-Forwarded-For names another caller")
	gamePath := flags.String("game", "", "game `file`; the built-in games/framedle.yaml without one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is no flag; see -help", flags.Arg(0))
	}
	if o.QueueWindow <= 0 {
		return fmt.Errorf("-queue-window %s: use more than nothing, as in 1s", o.QueueWindow)
	}
	var err error
	if o.Game, err = loadGame(*gamePath); err != nil {
		return err
	}
	began := time.Now()
	product, err := local.Start(ctx, o)
	if err != nil {
		return err
	}
	defer product.Close()
	if err := greet(out, product, o.Game, time.Since(began)); err != nil {
		return err
	}
	if err := product.Wait(ctx); err != nil {
		return err
	}
	return product.Close()
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

// greet says where everything is, and three requests that work as they are.
func greet(out io.Writer, p *local.Product, g *game.Game, took time.Duration) error {
	token, err := p.Token(devissuer.Claims{Player: "user_ana", Name: "Ana", Country: "BR"})
	if err != nil {
		return err
	}
	database := ""
	if p.Database != "" {
		database = "\n    export DATABASE_URL='" + p.Database + "'"
	}
	_, err = fmt.Fprintf(out, `Framedle Leaderboards, game %s, up in %d ms

  API          %s/v1   (described at %s/openapi.yaml)
  boards in    %s
  history in   %s

  For other tools:
    export UPSTASH_REDIS_REST_URL=%s
    export UPSTASH_REDIS_REST_TOKEN=%s
    export SIGNING_KEYS=%s
    export OPS_TOKEN=%s%s

  A session token for user_ana, good for a day (more: POST /_local/token):
    export TOKEN=%s

  Try:
%s
Ctrl-C stops it all.
`, g.Name, took.Milliseconds(), p.URL, p.URL, p.RedisKind, p.DatabaseKind,
		p.Secrets.RedisRESTURL, p.Secrets.RedisRESTToken, p.Secrets.SigningKey, p.Secrets.OpsToken, database, token, tries(p.URL, g))
	return err
}
