package board

import "github.com/framedle/leaderboards/internal/upstash"

// flooredPerCall bounds how many members one flooredScript call copies: some
// milliseconds of Redis, and well inside Lua's limit on arguments.
const flooredPerCall = 1000

// flooredScript copies members with their true scores, weighted and rounded
// down, into a scratch key. Whole numbers only: they pass through Lua's %.0f
// unchanged up to 2^53, as tie fractions would not through tostring.
//
// KEYS: source, scratch. ARGV: first, last, numerator, denominator, seconds
// Answer: {calls, members copied}
var flooredScript = upstash.NewScript(`
local flat = redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES')
if #flat == 0 then return {1, 0} end
local numerator, denominator = tonumber(ARGV[3]), tonumber(ARGV[4])
local put = {'ZADD', KEYS[2]}
for i = 1, #flat, 2 do
  local score = math.floor(math.floor(tonumber(flat[i + 1])) * numerator / denominator)
  put[#put + 1] = string.format('%.0f', score)
  put[#put + 1] = flat[i]
end
redis.call(unpack(put))
redis.call('EXPIRE', KEYS[2], ARGV[5])
return {3, #flat / 2}
`, firstInt)

// foldScript takes a day into what outlives its board, exactly once: the check
// that it has not happened, the effect and the note that it has are one step.
//
// KEYS: index of days, day board, folded month, folded all time, day as all
// time takes it, and where XP takes it: folded XP, day's XP
// ARGV: date, aggregate, seconds the folded month lives
// Answer: {calls, "folded" | "before" | "gone"}
var foldScript = upstash.NewScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= '0' then return {1, 'before'} end
if redis.call('EXISTS', KEYS[2]) == 0 then return {2, 'gone'} end
local calls = 2
local function take(folded, day)
  if ARGV[2] == 'LAST' then
    redis.call('ZINTERSTORE', KEYS[5], 2, folded, day, 'WEIGHTS', 1, 0)
    redis.call('ZUNIONSTORE', folded, 3, folded, day, KEYS[5], 'WEIGHTS', 1, 1, -1)
    calls = calls + 2
  else
    redis.call('ZUNIONSTORE', folded, 2, folded, day, 'AGGREGATE', ARGV[2])
    calls = calls + 1
  end
end
take(KEYS[3], KEYS[2])
if ARGV[2] == 'SUM' then take(KEYS[4], KEYS[5]) else take(KEYS[4], KEYS[2]) end
if #KEYS > 5 then
  redis.call('ZUNIONSTORE', KEYS[6], 2, KEYS[6], KEYS[7])
  redis.call('DEL', KEYS[7])
  calls = calls + 2
end
redis.call('HSET', KEYS[1], ARGV[1], '1')
redis.call('EXPIRE', KEYS[3], ARGV[3])
redis.call('DEL', KEYS[5])
return {calls + 3, 'folded'}
`, firstInt)
