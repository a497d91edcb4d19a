// Command cost plays the day of a game over a real Redis and Postgres, with the product
// and with the commands of the founding decision record, and tells what Upstash would
// bill for each player.
//
//	cost [-n 100,1000,10000,100000] [-check 300,2000,3000] [-journeys apart] [-windows 20,60] [-write docs/internals/costs.md] [-report] [-days deployed,process,queue] [-shapes] [-weigh]
//
// It exits with 1 if the client's meter and Redis' own statistics differ, if a target is
// missed, or if a day is not as predicted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/lab/costday"
)

type settings struct {
	sizes, checks []int
	journeys      []costday.Journey
	windows       []int // in seconds
	seed          uint64
	write         string
	report        bool
	shapes        bool
	weighs        bool
	days          []string // kinds of days that are played
}

// The kinds of days that -days takes.
const (
	deployed   = "deployed"
	oneProcess = "process"
	queued     = "queue"
)

// gcPercent saves time and takes more memory for it, some 1 GB at 100,000 players.
const gcPercent = 400

func main() {
	debug.SetGCPercent(gcPercent)
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
	checks := flags.String("check", "300,2000,3000", "numbers of players to hold the prediction against; empty for none")
	windows := flags.String("windows", "20,60", "windows of the queue, in seconds, each for a day in queue mode; empty for none")
	journeys := flags.String("journeys", "apart", "how players ask for what is their own: apart, near, view; each for days as deployed, the first for all others")
	flags.Uint64Var(&o.seed, "seed", 1, "of everything that is drawn")
	flags.StringVar(&o.write, "write", "", "a page whose tables are written anew")
	flags.BoolVar(&o.report, "report", false, "do not fail where a target is missed")
	flags.BoolVar(&o.shapes, "shapes", false, "tell which commands the requests of each route took")
	flags.BoolVar(&o.weighs, "weigh", false, "tell what Redis keeps once the days are played, by kind of key")
	days := flags.String("days", deployed+","+oneProcess+","+queued, "kinds of days: as deployed, as one process, in queue mode as deployed")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for kind := range strings.SplitSeq(*days, ",") {
		kind = strings.TrimSpace(kind)
		if !slices.Contains([]string{deployed, oneProcess, queued}, kind) {
			return o, fmt.Errorf("-days: %q is none: use deployed, process, queue", kind)
		}
		o.days = append(o.days, kind)
	}
	for name := range strings.SplitSeq(*journeys, ",") {
		j := costday.Journey(strings.TrimSpace(name))
		if !slices.Contains([]costday.Journey{costday.Apart, costday.Near, costday.View}, j) {
			return o, fmt.Errorf("-journeys: %q is none: use apart, near, view", name)
		}
		o.journeys = append(o.journeys, j)
	}
	if o.sizes, err = numbers("-n", *sizes, fewest, 1_000_000); err == nil {
		o.checks, err = numbers("-check", *checks, fewest, 1_000_000)
	}
	if err == nil {
		o.windows, err = numbers("-windows", *windows, 1, 60)
	}
	if err == nil && len(o.sizes) == 0 {
		err = errors.New("-n: give at least one number of players")
	}
	return o, err
}

// fewest is the smallest number of players of a day, since each player has 20 friends.
const fewest = 50

func numbers(name, list string, least, most int) (all []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return nil, fmt.Errorf("%s: %q is not a number from %d to %d", name, text, least, most)
		}
		all = append(all, n)
	}
	return all, nil
}

// play is one size of a run.
type play struct {
	costday.Options
	check bool
}

// forms are the forms of arrivals on days as deployed.
var forms = []costday.Arrivals{costday.Evenly, costday.Puzzle}

// plays are the sizes of a run and the days of each. A size that only checks the
// prediction needs the days as deployed only.
func (o settings) plays(p *costday.Progress) (all []play) {
	for _, n := range o.sizes {
		var days []costday.Setting
		for _, kind := range o.days {
			days = append(days, o.settingsOf(kind)...)
		}
		all = append(all, play{Options: costday.Options{Players: n, Days: days, Seed: o.seed, Weighs: o.weighs, Progress: p}})
	}
	for _, n := range o.checks {
		var days []costday.Setting
		for _, form := range forms {
			days = append(days, costday.Setting{Arrivals: form, Journey: o.journeys[0]})
		}
		all = append(all, play{costday.Options{Players: n, Days: days, Seed: o.seed, Progress: p}, true})
	}
	return all
}

// settingsOf returns the settings of the days of a kind.
func (o settings) settingsOf(kind string) (days []costday.Setting) {
	switch kind {
	case deployed:
		for _, j := range o.journeys {
			for _, form := range forms {
				days = append(days, costday.Setting{Arrivals: form, Journey: j})
			}
		}
	case oneProcess:
		days = append(days, costday.Setting{Arrivals: costday.Evenly, Journey: o.journeys[0], Alone: true})
	case queued:
		for _, form := range forms {
			for _, seconds := range o.windows {
				days = append(days, costday.Setting{Arrivals: form, Journey: costday.Apart, Window: time.Duration(seconds) * time.Second})
			}
		}
	}
	return days
}

func run(ctx context.Context, o settings) error {
	var p costday.Progress
	plays := o.plays(&p)
	for _, play := range plays {
		p.Expect(play.Requests())
		if !play.check {
			p.Expect(play.RecordRequests())
		}
	}
	stop := progress.Show(progress.Options{Out: os.Stderr, Terminal: progress.IsTerminal(os.Stderr)}, p.State)
	defer stop()
	var report costday.Report
	for _, play := range plays {
		began := time.Now()
		size, err := measure(ctx, play)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s (%s)\n", size.Summary(), time.Since(began).Round(time.Second))
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
	if o.weighs {
		for _, size := range report.Sizes {
			if !size.Check {
				fmt.Println(size.Days[len(size.Days)-1].Keeps.Table(size.Players))
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

func measure(ctx context.Context, p play) (size costday.Size, err error) {
	size.Players, size.Check = p.Players, p.check
	if size.Days, err = costday.Product(ctx, p.Options); err != nil || p.check {
		return size, err
	}
	size.Record, err = costday.Record(ctx, p.Options)
	return size, err
}

// The marks around the tables in a page.
const (
	begin = "<!-- measured by make bench-cost -->\n"
	end   = "<!-- end of what is measured -->\n"
)

// write replaces the text between the marks of a page by the tables.
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
