package derive

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// The board of groups ranks groups against each other, by what their members have
// on the groups' own boards. It is made when somebody looks, from the true scores
// of those boards' sources, so that a play costs nothing for it, and a score that
// is removed leaves it too.

const (
	// teamsRefresh is the least time between two refreshes of a board of groups. It is doubled
	// until there is a second for each group: in steps, so that processes agree on it while
	// groups come and go. No board of groups is made more often than the board of all players.
	teamsRefresh = time.Minute
	// TeamsCommands is how many billed commands one refresh may spend on reading members, some
	// one for each group. If there are more groups, each refresh takes the next ones, by name:
	// players must not be able to raise the cost of a look by founding groups.
	TeamsCommands = 240
	// teamsAtOnce is how many groups' members are read in one round trip.
	teamsAtOnce = 50
)

// teams makes the boards that rank groups.
type teams struct{ ru *Rollup }

// interval is the least time between two refreshes of a board of groups.
//
// Cost: nothing, or 1 billed command if the process does not know how many groups there are.
func (t teams) interval(ctx context.Context, b game.Board) (time.Duration, error) {
	groups, known := t.ru.totals.Last(b.Key)
	if !known {
		var p redis.Pipeline
		t.ru.totals.Ask(&p, b.Key, &groups)
		if _, err := p.Run(ctx, t.ru.db.Redis); err != nil {
			return 0, err
		}
	}
	interval := teamsRefresh
	for interval < time.Duration(min(groups, TeamsCommands))*time.Second {
		interval *= 2
	}
	return max(interval, t.ru.Every(game.BoardOf(b.Mode, b.Period, game.Scope{}))), nil
}

// derive works out what groups score. Groups that have left the index of days
// keep on the board of all time what they had.
//
// Cost: 5 billed commands. For each group 1; under the policies in which a day's groups follow
// 1 more for each day that is open or was closed within a day; with the aggregate last 1 for
// each day that is not rolled up. These are up to TeamsCommands together, unless all groups are
// asked for. Up to 2 if the process does not know how many players there are. If the days of
// all players have more than 100,000 entries together, 1 more for each group, and 1 for every
// 20,000 entries of a group that has as many. Of months, seasons and all time 2 more for every
// 50 groups while a day is due to be rolled up.
func (t teams) derive(ctx context.Context, b game.Board, slot int64, whole bool) error {
	played, scoped, err := t.ru.Calendar.Indexes(ctx, b.Mode)
	if err != nil {
		return err
	}
	everybody := t.newTeam(game.BoardOf(b.Mode, b.Period, game.Scope{}), *played)
	large, err := t.ru.Large(ctx, "", everybody.settled)
	if err != nil {
		return err
	}
	groups, err := t.ready(ctx, b, scoped)
	if err != nil {
		return err
	}
	if !whole {
		groups = partOf(groups, slot, func(group game.Scope) int {
			var p redis.Pipeline
			t.newTeam(game.BoardOf(b.Mode, b.Period, group), *scoped[group]).ask(&p)
			if large {
				return len(p.Commands) + 1
			}
			return len(p.Commands)
		})
	}
	return t.work(ctx, b, groups, scoped, large)
}

// work puts what some groups score on their board. With how, a flag of ZADD, it may change only
// groups that the board has.
func (t teams) work(ctx context.Context, b game.Board, groups []game.Scope, scoped map[game.Scope]*Index, large bool, how ...string) error {
	var put, remove []string
	for some := range slices.Chunk(groups, teamsAtOnce) {
		read, err := t.read(ctx, b, some, scoped, large)
		if err != nil {
			return err
		}
		for _, group := range some {
			switch of := read[group]; {
			case of.unsettled || len(of.members) == 0 && of.expired: // its own board was never made, or all have left it
			case len(of.members) == 0:
				remove = append(remove, group.ID())
			default:
				put = append(put, redis.Itoa(int64(total(b.Mode, of.members))), group.ID())
			}
		}
	}
	return t.put(ctx, b, put, remove, how...)
}

