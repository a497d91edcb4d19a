package board

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Who is on a day's board of a group is told by the plays that named it; which
// entry stands there, by the day's board alone. A play that names groups brings
// the entry to them in the step that writes it. One that names none costs
// nothing for groups: where it may replace an entry, their boards of the day
// follow when somebody looks, when something is made of them, and at the day's
// closing.

// realign queues that a group's board of a day has the entries of the day's
// board, of those who are on it.
//
// Cost: 2 billed commands.
func (s *Store) realign(p *pipeline, b Board) {
	day := game.BoardKey(b.Mode.Name, b.Period, game.Scope{})
	p.add(upstash.Cmd("ZINTERSTORE", b.Key, "2", b.Key, day, "WEIGHTS", "0", "1").Idempotent(), func(r upstash.Reply) error {
		players, err := r.Int64()
		if err == nil {
			s.totals.set(b.Key, players)
		}
		return err
	})
	if end, ok := s.game.Expires(b.Period); ok { // which storing has taken away
		p.add(upstash.Cmd("EXPIRE", b.Key, itoa(s.secondsUntil(end))).Idempotent(), nil)
	}
	s.windows.forget(b.Key)
}

// deriveFollowing makes a group's board of a day follow.
func (s *Store) deriveFollowing(ctx context.Context, b Board) error {
	var p pipeline
	s.realign(&p, b)
	_, err := p.run(ctx, s.redis)
	return err
}

// settledAfter is how long after its closing a day may still be behind: a
// closing that comes later than that makes it follow.
const settledAfter = 24 * time.Hour

// followDays makes the boards follow that a group's week, month or all time is
// made of, of days that may have changed since they were closed.
//
// Cost: 2 billed commands for each such day, mostly two; nothing under the
// policy first.
func (s *Store) followDays(ctx context.Context, b Board, days dayIndex) error {
	var p pipeline
	for _, d := range days.dates {
		day := BoardOf(b.Mode, game.Day.Of(d), b.Scope)
		if !day.follows() || !b.Period.Contains(d) || days.folded[d] || s.game.Closed(day.Period, s.now().Add(-settledAfter)) {
			continue
		}
		s.realign(&p, day)
	}
	_, err := p.run(ctx, s.redis)
	return err
}

// refreshOwn is refresh for what is shown of one player, whose own entry is
// never behind.
//
// Cost: that of refresh, and for boards that follow 2 billed commands in a round
// trip of their own; 3 more where the entry was behind.
func (s *Store) refreshOwn(ctx context.Context, b Board, player string) error {
	if err := s.refresh(ctx, b); err != nil || !b.follows() || s.frozen(b) {
		return err
	}
	day := game.BoardKey(b.Mode.Name, b.Period, game.Scope{})
	var here, there place
	var p pipeline
	p.add(upstash.Cmd("ZSCORE", b.Key, player), scoreInto(&here))
	p.add(upstash.Cmd("ZSCORE", day, player), scoreInto(&there))
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("read the own entry", err)
	}
	if !here.found || !there.found || here.stored == there.stored {
		return nil
	}
	s.windows.forget(b.Key)
	_, err := s.redis.Do(ctx, followScript.Command([]string{day, b.Key}, "1", player, "1", "1").Idempotent())
	return wrap("bring the own entry to "+b.Key, err)
}

// aligner finds the boards of a day's scopes that differ from the day's, while
// both are read.
type aligner struct {
	scopes map[string][]ScopedResult // of players who were not met yet
	astray map[game.Scope]struct{}
}

// align has results tell the standing entry for every scope.
func (a *aligner) align(results []Result) {
	for i, r := range results {
		of := make([]ScopedResult, len(r.Scopes))
		for j, scoped := range r.Scopes {
			of[j] = ScopedResult{scoped.Scope, r.Stored}
		}
		if len(of) > 0 {
			results[i].Scopes = of
		}
		a.meetOne(r.Player, r.Stored)
	}
}

// meet is align where nobody asks for results.
func (a *aligner) meet(page []member) {
	for _, e := range page {
		a.meetOne(e.player, e.stored)
	}
}

func (a *aligner) meetOne(player string, stored float64) {
	for _, scoped := range a.scopes[player] {
		if scoped.Stored != stored {
			a.astray[scoped.Scope] = struct{}{}
		}
	}
	delete(a.scopes, player)
}

// realignAstray makes the boards follow that were found to differ; those too
// that have players whom the day's board has not.
//
// Cost: 2 billed commands for each.
func (s *Store) realignAstray(ctx context.Context, m *game.Mode, d game.Date, a *aligner) error {
	for _, of := range a.scopes {
		for _, scoped := range of {
			a.astray[scoped.Scope] = struct{}{}
		}
	}
	var p pipeline
	for scope := range a.astray {
		s.realign(&p, BoardOf(m, game.Day.Of(d), scope))
	}
	_, err := p.run(ctx, s.redis)
	return wrap("align groups with the day", err)
}

// followScript brings what stands on the day's board of some players to the
// boards of scopes, in one atomic step.
//
// KEYS: the day's board, scoped boards…
// ARGV: how many players, the players, and for each scoped board how many of
// them it is for, and their numbers
// Answer: {calls}
var followScript = upstash.NewScript(`
local players, ask = tonumber(ARGV[1]), {'ZMSCORE', KEYS[1]}
for i = 1, players do ask[i + 2] = ARGV[i + 1] end
local stand = redis.call(unpack(ask))
local calls, at = 1, players + 2
for k = 2, #KEYS do
  local put = {'ZADD', KEYS[k]}
  local last = at + tonumber(ARGV[at])
  for i = at + 1, last do
    local n = tonumber(ARGV[i])
    if stand[n] then
      put[#put + 1] = stand[n]
      put[#put + 1] = ARGV[n + 1]
    end
  end
  at = last + 1
  if #put > 2 then
    redis.call(unpack(put))
    calls = calls + 1
  end
end
return {calls}
`, firstInt)
