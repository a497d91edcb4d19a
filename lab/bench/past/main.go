// Command past has lbctl's import bring in a year of a real daily puzzle, into an
// empty product over a real Redis and Postgres, and holds what comes of it against
// a plain count: every player's total of all time, XP and streak, weeks and
// months, every archived day. It prints rows a second.
//
// The days are read from a file of the form that make replay takes, see
// docs/replay.md. Who plays when is drawn with a fixed seed.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/closing"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/importer"
	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/past"
	"github.com/framedle/leaderboards/lab/replay"
	"github.com/framedle/leaderboards/lab/stage"
)

func main() {
	file := flag.String("file", "", "`file` of days, as make replay takes it")
	share := flag.Float64("share", 0.1, "share of each day's players that takes part")
	flag.Parse()
	if err := run(context.Background(), *file, *share); err != nil {
		fmt.Fprintln(os.Stderr, "past:", err)
		os.Exit(1)
	}
}

// points are those of daily_frame by tries, as replay has them.
var points = [replay.Tries]game.Score{1000, 800, 600, 400, 200, 100, 0}

// count is the plain count.
type count struct {
	total   []int64             // of each player, all days
	played  []map[int]struct{}  // days from the first, of each player
	of      map[string][]int32  // totals by player of weeks and months, by key
	players map[game.Date]int64 // of each day
}

func run(ctx context.Context, name string, share float64) (err error) {
	source, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("-file: %w", err)
	}
	defer func() { _ = source.Close() }() // only read
	days, err := replay.ParseDays(source)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "past-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	csv := filepath.Join(dir, "year.csv")
	should, err := deal(csv, days, share)
	if err != nil {
		return err
	}
	s, err := stage.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	last := days[0].Date
	for _, d := range days {
		if d.Date.After(last) {
			last = d.Date
		}
	}
	at := last.AddDays(5).Midnight().Add(12 * time.Hour)
	a, err := s.Process(app.Parts{Now: func() time.Time { return at }})
	if err != nil {
		return err
	}
	c := jobs.New(a, s.Archive).Closing()
	if err := bringIn(ctx, c, csv, dir); err != nil {
		return err
	}
	began := time.Now()
	if err := check(ctx, c, should, days); err != nil {
		return err
	}
	fmt.Printf("checked in %.1f s\n", time.Since(began).Seconds())
	return nil
}

// deal writes a file of plays and counts them.
func deal(name string, days []replay.Day, share float64) (*count, error) {
	most := 0
	for _, d := range days {
		most = max(most, int(float64(d.Players)*share))
	}
	population := 2 * most
	c := &count{total: make([]int64, population), played: make([]map[int]struct{}, population), of: map[string][]int32{}, players: map[game.Date]int64{}}
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	_, _ = fmt.Fprintln(w, "player,mode,played_at,score,country,name") // told by Flush
	random := rand.New(rand.NewPCG(2022, 1))
	order := random.Perm(population)
	countries := []string{"BR", "DE", "JP", "US", "IN"}
	for _, d := range days {
		n := int(float64(d.Players) * share)
		from := random.IntN(population)
		i := 0
		for tries, times := range replay.Distribute(n, d.Shares) {
			for range times {
				p := order[(from+i*7919%population)%population]
				at := d.Date.Midnight().Add(time.Duration(random.Int64N(int64(24 * time.Hour))))
				fmt.Fprintf(w, "player_%d,daily_frame,%s,%d,%s,Player %d\n", p, at.Format(time.RFC3339Nano), points[tries], countries[p%len(countries)], p)
				c.add(d.Date, days[0].Date, p, points[tries])
				i++
			}
		}
	}
	return c, errors.Join(w.Flush(), file.Close())
}

func (c *count) add(d, first game.Date, player int, score game.Score) {
	c.players[d]++
	c.total[player] += int64(score)
	if c.played[player] == nil {
		c.played[player] = map[int]struct{}{}
	}
	c.played[player][d.DaysSince(first)] = struct{}{}
	for _, p := range []game.Period{game.Week.Of(d), game.Month.Of(d)} {
		if c.of[p.Key()] == nil {
			c.of[p.Key()] = make([]int32, len(c.total))
			for i := range c.of[p.Key()] {
				c.of[p.Key()][i] = -1
			}
		}
		c.of[p.Key()][player] = max(c.of[p.Key()][player], 0) + int32(score)
	}
}

