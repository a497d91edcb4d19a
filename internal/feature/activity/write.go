package activity

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// place is a board that a compute writes, and which of a player's scores goes there.
type place struct {
	board game.Board
	mode  int
}

func (p place) key(d game.Date) derive.DayKey {
	return derive.DayKey{Mode: p.board.Mode.Name, Date: d, Scope: p.board.Scope}
}

// writing writes groups' days.
type writing struct{ *Activity }

// places are the boards of a group's day: for each mode everybody's board, and the group's.
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

// wrote is the result of a write of boards.
type wrote struct {
	done    bool // false: a later compute has run, or what was read has changed
	boards  int64
	follows bool // days were marked as due
}

func (w *wrote) read(r upstash.Reply) error {
	values, err := redis.Values(r, 4, "calls, a word and two counts")
	if err != nil {
		return err
	}
	word, err := values[1].Text()
	if err != nil {
		return err
	}
	left, err := values[2].Int64()
	if err != nil {
		return err
	}
	w.done, w.follows = word == "written", left > 0
	w.boards, err = values[3].Int64()
	return err
}

// dayMarks are the marks that a write of boards leaves for its own day; "" for none.
type dayMarks struct {
	again string // left before the boards are written
	over  string // left with them
}

// put writes the boards and streaks of a day, and does the housekeeping of new keys.
func (a writing) put(ctx context.Context, day groupDay, word []string, worth dayWorth, leave dayMarks) (w wrote, err error) {
	places, group, err := a.places(day)
	if err != nil {
		return w, err
	}
	var p redis.Pipeline
	if leave.again != "" {
		p.Add(upstash.Cmd("SADD", ActsDueKey, leave.again).Idempotent(), nil)
	}
	p.Add(a.putCommand(day, word, places, worth, leave), w.read)
	groups := a.playedIn(&p, group, worth.players)
	a.reopen(&p, day.date)
	if _, err := p.Run(ctx, a.DB.Redis); err != nil || !w.done {
		return w, err
	}
	a.Played.Wrote(groups)
	a.forget(places, worth.players)
	return w, nil
}

// putCommand is the call of putScript for a day.
func (a writing) putCommand(day groupDay, word []string, places []place, worth dayWorth, leave dayMarks) upstash.Command {
	period, next := game.Day.Of(day.date), day.date.AddDays(1)
	keys := []string{ActsDueKey, game.HomesKey(next), ActiveKey(day.date.AddDays(-1)), game.HomesKey(day.date), ActiveKey(day.date)}
	after := ""
	if a.begunAnywhere(next) {
		after = next.String()
	}
	args := append([]string{redis.Itoa(int64(len(word)))}, word...)
	args = append(args, day.group, day.date.String(), redis.UniqueName(a.DB), after, leave.over, redis.Itoa(int64(len(a.modes))), redis.Itoa(int64(len(worth.absent))))
	args = append(args, worth.absent...)
	var expiries, indexes, fields []string
	for _, key := range keys[3:] {
		expiries = append(expiries, a.DB.Seconds(key, period))
	}
	for _, at := range places {
		column := int64(at.mode + 1)
		if at.board.Scope.Kind() == game.Group {
			column = -column
		}
		index, field := at.key(day.date).Index()
		keys, args = append(keys, at.board.Key), append(args, redis.Itoa(column))
		expiries = append(expiries, a.DB.Seconds(at.board.Key, period))
		indexes, fields = append(indexes, index), append(fields, field)
	}
	keys = append(keys, indexes...)
	args = slices.Concat(args, expiries, fields, []string{derive.DayOpen})
	rows := a.rows(day.date, worth)
	return putScript.Command(keys, append(append(args, a.prints(rows)...), rows...)...).Idempotent()
}

// begunAnywhere reports whether a date may have begun in the time zone of some group.
func (a writing) begunAnywhere(d game.Date) bool {
	now := a.DB.Now().Add(derive.ClockSkew)
	for _, zone := range a.zones {
		if !dateAt(now, zone).Before(d) {
			return true
		}
	}
	return !game.DateOf(now).Before(d)
}

// rows has for each player the first act, the streak and the stored scores. Of equal scores,
// the one whose player's last act came first leads.
func (a writing) rows(d game.Date, worth dayWorth) (rows []string) {
	for _, player := range worth.players {
		t, streak := worth.tallies[player], worth.streaks[player]
		rows = append(rows, player, redis.Itoa(t.First), redis.Itoa(int64(streak)))
		for i, score := range t.Points(a.DB.Game, streak) {
			m := a.modes[i]
			tick := m.Tick(a.DB.Game, d, time.UnixMilli(t.Last))
			rows = append(rows, game.FormatStored(m.Encode(score, tick)))
		}
	}
	return rows
}

// prints has a digest for each score of the rows, and one for the streaks. Equal prints mean
// the same players with the same scores on the same boards.
func (a writing) prints(rows []string) []string {
	prints, step := make([]string, len(a.modes)+1), len(a.modes)+3
	for column := range prints {
		sum, offset := sha256.New(), 3+column
		if column == len(a.modes) {
			offset = 2
		} else {
			m := a.modes[column]
			fmt.Fprintln(sum, m.Name, m.HasScope(game.Group))
		}
		for at := 0; at < len(rows); at += step {
			fmt.Fprintln(sum, rows[at], rows[at+offset])
		}
		prints[column] = base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:12])
	}
	return prints
}

// playedIn queues a note that the players have been in the group, which an erasure needs.
func (a writing) playedIn(p *redis.Pipeline, group game.Scope, players []string) []derive.Group {
	all := make([]derive.Group, len(players))
	for i, player := range players {
		all[i] = derive.Group{Player: player, Group: group}
	}
	return a.Played.Keep(p, all)
}

// reopen marks a day to be closed again if this write comes, or may come, after its closing.
func (a writing) reopen(p *redis.Pipeline, d game.Date) {
	if !derive.MayBeLate(a.DB, d) {
		return
	}
	fields := make([]string, len(a.modes))
	for i, m := range a.modes {
		fields[i] = game.ClosedDay(m.Name, d)
	}
	p.Add(derive.Reopen(a.DB, fields...), nil)
}

// forget drops what this process remembers of the boards that it has written.
func (a writing) forget(places []place, players []string) {
	for _, at := range places {
		a.Windows.Forget(at.board.Key)
		a.Totals.Forget(at.board.Key)
		for _, player := range players {
			a.Places.Remove(derive.EntryID{Board: at.board.Key, Player: player})
		}
	}
}
