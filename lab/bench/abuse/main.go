// Command abuse sends hostile requests at full speed to the product while others play. It
// tells what Redis had to do for them, whether every player's score was taken with the
// right rank, and how much memory the attack took.
//
//	abuse [-n 1000] [-honest 100] [-for 30s] [-processes 2]
//
// The product is wired as deployed, behind one trusted proxy; Redis and Postgres are real ones,
// started for the run. The hostile callers have addresses of their own and devices, but no
// valid session tokens: what each player may cost is limited separately. The command exits with
// 1 if the hostile callers cost a process more than 3,000 commands in half a minute, if 5% of
// players' looks are put off, if a player's score is refused or ranked wrongly, or if memory
// grows.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/framedle/leaderboards/lab/stage"
)

type settings struct {
	ids, honest, processes int
	lasts                  time.Duration
	pace                   time.Duration // between two requests of a player
	clock                  *stage.Clock  // nil: the machine's
	requests               int64         // after this many hostile requests the run ends; 0: lasts decides
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	var r report
	if err == nil {
		r, err = run(ctx, o)
	}
	if err == nil {
		fmt.Print(r)
		err = r.verdict()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "abuse:", err)
		os.Exit(1)
	}
}

func parse(args []string) (o settings, err error) {
	flags := flag.NewFlagSet("abuse", flag.ContinueOnError)
	flags.IntVar(&o.ids, "n", 1000, "hostile ids, each with an address of its own")
	flags.IntVar(&o.honest, "honest", 100, "players, each with eight requests, as many before the attack as during it")
	flags.DurationVar(&o.lasts, "for", 30*time.Second, "how long the attack lasts")
	flags.IntVar(&o.processes, "processes", 2, "processes with a memory of their own before one Redis")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.ids < 1 || o.ids > 60_000 || o.honest < 1 || o.honest > 400 || o.processes < 1 || o.lasts < time.Second {
		return o, errors.New("use -n 1 to 60000, -honest 1 to 400, -processes 1 or more, -for 1s or more")
	}
	o.pace = o.lasts / 10
	return o, nil
}

func run(ctx context.Context, o settings) (r report, err error) {
	s, err := newProduct(ctx, o)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	quiet, err := newPlayers(s, o, 0)
	if err != nil {
		return r, err
	}
	loud, err := newPlayers(s, o, o.honest)
	if err != nil {
		return r, err
	}
	hostile, err := newAttackers(s, o)
	if err != nil {
		return r, err
	}
	quiet.play(ctx, o.pace/4)
	loud.scores = quiet.scores
	s.calm(ctx)
	if r.before, err = s.Upstash.Ran(ctx); err != nil {
		return r, err
	}
	r.start, r.began = stage.LiveHeap(), time.Now()
	s.honest.Reset()
	s.hostile.Reset()
	ending, end := context.WithCancel(ctx)
	if o.requests == 0 {
		ending, end = context.WithTimeout(ctx, o.lasts)
	}
	defer end()
	half := make(chan struct{})
	go func() {
		defer close(half)
		hostile.waitHalf(ending, o)
		r.halfSent, r.halfCost, r.middle = hostile.sent.Load(), s.hostile.Usage().Commands, stage.LiveHeap()
	}()
	played := make(chan struct{})
	go func() { defer close(played); loud.play(ctx, o.pace) }()
	err = hostile.attack(ending, o.requests)
	r.lasted = time.Since(r.began)
	<-played
	<-half
	r.end = stage.LiveHeap()
	if err != nil {
		return r, err
	}
	if r.after, err = s.Upstash.Ran(ctx); err != nil {
		return r, err
	}
	r.fill(s, o, hostile, quiet, loud)
	return r, loud.check(ctx)
}
