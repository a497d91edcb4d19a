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

// writing writes groups' days.
type writing struct{ *Activity }

// places are everybody's board of each mode, and the group's.
func (a writing) places(day groupDay) (all []place, group game.Scope, err error) {
	if group, err = game.GroupScope(day.group); err != nil {
		return nil, group, err
	}
	period := game.Day.Of(day.date)
	for i, m := range a.modes {
		all = append(all, place{game.BoardOf(m, period, game.Scope{}), i})
		if m.HasScope(game.Group) {
			all = append(all, place{game.BoardOf(m, period, group), i})
		}
	}
	return all, group, nil
}

// wrote is what a write of boards has done.
type wrote struct {
	done    bool  // else a later compute was there, and nothing was written
	streaks int64 // that have changed
}

func (w *wrote) read(r upstash.Reply) error {
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
	w.done = word == "written"
	w.streaks, err = values[2].Int64()
	return err
}

// put writes the boards and streaks of a day, and sees to what new keys need. Before
// that it leaves word of the day where again says so.
func (a writing) put(ctx context.Context, day groupDay, word []string, worth dayWorth, again string) (w wrote, err error) {
	places, group, err := a.places(day)
	if err != nil {
		return w, err
	}
	streaks := game.ActiveKey(day.date)
	var p rdb.Pipeline
	if again != "" {
		p.Add(upstash.Cmd("SADD", game.ActsDueKey, again).Idempotent(), nil)
	}
	p.Add(a.putCommand(day, word, places, worth), w.read)
	touched := a.Notices.Keys.Touch()
	expire, isNew := a.DB.Expire(streaks, game.Day.Of(day.date))
	if isNew {
		p.Add(expire, nil)
	}
	for _, at := range places {
		touched.Day(&p, at.board.Mode, day.date, at.board.Scope)
	}
	groups := a.playedIn(&p, group, worth.players)
	touched.Prove(&p)
	a.reopen(&p, day.date)
	if _, err := p.Run(ctx, a.DB.Redis); err != nil || !w.done {
		return w, err
	}
	if isNew {
		a.DB.Expiring.Add(streaks, struct{}{})
	}
	a.Played.Wrote(groups)
	a.forget(places, worth.players)
	if !touched.Done() {
		err = a.Notices.Keys.Relearn(ctx, touched.Round, touched.All)
	}
	return w, err
}

// putCommand is the call of putScript.
func (a writing) putCommand(day groupDay, word []string, places []place, worth dayWorth) upstash.Command {
	keys, args := []string{game.ActsDueKey, game.ActiveKey(day.date)}, []string{rdb.Itoa(int64(len(word)))}
	args = append(args, word...)
	after := ""
	if next := day.next(); a.begun(next) {
		after = game.ActsDue(next.group, next.date, a.name())
	}
	args = append(args, after, rdb.Itoa(int64(len(a.modes))))
	for _, at := range places {
		keys = append(keys, at.board.Key)
		args = append(args, rdb.Itoa(int64(at.mode+1)))
	}
	return putScript.Command(keys, a.appendScores(args, day.date, worth)...).Idempotent()
}

// next is the group's day after.
func (d groupDay) next() groupDay { return groupDay{d.group, d.date.AddDays(1)} }

// begun reports whether a day may have begun.
func (a *Activity) begun(day groupDay) bool {
	return !day.date.After(a.date(day.group, a.DB.Now().Add(rollup.ClockSkew)))
}

// appendScores appends each player with the streak and the stored scores. Of equal
// ones who was first there leads: by the newest act of the day.
func (a writing) appendScores(args []string, d game.Date, worth dayWorth) []string {
	for _, player := range worth.players {
		t, streak := worth.tallies[player], worth.streaks[player]
		args = append(args, player, rdb.Itoa(int64(streak)))
		for i, score := range t.Points(a.DB.Game, streak) {
			m := a.modes[i]
			tick := m.Tick(a.DB.Game, d, time.UnixMilli(t.Last))
			args = append(args, game.FormatStored(m.Encode(score, tick)))
		}
	}
	return args
}

// playedIn queues that the players have been in the group, for the day on which one
// is erased.
func (a writing) playedIn(p *rdb.Pipeline, group game.Scope, players []string) []played.Group {
	all := make([]played.Group, len(players))
	for i, player := range players {
		all[i] = played.Group{Player: player, Group: group}
	}
	return a.Played.Keep(p, all)
}

// reopen has a day closed once more that is written to after its closing, or may be.
func (a writing) reopen(p *rdb.Pipeline, d game.Date) {
	db := a.DB
	if db.Now().Add(rollup.InFlight).Before(db.Game.Ends(game.Day.Of(d))) {
		return
	}
	fields := make([]string, len(a.modes))
	for i, m := range a.modes {
		fields[i] = game.ClosedDay(m.Name, d)
	}
	p.Add(rollup.Reopen(db, fields...), nil)
}

// forget drops what this process remembers of boards that it has written.
func (a writing) forget(places []place, players []string) {
	for _, at := range places {
		a.Windows.Forget(at.board.Key)
		a.Totals.Forget(at.board.Key)
		for _, player := range players {
			a.Places.Remove(memory.EntryID{Board: at.board.Key, Player: player})
		}
	}
}