func bringIn(ctx context.Context, c *closing.Closing, csv, dir string) error {
	info, err := os.Stat(csv)
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	var heap atomic.Uint64
	go func() {
		for watching.Err() == nil {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heap.Store(max(heap.Load(), m.HeapAlloc))
			time.Sleep(100 * time.Millisecond)
		}
	}()
	before := runtime.MemStats{}
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	o := past.Options{Files: []string{csv}, Layout: importer.PastLayout(), Game: c.Game, Now: c.Now, Closing: c, Temp: dir}
	s, err := past.Run(ctx, o)
	stop()
	if err != nil {
		return err
	}
	took := time.Since(began)
	fmt.Printf("%d lines, %d MB: read and sorted in %.1f s (%.0f lines/s), %d rows written in %.1f s (%.0f rows/s), %d days in Redis, boards in %.1f s with %d commands, all %.1f s (%.0f lines/s); heap up to %d MB, of which the count has %d\n",
		s.Lines, info.Size()>>20, s.Read.Seconds(), float64(s.Lines)/s.Read.Seconds(), s.Written, s.Wrote.Seconds(), float64(s.Written)/s.Wrote.Seconds(),
		s.Living, float64(s.Taken.Milliseconds)/1000, s.Taken.Commands, took.Seconds(), float64(s.Lines)/took.Seconds(), heap.Load()>>20, before.HeapAlloc>>20)
	began = time.Now()
	s, err = past.Run(ctx, o)
	if err == nil && s.DoneAt.IsZero() {
		err = errors.New("the same file again was not known")
	}
	fmt.Printf("the same again: %.1f s\n", time.Since(began).Seconds())
	return err
}

// check holds boards, XP, streaks and the archive against the count.
func check(ctx context.Context, c *closing.Closing, should *count, days []replay.Day) error {
	m := c.Game.Modes[0]
	compared := 0
	hold := func(what string, player int, has, want int64) error {
		if compared++; has != want {
			return fmt.Errorf("%s of player_%d: %d, should be %d", what, player, has, want)
		}
		return nil
	}
	for d, n := range should.players {
		list, err := c.Archive.Days.Between(ctx, m.Name, d, d)
		if err != nil {
			return err
		}
		if len(list) != 1 || !list[0].Complete {
			return fmt.Errorf("%s is not whole in the archive", d)
		}
		if err := hold("players on "+d.String(), 0, list[0].Players, n); err != nil {
			return err
		}
	}
	totals := func(b game.Board, want func(int) int64) error {
		all, err := c.Store.DB.ReadBoard(ctx, b.Key)
		if err != nil {
			return err
		}
		for p := range should.total {
			stored, there := all[fmt.Sprint("player_", p)]
			has := int64(-1)
			if there {
				has = int64(m.Decode(stored))
			}
			if err := hold(b.Key, p, has, want(p)); err != nil {
				return err
			}
		}
		return nil
	}
	ever := func(p int) int64 {
		if should.played[p] == nil {
			return -1
		}
		return should.total[p]
	}
	today := c.Game.Today(c.Now())
	xp, _ := c.Store.DB.Game.ModeNamed(game.XPMode)
	for _, b := range []game.Board{game.BoardOf(m, game.AllTime.Of(today), game.Scope{}), game.BoardOf(xp, game.AllTime.Of(today), game.Scope{})} {
		if err := totals(b, ever); err != nil {
			return err
		}
	}
	for _, p := range periodsOf(days) {
		of := should.of[p.Key()]
		if end, _ := c.Game.Expires(p); c.Now().Before(end) {
			if err := totals(game.BoardOf(m, p, game.Scope{}), func(i int) int64 { return int64(of[i]) }); err != nil {
				return err
			}
		}
		if !c.Game.Closed(p, c.Now()) {
			continue
		}
		s, err := c.Archive.Snapshots.Of(ctx, game.BoardOf(m, p, game.Scope{}))
		if err != nil || s == nil {
			return fmt.Errorf("the top of %s: %v, %w", p.Key(), s, err)
		}
		players, best := int64(0), int32(-1)
		for _, total := range of {
			if best = max(best, total); total >= 0 {
				players++
			}
		}
		if err := errors.Join(hold("players of "+p.Key(), 0, s.Total, players), hold("the best of "+p.Key(), 0, int64(s.Entries[0].Score), int64(best))); err != nil {
			return err
		}
	}
	last := today.AddDays(-1).DaysSince(days[0].Date)
	for p := 0; p < len(should.total); p += max(1, len(should.total)/2000) {
		me, err := c.Store.Boards.Me(ctx, fmt.Sprint("player_", p))
		if err != nil {
			return err
		}
		longest, now := 0, 0
		for n := 0; n <= last; n++ {
			if _, did := should.played[p][n]; did {
				now++
			} else {
				now = 0
			}
			longest = max(longest, now)
		}
		if err := errors.Join(hold("longest streak", p, int64(me.Streak.Best), int64(longest)), hold("XP", p, me.XP, should.total[p])); err != nil {
			return err
		}
	}
	fmt.Printf("%d figures compared, all equal\n", compared)
	verified, err := c.Verify(ctx, func(d closing.Difference) { fmt.Println("differs:", d) })
	if err == nil && verified.Differences > 0 {
		err = errors.New("redis and the archive differ")
	}
	fmt.Printf("lbctl verify: %d entries of %d boards, %d differences\n", verified.Entries, verified.Boards, verified.Differences)
	return err
}

// periodsOf are the weeks and months of the days.
func periodsOf(days []replay.Day) []game.Period {
	met := map[game.Period]bool{}
	var all []game.Period
	for _, d := range days {
		for _, p := range []game.Period{game.Week.Of(d.Date), game.Month.Of(d.Date)} {
			if !met[p] {
				met[p] = true
				all = append(all, p)
			}
		}
	}
	return all
}
