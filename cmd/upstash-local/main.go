// Command upstash-local runs a local server that speaks the Upstash Redis REST
// protocol, until interrupted.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/framedle/leaderboards/internal/upstash/upstashtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "upstash-local:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, args []string) error {
	flags := flag.NewFlagSet("upstash-local", flag.ExitOnError)
	addr := flags.String("addr", "127.0.0.1:8079", "loopback address to listen on")
	token := flags.String("token", "", "token that clients must send (default: a random one)")
	engine := flags.String("redis", "embedded", "engine: embedded, or redis://[user:password@]host:port[/db]")
	_ = flags.Parse(args)

	options := upstashtest.Options{Addr: *addr, Token: *token}
	if *engine != "embedded" {
		options.Redis = *engine
	}
	s, err := upstashtest.New(options)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, `Local Upstash Redis over %[1]s engine at %[2]s. Reach it with
  export UPSTASH_REDIS_REST_URL=%[2]s
  export UPSTASH_REDIS_REST_TOKEN=%[3]s
  curl -H "Authorization: Bearer $UPSTASH_REDIS_REST_TOKEN" $UPSTASH_REDIS_REST_URL/ping
`, kind(options), s.URL(), s.Token())
	<-ctx.Done()
	return s.Close()
}

// kind keeps a password in the engine's URL off the screen.
func kind(o upstashtest.Options) string {
	if o.Redis == "" {
		return "an embedded"
	}
	return "a given"
}
