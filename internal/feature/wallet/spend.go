package wallet

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/fault"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Wish is what a player wants to spend.
type Wish struct {
	Player   string
	Currency string
	Amount   int64  // 1 to MostAmount
	Item     string // what it is for, in the application's words
	Once     game.IdempotencyRecord
}

// Bounds of a wish.
const (
	MostAmount = 1_000_000_000
	MostItem   = 100 // bytes
)

// ShortError is returned if a player has too little.
type ShortError struct{ Balance }

func (e *ShortError) Error() string {
	return fmt.Sprintf("the player has %d %s left", e.Left(), e.Currency)
}

func (e *ShortError) Fault() fault.Fault {
	left := e.Left()
	return fault.Fault{Code: "too-little", Detail: e.Error(), Balance: &left}
}

// spendScript spends, if the player has enough, and keeps a record of it, in one atomic step.
// If it is sent twice, it answers the same twice.
//
// KEYS: see earnedLua; then the record, and the stream of what was spent
// ARGV: newest day, player, amount, currency, item, id, milliseconds, fingerprint, seconds that
// the record lives, the sources' worth…
// Answer: {calls, "spent" | "known" | "short" | "moved", record | earned | day, spent}
var spendScript = redis.NewScript(earnedLua + `
local record, stream, amount = KEYS[#KEYS - 1], KEYS[#KEYS], tonumber(ARGV[3])
local earlier = call('GET', record)
if earlier then return answer('known', earlier) end
local worth = {}
for i = 10, #ARGV do worth[#worth + 1] = ARGV[i] end
local earned, spent = owned(ARGV[1], ARGV[2], worth)
if not earned then return answer('moved', spent) end
if earned - spent < amount then return answer('short', whole(earned), whole(spent)) end
call('ZINCRBY', KEYS[3], ARGV[3], ARGV[2])
call('XADD', stream, '*', 'id', ARGV[6], 'player', ARGV[2], 'currency', ARGV[4], 'amount', ARGV[3], 'item', ARGV[5], 'at', ARGV[7])
local said = table.concat({ARGV[8], 'spent', ARGV[6], ARGV[7], whole(earned), whole(spent + amount)}, ' ')
call('SET', record, said, 'EX', ARGV[9])
return answer('spent', said)
`)

// Spend spends, once for each record, and returns what is left. replayed reports that it had
// happened before: then done and after are as they were answered then.
//
// Cost: 8 billed commands, and for each open day 1, and 1 for each mode that earns the
// currency; 2 if the record is known.
//
// Errors: *ShortError, [idempotency.ErrReused].
func (w *Wallets) Spend(ctx context.Context, wish Wish) (done game.Spend, after Balance, replayed bool, err error) {
	c, ok := CurrenciesOf(w.db.Game).Named(wish.Currency)
	if !ok {
		return done, after, false, fmt.Errorf("the game has no currency %.50q", wish.Currency)
	}
	id, at := "spend_"+strings.ToLower(rand.Text()), w.db.Now().UnixMilli()
	for range tries {
		through := w.knownThrough()
		keys, worth := w.sources(c, through)
		keys = append(keys, game.IdempotencyRecordKey(wish.Once.ID), SpendsKey)
		args := append([]string{
			through, wish.Player, redis.Itoa(wish.Amount), wish.Currency, wish.Item, id, redis.Itoa(at),
			wish.Once.Fingerprint, redis.Itoa(int64(idempotency.Life / time.Second)),
		}, worth...)
		var words []string
		var p redis.Pipeline
		p.Add(spendScript.Command(keys, args...).Idempotent(), func(r upstash.Reply) (err error) {
			words, err = r.Strings()
			return err
		})
		if _, err := p.Run(ctx, w.db.Redis); err != nil {
			return done, after, false, redis.Wrap("spend", err)
		}
		if len(words) < 3 {
			return done, after, false, redis.WrongShape("what became of a spend", len(words))
		}
		switch words[1] {
		case "moved":
			w.learn(words[2])
			continue
		case "short":
			short := &ShortError{Balance{Currency: wish.Currency}}
			if len(words) == 4 {
				short.Earned, short.Spent, err = amounts(words[2], words[3])
			}
			if err != nil {
				return done, after, false, err
			}
			return done, after, false, short
		}
		done, after, err = recorded(words[2], wish)
		return done, after, words[1] == "known" && done.ID != id, err
	}
	return done, after, false, redis.ErrVanished
}

// recorded parses a record: "fingerprint spent id milliseconds earned spent". The record of
// any other request, of whatever kind, has another fingerprint.
func recorded(text string, wish Wish) (game.Spend, Balance, error) {
	fields := strings.Fields(text)
	if len(fields) != 6 || fields[0] != wish.Once.Fingerprint || fields[1] != "spent" {
		return game.Spend{}, Balance{}, idempotency.ErrReused
	}
	ms, err := strconv.ParseInt(fields[3], 10, 64)
	if err != nil {
		return game.Spend{}, Balance{}, fmt.Errorf("read the record of a spend: %w", err)
	}
	b := Balance{Currency: wish.Currency}
	b.Earned, b.Spent, err = amounts(fields[4], fields[5])
	return game.Spend{
		ID: fields[2], Player: wish.Player, Currency: wish.Currency, Amount: wish.Amount, Item: wish.Item, At: time.UnixMilli(ms).UTC(),
	}, b, err
}

func amounts(earned, spent string) (a, b int64, err error) {
	if a, err = strconv.ParseInt(earned, 10, 64); err == nil {
		b, err = strconv.ParseInt(spent, 10, 64)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("read an amount: %w", err)
	}
	return a, b, nil
}
