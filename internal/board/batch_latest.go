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
// Answer: {calls}
var latestScript = rdb.NewScript(`
local desc = ARGV[1] == 'desc'
local query, put = {'ZMSCORE', KEYS[1]}, {'ZADD', KEYS[1]}
for i = 3, #ARGV, 2 do query[#query + 1] = ARGV[i] end
local stand = call(unpack(query))
local seen = {}
for i = 2, #ARGV, 2 do
  local new, player = tonumber(ARGV[i]), ARGV[i + 1]
  local old = seen[player] or (stand[i / 2] and tonumber(stand[i / 2]))
  local newer = not old
  if old and old ~= new then
    local was, is = old - math.floor(old), new - math.floor(new)
    if desc then newer = is < was else newer = is > was end
  end
  if newer then
    put[#put + 1] = ARGV[i]
    put[#put + 1] = player
    seen[player] = new
  end
end
if #put > 2 then call(unpack(put)) end
return answer()
`)

// latestCommand writes the newest of each player's scores; stored and players
// stand in pairs.
func latestCommand(m *game.Mode, key string, pairs ...string) upstash.Command {
	return latestScript.Command([]string{key}, append([]string{string(m.Order)}, pairs...)...).Idempotent()
}
