package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/lab/activityreplay"
)

const activityUsage = `Usage: replay activity [flags] [FILE]

Tells the product of messages as events of games/campus.yaml: each once or several
times, out of order, in batches that three processes take in at once, while others
compute; connections are cut, and processes end. Then it holds every pillar and
streak of every player and day, and the boards of weeks, against a plain model.

The product runs in this process, over a valkey-server or redis-server where the
machine has one.

The file has a line for each message: who wrote, to whom, and when in Unix seconds,
separated by spaces or commas. Without one, three made-up weeks are told.

Exit status: 0 everything was right, 1 something was wrong, 2 the messages could not
be told to their end.

Flags:
`

// mostAgain is how often an event may be sent again.
const mostAgain = 5

// playActivity reads the flags, sends the events, prints the report and counts the
// faults.
func playActivity(ctx context.Context, args []string, c console) (faults int64, err error) {
	var o activityreplay.Options
	var group, url, redis string
	flags := flagsOf(c, activityUsage, &url, &redis)
	flags.StringVar(&group, "group", "irvine", "the `group` that all messages are of")
	flags.IntVar(&o.Cut, "cut", 20, "`percent` of requests to Redis that lose their connection, 0 to 60")
	flags.IntVar(&o.Again, "again", 2, "how often an event is told again, at most")
	flags.DurationVar(&o.Late, "late", time.Hour, "how late an event is told, at most")
	flags.Uint64Var(&o.Seed, "seed", 1, "of what is drawn by lot")
	file, err := parse(flags, args)
	if err != nil {
		return 0, err
	}
	if o.Cut < 0 || o.Cut > 60 || o.Again < 0 || o.Again > mostAgain || o.Late < 0 || o.Late > 24*time.Hour {
		return 0, errors.New("use -cut 0 to 60, -again 0 to 5, and -late 0s to 24h")
	}
	if url != "" || redis != local.RedisAuto {
		return 0, errors.New("three processes over a Redis of its own are what it is about: leave -url and -redis out")
	}
	if _, err := game.GroupScope(group); err != nil {
		return 0, err
	}
	text, err := games.FS.ReadFile("campus.yaml")
	if err != nil {
		return 0, err
	}
	if o.Game, err = gamefile.Parse("campus.yaml", text); err != nil {
		return 0, err
	}
	messages, err := source(file, activityreplay.Sample())
	if err != nil {
		return 0, err
	}
	defer func() { _ = messages.Close() }() // only read
	events, err := activityreplay.Messages(messages, group)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", cmp.Or(file, "the made-up weeks"), err)
	}
	report, err := activityreplay.Run(ctx, events, o)
	if err != nil {
		return 0, err
	}
	return int64(len(report.Faults)), printActivity(c.stdout, report)
}

func printActivity(w io.Writer, r activityreplay.Report) error {
	_, err := fmt.Fprintf(w, "%d events, told %d times in %d batches, %d of them sent again by another process\n%d days and %d weeks compared\n%d billed commands to take them in and to compute meanwhile, %d to compute days that are over\n",
		r.Events, r.Deliveries, r.Batches, r.Retries, r.Days, r.Weeks, r.Taking, r.Computing)
	for _, fault := range r.Faults {
		_, more := fmt.Fprintln(w, "WRONG", fault)
		err = errors.Join(err, more)
	}
	if len(r.Faults) == 0 {
		_, more := fmt.Fprintln(w, "every pillar, streak and week is the model's")
		err = errors.Join(err, more)
	}
	return err
}
