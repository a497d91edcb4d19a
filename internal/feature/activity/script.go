package activity

import "github.com/framedle/leaderboards/internal/redis"

// putScript writes a day's boards and removes the marks of the day that the compute has seen.
// If none of these marks is left, it writes nothing.
//
// It also decides in which group a player counts on a date, the player's home: the group of
// the player's first act or, if two first acts are equal, the group whose name comes first.
// Players whose home is another group are removed from this group's boards. If a player's
// home moves here from another group, the other group's day is marked as due. So the last
// compute of all groups gives the same result in any order.
//
// A board whose print equals the last written one is not written, unless a player has newly
// got a home here. If streaks have changed, the script marks the day after as due, for the
// groups in which its players have their home then. For players who newly get a home here,
// the script compares the streaks of the day before with those that were read; "again" says
// that they have changed since.
//
// Scores are passed on as text: Lua would print 14 digits of them.
//
// Players in acts who are on no board, such as banned ones, are noted among those who were
// active, with a streak of 0: an erasure finds the acts of a player by that.
//
// The first write of a group's day also sets the expiry of its keys and adds its boards to
// the index of days. Redis itself knows which write is the first, so that no process does
// this twice. If a group has no players left on its boards, its prints are deleted too: its
// keys no longer exist, and the next write counts as the first again.
//
// KEYS: marks of due days, homes of the day after, streaks of the day before, homes of the day,
// streaks of the day, boards…, for each board the index of its days
//
// ARGV, in this order:
//   - how many marks, the marks
//   - the group, the date, the name of this write
//   - the date after, or "" if that has begun nowhere
//   - the mark for consequences once the day is over, or ""
//   - how many scores a player has
//   - how many players are in acts but on no board, and these players
//   - for each board the number of its score, negative for the group's board
//   - for the homes, the streaks and each board the seconds that they have left, or ""
//   - for each board its field in the index, then one value for all these fields
//   - the print of each score, and of the streaks
//   - for each player the id, the time of the first act, the streak, and the scores
//
// Answer: {calls, "written" | "overtaken" | "again", number of days marked, boards written}
var putScript = redis.NewScript(`
local words = tonumber(ARGV[1])
local left = 0
for first = 2, words + 1, 7000 do
  left = left + call('SREM', KEYS[1], unpack(ARGV, first, math.min(first + 6999, words + 1)))
end
if left == 0 then return answer('overtaken', 0, 0) end
local group, date, name, after = ARGV[words + 2], ARGV[words + 3], ARGV[words + 4], ARGV[words + 5]
local width = tonumber(ARGV[words + 7])
local boards = (#KEYS - 5) / 2
local absent = tonumber(ARGV[words + 8])
local columns = words + 8 + absent
local expiries = columns + boards
local indexed = expiries + boards + 2
local prints = indexed + boards + 1
local begin, step = prints + width + 2, width + 3

local function ask(command, key, fields)
  local all = {}
  for first = 1, #fields, 7000 do
    local some = call(command, key, unpack(fields, first, math.min(first + 6999, #fields)))
    for i = 1, #some do all[first + i - 1] = some[i] end
  end
  return all
end
local function tell(command, key, words, how)
  local sum = 0
  for first = 1, #words, 7000 do
    local last = math.min(first + 6999, #words)
    if how then sum = sum + call(command, key, how, unpack(words, first, last))
    else sum = sum + call(command, key, unpack(words, first, last)) end
  end
  return sum
end

local fields = {'=' .. group}
for at = begin, #ARGV, step do fields[#fields + 1] = ARGV[at] end
local homes = ask('HMGET', KEYS[4], fields)
local here, away, came, streaks, noted, losers = {}, {}, {}, {}, {}, {}
for i = 2, #fields do
  local at = begin + (i - 2) * step
  local first, when, where = tonumber(ARGV[at + 1]), nil, nil
  if homes[i] then when, where = string.match(homes[i], '^(%S+) (%S+)$') end
  when = tonumber(when)
  if where and where ~= group and (when < first or when == first and where < group) then
    away[#away + 1] = ARGV[at]
  else
    here[#here + 1] = at
    local home = ARGV[at + 1] .. ' ' .. group
    if homes[i] ~= home then noted[#noted + 1] = ARGV[at]; noted[#noted + 1] = home end
    if where ~= group then
      came[#came + 1] = ARGV[at]
      streaks[#streaks + 1] = tonumber(ARGV[at + 2])
      if where then losers[where] = true end
    end
  end
end
local before = ask('ZMSCORE', KEYS[3], came)
for i = 1, #came do
  if tonumber(before[i] or 0) + 1 ~= streaks[i] then
    call('SADD', KEYS[1], group .. ' ' .. date .. ' ' .. name)
    return answer('again', 1, 0)
  end
end

local old, new = {}, table.concat(ARGV, ' ', prints + 1, prints + width + 1)
for print in string.gmatch(homes[1] or '', '%S+') do old[#old + 1] = print end
if #here > 0 and homes[1] ~= new then noted[#noted + 1] = fields[1]; noted[#noted + 1] = new end
local function unchanged(column) return #came == 0 and old[column] == ARGV[prints + column] end
local function put(key, offset, how)
  local pairs = {}
  for i = 1, #here do
    pairs[2 * i - 1] = ARGV[here[i] + offset]
    pairs[2 * i] = ARGV[here[i]]
  end
  return tell('ZADD', key, pairs, how)
end
local changed = 0
if not unchanged(width + 1) then changed = put(KEYS[5], 2, 'CH') end
local wrote = 0
for k = 1, boards do
  local column = tonumber(ARGV[columns + k])
  if not unchanged(math.abs(column)) then
    put(KEYS[5 + k], math.abs(column) + 2)
    wrote = wrote + 1
    if column < 0 then tell('ZREM', KEYS[5 + k], away) end
  end
end

for first = words + 9, columns, 3500 do
  local none = {}
  for i = first, math.min(first + 3499, columns) do
    none[#none + 1] = '0'
    none[#none + 1] = ARGV[i]
  end
  call('ZADD', KEYS[5], 'NX', unpack(none))
end
local due, lost = {}, {}
for where in pairs(losers) do
  lost[#lost + 1] = '=' .. where
  due[#due + 1] = where .. ' ' .. date .. ' ' .. name
end
if #here == 0 then lost[#lost + 1] = fields[1] end
tell('HDEL', KEYS[4], lost)
tell('HSET', KEYS[4], noted)
if changed > 0 and after ~= '' then
  local players, next = {}, {}
  for i = 1, #here do players[i] = ARGV[here[i]] end
  local there = ask('HMGET', KEYS[2], players)
  for i = 1, #players do
    local where = there[i] and string.match(there[i], ' (%S+)$')
    if where and not next[where] then
      next[where] = true
      due[#due + 1] = where .. ' ' .. after .. ' ' .. name
    end
  end
end
tell('SADD', KEYS[1], due)
if ARGV[words + 6] ~= '' then call('SADD', KEYS[1], ARGV[words + 6]) end
if not homes[1] then
  for k = 1, boards + 2 do
    if ARGV[expiries + k] ~= '' then call('EXPIRE', KEYS[3 + k], ARGV[expiries + k], 'NX') end
  end
  for k = 1, boards do
    if #here > 0 then call('HSETNX', KEYS[5 + boards + k], ARGV[indexed + k], ARGV[indexed + boards + 1]) end
  end
end
return answer('written', #due, wrote)
`)
