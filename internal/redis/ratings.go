package redis

import (
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Ratings is a part of scripts that read or move ratings. Its ratingsBy takes the rule of
// [RatingRule] and returns three functions: read for an entry of the board of ratings, rounded
// for a change, and entry for what a duel of this week writes. It computes what
// [game.RatingDecay] says; a test compares the two.
const Ratings = `
local function ratingsBy(rule)
  local start, points, floor, week, lasts = string.match(rule, '^(%S+) ?(%S*) ?(%S*) ?(%S*) ?(%S*)$')
  if points == '' then
    return {
      read = function(stored) return tonumber(stored or start), 0 end,
      rounded = function(change) return change end,
      entry = function(rating) return string.format('%.17g', rating) end,
    }
  end
  points, floor, week = tonumber(points), tonumber(floor), tonumber(week)
  local units, weeks = ` + ratingUnits + `, ` + ratingWeeks + `
  return {
    read = function(stored)
      if not stored then return tonumber(start), 0 end
      stored = tonumber(stored)
      local whole = math.floor(stored * units)
      local rating, through = whole / units, math.floor((stored * units - whole) * weeks)
      local lost = week - through
      if lost > 0 and rating > floor then rating = math.max(floor, rating - lost * points) end
      return rating, math.max(week, through)
    end,
    rounded = function(change) return math.floor(change * units + 0.5) / units end,
    entry = function(rating, through)
      return string.format('%.17g', rating + math.max(through, tonumber(lasts)) / (units * weeks))
    end,
  }
end
`

const (
	ratingUnits = "1048576" // game.RatingUnits
	ratingWeeks = "4096"    // game.RatingWeeks
)

// RatingRule is the rule for [Ratings] at a moment: the rating of a new player and, if ratings
// decay, the points that an idle week costs, the floor below which idle weeks take nobody, the
// week, and the last week that costs nothing after a duel in this week.
func RatingRule(start float64, decay *game.RatingDecay, now time.Time) string {
	rule := game.FormatStored(start)
	if decay == nil {
		return rule
	}
	week := game.RatingWeek(now)
	for _, n := range []int64{decay.Points, decay.Floor, week, decay.Leaves(0, week).Through} {
		rule += " " + strconv.FormatInt(n, 10)
	}
	return rule
}

// moveScript changes those entries that are still what the caller has read.
//
// KEYS: board
// ARGV: for each entry the player, the score that the caller has read or "", the new score
// Answer: {calls, entries that have another score}
var moveScript = NewScript(`
local ask, put, other = {'ZMSCORE', KEYS[1]}, {'ZADD', KEYS[1]}, 0
for i = 1, #ARGV, 3 do ask[#ask + 1] = ARGV[i] end
local current = call(unpack(ask))
for i = 1, #current do
  local is, was = current[i] and tonumber(current[i]), tonumber(ARGV[3 * i - 1])
  if (is or false) == (was or false) then
    put[#put + 1] = ARGV[3 * i]
    put[#put + 1] = ARGV[3 * i - 2]
  else
    other = other + 1
  end
end
if #put > 2 then call(unpack(put)) end
return answer(other)
`)

// MostMoves is how many entries MoveEntries takes, so that its script passes no more than the
// some 8,000 values that fit on Lua's stack.
const MostMoves = 1000

// MoveEntries changes those entries of a board that are still what the caller has read. Moves
// has for each entry the player, the score that was read ("" for none) and the new score. The
// answer is {calls, entries that have another score}.
func MoveEntries(board string, moves []string) upstash.Command {
	return moveScript.Command([]string{board}, moves...).Idempotent()
}
