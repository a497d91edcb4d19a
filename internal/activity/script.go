package activity

import "github.com/framedle/leaderboards/internal/rdb"

// putScript writes a day's boards, and takes away the word that they were behind;
// where none of that word is left it writes nothing. Where streaks have changed it
// leaves word of the day after.
//
// Scores are passed on as they came: Lua would print 14 digits of them.
//
// KEYS: word of days, streaks of the day, boards…
// ARGV: how many members of word, they, word of the day after or "", how many scores
// a player has, for each board which of these it takes, then for each player the id,
// the streak, and the scores
// Answer: {calls, "written" | "overtaken", streaks changed}
var putScript = rdb.NewScript(`
local words = tonumber(ARGV[1])
local left = 0
for first = 2, words + 1, 7000 do
  left = left + call('SREM', KEYS[1], unpack(ARGV, first, math.min(first + 6999, words + 1)))
end
if left == 0 then return answer('overtaken', 0) end
local next = ARGV[words + 2]
local width = tonumber(ARGV[words + 3]) + 2
local columns = words + 3
local begin = columns + #KEYS - 2 + 1
local function put(key, column, how)
  local changed, pairs = 0, {}
  local function flush()
    if #pairs == 0 then return end
    if how then changed = changed + call('ZADD', key, how, unpack(pairs)) else call('ZADD', key, unpack(pairs)) end
    pairs = {}
  end
  for at = begin, #ARGV, width do
    pairs[#pairs + 1] = ARGV[at + column]
    pairs[#pairs + 1] = ARGV[at]
    if #pairs == 7000 then flush() end
  end
  flush()
  return changed
end
local changed = put(KEYS[2], 1, 'CH')
for k = 3, #KEYS do put(KEYS[k], tonumber(ARGV[columns + k - 2]) + 1) end
if changed > 0 and next ~= '' then call('SADD', KEYS[1], next) end
return answer('written', changed)
`)
