package race

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// header begins every script about one race. It reads the race's fields, and has functions that
// change them; tick, which makes the changes that are due by the clock; and says, which saves
// the changes and answers {calls, verdict, field, value…}. A script's own keys and arguments
// come after those of header.
//
// The fields of a seat end in its number: p1 is the first player, p2 the second. Scores stay
// the text that the script got. Changes of ratings are whole multiples of 2^-40, or of the unit
// of ratings that decay, so that they add up to exactly zero in any order. The function
// RaceChanges computes the same.
//
// KEYS: race, due, races begun, ratings, open races of the mode
// ARGV: id, now, order, rule of ratings, scale, K, provisional races and their K, wait, lead,
// silence and span in milliseconds
const header = redis.Ratings + `
local id, now, order = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local ratingRule, scale = ARGV[4], tonumber(ARGV[5])
local usual, provisional, provisional_k = ARGV[6], tonumber(ARGV[7]), ARGV[8]
local wait, lead, silence, span = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
local due, begun, ratings, open = KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local race, changed = {}, {}
local stored = call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do race[stored[i]] = stored[i + 1] end
local seats = 0
while race['p' .. seats + 1] do seats = seats + 1 end

local function set(field, value)
  race[field] = value
  changed[field] = true
end
local function whole(n) return string.format('%.0f', n) end
local function save()
  local puts, drops = {'HSET', KEYS[1]}, {'HDEL', KEYS[1]}
  for field in pairs(changed) do
    if race[field] then
      puts[#puts + 1] = field
      puts[#puts + 1] = race[field]
    else
      drops[#drops + 1] = field
    end
  end
  if #puts > 2 then call(unpack(puts)) end
  if #drops > 2 then call(unpack(drops)) end
  changed = {}
end
local function says(verdict)
  save()
  local answer = {calls, verdict}
  for field, value in pairs(race) do
    answer[#answer + 1] = field
    answer[#answer + 1] = value
  end
  return answer
end

local function seat(player)
  for i = 1, seats do
    if race['p' .. i] == player then return i end
  end
end
local function free(i)
  for j = i, seats do
    set('p' .. j, race['p' .. j + 1])
    set('seen' .. j, race['seen' .. j + 1])
  end
  seats = seats - 1
  if seats < 2 then set('since', nil) end
end
local function sit(player)
  seats = seats + 1
  set('p' .. seats, player)
  set('seen' .. seats, whole(now))
  if seats == 2 then set('since', whole(now)) end
end

local function ratingOf(player)
  return string.format('%.17g', (ratingsBy(ratingRule).read(call('ZSCORE', ratings, player))))
end

local function finish(state)
  set('state', state)
  set('decided', whole(now))
end

local function begin()
  set('state', 'started')
  set('starts', whole(now + lead))
  set('until', whole(now + lead + span))
  set('since', nil)
  call('ZADD', due, race['until'], id)
  if race.open then call('ZREM', open, id) end
  local counts = {}
  if provisional > 0 then
    local ask, put = {'HMGET', begun}, {'HSET', begun}
    for i = 1, seats do ask[#ask + 1] = race['p' .. i] end
    counts = call(unpack(ask))
    for i = 1, seats do
      put[#put + 1] = race['p' .. i]
      put[#put + 1] = whole(tonumber(counts[i] or 0) + 1)
    end
    call(unpack(put))
  end
  for i = 1, seats do
    set('seen' .. i, nil)
    set('k' .. i, tonumber(counts[i] or 0) < provisional and provisional_k or usual)
  end
end

local function ahead(i, j)
  local a, b = tonumber(race['score' .. i] or ''), tonumber(race['score' .. j] or '')
  if not a or not b then return a and 1 or b and 0 or 0.5 end
  if a == b then return 0.5 end
  return (a > b) == (order == 'desc') and 1 or 0
end

local function decide(racers)
  local ask, put = {'ZMSCORE', ratings}, {'ZADD', ratings}
  for x = 1, #racers do ask[x + 2] = race['p' .. racers[x]] end
  local before = call(unpack(ask))
  local ratingsNow = ratingsBy(ratingRule)
  local change, place, through = {}, {}, {}
  for x = 1, #racers do
    before[x], through[x] = ratingsNow.read(before[x])
    change[x], place[x] = 0, 1
  end
  for x = 1, #racers do
    for y = x + 1, #racers do
      local i, j = racers[x], racers[y]
      local won = ahead(i, j)
      if won == 0 then place[x] = place[x] + 1 end
      if won == 1 then place[y] = place[y] + 1 end
      local expected = 1 / (1 + 10 ^ ((before[y] - before[x]) / scale))
      local stake = (tonumber(race['k' .. i]) / 2 + tonumber(race['k' .. j]) / 2) / (#racers - 1)
      local moved = ratingsNow.rounded(math.floor(stake * (won - expected) * 1099511627776 + 0.5) / 1099511627776)
      change[x], change[y] = change[x] + moved, change[y] - moved
    end
  end
  for x = 1, #racers do
    local i, after = racers[x], before[x] + change[x]
    put[#put + 1] = ratingsNow.entry(after, through[x])
    put[#put + 1] = race['p' .. i]
    set('place' .. i, whole(place[x]))
    set('before' .. i, string.format('%.17g', before[x]))
    set('after' .. i, string.format('%.17g', after))
  end
  call(unpack(put))
  finish('decided')
end

local function judge()
  local racers, reported, awaited = {}, 0, false
  for i = 1, seats do
    local seen = tonumber(race['seen' .. i] or '')
    if race['p' .. i] ~= 'erased' then racers[#racers + 1] = i end
    if race['score' .. i] then
      reported = reported + 1
    elseif not race['left' .. i] and not (seen and now - seen > silence) then
      awaited = true
    end
  end
  if awaited and now <= tonumber(race['until']) then return end
  if reported == 0 or #racers < 2 then return finish('expired') end
  decide(racers)
end

local function tick()
  if race.state == 'started' then judge() end
  if race.state ~= 'waiting' then return end
  for i = seats, 1, -1 do
    if now - tonumber(race['seen' .. i]) > silence then free(i) end
  end
  if seats >= 2 and (seats >= tonumber(race.size) or now - tonumber(race.since) >= wait) then
    begin()
  elseif now > tonumber(race['until']) then
    if race.open then call('ZREM', open, id) end
    finish('expired')
  end
end
`

