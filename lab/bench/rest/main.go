// Command rest measures what the local Upstash server costs per command: the CPU time of
// its process and of the Redis behind it. In the same run it measures the same commands
// sent directly to that Redis, and a bare net/http server that answers the same bytes
// from memory.
//
//	rest [-n 20000] [-rounds 5] [-connections 32] [-max 30]
//
// Every server is a process of its own, and the load comes from this one. CPU is user
// plus system time from getrusage (Redis reports its own in INFO cpu). The three take
// turns in each round, so that other load on the machine affects all of them alike; the
// table shows medians. The command exits with 1 when the server adds more microseconds
// than -max to what Redis takes by itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/dev/redisd"
)

type settings struct {
	requests    int // of each kind in each round
	rounds      int
	connections int
	limit       float64 // microseconds; 0 for none
}

func main() {
	var o settings
	flag.IntVar(&o.requests, "n", 20_000, "commands of each kind in each round")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds")
	flag.IntVar(&o.connections, "connections", 32, "connections, each with one command at a time")
	flag.Float64Var(&o.limit, "max", 30, "the most microseconds that the server may add; 0 for any")
	serve := flag.String("serve", "", "be a server: hello, or rest over -redis (used by the measurement itself)")
	redis := flag.String("redis", "", "with -serve rest, the Redis to use")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *serve != "" {
		err = serveRole(os.Stdin, os.Stdout, *serve, *redis)
	} else {
		err = measure(ctx, os.Stdout, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rest:", err)
		os.Exit(1)
	}
}

// subject is one thing that is measured.
type subject struct {
	name    string
	addr    string
	request []byte
	http    bool
	cpu     []func() (time.Duration, error) // of the processes that work for it

	perRequest [][]time.Duration // by process, by round
	wall       []time.Duration   // per request, by round
}

func measure(ctx context.Context, out io.Writer, o settings) (err error) {
	if o.requests < o.connections || o.rounds < 1 || o.connections < 1 {
		return errors.New("-rounds and -connections must be at least 1, -n at least -connections")
	}
	redis, err := redisd.Start(ctx, redisd.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, redis.Stop()) }()
	hello, err := start(ctx, "hello", "")
	if err != nil {
		return err
	}
	defer hello.stop()
	rest, err := start(ctx, "rest", redis.URL())
	if err != nil {
		return err
	}
	defer rest.stop()
	redisCPU := func() (time.Duration, error) { return cpuOfRedis(redis.Addr()) }
	subjects := []*subject{
		{name: "net/http hello", addr: hello.addr, http: true, request: httpRequest, cpu: []func() (time.Duration, error){hello.cpu}},
		{name: "Redis, direct", addr: redis.Addr(), request: respRequest, cpu: []func() (time.Duration, error){redisCPU}},
		{name: "REST over Redis", addr: rest.addr, http: true, request: httpRequest, cpu: []func() (time.Duration, error){rest.cpu, redisCPU}},
	}
	for range o.rounds {
		for _, s := range subjects {
			if err := s.round(ctx, o); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return report(out, subjects, o.limit)
}

func (s *subject) round(ctx context.Context, o settings) error {
	before, err := s.usage()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := load(ctx, s.addr, s.request, s.http, o.connections, o.requests); err != nil {
		return err
	}
	s.wall = append(s.wall, time.Since(began)/time.Duration(o.requests))
	after, err := s.usage()
	if err != nil {
		return err
	}
	if s.perRequest == nil {
		s.perRequest = make([][]time.Duration, len(after))
	}
	for i := range after {
		s.perRequest[i] = append(s.perRequest[i], (after[i]-before[i])/time.Duration(o.requests))
	}
	return nil
}

func (s *subject) usage() ([]time.Duration, error) {
	var all []time.Duration
	for _, cpu := range s.cpu {
		d, err := cpu()
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
