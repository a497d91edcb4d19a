package board

import (
	"context"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/internal/xp"
	"github.com/framedle/leaderboards/upstash"
)

// pastRead is one player's day that is over and that no closing has taken in. Its marks are
// read before its entries, and the process remembers the day together with these marks.
type pastRead struct {
	marks string
	there int64 // how many of the day's boards exist
	day   memory.PastDay
	plays []*dayPlay
}

// askMarks queues the reading of the marks of every day that is over and after through, and of
// the newest day in the base. A day's marks show whether it was written to since its end. This
// must be the last command of its pipeline: if the marks are unchanged, what the process
// remembers of the days was true until then.
func (m *meRead) askMarks(p *rdb.Pipeline, through game.Date, newest *game.Date) {
	g := m.s.DB.Game
	command := []string{"HMGET", game.ClosedKey, game.XPMode}
	var dates []game.Date
	for d := game.DateOf(m.now); m.s.DB.Alive(d) && d.After(through); d = d.AddDays(-1) {
		if !m.ended(d) {
			continue
		}
		dates = append(dates, d)
		for _, mode := range g.Modes {
			command = append(command, game.ClosedDay(mode.Name, d))
		}
	}
	p.Add(upstash.Cmd(command...), func(r upstash.Reply) error {
		marks, err := rdb.Values(r, 1+len(dates)*len(g.Modes), "the newest day of XP, and a mark for each mode's day")
		if err != nil {
			return err
		}
		for i, d := range dates {
			var all strings.Builder
			for _, mark := range marks[1+i*len(g.Modes):][:len(g.Modes)] {
				text, err := rdb.Text(mark)
				if err != nil {
					return err
				}
				all.WriteString(text)
				all.WriteByte('\n')
			}
			m.past[d] = &pastRead{marks: all.String()}
		}
		return xp.ThroughInto(newest)(marks[0])
	})
}

// readPast completes the days that are over: from memory, or else from the player's entries.
func (m *meRead) readPast(ctx context.Context) error {
	var unknown []game.Date
	var p rdb.Pipeline
	for d, past := range m.past {
		if day, ok := m.s.past.Of(m.player, d, past.marks); ok {
			past.day = day
			continue
		}
		unknown = append(unknown, d)
		if played, _ := m.s.past.Played(d, past.marks); played {
			past.there = 1
			continue
		}
		exists := []string{"EXISTS"}
		for _, mode := range m.s.DB.Game.Modes {
			exists = append(exists, game.DayBoardKey(mode.Name, d))
		}
		p.Add(upstash.Cmd(exists...), rdb.IntInto(&past.there))
	}
	if err := m.run(ctx, &p); err != nil {
		return err
	}
	p = rdb.Pipeline{}
	for _, d := range unknown {
		past := m.past[d]
		if m.settled(d) {
			m.s.past.KeepPlayed(d, past.marks, past.there > 0)
		}
		if past.there == 0 {
			continue
		}
		for _, mode := range m.s.DB.Game.Modes {
			play := &dayPlay{mode: mode, date: d}
			p.Add(upstash.Cmd("ZSCORE", play.board().Key, m.player), rdb.ScoreInto(&play.at))
			past.plays = append(past.plays, play)
		}
	}
	if err := m.run(ctx, &p); err != nil {
		return err
	}
	for _, d := range unknown {
		past := m.past[d]
		for _, play := range past.plays {
			if play.at.Found {
				past.day.Played = true
				past.day.XP += play.mode.XPOf(play.mode.Decode(play.at.Stored))
			}
		}
		if m.settled(d) {
			m.s.past.Keep(m.player, d, past.marks, past.day)
		}
	}
	return nil
}

// settled reports whether every write that is still to come changes the day's marks. A write
// leaves no mark if its process began it more than [rollup.InFlight] before the day's end. Such
// a write reaches Redis by the end as that process's clock shows it, which is at most
// [rollup.ClockSkew] late.
func (m *meRead) settled(d game.Date) bool {
	return !m.now.Before(m.s.DB.Game.Ends(game.Day.Of(d)).Add(rollup.ClockSkew))
}

// run sends what goes beyond the first round trip, if there is anything.
func (m *meRead) run(ctx context.Context, p *rdb.Pipeline) error {
	if len(p.Commands) == 0 {
		return nil
	}
	if err := m.more(ctx, len(p.Commands)); err != nil {
		return err
	}
	_, err := p.Run(ctx, m.s.DB.Redis)
	return err
}
