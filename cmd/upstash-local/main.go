// Command upstash-local runs a local server that speaks the Upstash Redis REST
// protocol, until interrupted.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/framedle/leaderboards/internal/upstash/upstashtest"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8079", "loopback address to listen on")
	token := flag.String("token", "", "token that clients must send (default: a random one)")
	redis := flag.String("redis", "embedded", "engine: embedded, or redis://[user:password@]host:port[/db]")
	flag.Parse()
	if err := run(*addr, *token, *redis); err != nil {
		fmt.Fprintln(os.Stderr, "upstash-local:", err)
		os.Exit(1)
	}
}

func run(addr, token, redis string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	engine := redis
	if engine == "embedded" {
		engine = ""
	}
	s, err := upstashtest.New(upstashtest.Options{Addr: addr, Token: token, Redis: engine})
	if err != nil {
		return err
	}
	fmt.Printf("local Upstash Redis at %s over %s; reach it with\n", s.URL(), redis)
	fmt.Printf("  export UPSTASH_REDIS_REST_URL=%s\n", s.URL())
	fmt.Printf("  export UPSTASH_REDIS_REST_TOKEN=%s\n", s.Token())
	fmt.Printf("  curl -H \"Authorization: Bearer $UPSTASH_REDIS_REST_TOKEN\" $UPSTASH_REDIS_REST_URL/ping\n")
	<-ctx.Done()
	return s.Close()
}
