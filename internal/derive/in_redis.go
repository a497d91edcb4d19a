package derive

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// One command that unites a large board holds Redis up. So a script unites some of its entries
// at a time, and no bytes of them go over the network.

// unitedPerCall is how many entries one call of uniteScript is asked to look at: some ten
// milliseconds of Redis for the days of a week. ZSCAN may give it some more.
const unitedPerCall = 3500

// uniteInRedis makes a board hold its sources, oldest first. It does so for everybody, so its
// commands are charged to no caller. Scores that come in meanwhile on sources that it has
// already read may be missing.
//
// Cost: for every 3,500 entries of a source 3 billed commands, and if some of these are new to
// the board 1, and 1 for each newer source; 5 besides.
func uniteInRedis(ctx context.Context, ru *Rollup, b game.Board, sources []string) error {
	ctx = upstash.OffAccount(ctx)
	u := uniting{db: ru.db, board: b, scratch: ru.db.Scratch(b.Key)}
	for i := range sources {
		for cursor := "0"; ; {
			next, err := u.page(ctx, sources[i:], cursor)
			if err != nil {
				return redis.Wrap("unite "+b.Key, err)
			}
			if cursor = next; cursor == "0" {
				break
			}
		}
	}
	var players int64
	err := ru.db.Ask(ctx, upstash.Cmd("ZCARD", u.scratch), redis.IntInto(&players))
	if err == nil {
		err = ru.db.Take(ctx, b.Key, u.scratch, players)
	}
	if err != nil {
		return redis.Wrap("replace "+b.Key, err)
	}
	return ru.replaced(ctx, b, players)
}

// uniting is a board that Redis makes in a scratch key.
type uniting struct {
	db      *redis.DB
	board   game.Board
	scratch string
	expires bool // the scratch key exists and has its expiry
}

// page unites the entries of the oldest of some sources behind a cursor.
func (u *uniting) page(ctx context.Context, sources []string, cursor string) (next string, err error) {
	seconds := redis.Itoa(redis.ScratchSeconds)
	if u.expires {
		seconds = ""
	}
	word := aggregateWord(u.board.Mode.Aggregate)
	if u.board.Mode.Aggregate == game.Last {
		word = "LAST"
	}
	keys := append([]string{u.scratch}, sources...)
	reply, err := u.db.Redis.Do(ctx, uniteScript.Command(keys, cursor, redis.Itoa(unitedPerCall), word, seconds).Idempotent())
	if err != nil {
		return "", err
	}
	values, err := redis.Values(reply, 3, "a cursor and how many came in")
	if err != nil {
		return "", err
	}
	added, err := values[2].Int64()
	if err != nil {
		return "", err
	}
	u.expires = u.expires || added > 0
	return values[1].Text()
}

// uniteScript reads a page of a source, and adds those players to a scratch key who are not in
// it yet, each with the aggregate of that source and all newer ones. Players of older sources
// are in it already. So a page may be asked for twice, and may have a player twice.
//
// A call passes at most 7000 values, since Lua's stack takes some 8,000.
//
// KEYS: scratch, this source and the newer ones, oldest first
// ARGV: cursor, how many to look at, SUM | MAX | MIN | LAST, seconds that the scratch key lives
// or "" if its expiry is set
// Answer: {calls, next cursor, players added}
var uniteScript = redis.NewScript(`
local most = 7000
local function scores(key, players)
  local all = {}
  for from = 1, #players, most do
    for _, score in ipairs(call('ZMSCORE', key, unpack(players, from, math.min(from + most - 1, #players)))) do
      all[#all + 1] = score
    end
  end
  return all
end
local page = call('ZSCAN', KEYS[2], ARGV[1], 'COUNT', ARGV[2])
local players, stored = {}, {}
for i = 1, #page[2], 2 do
  players[#players + 1] = page[2][i]
  stored[#stored + 1] = tonumber(page[2][i + 1])
end
local missing, sums = {}, {}
local has = scores(KEYS[1], players)
for i, player in ipairs(players) do
  if not has[i] then
    missing[#missing + 1] = player
    sums[#sums + 1] = stored[i]
  end
end
if #missing == 0 then return answer(page[1], 0) end
for k = 3, #KEYS do
  for i, score in ipairs(scores(KEYS[k], missing)) do
    if score then
      local newer = tonumber(score)
      if ARGV[3] == 'SUM' then sums[i] = sums[i] + newer
      elseif ARGV[3] == 'MAX' then sums[i] = math.max(sums[i], newer)
      elseif ARGV[3] == 'MIN' then sums[i] = math.min(sums[i], newer)
      else sums[i] = newer end
    end
  end
end
for from = 1, #missing, most / 2 do
  local entries = {}
  for i = from, math.min(from + most / 2 - 1, #missing) do
    entries[#entries + 1] = string.format('%.17g', sums[i])
    entries[#entries + 1] = missing[i]
  end
  call('ZADD', KEYS[1], unpack(entries))
end
if ARGV[4] ~= '' then call('EXPIRE', KEYS[1], ARGV[4]) end
return answer(page[1], #missing)
`)