// Retotal works out again what some groups score on their boards of some periods, after entries
// of their members have changed. It makes no board, and leaves one to which no group was added
// as it is.
//
// Cost: 2 billed commands, and 1 for each board; for each that there is, up to 4, and what its
// refresh costs for these groups.
func (ru *Rollup) Retotal(ctx context.Context, m *game.Mode, periods []game.Period, groups []game.Scope) error {
	if !m.HasScope(game.Teams) || len(groups) == 0 {
		return nil
	}
	var boards []game.Board
	for _, p := range periods {
		if b := game.BoardOf(m, p, game.TeamsScope()); !ru.Frozen(b) && !slices.Contains(boards, b) {
			boards = append(boards, b)
		}
	}
	there := make([]int64, len(boards))
	var p redis.Pipeline
	for i, b := range boards {
		p.Add(upstash.Cmd("EXISTS", b.Key), redis.IntInto(&there[i]))
	}
	if _, err := p.Run(ctx, ru.db.Redis); err != nil || !slices.Contains(there, 1) {
		return err
	}
	played, all, err := ru.Calendar.Indexes(ctx, m)
	if err != nil {
		return err
	}
	scoped := map[game.Scope]*Index{}
	for _, group := range groups {
		if all[group] != nil {
			scoped[group] = all[group]
		}
	}
	for i, b := range boards {
		if there[i] == 0 {
			continue
		}
		if err := (teams{ru}).rebuild(ctx, b, *played, scoped); err != nil {
			return redis.Wrap("add up the groups of "+b.Key, err)
		}
	}
	return nil
}

// rebuild works out the given groups of a board again.
func (t teams) rebuild(ctx context.Context, b game.Board, played Index, scoped map[game.Scope]*Index) error {
	large, err := t.ru.Large(ctx, "", t.newTeam(game.BoardOf(b.Mode, b.Period, game.Scope{}), played).settled)
	if err != nil {
		return err
	}
	groups, err := t.ready(ctx, b, scoped)
	if err != nil {
		return err
	}
	err = t.work(ctx, b, groups, scoped, large, "XX")
	t.ru.windows.Forget(b.Key)
	return err
}

// ready returns the groups with players in a board's period. One whose rolling up is under way
// is left out, and keeps what it has.
func (t teams) ready(ctx context.Context, b game.Board, scoped map[game.Scope]*Index) (groups []game.Scope, err error) {
	for _, group := range SortedScopes(scoped) {
		if group.Kind() != game.Group || !scoped[group].within(b.Period) {
			continue
		}
		if of := game.BoardOf(b.Mode, b.Period, group); underWay(of, *scoped[group]) {
			left, done, err := ofDays{ru: t.ru, board: of}.finishRollUp(ctx, *scoped[group])
			if err != nil {
				return nil, err
			}
			if !done {
				continue
			}
			*scoped[group] = left
		}
		groups = append(groups, group)
	}
	return groups, nil
}

// total is what a group's members score together.
func total(m *game.Mode, members map[string]float64) game.Score {
	scores := make([]game.Score, 0, len(members))
	for _, stored := range members {
		scores = append(scores, m.Decode(stored))
	}
	return m.Teams.Total(scores)
}

// put sends the commands that put groups on the board and remove others from it.
func (t teams) put(ctx context.Context, b game.Board, put, remove []string, how ...string) error {
	p := redis.Pipeline{Atomic: true}
	if len(put) > 0 {
		p.Add(upstash.Cmd(slices.Concat([]string{"ZADD", b.Key}, how, put)...).Idempotent(), nil)
	}
	if len(remove) > 0 {
		p.Add(upstash.Cmd(slices.Concat([]string{"ZREM", b.Key}, remove)...).Idempotent(), nil)
	}
	if end, ok := t.ru.db.Game.Expires(b.Period); ok && len(put) > 0 {
		p.Add(redis.ExpireBy(t.ru.db, b.Key, end), nil)
	}
	if _, err := p.Run(ctx, t.ru.db.Redis); err != nil {
		return err
	}
	t.ru.totals.Forget(b.Key)
	t.ru.windows.Outdate(b.Key)
	return nil
}

// partOf cuts groups into parts that cost up to TeamsCommands each, and returns the part that
// is next.
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

// team is what a group has in a period: its members, with what they have on the boards
// of its days and what was rolled up of them.
type team struct {
	board     game.Board
	settled   []string     // boards that nobody writes to any more, or that are never behind the day's board, oldest first
	behind    []game.Board // newer boards, which may be behind the day's board, oldest first
	expired   bool         // a day has left Redis: settled is the group's own board of the period, which was made when it closed
	large     bool         // settled is so large that one command for it could hold Redis up
	unsettled bool         // days were rolled up whenever it was read: it keeps what it has
	members   map[string]float64
}

