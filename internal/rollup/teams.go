package rollup

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// The board of groups ranks groups against each other, by what their members have
// on the groups' own boards. It is made when somebody looks, from the true scores
// of those boards' sources, so that a play costs nothing for it, and a score that
// is removed leaves it too.

const (
	// teamsRefresh is the least time between two refreshes of a board of groups. It
	// is doubled until there is a second for each group: in steps, so that processes
	// agree on it while groups come and go.
	teamsRefresh = time.Minute
	// TeamsCommands is how many billed commands the members cost that one refresh
	// reads, some one for each group. Of more groups each refresh takes the next
	// ones, by name: whoever can found groups must not make a look at them dearer.
	TeamsCommands = 240
	// teamsAtOnce is how many groups' members are read in one round trip.
	teamsAtOnce = 50
)

// teams makes the boards that rank groups.
type teams struct{ ru *Rollup }

// interval is the least time between two refreshes of a board of groups.
//
// Cost: nothing, or 1 billed command where the process does not know how many
// groups there are.
func (t teams) interval(ctx context.Context, b game.Board) (time.Duration, error) {
	groups, known := t.ru.totals.Last(b.Key)
	if !known {
		var p rdb.Pipeline
		t.ru.AskTotal(&p, b, &groups)
		if _, err := p.Run(ctx, t.ru.db.Redis); err != nil {
			return 0, err
		}
	}
	interval := teamsRefresh
	for interval < time.Duration(min(groups, TeamsCommands))*time.Second {
		interval *= 2
	}
	return interval, nil
}

// derive works out what groups score. Groups that have left the index of days
// keep on the board of all time what they had.
//
// Cost: 2 billed commands, and 3; for each group 1, under the policies in which a
// day's groups follow 1 more for each day that is open or was closed within a day,
// and with the aggregate last 1 for each day that is not rolled up. These are up to
// TeamsCommands, unless all groups are asked for.
func (t teams) derive(ctx context.Context, b game.Board, slot int64, whole bool) error {
	_, scoped, err := t.ru.Calendar.Indexes(ctx, b.Mode)
	if err != nil {
		return err
	}
	var groups []game.Scope
	for _, group := range SortedScopes(scoped) {
		if group.Kind() != game.Group || !scoped[group].within(b.Period) {
			continue
		}
		if of := game.BoardOf(b.Mode, b.Period, group); underWay(of, *scoped[group]) {
			left, done, err := ofDays(t).finishRollUp(ctx, of, *scoped[group])
			if err != nil {
				return err
			}
			if !done {
				continue // it keeps what it has
			}
			*scoped[group] = left
		}
		groups = append(groups, group)
	}
	if !whole {
		groups = partOf(groups, slot, func(group game.Scope) int {
			var p rdb.Pipeline
			t.askMembers(&p, game.BoardOf(b.Mode, b.Period, group), *scoped[group], map[string]float64{})
			return len(p.Commands)
		})
	}
	put, remove := []string{"ZADD", b.Key}, []string{"ZREM", b.Key}
	for some := range slices.Chunk(groups, teamsAtOnce) {
		members := make([]map[string]float64, len(some))
		expired := make([]bool, len(some))
		var p rdb.Pipeline
		for i, group := range some {
			members[i] = map[string]float64{}
			expired[i] = t.askMembers(&p, game.BoardOf(b.Mode, b.Period, group), *scoped[group], members[i])
		}
		if _, err := p.Run(ctx, t.ru.db.Redis); err != nil {
			return err
		}
		for i, group := range some {
			if len(members[i]) == 0 && expired[i] {
				continue // its own board was never made, or all have left it
			}
			if len(members[i]) == 0 {
				remove = append(remove, group.ID())
				continue
			}
			scores := make([]game.Score, 0, len(members[i]))
			for _, stored := range members[i] {
				scores = append(scores, b.Mode.Decode(stored))
			}
			put = append(put, rdb.Itoa(int64(b.Mode.Teams.Total(scores))), group.ID())
		}
	}
	p := rdb.Pipeline{Atomic: true}
	if len(put) > 2 {
		p.Add(upstash.Cmd(put...).Idempotent(), nil)
	}
	if len(remove) > 2 {
		p.Add(upstash.Cmd(remove...).Idempotent(), nil)
	}
	if end, ok := t.ru.db.Game.Expires(b.Period); ok && len(put) > 2 {
		p.Add(upstash.Cmd("EXPIRE", b.Key, rdb.Itoa(t.ru.db.SecondsUntil(end))).Idempotent(), nil)
	}
	if _, err := p.Run(ctx, t.ru.db.Redis); err != nil {
		return err
	}
	t.ru.totals.Forget(b.Key)
	t.ru.windows.Outdate(b.Key)
	return nil
}

// partOf cuts groups into parts that cost up to TeamsCommands each, and returns the
// one whose turn it is.
func partOf(groups []game.Scope, slot int64, cost func(game.Scope) int) []game.Scope {
	var parts [][]game.Scope
	left := 0
	for _, group := range groups {
		commands := cost(group)
		if len(parts) == 0 || commands > left {
			parts, left = append(parts, nil), TeamsCommands
		}
		last := len(parts) - 1
		parts[last], left = append(parts[last], group), left-commands
	}
	if len(parts) == 0 {
		return nil
	}
	return parts[slot%int64(len(parts))]
}

// askMembers queues what reads a group's members in a period, from the boards of
// its days and what was rolled up of them. Where a day has left Redis, the group's
// own board of the period is read, which was made when it closed.
func (t teams) askMembers(p *rdb.Pipeline, b game.Board, days Index, into map[string]float64) (expired bool) {
	take := func(r upstash.Reply) error {
		var members []rdb.Member
		if err := rdb.MembersInto(&members)(r); err != nil {
			return err
		}
		all := make(map[string]float64, len(members))
		for _, m := range members {
			all[m.Player] = m.Stored
		}
		AddTo(into, all, b.Mode.Aggregate)
		return nil
	}
	whole := func(key string) upstash.Command { return upstash.Cmd("ZRANGE", key, "0", "-1", "WITHSCORES") }
	rollsUp := b.Period.Kind() != game.Day && b.Period.Kind() != game.Week
	var settled []string
	var behind []game.Board // that may be behind the day's board, oldest first
	if rollsUp {
		settled = append(settled, game.RolledUpKey(b.Key))
	}
	for _, d := range days.Dates {
		day := game.BoardOf(b.Mode, game.Day.Of(d), b.Scope)
		switch {
		case !b.Period.Contains(d) || rollsUp && days.RolledUp[d]:
		case !t.ru.db.Alive(d):
			p.Add(whole(b.Key), take)
			return true
		case day.Follows() && !days.RolledUp[d] && !t.ru.db.Game.Closed(day.Period, t.ru.db.Now().Add(-settledAfter)):
			behind = append(behind, day)
		default:
			settled = append(settled, day.Key)
		}
	}
	if b.Mode.Aggregate == game.Last {
		for _, key := range settled {
			p.Add(whole(key), take)
		}
	} else if len(settled) > 0 {
		args := append([]string{"ZUNION", rdb.Itoa(int64(len(settled)))}, settled...)
		p.Add(upstash.Cmd(append(args, "AGGREGATE", aggregateWord(b.Mode.Aggregate), "WITHSCORES")...), take)
	}
	for _, day := range behind {
		everybody := game.BoardKey(b.Mode.Name, day.Period, game.Scope{})
		p.Add(upstash.Cmd("ZINTER", "2", day.Key, everybody, "WEIGHTS", "0", "1", "WITHSCORES"), take)
	}
	return false
}
