// Package wallet keeps what players earn by playing, and what they spend.
//
// What is earned is derived, as XP is. A player's total contains every day that was taken in
// ([Books.Close]); for each of these days Redis keeps the day's part of the total. So at any
// moment a player has earned
//
//	the total + for each day that is open: what its plays give − what of it is in the total
//
// even while a closing is under way, happens twice or is late. What is spent is a total of its
// own, written in one atomic step with its record.
//
// The package knows keys and scripts. It does not know HTTP, Postgres or who may spend.
package wallet

import (
	"context"
	"sync"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Wallets are the wallets of all players. They are safe for concurrent use.
type Wallets struct {
	db *redis.DB

	mu      sync.Mutex
	through string // the newest day that was taken in, as it was last read: "" for none
}

// New makes Wallets.
func New(db *redis.DB) *Wallets { return &Wallets{db: db} }

// Enabled reports whether the game has any currency.
func (w *Wallets) Enabled() bool { return len(CurrenciesOf(w.db.Game)) > 0 }

// Balance is what a player has of one currency.
type Balance struct {
	Currency      string
	Earned, Spent int64
}

// Left is what can be spent. If scores were removed whose coins had been spent, it is 0 until
// the player has earned as much again.
func (b Balance) Left() int64 { return max(0, b.Earned-b.Spent) }

// earnedLua computes what a player has earned and spent, unless a day was taken in meanwhile.
//
// KEYS: closed, earned, spent, then the sources
// ARGV: the newest day that was taken in, player, then for each source what a unit of it is
// worth: "-" for a day's part of the total, which is subtracted; "s" for that of a sealed day,
// whose sources, which follow it, count only if nobody has a part: the day is not taken in then;
// "e" and a number for having an entry; "l" and a number for each listed play
const earnedLua = `
local function owned(through, player, worth)
  local current = call('HGET', KEYS[1], 'earned') or ''
  if current ~= through then return nil, current end
  local earned = tonumber(call('ZSCORE', KEYS[2], player) or 0)
  local spent = tonumber(call('ZSCORE', KEYS[3], player) or 0)
  local counts = true
  for i = 1, #worth do
    local kind, amount = string.sub(worth[i], 1, 1), tonumber(string.sub(worth[i], 2))
    if kind == 's' then
      counts = call('EXISTS', KEYS[3 + i]) == 0
    elseif kind == '-' then
      counts, earned = true, earned - tonumber(call('ZSCORE', KEYS[3 + i], player) or 0)
    elseif counts and kind == 'l' then
      earned = earned + amount * call('ZLEXCOUNT', KEYS[3 + i], '[' .. player .. ' ', '(' .. player .. '!')
    elseif counts and call('ZSCORE', KEYS[3 + i], player) then
      earned = earned + amount
    end
  end
  return earned, spent
end
local function whole(n) return string.format('%.0f', n) end
`

// readScript reads what a player has of one currency.
//
// KEYS,
// ARGV: see earnedLua, from the first on
// Answer: {calls, "has" | "moved", earned | newest day, spent}
var readScript = redis.NewScript(earnedLua + `
local worth = {}
for i = 3, #ARGV do worth[#worth + 1] = ARGV[i] end
local earned, spent = owned(ARGV[1], ARGV[2], worth)
if not earned then return answer('moved', spent) end
return answer('has', whole(earned), whole(spent))
`)

// tries is how often a wallet is read again if a day is taken in meanwhile.
const tries = 4

// Of reads what a player has of every currency.
//
// Cost, for each currency: 4 billed commands, and for each open day 1, and 1 for each mode
// that earns it; 2 more in a round trip of its own if a day was taken in since this process
// last asked.
func (w *Wallets) Of(ctx context.Context, player string) ([]Balance, error) {
	for range tries {
		through := w.knownThrough()
		all := make([]Balance, len(CurrenciesOf(w.db.Game)))
		moved := ""
		again := false
		var p redis.Pipeline
		for i, c := range CurrenciesOf(w.db.Game) {
			keys, worth := w.sources(c, through)
			all[i].Currency = c.Name
			p.Add(readScript.Command(keys, append([]string{through, player}, worth...)...).Idempotent(), func(r upstash.Reply) error {
				words, err := r.Strings()
				switch {
				case err != nil:
					return err
				case len(words) == 3 && words[1] == "moved":
					moved, again = words[2], true
					return nil
				case len(words) != 4:
					return redis.WrongShape("what a player has", len(words))
				}
				all[i].Earned, all[i].Spent, err = amounts(words[2], words[3])
				return err
			})
		}
		if _, err := p.Run(ctx, w.db.Redis); err != nil {
			return nil, redis.Wrap("read a wallet", err)
		}
		if !again {
			return all, nil
		}
		w.learn(moved)
	}
	return nil, redis.ErrVanished
}

// sources returns the keys that a player's wallet of a currency is read from, and for those of
// open days what a unit is worth.
func (w *Wallets) sources(c Currency, through string) (keys, worth []string) {
	keys = []string{game.ClosedKey, EarnedKey(c.Name), SpentKey(c.Name)}
	for _, d := range w.open(through) {
		part := "-"
		if w.db.Age(game.Day.Of(d)) >= game.Sealed { // claims may have given what entries of devices show
			part = "s"
		}
		keys, worth = append(keys, EarnedDayKey(c.Name, d)), append(worth, part)
		live, units := w.live(c, d)
		keys, worth = append(keys, live...), append(worth, units...)
	}
	return keys, worth
}

// live returns the keys that show what a day gives of a currency.
func (w *Wallets) live(c Currency, d game.Date) (keys, worth []string) {
	for _, m := range c.EarnedBy(w.db.Game.Modes) {
		if amount := redis.Itoa(c.Plays[m.Name]); m.CountsPlays() {
			keys, worth = append(keys, game.PlaysKey(m.Name, d)), append(worth, "l"+amount)
		} else {
			keys, worth = append(keys, game.DayBoardKey(m.Name, d)), append(worth, "e"+amount)
		}
	}
	return keys, worth
}

// open lists the days that the total may not contain completely.
func (w *Wallets) open(through string) (days []game.Date) {
	last, _ := game.ParseDate(through)
	for d := game.DateOf(w.db.Now()).AddDays(1); w.db.Alive(d) && (last.IsZero() || d.After(last)); d = d.AddDays(-1) {
		if !w.db.Now().Before(w.db.Game.Opens(d)) {
			days = append(days, d)
		}
	}
	return days
}

func (w *Wallets) knownThrough() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.through
}

