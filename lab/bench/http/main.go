// Command http measures what a request costs over HTTP, as the product is deployed. Each
// function, the local Upstash server and Redis are processes of their own, over a day's
// board of a million players. A bare net/http hello is measured in the same run.
//
//	http [-n 4000] [-rounds 3] [-connections 1,16] [-players 1000000] [-only card,around]
//
// CPU is user and system time of each process, as the system counts it; so the command
// needs Linux. Operations take turns in each round, so that other load on the machine
// affects all of them alike; the table shows medians of rounds. The command must run in
// the root of the module.
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
	"strconv"
	"strings"
)

type settings struct {
	requests    int // of each operation in each round
	rounds      int
	connections []int
	players     int      // on the large board
	only        []string // operations; empty for all
}

func main() {
	o := settings{}
	flag.IntVar(&o.requests, "n", 4000, "requests of each operation in each round")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds")
	flag.IntVar(&o.players, "players", 1_000_000, "players on the board, at least 20000; the small one beside it has a hundredth")
	connections := flag.String("connections", "1,16", "connections, each with one request at a time")
	only := flag.String("only", "", "operations to measure, separated by commas; all of them when empty")
	serve := flag.String("serve", "", "be a server: hello, or rest over -redis (used by the measurement itself)")
	redis := flag.String("redis", "", "with -serve rest, the Redis to use")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *serve != "" {
		err = serveRole(os.Stdin, os.Stdout, *serve, *redis)
	} else if o.connections, err = numbers(*connections); err == nil {
		if *only != "" {
			o.only = strings.Split(*only, ",")
		}
		err = measure(ctx, os.Stdout, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "http:", err)
		os.Exit(1)
	}
}

func numbers(list string) (all []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-connections is %q: want numbers from 1, separated by commas", list)
		}
		all = append(all, n)
	}
	return all, nil
}

// smallShare is the size of the large board divided by that of the small one.
const smallShare = 100

func measure(ctx context.Context, out io.Writer, o settings) (err error) {
	if o.requests < slices.Max(o.connections) || o.rounds < 1 || o.players < 20_000 {
		return errors.New("-rounds must be at least 1, -players at least 20000, -n at least the most connections")
	}
	h, err := deploy(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.stop()) }()
	w, err := h.fill(ctx, o.players)
	if err != nil {
		return err
	}
	operations, err := w.operations(o)
	if err != nil {
		return err
	}
	var series []*series
	for _, connections := range o.connections {
		for _, op := range operations {
			series = append(series, newSeries(op, connections))
		}
	}
	for range o.rounds {
		for _, s := range series {
			if err := s.round(ctx, h, o.requests); err != nil {
				return fmt.Errorf("%s at %d connections: %w", s.op.name, s.connections, err)
			}
		}
	}
	return report(out, series, o)
}
