package board

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// How an entry is written onto the day's board.
const (
	ifNew    = "NX" // unless the player has one
	ifHigher = "GT"
	ifLower  = "LT"
	ifLater  = "later" // unless a newer one stands: when it was played is in its tie fraction
)

// replacing is how the mode's policy lets an entry replace another.
func replacing(m *game.Mode) string {
	switch {
	case m.Policy == game.First:
		return ifNew
	case m.Policy == game.Latest:
		return ifLater
	case m.Order == game.Asc:
		return ifLower
	}
	return ifHigher
}

// putScript writes an entry onto the day's board, brings what then stands there
// to the boards of scopes, and tells where the player stands, in one atomic
// step. It may be sent any number of times.
//
// Replies of Redis are passed on as they are: Lua would print 14 digits of a
// stored score.
//
// KEYS: the day's board, scoped boards…
// ARGV: how to write, order, stored score, player, rank command, or "shared"
// Answer: {calls, players added, position, stored score that stands}
var putScript = rdb.NewScript(`
local day, how, desc, new, player = KEYS[1], ARGV[1], ARGV[2] == 'desc', ARGV[3], ARGV[4]
local added, stands, position = 0, nil, nil
if how == 'later' then
  stands = call('ZSCORE', day, player)
  local newer
  if stands then
    local old, score = tonumber(stands), tonumber(new)
    local was, is = old - math.floor(old), score - math.floor(score)
    if desc then newer = is < was else newer = is > was end
  end
  if newer or not stands then
    added, stands = call('ZADD', day, new, player), new
  end
else
  added = call('ZADD', day, how, new, player)
  if added == 1 then stands = new end
end
if ARGV[5] ~= 'shared' then
  local at = call(ARGV[5], day, player, 'WITHSCORE')
  position, stands = at[1], at[2]
else
  stands = stands or call('ZSCORE', day, player)
  local score = math.floor(tonumber(stands))
  if desc then
    position = call('ZCOUNT', day, string.format('%.0f', score + 1), '+inf')
  else
    position = call('ZCOUNT', day, '-inf', string.format('(%.0f', score))
  end
end
for i = 2, #KEYS do call('ZADD', KEYS[i], stands, player) end
return answer(added, position, stands)
`)

// put queues the script, and keeps what it answers.
func (w *write) put(p *rdb.Pipeline, how string, added *int64) {
	keys := make([]string, 0, 1+len(w.Scopes))
	keys = append(keys, w.board.Key)
	for _, scope := range w.Scopes {
		keys = append(keys, w.scopedKey(scope))
	}
	rank := rdb.RankCommand(w.board)
	if w.Mode.Ties == game.Shared {
		rank = "shared"
	}
	command := putScript.Command(keys, how, string(w.Mode.Order), game.FormatStored(w.stored), w.Player, rank).Idempotent()
	p.Add(command, func(r upstash.Reply) error {
		values, err := r.Array()
		if err != nil {
			return err
		}
		if len(values) != 4 {
			return rdb.WrongShape("what was added and what stands", len(values))
		}
		if *added, err = values[1].Int64(); err != nil {
			return err
		}
		if w.now.Position, err = values[2].Int64(); err != nil {
			return err
		}
		w.now.Stored, err = values[3].Float64()
		w.now.Found, w.ranked = err == nil, err == nil
		return err
	})
}

// follow queues the script for all scopes that a batch names, if it names any:
// behind the write of the day's board.
//
// Cost: 2 billed commands, and 1 for each scoped board.
func (g *group) follow(p *rdb.Pipeline) {
	number := map[string]int{} // of players, from 1
	keys, players := []string{g.board.Key}, []string{}
	of := map[string][]string{} // the numbers of players, by scoped board
	for _, it := range g.items {
		if len(it.Scopes) == 0 {
			continue
		}
		if number[it.Player] == 0 {
			players = append(players, it.Player)
			number[it.Player] = len(players)
		}
		for _, scope := range it.Scopes {
			key := it.scopedKey(scope)
			if of[key] == nil {
				keys = append(keys, key)
			}
			of[key] = append(of[key], rdb.Itoa(int64(number[it.Player])))
		}
	}
	if len(players) == 0 {
		return
	}
	args := append([]string{rdb.Itoa(int64(len(players)))}, players...)
	for _, key := range keys[1:] {
		args = append(append(args, rdb.Itoa(int64(len(of[key])))), of[key]...)
	}
	p.Add(rollup.FollowScript.Command(keys, args...).Idempotent(), nil)
}
