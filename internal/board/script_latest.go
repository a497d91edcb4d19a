package board

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
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
`, rdb.FirstInt)

// latestCommand writes the newest of each player's scores; stored and players
// stand in pairs.
func latestCommand(m *game.Mode, key string, pairs ...string) upstash.Command {
	return latestScript.Command([]string{key}, append([]string{string(m.Order)}, pairs...)...).Idempotent()
}
