package derive

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// The plays that named a group decide who is on its board of a day; the entries there are those
// of the day's own board. A play that names groups brings its entry to them in the step that
// writes it. A play that names none costs nothing for groups: if it may replace an entry, the
// groups' boards of the day are made to agree with it when somebody looks at them, when
// something is made from them, and at the day's closing.

// following makes the boards of a day's groups agree with the day's own board.
type following struct{ ru *Rollup }

// realign queues the commands by which a group's board of a day takes its players' entries from
// the day's board; the board expires with the day. A level's board keeps its own entries, but
// loses players who are not on the day's board.
//
// Cost: 2 billed commands.
func (f following) realign(p *redis.Pipeline, b game.Board, day string, expires time.Time) {
	own, days := "0", "1"
	if b.Scope.OwnEntries() {
		own, days = "1", "0"
	}
	p.Add(upstash.Cmd("ZINTERSTORE", b.Key, "2", b.Key, day, "WEIGHTS", own, days).Idempotent(), func(r upstash.Reply) error {
		players, err := r.Int64()
		if err == nil {
			f.ru.totals.Set(b.Key, players)
		}
		return err
	})
	// Storing has taken the expiry away.
	p.Add(redis.ExpireBy(f.ru.db, b.Key, expires), nil)
	f.ru.windows.Forget(b.Key)
}

// follow queues the realigning of a group's board of a day.
func (f following) follow(p *redis.Pipeline, b game.Board) {
	end, _ := game.KeyExpires(f.ru.db.Game, b.Key, b.Period) // a day's board always expires
	f.realign(p, b, game.BoardKey(b.Mode.Name, b.Period, game.Scope{}), end)
}

// derive makes a group's board of a day agree with the day's own board.
func (f following) derive(ctx context.Context, b game.Board) error {
	var p redis.Pipeline
	f.follow(&p, b)
	_, err := p.Run(ctx, f.ru.db.Redis)
	return err
}

// settledAfter is how long after a day has closed the boards of its groups may still be behind:
// a closing that comes later than that makes them agree itself.
const settledAfter = 24 * time.Hour

// mayBeBehind reports whether a board of a day may lack the newest entries of the day's own
// board: it is a group's, and the day may have changed since it was closed.
func mayBeBehind(db *redis.DB, b game.Board) bool {
	return b.Follows() && !db.Game.Closed(b.Period, db.Now().Add(-settledAfter))
}

// days makes boards of a group's days agree with the days' own boards before the group's week,
// month or all time is made from them.
//
// Cost: 2 billed commands for each such day, mostly two; nothing under the
// policy first.
func (f following) days(ctx context.Context, b game.Board, days Index) error {
	var p redis.Pipeline
	for _, d := range days.Dates {
		day := game.BoardOf(b.Mode, game.Day.Of(d), b.Scope)
		if b.Period.Contains(d) && !days.RolledUp[d] && mayBeBehind(f.ru.db, day) {
			f.follow(&p, day)
		}
	}
	_, err := p.Run(ctx, f.ru.db.Redis)
	return err
}

// Aligner collects the scopes of those boards of a day's groups that differ from the day's
// board, while both are read.
type Aligner map[game.Scope]struct{}

// Align puts the entry of the day's board into its result of every group, and notes the groups
// that had another. Levels keep their own entries.
func (a Aligner) Align(results []game.Result) {
	for i, r := range results {
		if len(r.Scopes) == 0 {
			continue
		}
		of := make([]game.ScopedResult, len(r.Scopes))
		for j, scoped := range r.Scopes {
			if of[j] = (game.ScopedResult{Scope: scoped.Scope, Stored: r.Stored}); scoped.Scope.OwnEntries() {
				of[j] = scoped
			} else if of[j] != scoped {
				a[scoped.Scope] = struct{}{}
			}
		}
		results[i].Scopes = of
	}
}

// Miss notes the groups that have players whom the day's board does not have.
func (a Aligner) Miss(groups map[string][]game.ScopedResult) {
	for _, of := range groups {
		for _, scoped := range of {
			a[scoped.Scope] = struct{}{}
		}
	}
}

// Astray returns those of the groups' boards that differ.
func (a Aligner) Astray(groups []game.Board) []game.Board {
	return slices.DeleteFunc(slices.Clone(groups), func(b game.Board) bool { _, astray := a[b.Scope]; return !astray })
}

// Realign makes groups' boards of a day follow its own, each with the day's expiry.
//
// Cost: 2 billed commands for each.
func (ru *Rollup) Realign(ctx context.Context, day game.Board, groups []game.Board, expires time.Time) error {
	var p redis.Pipeline
	for _, b := range groups {
		following{ru}.realign(&p, b, day.Key, expires)
	}
	_, err := p.Run(ctx, ru.db.Redis)
	return err
}

// FollowScript copies the entries of some players from the day's board to boards of scopes, in
// one atomic step.
//
// KEYS: the day's board, scoped boards…
// ARGV: how many players, the players, and for each scoped board how many of them it gets, and
// their places in the list of players
// Answer: {calls}
var FollowScript = redis.NewScript(`
local players, ask = tonumber(ARGV[1]), {'ZMSCORE', KEYS[1]}
for i = 1, players do ask[i + 2] = ARGV[i + 1] end
local stand = call(unpack(ask))
local at = players + 2
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
  if #put > 2 then call(unpack(put)) end
end
return answer()
`)
