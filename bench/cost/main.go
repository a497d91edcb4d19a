// Command cost plays the day of a game against a real Redis and Postgres, by the
// product and by the commands of the founding decision record, and tells what
// Upstash would bill for each player.
//
//	cost [-n 100,1000,10000,100000] [-check 300,3000] [-processes 10] [-write docs/cost.md] [-report] [-shapes]
//
// It exits with 1 where the client's meter and Redis' own statistics differ, and
// where a target is missed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/costday"
	"github.com/framedle/leaderboards/internal/progress"
)

type settings struct {
	sizes, checks []int
	processes     int
	seed          uint64
	write         string
	report        bool
	shapes        bool
}

func main() {
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err == nil {
		err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func parse(args []string) (o settings, err error) {
	flags := flag.NewFlagSet("cost", flag.ContinueOnError)
	sizes := flags.String("n", "100,1000,10000,100000", "numbers of players")
	checks := flags.String("check", "300,3000", "numbers of players to hold the prediction against; empty for none")
	flags.IntVar(&o.processes, "processes", 10, "processes of the second day")
	flags.Uint64Var(&o.seed, "seed", 1, "of everything that is drawn")
	flags.StringVar(&o.write, "write", "", "a page whose tables are written anew")
	flags.BoolVar(&o.report, "report", false, "do not fail where a target is missed")
	flags.BoolVar(&o.shapes, "shapes", false, "tell which commands the requests of each route took")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.processes < 1 || o.processes > 255 {
		return o, fmt.Errorf("-processes %d: use 1 to 255", o.processes)
	}
	if o.sizes, err = numbers("-n", *sizes); err == nil {
		o.checks, err = numbers("-check", *checks)
	}
	if err == nil && len(o.sizes) == 0 {
		err = errors.New("-n: give at least one number of players")
	}
	return o, err
}

// fewest is how many players a day needs, since each has 20 friends.
const fewest = 50

func numbers(name, list string) (all []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < fewest || n > 1_000_000 {
			return nil, fmt.Errorf("%s: %q is not a number of players from %d to 1000000", name, text, fewest)
		}
		all = append(all, n)
	}
	return all, nil
}

func run(ctx context.Context, o settings) error {
	var p costday.Progress
	options := func(players int) costday.Options {
		return costday.Options{Players: players, Processes: []int{1, o.processes}, Seed: o.seed, Progress: &p}
	}
	for _, n := range append(append([]int(nil), o.sizes...), o.checks...) {
		p.Expect(options(n).Requests())
	}
	stop := progress.Show(progress.Options{Out: os.Stderr, Terminal: progress.IsTerminal(os.Stderr)}, p.State)
	defer stop()
	var report costday.Report
	for i, n := range append(append([]int(nil), o.sizes...), o.checks...) {
		size, err := measure(ctx, options(n))
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, size.Summary())
		size.Check = i >= len(o.sizes)
		report.Sizes = append(report.Sizes, size)
	}
	stop()
	tables := report.Markdown()
	fmt.Print(tables)
	if o.shapes {
		for _, size := range report.Sizes {
			for _, day := range size.Days {
				fmt.Println(day.Shapes())
			}
		}
	}
	if o.write != "" {
		if err := write(o.write, tables); err != nil {
			return err
		}
	}
	if missed := report.Missed(); len(missed) > 0 && !o.report {
		return fmt.Errorf("targets are missed: %s", strings.Join(missed, "; "))
	}
	return nil
}

func measure(ctx context.Context, o costday.Options) (size costday.Size, err error) {
	size.Players = o.Players
	if size.Days, err = costday.Product(ctx, o); err != nil {
		return size, err
	}
	size.Record, err = costday.Record(ctx, o)
	return size, err
}

// The marks of the tables in a page.
const (
	begin = "<!-- measured by make bench-cost -->\n"
	end   = "<!-- end of what is measured -->\n"
)

// write puts the tables between the page's marks.
func write(path, tables string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return fmt.Errorf("%s: the lines %q and %q must stand around the tables", path, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(path, []byte(before+begin+"\n"+tables+end+after), 0o644)
}
