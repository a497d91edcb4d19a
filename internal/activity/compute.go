package activity

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/activity/tally"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// final is how long after its midnight a group's day is taken to be over.
const final = 5 * time.Minute

// Computed is one group's day whose boards were written.
type Computed struct {
	Group   string `json:"group"`
	Date    string `json:"date"`
	Players int    `json:"players"`
	// Final reports that the day is over where the group is. What comes late is
	// computed once more.
	Final bool `json:"final"`

	overtaken bool // a later compute was there; nothing was written
}

// mostRounds bounds how far streaks are followed from day to day in one run: more
// days than boards live.
const mostRounds = 45

// Compute writes the boards of all groups' days that are behind. It may run late,
// twice, two at once, or be cut off anywhere: the next run finishes it, and what
// stands follows from what was done alone.
//
// Cost: 1 billed command where nothing is due, and once more behind days whose
// streaks have changed others'. For each group's day 4, and 1 for each board, where
// messages of its first seconds may lie within a burst of the day before 1 more, and
// what a new board costs; for each 3,500 players above that as much as the boards, and
// 1 for each 20,000 acts.
func (a *Activity) Compute(ctx context.Context) ([]Computed, error) {
	all := []Computed{}
	if a.unknown != nil {
		return all, a.unknown
	}
	if err := a.Notices.MayWrite(ctx); err != nil {
		return all, err
	}
	for range mostRounds {
		due, err := a.due(ctx)
		if err != nil {
			return all, rdb.Wrap("look which days are due", err)
		}
		again, failed := false, error(nil)
		for _, day := range slices.SortedFunc(maps.Keys(due), groupDay.compare) {
			run := computing{a: a, groupDay: day, word: due[day]}
			if err := run.compute(ctx); err != nil { // the others' boards need not wait for it
				failed = errors.Join(failed, rdb.Wrap("compute "+day.date.String()+" of "+day.group, err))
				if ctx.Err() != nil {
					break
				}
				continue
			}
			again = again || run.follows
			if run.report.Players > 0 && !run.report.overtaken {
				all = append(all, run.report)
			}
		}
		if failed != nil || !again {
			return all, failed
		}
	}
	return all, nil
}

// due are the groups' days that are behind, with the word of it.
func (a *Activity) due(ctx context.Context) (map[groupDay][]string, error) {
	reply, err := a.DB.Redis.Do(ctx, upstash.Cmd("SMEMBERS", game.ActsDueKey))
	if err != nil {
		return nil, err
	}
	members, err := reply.Strings()
	if err != nil {
		return nil, err
	}
	due := map[groupDay][]string{}
	for _, member := range members {
		group, date, err := game.ParseActsDue(member)
		if err != nil {
			return nil, err
		}
		due[groupDay{group, date}] = append(due[groupDay{group, date}], member)
	}
	return due, nil
}

// computing is one compute of a group's day.
type computing struct {
	a *Activity
	groupDay
	word    []string
	acts    []tally.Act
	tallies map[string]*tally.Tally
	players []string       // of the tallies, ascending
	streaks map[string]int // with this day in them
	report  Computed
	follows bool // the day after is due now
}

func (c *computing) compute(ctx context.Context) (err error) {
	now := c.a.DB.Now()
	c.report = Computed{Group: c.group, Date: c.date.String(), Final: c.a.date(c.group, now.Add(-final)).After(c.date)}
	if !c.a.Rollup.Calendar.Writable(c.date) {
		return c.drop(ctx)
	}
	if c.acts, err = c.read(ctx); err != nil {
		return err
	}
	before, err := c.readBefore(ctx)
	if err != nil {
		return err
	}
	c.tallies = tally.Of(c.a.rules, c.acts, before)
	maps.DeleteFunc(c.tallies, func(player string, _ *tally.Tally) bool { return c.a.Notices.Has(player) })
	if len(c.tallies) == 0 {
		return c.drop(ctx)
	}
	c.players = slices.Sorted(maps.Keys(c.tallies))
	c.report.Players = len(c.players)
	if err := c.readStreaks(ctx); err != nil {
		return err
	}
	return c.write(ctx)
}

// drop takes the word of a day away that has nothing to compute.
func (c *computing) drop(ctx context.Context) error {
	_, err := c.a.DB.Redis.Do(ctx, upstash.Cmd(append([]string{"SREM", game.ActsDueKey}, c.word...)...).Idempotent())
	return err
}