// newTeam is a group with the boards that it is to be read from.
func (t teams) newTeam(b game.Board, days Index) *team {
	of := &team{board: b, members: map[string]float64{}}
	rollsUp := b.Period.Kind() != game.Day && b.Period.Kind() != game.Week
	if rollsUp {
		of.settled = append(of.settled, game.RolledUpKey(b.Key))
	}
	for _, d := range days.Dates {
		day := game.BoardOf(b.Mode, game.Day.Of(d), b.Scope)
		switch {
		case !b.Period.Contains(d) || rollsUp && days.RolledUp[d]:
		case !t.ru.db.Alive(d):
			return &team{board: b, settled: []string{b.Key}, expired: true, members: of.members}
		case !days.RolledUp[d] && mayBeBehind(t.ru.db, day):
			of.behind = append(of.behind, day)
		default:
			of.settled = append(of.settled, day.Key)
		}
	}
	return of
}

// read reads the members of some groups. If a day was rolled up meanwhile, it reads the group
// again, since that day would count twice. If many is set, it first separates large groups
// from small ones, and reads the large ones in pages.
func (t teams) read(ctx context.Context, b game.Board, groups []game.Scope, scoped map[game.Scope]*Index, many bool) (map[game.Scope]*team, error) {
	read := make(map[game.Scope]*team, len(groups))
	for try := 1; ; try++ {
		some := make([]*team, len(groups))
		for i, group := range groups {
			some[i] = t.newTeam(game.BoardOf(b.Mode, b.Period, group), *scoped[group])
			read[group] = some[i]
		}
		if err := t.readOnce(ctx, some, many); err != nil {
			return nil, err
		}
		mayChange := func(group game.Scope) bool { return read[group].large || t.ru.Calendar.hasSealed(*scoped[group]) }
		if !addsRolledUp(b) || !slices.ContainsFunc(groups, mayChange) {
			return read, nil
		}
		_, now, err := t.ru.Calendar.Indexes(ctx, b.Mode)
		if err != nil {
			return nil, err
		}
		var changed []game.Scope
		for _, group := range groups {
			if now[group] == nil {
				now[group] = &Index{}
			}
			switch {
			case scoped[group].sameSources(*now[group]):
			case try == deriveTries || underWay(b, *now[group]):
				read[group].unsettled = true
			default:
				changed = append(changed, group)
			}
		}
		if len(changed) == 0 {
			return read, nil
		}
		groups, scoped = changed, now
	}
}

func (t teams) readOnce(ctx context.Context, all []*team, many bool) error {
	if many {
		if err := t.weigh(ctx, all); err != nil {
			return err
		}
	}
	for _, of := range all {
		if !of.large {
			continue
		}
		var err error
		if of.members, err = t.ru.Unite(ctx, of.board.Mode.Aggregate, of.settled); err != nil {
			return err
		}
	}
	var p redis.Pipeline
	for _, of := range all {
		of.ask(&p)
	}
	_, err := p.Run(ctx, t.ru.db.Redis)
	return err
}

// weigh asks how large groups are, by the board in the middle of each.
func (t teams) weigh(ctx context.Context, all []*team) error {
	sizes := make([]int64, len(all))
	var p redis.Pipeline
	for i, of := range all {
		if n := len(of.settled); n > 0 {
			p.Add(upstash.Cmd("ZCARD", of.settled[n/2]), redis.IntInto(&sizes[i]))
		}
	}
	if _, err := p.Run(ctx, t.ru.db.Redis); err != nil {
		return err
	}
	for i, of := range all {
		of.large = sizes[i]*int64(len(of.settled)) > UnionBound
	}
	return nil
}

// ask queues the reading of the members, without the settled boards of a large group, which
// have been read.
func (of *team) ask(p *redis.Pipeline) {
	take := func(r upstash.Reply) error {
		var members []redis.Member
		if err := redis.MembersInto(&members)(r); err != nil {
			return err
		}
		all := make(map[string]float64, len(members))
		for _, m := range members {
			all[m.Player] = m.Stored
		}
		AddTo(of.members, all, of.board.Mode.Aggregate)
		return nil
	}
	switch {
	case of.large || len(of.settled) == 0:
	case of.expired || of.board.Mode.Aggregate == game.Last:
		for _, key := range of.settled {
			p.Add(upstash.Cmd("ZRANGE", key, "0", "-1", "WITHSCORES"), take)
		}
	default:
		p.Add(readUnion(of.board.Mode.Aggregate, of.settled), take)
	}
	for _, day := range of.behind {
		everybody := game.BoardKey(day.Mode.Name, day.Period, game.Scope{})
		p.Add(upstash.Cmd("ZINTER", "2", day.Key, everybody, "WEIGHTS", "0", "1", "WITHSCORES"), take)
	}
}
