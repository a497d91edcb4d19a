package player

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A score that is written to a day after XP has taken the day in reaches the boards of its mode
// by their next refresh. XP and streaks are not made from day boards any more by then, so the
// write brings the score to them. The next closing makes them again from the day.

// xpLate counts, in the hash of closed days, how often late scores have changed the base.
const xpLate = "xp late"

// lateScript replaces what a day gave some players, and brings the difference to the base and
// to the board of XP, unless one of the players' XP of the day is not what the caller has read
// or the day is not in the base or is rolled up. The caller has read the players' scores after
// their XP of the day: so of two that write scores of one player, the later one is right.
//
// KEYS: closed, XP's index of days, XP of the day, base, the board of XP
// ARGV: date, newest day in the base, seconds that the XP of the day lives, then player, XP of
// the day as read ("" for none), XP of the day now, …
// Answer: {calls, "placed" | "moved" | "rolled up"}
var lateScript = redis.NewScript(`
if call('HGET', KEYS[1], 'xp') ~= ARGV[2] then return answer('moved') end
local state = call('HMGET', KEYS[2], ARGV[1], 'fold')
if state[1] == '1' or (state[2] and string.sub(state[2], 1, 10) == ARGV[1]) then return answer('rolled up') end
local function scores(key)
  local ask = {'ZMSCORE', key}
  for i = 4, #ARGV, 3 do ask[#ask + 1] = ARGV[i] end
  return call(unpack(ask))
end
local had = scores(KEYS[3])
for i = 4, #ARGV, 3 do
  if tonumber(had[(i - 1) / 3] or '') ~= tonumber(ARGV[i + 1]) then return answer('moved') end
end
local put = {'ZADD', KEYS[3]}
for i = 4, #ARGV, 3 do
  put[#put + 1] = ARGV[i + 2]
  put[#put + 1] = ARGV[i]
end
call(unpack(put))
if state[1] ~= '0' then call('HSET', KEYS[2], ARGV[1], '0') end
call('EXPIRE', KEYS[3], ARGV[3])
call('HINCRBY', KEYS[1], 'xp late', 1)
for k = 4, 5 do
  if k == 4 or call('EXISTS', KEYS[k]) == 1 then
    local current = scores(KEYS[k])
    put = {'ZADD', KEYS[k]}
    for i = 4, #ARGV, 3 do
      local more = tonumber(ARGV[i + 2]) - (tonumber(ARGV[i + 1]) or 0)
      put[#put + 1] = string.format('%.17g', (tonumber(current[(i - 1) / 3] or '') or 0) + more)
      put[#put + 1] = ARGV[i]
    end
    call(unpack(put))
  end
end
return answer('placed')
`)

const (
	// lateTries is how often XP is brought to the base at most, if others change the same
	// players' XP meanwhile.
	lateTries = 10
	// latePerCall bounds how many players one call of lateScript has.
	latePerCall = 2000
	// DaySeconds is how long the XP of a day lives at least, so that a day that closes at the
	// end of its life can still be rolled up.
	DaySeconds = 3600
)

// CountLate brings scores that were just written to a day to the players' XP and streaks, if
// the day is in them. Else it changes nothing: what is read of a player adds such a day, and its
// closing takes it in.
//
// Cost, for every 2,000 players: 2 billed commands, and 1 for each mode that gives XP; if XP
// changes 14 more. For the streaks that of [XP.ChangeStreaks].
func (xp *XP) CountLate(ctx context.Context, d game.Date, players []string) error {
	for some := range slices.Chunk(players, latePerCall) {
		if err := xp.countSome(ctx, d, some); err != nil {
			return redis.Wrap("count late scores", err)
		}
	}
	return nil
}

func (xp *XP) countSome(ctx context.Context, d game.Date, players []string) error {
	for range lateTries {
		l := late{xp: xp, date: d, players: players, had: make([]redis.Place, len(players)), has: make([]redis.Place, len(players))}
		if placed, err := l.place(ctx); err != nil || placed {
			if err != nil || !l.isIn() || xp.db.Game.Streak.Off {
				return err
			}
			return xp.ChangeStreaks(ctx, players, func(_ string, r Streak) Streak { return r.Play(xp.db.Game.Streak, d) })
		}
	}
	return redis.ErrVanished
}

// late is one attempt of CountLate.
type late struct {
	xp      *XP
	date    game.Date
	players []string
	through game.Date     // the newest day in the base; zero: there is no base
	had     []redis.Place // the players' XP of the day, as the base has it
	has     []redis.Place // as the day's boards have it
}

// isIn reports whether XP has taken the day in.
func (l *late) isIn() bool { return !l.through.IsZero() && !l.date.After(l.through) }

func (l *late) place(ctx context.Context) (placed bool, err error) {
	if err := l.read(ctx); err != nil || !l.isIn() {
		return true, err
	}
	var changes []string
	for i, player := range l.players {
		if has := l.has[i]; has.Found && has != l.had[i] {
			changes = append(changes, player, l.had[i].Text(), has.Text())
		}
	}
	if len(changes) == 0 {
		return true, nil
	}
	db := l.xp.db
	expires, _ := db.Game.Expires(game.Day.Of(l.date))
	lives := redis.Itoa(max(DaySeconds, db.SecondsUntil(expires)))
	reply, err := db.Redis.Do(ctx, lateScript.Command(
		[]string{game.ClosedKey, game.DaysKey(game.XPMode), game.XPDayKey(l.date), game.XPBaseKey, game.XPKey},
		slices.Concat([]string{l.date.String(), l.through.String(), lives}, changes)...).Idempotent())
	if err != nil {
		return false, err
	}
	word, err := redis.Word(reply, "what became of late XP")
	return word != "moved", err
}

// read reads the XP of the day that the base has, and after it the day's boards.
func (l *late) read(ctx context.Context) error {
	command := func(key string) upstash.Command {
		return upstash.Cmd(append([]string{"ZMSCORE", key}, l.players...)...)
	}
	var p redis.Pipeline
	p.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), ThroughInto(&l.through))
	p.Add(command(game.XPDayKey(l.date)), redis.PlacesInto(l.had))
	for _, m := range l.xp.db.Game.Modes {
		if !m.GivesXP() {
			continue
		}
		scores := make([]redis.Place, len(l.players))
		into := redis.PlacesInto(scores)
		p.Add(command(dayKey(m, l.date)), func(r upstash.Reply) error {
			if err := into(r); err != nil {
				return err
			}
			for i, at := range scores {
				if at.Found {
					l.has[i] = plus(l.has[i], redis.Place{Stored: float64(m.XPOf(m.Decode(at.Stored))), Found: true})
				}
			}
			return nil
		})
	}
	_, err := p.Run(ctx, l.xp.db.Redis)
	return err
}
