// Command invocation measures what an invocation of a function costs as it is deployed:
// CPU time of its process, bytes of its log line and of its answer. Bootstraps run as
// Lambda runs them. The REST server that they use runs in this process, whose time does
// not count.
//
//	invocation [-n 2000]
//
// It must run in the root of the module, on Linux, and needs no network. A bare
// aws-lambda-go hello is measured in the same run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func main() {
	n := flag.Int("n", 2000, "invocations of each route, after a tenth as many that do not count")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n); err != nil {
		fmt.Fprintln(os.Stderr, "invocation:", err)
		os.Exit(1)
	}
}

// token is not a secret: both ends that use it run only in this bench.
const token = "bench"

// route is a kind of request that is measured; event makes the i-th request.
type route struct {
	function, name string
	event          func(i int) ([]byte, error)
	want           int // expected status
}

// measured is the cost of one invocation of a route.
type measured struct {
	route
	cpu    time.Duration
	line   float64 // bytes of the log line
	answer float64 // bytes of the body
}

func run(ctx context.Context, n int) (err error) {
	if n < 10 {
		return errors.New("-n must be at least 10")
	}
	dir, err := os.MkdirTemp("", "invocation")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	server, err := upstashtest.New(upstashtest.Options{Token: token})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	crowd, err := newCrowd()
	if err != nil {
		return err
	}
	if err := crowd.befriend(ctx, server.URL(), n); err != nil {
		return err
	}
	env := append(crowd.env(), "UPSTASH_REDIS_REST_URL="+server.URL(), "UPSTASH_REDIS_REST_TOKEN="+token)
	functions := map[string]*lambdatest.Function{}
	defer func() {
		for _, f := range functions {
			err = errors.Join(err, f.Close())
		}
	}()
	fmt.Printf("| function | request | CPU, µs | log, bytes | answer, bytes |\n|---|---|--:|--:|--:|\n")
	for _, r := range crowd.routes() {
		f := functions[r.function]
		if f == nil {
			if f, err = start(ctx, dir, r.function, env); err != nil {
				return err
			}
			functions[r.function] = f
		}
		m, err := measure(ctx, f, r, n)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %s | %d | %.0f | %.0f |\n", m.function, m.name, m.cpu.Microseconds(), m.line, m.answer)
	}
	return nil
}

func start(ctx context.Context, dir, function string, env []string) (*lambdatest.Function, error) {
	bootstrap, pkg := filepath.Join(dir, function), "./functions/"+function
	if function == "hello" { // without our environment, as anybody starts it
		pkg, env = "./lab/bench/coldstart/hello", []string{lambdatest.AllThreads}
	}
	if err := lambdatest.Build(ctx, "", pkg, bootstrap); err != nil {
		return nil, err
	}
	return lambdatest.Start(ctx, lambdatest.Options{Bootstrap: bootstrap, Name: function, Env: env})
}

func measure(ctx context.Context, f *lambdatest.Function, r route, n int) (measured, error) {
	warmUp := n / 10
	var answered int
	for i := range warmUp {
		if _, err := invoke(ctx, f, r, i); err != nil {
			return measured{}, err
		}
	}
	before, err := cpuOf(f.PID())
	if err != nil {
		return measured{}, err
	}
	logged := len(f.Stdout())
	for i := range n {
		size, err := invoke(ctx, f, r, warmUp+i)
		if err != nil {
			return measured{}, err
		}
		answered += size
	}
	after, err := cpuOf(f.PID())
	each := func(sum int) float64 { return float64(sum) / float64(n) }
	return measured{r, (after - before) / time.Duration(n), each(len(f.Stdout()) - logged), each(answered)}, err
}

func invoke(ctx context.Context, f *lambdatest.Function, r route, i int) (size int, err error) {
	event, err := r.event(i)
	if err != nil {
		return 0, err
	}
	res, err := f.Invoke(ctx, event)
	if err != nil || r.want == 0 {
		return len(res.Payload), err
	}
	status, body, err := answerOf(res.Payload)
	if err == nil && status != r.want {
		err = fmt.Errorf("%s was answered with %d, not %d: %s %s", r.name, status, r.want, body, strings.TrimSpace(f.Stderr()))
	}
	return len(body), err
}
