package rollup

import (
	"github.com/framedle/leaderboards/internal/rdb"
)

// rollUpPerCall is how many players one call of rollUpScript rolls up at most: some ten
// milliseconds of Redis.
const rollUpPerCall = 7000

// rollUpScript rolls up one page of a day, exactly once: it checks how far the day is rolled
// up, writes the scores, and notes the new state, in one step. The caller has computed the new
// scores from what it has read. That is safe since only pages of the same index change these
// scores.
//
// KEYS: index of days, then each board that the day is rolled up to
// ARGV: the day's field in the index, the cursor's field, the cursor that the caller has read
// ("" for none), the cursor after this page ("" if it is the last), players in the page, for
// each board the seconds that it lives (0: for ever), and for each board that many pairs of
// score and player
// Answer: {calls, "folded" | "on" | "before" | "elsewhere"}
var rollUpScript = rdb.NewScript(`
local state = call('HMGET', KEYS[1], ARGV[1], ARGV[2])
if state[1] ~= '0' then return answer('before') end
if (state[2] or '') ~= ARGV[3] then return answer('elsewhere') end
local count = tonumber(ARGV[5])
for k = 2, #KEYS do
  local from = 5 + #KEYS + (k - 2) * 2 * count
  local to = from + 2 * count - 1
  while from <= to do
    local last = math.min(from + 6999, to)
    call('ZADD', KEYS[k], unpack(ARGV, from, last))
    from = last + 1
  end
end
if ARGV[4] ~= '' then
  call('HSET', KEYS[1], ARGV[2], ARGV[4])
  return answer('on')
end
call('HSET', KEYS[1], ARGV[1], '1')
if state[2] then call('HDEL', KEYS[1], ARGV[2]) end
for k = 2, #KEYS do
  if ARGV[4 + k] ~= '0' then call('EXPIRE', KEYS[k], ARGV[4 + k]) end
end
return answer('folded')
`)