// read reads all acts of the day. An act whose text this program does not
// understand is left out: a later one may have written it.
func (c *computing) read(ctx context.Context) (acts []tally.Act, err error) {
	err = c.a.DB.EachMember(ctx, c.key(), func(members []rdb.Member) error {
		acts = appendActs(acts, members)
		return nil
	})
	return acts, err
}

func appendActs(acts []tally.Act, members []rdb.Member) []tally.Act {
	for _, m := range members {
		if act, err := tally.Read(m.Player, int64(m.Stored)); err == nil {
			acts = append(acts, act)
		}
	}
	return acts
}

// readBefore reads the acts of the day before that may put messages of this one
// within a burst, where there may be any.
func (c *computing) readBefore(ctx context.Context) ([]tally.Act, error) {
	within := c.a.rules.Burst.Within
	if within == 0 {
		return nil, nil
	}
	for _, act := range c.acts { // ascending by moment
		if rule, ok := c.a.rules.Event(act.Type); !ok || !rule.Message {
			continue
		}
		begin := time.UnixMilli(act.At).Add(-within)
		if !c.a.date(c.group, begin).Before(c.date) {
			return nil, nil
		}
		var members []rdb.Member
		var p rdb.Pipeline
		p.Add(upstash.Cmd("ZRANGEBYSCORE", groupDay{c.group, c.date.AddDays(-1)}.key(), "("+rdb.Itoa(begin.UnixMilli()), "+inf", "WITHSCORES"), rdb.MembersInto(&members))
		_, err := p.Run(ctx, c.a.DB.Redis)
		return appendActs(nil, members), err
	}
	return nil, nil
}

// readStreaks makes the streaks that the day is in of those of the day before.
func (c *computing) readStreaks(ctx context.Context) error {
	yesterday := make([]rdb.Place, len(c.players))
	command := append([]string{"ZMSCORE", game.ActiveKey(c.date.AddDays(-1))}, c.players...)
	var p rdb.Pipeline
	p.Add(upstash.Cmd(command...), rdb.PlacesInto(yesterday))
	if _, err := p.Run(ctx, c.a.DB.Redis); err != nil {
		return err
	}
	c.streaks = make(map[string]int, len(c.players))
	for i, player := range c.players {
		c.streaks[player] = 1
		if yesterday[i].Found {
			c.streaks[player] += int(yesterday[i].Stored)
		}
	}
	return nil
}

// moved leaves word of other groups' days after this one, where somebody is active
// whose streak there does not follow from this day's. The group's own day has word.
//
// Cost: 1 billed command where the day after has begun anywhere; 2 for the days of
// groups, and 1, where somebody's streak is behind.
func (c *computing) moved(ctx context.Context) error {
	next, anywhere := c.date.AddDays(1), false
	for _, zone := range c.a.zones {
		anywhere = anywhere || !dateAt(c.a.DB.Now(), zone).Before(next)
	}
	if anywhere = anywhere || !game.DateOf(c.a.DB.Now()).Before(next); !anywhere {
		return nil
	}
	after := make([]rdb.Place, len(c.players))
	var p rdb.Pipeline
	p.Add(upstash.Cmd(append([]string{"ZMSCORE", game.ActiveKey(next)}, c.players...)...), rdb.PlacesInto(after))
	if _, err := p.Run(ctx, c.a.DB.Redis); err != nil {
		return err
	}
	behind := false
	for i, player := range c.players {
		behind = behind || after[i].Found && int(after[i].Stored) != c.streaks[player]+1
	}
	at := slices.IndexFunc(c.a.modes, func(m *game.Mode) bool { return m.HasScope(game.Group) })
	if !behind || at < 0 {
		return nil
	}
	_, groups, err := c.a.Rollup.Calendar.Indexes(ctx, c.a.modes[at])
	if err != nil {
		return err
	}
	var days []groupDay
	for scope, index := range groups {
		if scope.Kind() == game.Group && scope.ID() != c.group && index.Has(next) {
			days = append(days, groupDay{scope.ID(), next})
		}
	}
	if len(days) == 0 {
		return nil
	}
	c.follows = true
	_, err = c.a.DB.Redis.Do(ctx, c.a.leaveWord(days))
	return err
}

// dayAfter is the date after the computed one, where it may have begun.
func (c *computing) dayAfter() (groupDay, bool) {
	next := groupDay{c.group, c.date.AddDays(1)}
	return next, !next.date.After(c.a.date(c.group, c.a.DB.Now().Add(rollup.ClockSkew)))
}
