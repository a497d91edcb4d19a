// Command past imports a year of a real daily puzzle with lbctl, into an empty product
// over a real Redis and Postgres, and compares the result with the model: every player's
// total of all time, XP and streak, weeks and months, every archived day. It prints rows
// a second.
//
// The days are read from a file in the form that make replay takes, see docs/internals/replay.md. A
// fixed seed decides who plays when.
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
	"time"

	"github.com/framedle/leaderboards/internal/feature/backfill"
	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/lab/model"
	"github.com/framedle/leaderboards/lab/people"
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

// players have ids that differ by a number.
const players = people.Series("player_")

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
	s, err := stage.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	csv := filepath.Join(dir, "year.csv")
	should, err := deal(csv, s.Game, days, share)
	if err != nil {
		return err
	}
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

// deal writes a file of plays and takes them into the model.
func deal(name string, g *game.Game, days []replay.Day, share float64) (*model.Model, error) {
	most := 0
	for _, d := range days {
		most = max(most, int(float64(d.Players)*share))
	}
	ids := make([]string, 2*most)
	for i := range ids {
		ids[i] = players.ID(i)
	}
	rule := model.NewRule(g.Modes[0], g.Grace)
	c := model.New([]model.Rule{rule}, ids)
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	_, _ = fmt.Fprintln(w, "player,mode,played_at,score,country,name") // Flush returns the error
	random := rand.New(rand.NewPCG(2022, 1))
	order := random.Perm(len(ids))
	for _, d := range days {
		n := int(float64(d.Players) * share)
		from := random.IntN(len(ids))
		i := 0
		for tries, times := range replay.Distribute(n, d.Shares) {
			for range times {
				p := order[(from+i*7919%len(ids))%len(ids)]
				at := d.Date.Midnight().Add(time.Duration(random.Int64N(int64(24 * time.Hour))))
				fmt.Fprintf(w, "%s,%s,%s,%d,%s,Player %d\n", ids[p], rule.Name, at.Format(time.RFC3339Nano), replay.Points[tries], people.Countries[p%len(people.Countries)], p)
				c.Submit(model.Play{Date: d.Date, Player: int32(p), Score: int64(replay.Points[tries]), Tick: rule.TickOf(d.Date, at)})
				i++
			}
		}
	}
	return c, errors.Join(w.Flush(), file.Close())
}

func bringIn(ctx context.Context, c *closing.Closing, csv, dir string) error {
	info, err := os.Stat(csv)
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	heap := stage.WatchHeap(watching)
	before := stage.LiveHeap()
	began := time.Now()
	o := backfill.Options{Files: []string{csv}, Layout: importer.PastLayout(), Game: c.Game, Now: c.Now, Closing: c, Temp: dir}
	s, err := backfill.Run(ctx, o)
	stop()
	if err != nil {
		return err
	}
	took := time.Since(began)
	fmt.Printf("%d lines, %d MB: read and sorted in %.1f s (%.0f lines/s), %d rows written in %.1f s (%.0f rows/s), %d days in Redis, boards in %.1f s with %d commands, all %.1f s (%.0f lines/s); heap up to %d MB, of which the model has %d\n",
		s.Lines, info.Size()>>20, s.Read.Seconds(), float64(s.Lines)/s.Read.Seconds(), s.Written, s.Wrote.Seconds(), float64(s.Written)/s.Wrote.Seconds(),
		s.Living.Days, float64(s.Taken.Milliseconds)/1000, s.Taken.Commands, took.Seconds(), float64(s.Lines)/took.Seconds(), heap.Load()>>20, before>>20)
	began = time.Now()
	s, err = backfill.Run(ctx, o)
	if err == nil && s.DoneAt.IsZero() {
		err = errors.New("the same file again was not known")
	}
	fmt.Printf("the same again: %.1f s\n", time.Since(began).Seconds())
	return err
}

// check compares boards, XP, streaks and the archive with the model.
func check(ctx context.Context, c *closing.Closing, should *model.Model, days []replay.Day) error {
	m := c.Game.Modes[0]
	compared := 0
	hold := func(what string, player int, has, want int64) error {
		if compared++; has != want {
			return fmt.Errorf("%s of %s: %d, should be %d", what, should.IDs[player], has, want)
		}
		return nil
	}
	for _, day := range days {
		d := day.Date
		list, err := c.Archive.Days.Between(ctx, m.Name, d, d)
		if err != nil {
			return err
		}
		if len(list) != 1 || !list[0].Complete {
			return fmt.Errorf("%s is not whole in the archive", d)
		}
		if err := hold("players on "+d.String(), 0, list[0].Players, int64(len(should.Rows(model.Board{Period: game.Day.Of(d)})))); err != nil {
			return err
		}
	}
	totals := func(b game.Board, want model.Board) error {
		all, err := c.Store.DB.ReadBoard(ctx, b.Key)
		if err != nil {
			return err
		}
		rows := scoresOf(should, want)
		for p, id := range should.IDs {
			has, current := int64(absent), int64(absent)
			if stored, there := all[id]; there {
				has = int64(b.Mode.Decode(stored))
			}
			if score, there := rows[int32(p)]; there {
				current = score
			}
			if err := hold(b.Key, p, has, current); err != nil {
				return err
			}
		}
		return nil
	}
	today := c.Game.Today(c.Now())
	xp, _ := c.Store.DB.Game.ModeNamed(game.XPMode)
	ever := game.AllTime.Of(today)
	if err := errors.Join(
		totals(game.BoardOf(m, ever, game.Scope{}), model.Board{Period: ever}),
		totals(game.BoardOf(xp, ever, game.Scope{}), model.Board{Mode: model.XP, Period: ever}),
	); err != nil {
		return err
	}
	for _, p := range periodsOf(days) {
		want := model.Board{Period: p}
		if end, _ := c.Game.Expires(p); c.Now().Before(end) {
			if err := totals(game.BoardOf(m, p, game.Scope{}), want); err != nil {
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
		rows := should.Rows(want)
		if err := errors.Join(hold("players of "+p.Key(), 0, s.Total, int64(len(rows))), hold("the best of "+p.Key(), 0, int64(s.Entries[0].Score), rows[0].Score)); err != nil {
			return err
		}
	}
	xps := scoresOf(should, model.Board{Mode: model.XP, Period: ever})
	for p := 0; p < len(should.IDs); p += max(1, len(should.IDs)/2000) {
		me, err := c.Store.Boards.Me(ctx, should.IDs[p], nil)
		if err != nil {
			return err
		}
		longest := model.StreakOf(c.Game.Streak, should.Played(int32(p)), today).Best
		if err := errors.Join(hold("longest streak", p, int64(me.Streak.Best), int64(longest)), hold("XP", p, me.XP, xps[int32(p)])); err != nil {
			return err
		}
	}
	fmt.Printf("%d figures compared, all equal\n", compared)
	verified, err := c.Verify(ctx, func(d lifecycle.Difference) { fmt.Println("differs:", d) })
	if err == nil && verified.Differences > 0 {
		err = errors.New("redis and the archive differ")
	}
	fmt.Printf("lbctl verify: %d entries of %d boards, %d differences\n", verified.Entries, verified.Boards, verified.Differences)
	return err
}

// absent is the score of a player without an entry.
const absent = -1

func scoresOf(m *model.Model, b model.Board) map[int32]int64 {
	scores := map[int32]int64{}
	for _, row := range m.Rows(b) {
		scores[row.Player] = row.Score
	}
	return scores
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
