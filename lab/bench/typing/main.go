// Command typing plays the founding day of the typing game over a real Redis and a real
// Postgres: 100 players, 500 tests, 5,000 views of a board, and every player's request
// for presence each 30 s. It prints what Redis counts, and compares it with the founding
// document's 118,200 commands.
//
//	typing [-game typing] [-seed 1]
//
// It plays the day twice: in one process, and as functions with memories of their own.
//
// It exits with 1 if the client's meter and Redis' own statistics differ, or if the day costs
// one process more than it may.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"text/tabwriter"

	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/lab/costday"
)

func main() {
	file := flag.String("game", "typing", "the game that is played")
	seed := flag.Uint64("seed", 1, "of everything that is drawn")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *file, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "typing:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file string, seed uint64) error {
	g, err := app.LoadGame(file)
	if err != nil {
		return err
	}
	var missed []error
	for _, t := range []costday.Setting{
		{Arrivals: costday.Evenly, Journey: costday.Apart, Alone: true},
		{Arrivals: costday.Evenly, Journey: costday.Apart},
	} {
		day, err := costday.TypingDay(ctx, g, t, costday.Options{Seed: seed})
		if err != nil {
			return err
		}
		if total := show(day, t); t.Alone && total > costday.TypingTarget {
			missed = append(missed, fmt.Errorf("%d commands are above %d", total, costday.TypingTarget))
		}
	}
	return errors.Join(missed...)
}

func show(day costday.Day, t costday.Setting) (total int64) {
	shape := "as functions, each with a memory of its own"
	if t.Alone {
		shape = "one process, such as a container"
	}
	fmt.Printf("%s:\n\n", shape)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\trequests\tcommands\teach\t")
	for _, route := range slices.SortedFunc(maps.Keys(day.Routes), func(a, b string) int {
		return cmp.Or(cmp.Compare(day.Routes[b].Commands, day.Routes[a].Commands), cmp.Compare(a, b))
	}) {
		c := day.Routes[route]
		total += c.Commands
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t\n", route, c.Requests, c.Commands, float64(c.Commands)/float64(c.Requests))
	}
	fmt.Fprintf(w, "all\t\t%d\t\t\n", total)
	_ = w.Flush() // writes a table to the screen
	fmt.Printf("\nThe founding document has %d, at most are %d.\n\n", costday.TypingRecord, costday.TypingTarget)
	return total
}