func (w *Wallets) learn(through string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.through = through
}

// Erase deletes a player from everything in one atomic step: a closing under way finds all of
// the player or nothing.
//
// Cost: 1 billed command, 2 for each currency, and 1 for each open day and mode whose plays
// are counted; if the player has earned anything, 1 more for each currency and day that is in
// Redis, and for each such mode.
func (w *Wallets) Erase(ctx context.Context, player string) error {
	if !w.Enabled() {
		return nil
	}
	keys, always := w.all()
	_, err := w.db.Redis.Do(ctx, forgetScript.Command(keys, player, redis.Itoa(int64(always))).Idempotent())
	return redis.Wrap("forget a wallet", err)
}

// forgetScript deletes a player. It skips the keys after the first ones if none of the first
// has the player.
//
// KEYS: all that may have the player
// ARGV: player, number of first keys
// Answer: {calls}
var forgetScript = redis.NewScript(`
local found = 0
for i = 1, #KEYS do
  if i > tonumber(ARGV[2]) and found == 0 then break end
  if string.sub(KEYS[i], 1, 6) == 'plays:' then
    found = found + call('ZREMRANGEBYLEX', KEYS[i], '[' .. ARGV[1] .. ' ', '(' .. ARGV[1] .. '!')
  else
    found = found + call('ZREM', KEYS[i], ARGV[1])
  end
end
return answer()
`)

// all returns all keys that may have something of a player, and how many of them come first: a
// player who is in none of the first is in none of the others.
func (w *Wallets) all() (keys []string, first int) {
	var rest []string
	modes := map[string]*game.Mode{}
	for _, c := range CurrenciesOf(w.db.Game) {
		keys = append(keys, EarnedKey(c.Name), SpentKey(c.Name))
		for _, d := range w.countedDays() {
			rest = append(rest, EarnedDayKey(c.Name, d))
		}
		for _, m := range c.EarnedBy(w.db.Game.Modes) {
			if m.CountsPlays() {
				modes[m.Name] = m
			}
		}
	}
	yesterday := game.DateOf(w.db.Now()).AddDays(-1)
	for _, d := range w.countedDays() {
		for name := range modes {
			if d.Before(yesterday) {
				rest = append(rest, game.PlaysKey(name, d))
			} else {
				keys = append(keys, game.PlaysKey(name, d))
			}
		}
	}
	return append(keys, rest...), len(keys)
}

// countedDays lists the days whose part of the total Redis may have.
func (w *Wallets) countedDays() (days []game.Date) {
	for d := game.DateOf(w.db.Now()).AddDays(1); w.db.Alive(d.AddDays(1)); d = d.AddDays(-1) {
		days = append(days, d)
	}
	return days
}
