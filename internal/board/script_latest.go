package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// latestScript writes entries unless a newer one stands. When an entry was
// played is in its tie fraction, so a late retry of an older submission cannot
// overtake, and sending the script twice changes nothing.
//
// KEYS: board. ARGV: "desc" or "asc", then score, player, score, player…
// Answer: {calls, one of "added" "replaced" "same" "older" for each pair}
var latestScript = upstash.NewScript(`
local desc = ARGV[1] == 'desc'
local query, put, answer = {'ZMSCORE', KEYS[1]}, {'ZADD', KEYS[1]}, {1}
for i = 3, #ARGV, 2 do query[#query + 1] = ARGV[i] end
local stand = redis.call(unpack(query))
local seen = {}
for i = 2, #ARGV, 2 do
  local new, player = tonumber(ARGV[i]), ARGV[i + 1]
  local old = seen[player] or (stand[i / 2] and tonumber(stand[i / 2]))
  local state = 'added'
  if old == new then
    state = 'same'
  elseif old then
    local was, is = old - math.floor(old), new - math.floor(new)
    local newer
    if desc then newer = is < was else newer = is > was end
    state = newer and 'replaced' or 'older'
  end
  if state == 'added' or state == 'replaced' then
    put[#put + 1] = ARGV[i]
    put[#put + 1] = player
    seen[player] = new
  end
  answer[#answer + 1] = state
end
if #put > 2 then
  redis.call(unpack(put))
  answer[1] = 2
end
return answer
`, firstInt)

// latestCommand writes the newest of each player's scores; stored and players
// stand in pairs.
func latestCommand(m *game.Mode, key string, pairs ...string) upstash.Command {
	return latestScript.Command([]string{key}, append([]string{string(m.Order)}, pairs...)...).Idempotent()
}

// latest replaces the player's entry by this one, if it is the newer.
func (w *write) latest(ctx context.Context) error {
	score := game.FormatStored(w.stored)
	var state string
	w.calls.add(latestCommand(w.Mode, w.board.Key, score, w.Player), func(r upstash.Reply) error {
		values, err := r.Strings()
		if err != nil {
			return err
		}
		if len(values) != 2 {
			return errShape("the fate of one entry", len(values))
		}
		state = values[1]
		return nil
	})
	for _, scope := range w.Scopes {
		w.calls.add(latestCommand(w.Mode, w.scopedKey(scope), score, w.Player), nil)
	}
	var ahead int64
	w.askStanding(&ahead)
	if _, err := w.run(ctx); err != nil {
		return err
	}
	if state == "added" {
		w.totals.grow(w.board.Key, w.mark)
	}
	if err := w.settleRank(ctx, ahead); err != nil {
		return err
	}
	switch {
	case state == "added", state == "same" && !w.known:
		w.outcome.Status = Accepted // "same": an earlier sending of this very call
	case state == "replaced", state == "same":
		w.outcome.Status = Improved
	default:
		w.outcome.Status = Kept
	}
	if w.outcome.Status == Kept || !w.keepsDetails() {
		return nil
	}
	_, err := w.redis.Do(ctx, upstash.Cmd("HSET", game.DetailsKey(w.Mode.Name, w.Date), w.Player, w.detailsRecord()).Idempotent())
	return wrap("keep the details", err)
}
