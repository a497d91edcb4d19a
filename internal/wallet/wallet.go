// Package wallet keeps what players earn by playing, and what they spend.
//
// What is earned is derived, as XP is. A total has all days that were taken in
// ([Wallets.Close]), and each of these days knows what of it is in the total. So at
// any moment a player has earned
//
//	the total + for each day that is open: what its plays give − what of it is in the total
//
// whether a closing is under way, comes twice or late. What is spent is a total of its
// own, written in one atomic step with its record.
//
// The package knows keys and scripts. It must not know HTTP, Postgres or who may spend.
package wallet

import (
	"context"
	"sync"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Wallets are those of all players. They are safe for concurrent use.
type Wallets struct {
	db *rdb.DB

	mu      sync.Mutex
	through string // the newest day that was taken in, as it was last read: "" for none
}

// New makes Wallets.
func New(db *rdb.DB) *Wallets { return &Wallets{db: db} }

// On reports whether the game has any currency.
func (w *Wallets) On() bool { return len(w.db.Game.Currencies) > 0 }

// Balance is what a player has of one currency.
type Balance struct {
	Currency      string
	Earned, Spent int64
}

// Left is what can be spent. Where scores were taken out whose coins had been spent,
// it is nothing until as much has been earned again.
func (b Balance) Left() int64 { return max(0, b.Earned-b.Spent) }

// earnedLua works out what a player has earned and spent, or that a day was taken in
// meanwhile.
//
// KEYS: closed, earned, spent, then the sources. ARGV: the newest day that was taken
// in, player, for each source how much a unit of it is worth; less than 0: of the
// total; with an e in front: for being there; with an l: for each play that is listed.
const earnedLua = `
local function owned(through, player, worth)
  local stands = call('HGET', KEYS[1], 'earned') or ''
  if stands ~= through then return nil, stands end
  local earned = tonumber(call('ZSCORE', KEYS[2], player) or 0)
  local spent = tonumber(call('ZSCORE', KEYS[3], player) or 0)
  for i = 1, #worth do
    local kind = string.sub(worth[i], 1, 1)
    if kind == 'l' then
      local n = call('ZLEXCOUNT', KEYS[3 + i], '[' .. player .. ' ', '(' .. player .. '!')
      earned = earned + tonumber(string.sub(worth[i], 2)) * n
    else
      local n = call('ZSCORE', KEYS[3 + i], player)
      if n and kind == 'e' then
        earned = earned + tonumber(string.sub(worth[i], 2))
      elseif n then
        earned = earned + tonumber(worth[i]) * tonumber(n)
      end
    end
  end
  return earned, spent
end
local function whole(n) return string.format('%.0f', n) end
`

// readScript reads one currency of a player.
//
// KEYS, ARGV: see earnedLua, from the first on.
// Answer: {calls, "has" | "moved", earned | newest day, spent}
var readScript = rdb.NewScript(earnedLua + `
local worth = {}
for i = 3, #ARGV do worth[#worth + 1] = ARGV[i] end
local earned, spent = owned(ARGV[1], ARGV[2], worth)
if not earned then return answer('moved', spent) end
return answer('has', whole(earned), whole(spent))
`)

// tries is how often a player's wallet is read again when a day is taken in meanwhile.
const tries = 4

// Of reads what a player has of every currency.
//
// Cost, for each currency: 4 billed commands, and for each day that is open 1, and 1
// for each mode that earns it; 2 more in a round trip of its own where a day was taken
// in since this process last asked.
func (w *Wallets) Of(ctx context.Context, player string) ([]Balance, error) {
	for range tries {
		through := w.known()
		all := make([]Balance, len(w.db.Game.Currencies))
		moved := ""
		again := false
		var p rdb.Pipeline
		for i, c := range w.db.Game.Currencies {
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
					return rdb.WrongShape("what a player has", len(words))
				}
				all[i].Earned, all[i].Spent, err = amounts(words[2], words[3])
				return err
			})
		}
		if _, err := p.Run(ctx, w.db.Redis); err != nil {
			return nil, rdb.Wrap("read a wallet", err)
		}
		if !again {
			return all, nil
		}
		w.learn(moved)
	}
	return nil, rdb.ErrVanished
}

