package activity

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/played"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// place is one board that a compute writes, and which of a player's scores.
type place struct {
	board game.Board
	mode  int
}

// places are everybody's board of each mode, and the group's.
func (c *computing) places() (all []place, group game.Scope, err error) {
	if group, err = game.GroupScope(c.group); err != nil {
		return nil, group, err
	}
	day := game.Day.Of(c.date)
	for i, m := range c.a.modes {
		all = append(all, place{game.BoardOf(m, day, game.Scope{}), i})
		if m.HasScope(game.Group) {
			all = append(all, place{game.BoardOf(m, day, group), i})
		}
	}
	return all, group, nil
}

// write writes the boards and streaks of the day, and sees to what new keys need.
func (c *computing) write(ctx context.Context) error {
	places, group, err := c.places()
	if err != nil {
		return err
	}
	db := c.a.DB
	streaks := game.ActiveKey(c.date)
	keys, args := []string{game.ActsDueKey, streaks}, []string{rdb.Itoa(int64(len(c.word)))}
	args = append(args, c.word...)
	next, begun := c.dayAfter()
	if begun {
		args = append(args, game.ActsDue(next.group, next.date, c.a.name()))
	} else {
		args = append(args, "")
	}
	args = append(args, rdb.Itoa(int64(len(c.a.modes))))
	for _, at := range places {
		keys = append(keys, at.board.Key)
		args = append(args, rdb.Itoa(int64(at.mode+1)))
	}
	args = c.appendScores(args)

	var p rdb.Pipeline
	var written bool
	var changed int64
	p.Add(putScript.Command(keys, args...).Idempotent(), func(r upstash.Reply) error {
		values, err := r.Array()
		if err != nil {
			return err
		}
		if len(values) != 3 {
			return rdb.WrongShape("calls, a word and a count", len(values))
		}
		word, err := values[1].Text()
		if err != nil {
			return err
		}
		written = word == "written"
		changed, err = values[2].Int64()
		return err
	})
	touched := c.a.Notices.Keys.Touch()
	expire, isNew := db.Expire(streaks, game.Day.Of(c.date))
	if isNew {
		p.Add(expire, nil)
	}
	for _, at := range places {
		touched.Day(&p, at.board.Mode, c.date, at.board.Scope)
	}
	groups := c.playedIn(&p, group)
	touched.Prove(&p)
	c.reopen(&p)
	if _, err := p.Run(ctx, db.Redis); err != nil {
		return err
	}
	if c.report.overtaken = !written; !written {
		return nil
	}
	if isNew {
		db.Expiring.Add(streaks, struct{}{})
	}
	c.a.Played.Wrote(groups)
	c.forget(places)
	c.follows = changed > 0 && begun
	if !touched.Done() {
		if err := c.a.Notices.Keys.Relearn(ctx, touched.Round, touched.All); err != nil {
			return err
		}
	}
	if changed == 0 {
		return nil
	}
	return c.moved(ctx)
}

// appendScores appends each player with the streak and the stored scores. Of equal
// ones who was first there leads: by the newest act of the day.
func (c *computing) appendScores(args []string) []string {
	for _, player := range c.players {
		t := c.tallies[player]
		args = append(args, player, rdb.Itoa(int64(c.streaks[player])))
		for i, score := range t.Points(c.a.DB.Game, c.streaks[player]) {
			m := c.a.modes[i]
			tick := m.Tick(c.a.DB.Game, c.date, time.UnixMilli(t.Last))
			args = append(args, game.FormatStored(m.Encode(score, tick)))
		}
	}
	return args
}

// playedIn queues that the players have been in the group, for the day on which one
// is erased.
func (c *computing) playedIn(p *rdb.Pipeline, group game.Scope) []played.Group {
	all := make([]played.Group, len(c.players))
	for i, player := range c.players {
		all[i] = played.Group{Player: player, Group: group}
	}
	return c.a.Played.Keep(p, all)
}

// reopen has a day closed once more that is written to after its closing, or may be.
func (c *computing) reopen(p *rdb.Pipeline) {
	db := c.a.DB
	if db.Now().Add(rollup.InFlight).Before(db.Game.Ends(game.Day.Of(c.date))) {
		return
	}
	fields := make([]string, len(c.a.modes))
	for i, m := range c.a.modes {
		fields[i] = game.ClosedDay(m.Name, c.date)
	}
	p.Add(rollup.Reopen(db, fields...), nil)
}

// forget drops what this process remembers of boards that it has written.
func (c *computing) forget(places []place) {
	for _, at := range places {
		c.a.Windows.Forget(at.board.Key)
		c.a.Totals.Forget(at.board.Key)
		for _, player := range c.players {
			c.a.Places.Remove(memory.EntryID{Board: at.board.Key, Player: player})
		}
	}
}
