// Command closing measures what closing a day of many players takes: billed commands,
// time and memory of the job, and how long other requests to Redis wait meanwhile. Redis
// and Postgres are real ones, started for the run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
)

func main() {
	players := flag.Int("n", 361_908, "players of each day")
	days := flag.Int("days", 1, "days in a row; the last one's closing is measured like the first")
	flag.Parse()
	if err := run(context.Background(), *players, *days); err != nil {
		fmt.Fprintln(os.Stderr, "closing:", err)
		os.Exit(1)
	}
}

// bench is the product without its HTTP front.
type bench struct {
	*stage.Stage
	client  *upstash.Client // of the process
	closing *closing.Closing
	mode    *game.Mode
	now     time.Time
}

func run(ctx context.Context, players, days int) (err error) {
	s, err := stage.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	b := &bench{Stage: s, mode: s.Game.Modes[0]}
	if err := b.restart(); err != nil {
		return err
	}
	if _, err := b.Upstash.Redis().Do(ctx, "CONFIG", "SET", "slowlog-log-slower-than", "50000"); err != nil {
		return err
	}
	first := game.NewDate(2022, time.February, 2)
	for n := range days {
		d := first.AddDays(n)
		if err := b.play(ctx, d, players); err != nil {
			return err
		}
		if err := b.close(ctx, d, players); err != nil {
			return err
		}
	}
	return nil
}

// restart starts a process with an empty memory.
func (b *bench) restart() error {
	a, err := b.Process(app.Parts{Now: func() time.Time { return b.now }})
	if err != nil {
		return err
	}
	b.client, b.closing = a.Redis(), jobs.New(a, b.Archive).Closing()
	return nil
}

// play fills a day with batches, as a game server would.
func (b *bench) play(ctx context.Context, d game.Date, players int) error {
	b.now = d.Midnight().Add(12 * time.Hour)
	const size = 1000
	for from := 0; from < players; from += size {
		subs := make([]game.Submission, 0, size)
		for i := from; i < min(from+size, players); i++ {
			subs = append(subs, game.Submission{
				Mode: b.mode, Player: fmt.Sprintf("user_%024d", i), Date: d,
				Score: game.Score(i * 7919 % int(b.mode.Max+1)), At: b.now.Add(time.Duration(i) * time.Millisecond / 10),
			})
		}
		for _, o := range b.closing.Store.Boards.SubmitBatch(ctx, subs) {
			if o.Err != nil {
				return o.Err
			}
		}
	}
	return nil
}

func (b *bench) close(ctx context.Context, d game.Date, players int) error {
	b.now = d.AddDays(1).Midnight().Add(20 * time.Minute)
	if err := b.restart(); err != nil { // the process of a function starts with an empty memory
		return err
	}
	probing, stop := context.WithCancel(ctx)
	longest := make(chan time.Duration, 1)
	go func() { longest <- b.probe(probing, d) }()
	heap := stage.WatchHeap(probing)
	var meter upstash.Meter
	report, err := b.closing.Daily(upstash.WithMeter(ctx, &meter))
	stop()
	wait := <-longest
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d players, %d archived: %d commands (12 for each mode + players/500 = %d), %d round trips, %.1f s, heap up to %d MB, others waited up to %d ms\n",
		d, report.Closed[0].Players, report.Closed[0].Results, report.Commands, 12*len(b.closing.Game.Modes)+players/500, report.RoundTrips,
		float64(report.Milliseconds)/1000, heap.Load()>>20, wait.Milliseconds())
	fmt.Println("  by name:", meter.Usage().ByName)
	return b.slowest(ctx)
}

// slowest prints the commands that blocked Redis longest.
func (b *bench) slowest(ctx context.Context) error {
	answer, err := b.Upstash.Redis().Do(ctx, "SLOWLOG", "GET", "3")
	if err != nil {
		return err
	}
	for _, entry := range answer.([]any) {
		fields := entry.([]any)
		words := fields[3].([]any)
		fmt.Printf("  slow: %v ms %v\n", fields[2].(int64)/1000, words[:min(3, len(words))])
	}
	_, err = b.Upstash.Redis().Do(ctx, "SLOWLOG", "RESET")
	return err
}

// probe reads one score after the other, as players do meanwhile, and returns the longest
// time that a read took.
func (b *bench) probe(ctx context.Context, d game.Date) (longest time.Duration) {
	key := game.DayBoardKey(b.mode.Name, d)
	for ctx.Err() == nil {
		began := time.Now()
		if _, err := b.client.Do(context.WithoutCancel(ctx), upstash.Cmd("ZSCORE", key, "user_0")); err != nil {
			fmt.Fprintln(os.Stderr, "closing: a read failed:", err)
		}
		longest = max(longest, time.Since(began))
		time.Sleep(2 * time.Millisecond)
	}
	return longest
}