// sources are what a player's wallet of a currency is made of besides the total, day
// by day that is open, with what a unit of each is worth.
func (w *Wallets) sources(c game.Currency, through string) (keys, worth []string) {
	keys = []string{game.ClosedKey, game.EarnedKey(c.Name), game.SpentKey(c.Name)}
	for _, d := range w.open(through) {
		keys, worth = append(keys, game.EarnedDayKey(c.Name, d)), append(worth, "-1")
		live, units := w.live(c, d)
		keys, worth = append(keys, live...), append(worth, units...)
	}
	return keys, worth
}

// live are the keys that tell what a day gives of a currency.
func (w *Wallets) live(c game.Currency, d game.Date) (keys, worth []string) {
	for _, m := range c.EarnedBy(w.db.Game.Modes) {
		if amount := rdb.Itoa(c.Plays[m.Name]); w.db.Game.Currencies.Counts(m) {
			keys, worth = append(keys, game.PlaysKey(m.Name, d)), append(worth, "l"+amount)
		} else {
			keys, worth = append(keys, game.DayBoardKey(m.Name, d)), append(worth, "e"+amount)
		}
	}
	return keys, worth
}

// open are the days of which not all is in the total.
func (w *Wallets) open(through string) (days []game.Date) {
	last, _ := game.ParseDate(through)
	for d := game.DateOf(w.db.Now()).AddDays(1); w.db.Alive(d) && (last.IsZero() || d.After(last)); d = d.AddDays(-1) {
		if !w.db.Now().Before(w.db.Game.Opens(d)) {
			days = append(days, d)
		}
	}
	return days
}

func (w *Wallets) known() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.through
}

func (w *Wallets) learn(through string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.through = through
}

// Forget takes a player out of everything in one step: a closing that is under way
// finds all of it or none.
//
// Cost: 1 billed command, 2 for each currency, and 1 for each open day and mode whose
// plays are counted; of who has earned anything before 1 for each currency and day that
// is in Redis, and for each such mode.
func (w *Wallets) Forget(ctx context.Context, player string) error {
	if !w.On() {
		return nil
	}
	keys, always := w.all()
	_, err := w.db.Redis.Do(ctx, forgetScript.Command(keys, player, rdb.Itoa(int64(always))).Idempotent())
	return rdb.Wrap("forget a wallet", err)
}

// forgetScript: KEYS: whatever may have the player, those first that have whoever has
// any of the others. ARGV: player, how many these are. Answer: {calls}
var forgetScript = rdb.NewScript(`
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

// all are the keys that may have anything of a player; nobody is in any of the others
// who is in none of the first.
func (w *Wallets) all() (keys []string, first int) {
	var rest []string
	modes := map[string]*game.Mode{}
	for _, c := range w.db.Game.Currencies {
		keys = append(keys, game.EarnedKey(c.Name), game.SpentKey(c.Name))
		for _, d := range w.taken() {
			rest = append(rest, game.EarnedDayKey(c.Name, d))
		}
		for _, m := range c.EarnedBy(w.db.Game.Modes) {
			if w.db.Game.Currencies.Counts(m) {
				modes[m.Name] = m
			}
		}
	}
	yesterday := game.DateOf(w.db.Now()).AddDays(-1)
	for _, d := range w.taken() {
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

// taken are the days whose part of the total Redis may know.
func (w *Wallets) taken() (days []game.Date) {
	for d := game.DateOf(w.db.Now()).AddDays(1); w.db.Alive(d.AddDays(1)); d = d.AddDays(-1) {
		days = append(days, d)
	}
	return days
}
