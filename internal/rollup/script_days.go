package rollup

import (
	"github.com/framedle/leaderboards/internal/rdb"
)

// rollUpPerCall bounds how many members one call of rollUpScript takes in: some
// ten milliseconds of Redis.
const rollUpPerCall = 7000

// rollUpScript takes one page of a day into what outlives its board, exactly
// once: the check of how far the rolling up has come, the effect and the note of it
// are one step. The new scores were worked out by the caller from what it
// read; nobody but the next page of the same index changes them.
//
// KEYS: index of days, then each board that takes the day in
// ARGV: the day's field in the index, the cursor's field, the cursor as the
// caller saw it ("" for none), the cursor after this page ("" if it is the
// last), members in the page, for each board the seconds that it lives (0: for
// ever), and for each board that many pairs of score and player
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