// step runs a script about one race.
func (s *records) step(ctx context.Context, script *upstash.Script, id, mode string, keys []string, args ...string) (answer, error) {
	reply, err := s.redis.Do(ctx, s.command(script, id, mode, keys, args...))
	if err != nil {
		return answer{}, fmt.Errorf("a step of the race %s: %w", id, err)
	}
	return answered(id, reply)
}

// command is a script about one race with the keys and arguments of header.
func (s *records) command(script *upstash.Script, id, mode string, keys []string, args ...string) upstash.Command {
	all := append([]string{
		RecordKey(id), DueKey, game.DuelsPlayedKey, game.DuelKey, OpenKey(mode),
	}, keys...)
	d := s.ratings
	common := []string{
		id, redis.Millis(s.now()), string(s.order(mode)), redis.RatingRule(d.Start, d.Decay, s.now()), game.FormatStored(d.Scale),
		game.FormatStored(d.K), strconv.Itoa(d.Provisional.Duels), game.FormatStored(d.Provisional.K),
		ms(s.rules.Wait), ms(Lead), ms(s.rules.Silent), ms(s.span(mode)),
	}
	return script.Command(all, append(common, args...)...).Idempotent()
}

// answer is the verdict of a script about one race, and the race after it; the zero Race if
// there is no such race.
type answer struct {
	verdict string
	race    Race
}

func answered(id string, r upstash.Reply) (a answer, err error) {
	texts, err := r.Strings()
	if err != nil {
		return a, err
	}
	if len(texts) < 2 {
		return a, fmt.Errorf("a script answered %d values", len(texts))
	}
	a.verdict = texts[1]
	a.race, err = raceOf(id, texts[2:])
	return a, err
}

// tickScript makes the changes that are due by the clock, and notes that a waiting player was
// seen.
//
// ARGV: player, or empty
var tickScript = redis.NewScript(header + `
local at = seat(ARGV[13])
if race.state == 'waiting' and at then set('seen' .. at, whole(now)) end
tick()
return says('seen')
`)

func (s *records) tick(ctx context.Context, r Race, player string) (Race, error) {
	says, err := s.step(ctx, tickScript, r.ID, r.Mode, nil, player)
	return says.race, err
}

func ms(d time.Duration) string { return redis.Itoa(d.Milliseconds()) }
