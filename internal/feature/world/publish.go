package world

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// publishScript publishes a new top, and lets the last one expire. If another run has published
// one meanwhile, or if Redis has lost the scratch key, it publishes none.
//
// KEYS: states, scratch with the entries, the new top, the last top
// ARGV: the board, the state that was read, the new state, seconds that the last top lives,
// seconds that the board has left ("" if it does not expire), number of entries of the new top
// Answer: {calls, 1 if the top was published, else 0}
var publishScript = redis.NewScript(`
if (call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] or call('ZCARD', KEYS[2]) ~= tonumber(ARGV[6]) then
  call('DEL', KEYS[2])
  return answer(0)
end
if ARGV[6] ~= '0' then
  call('RENAME', KEYS[2], KEYS[3])
  if ARGV[5] == '' then call('PERSIST', KEYS[3]) else call('EXPIRE', KEYS[3], ARGV[5]) end
end
call('EXPIRE', KEYS[4], ARGV[4])
call('HSET', KEYS[1], ARGV[1], ARGV[3])
return answer(1)
`)

// cutLife is how long the cuts below a top count as current.
const cutLife = time.Hour

// publish shows the top of a board to the other sites, if it has changed.
//
// Cost: 2 billed commands if nothing has changed; 9 more otherwise, and once an hour 20 for a
// board with players below its top.
func (r *run) publish(ctx context.Context, b game.Board) error {
	text := r.states[b.Key]
	last, err := parse[State]("a state", text)
	if err != nil {
		return err
	}
	players, top, err := r.Boards.Best(ctx, b, r.rules.Top)
	if err != nil {
		return err
	}
	now := State{
		Stamp: max(r.db.Now().UnixMilli(), last.Stamp+1), Rules: r.rulesOf(b.Mode),
		Players: players, Top: int64(len(top)), Digest: digest(players, top),
	}
	if text == "" && players == 0 || now.Digest == last.Digest && now.Rules == last.Rules {
		return nil
	}
	if err := r.cut(ctx, b, top, &now, last); err != nil {
		return err
	}
	scratch := r.db.Scratch("world:" + b.Key)
	if err := r.db.WriteMembers(ctx, scratch, byPlayer(top)); err != nil {
		return redis.Wrap("write the top of "+b.Key, err)
	}
	done, err := r.swap(ctx, publishScript.Command(
		[]string{StateKey, scratch, TopKey(b.Key, now.Stamp), TopKey(b.Key, last.Stamp)},
		b.Key, text, textOf(now), redis.Itoa(int64(oldTop.Seconds())), r.db.Seconds(b.Key, b.Period), redis.Itoa(now.Top)))
	if err != nil {
		return redis.Wrap("publish "+b.Key, err)
	}
	if done {
		r.states[b.Key] = textOf(now)
		r.report.Published++
	}
	return nil
}

// cut computes the board's cuts. Those within the top are known; the others are read once an
// hour.
func (r *run) cut(ctx context.Context, b game.Board, top []redis.Member, now *State, last State) error {
	positions := cutPositions(now.Players)
	now.Cuts = make([]float64, len(positions))
	now.CutAt = last.CutAt
	below := 0
	for below < len(positions) && positions[below] < int64(len(top)) {
		now.Cuts[below] = top[positions[below]].Stored
		below++
	}
	if below == len(positions) {
		return nil
	}
	if len(last.Cuts) == len(now.Cuts) && last.Players > last.Top && now.Stamp-last.CutAt < cutLife.Milliseconds() {
		copy(now.Cuts[below:], last.Cuts[below:])
		return nil
	}
	at, err := r.Boards.EntriesAt(ctx, b, positions[below:])
	if err != nil {
		return err
	}
	worst := now.Cuts[max(below-1, 0)]
	for i, place := range at {
		if place.Found { // else the board has become shorter meanwhile
			worst = place.Stored
		}
		now.Cuts[below+i] = worst
	}
	now.CutAt = now.Stamp
	return nil
}

// swap runs a script and reports whether it did anything.
func (r *run) swap(ctx context.Context, c upstash.Command) (bool, error) {
	reply, err := r.db.Redis.Do(ctx, c)
	if err != nil {
		return false, err
	}
	n, err := redis.Count(reply, "what a swap did")
	return n == 1, err
}

func byPlayer(top []redis.Member) map[string]float64 {
	all := make(map[string]float64, len(top))
	for _, m := range top {
		all[m.Player] = m.Stored
	}
	return all
}

// digest identifies a top, in whatever order it was read, and the number of players.
func digest(players int64, top []redis.Member) string {
	sum := sha256.New()
	var all [sha256.Size]byte // a sum over the entries, so that their order does not matter
	for _, m := range top {
		one := sha256.Sum256([]byte(game.FormatStored(m.Stored) + " " + m.Player))
		carry := 0
		for i := range all {
			carry += int(all[i]) + int(one[i])
			all[i], carry = byte(carry), carry>>8
		}
	}
	_, _ = io.WriteString(sum, redis.Itoa(players)+" ")
	_, _ = sum.Write(all[:])
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
