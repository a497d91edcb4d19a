package duel

import (
	"context"
	"fmt"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// drainPage is how many duels are read in one round trip.
const drainPage = 200

// Drained counts what a run of Drain or Keep did.
type Drained struct {
	Ended   int `json:"ended"`   // duels whose time was over
	Kept    int `json:"kept"`    // handed to the history
	Dropped int `json:"dropped"` // expired, or no longer in Redis
	Waiting int `json:"waiting"` // still under way
	Queue   int `json:"queue"`   // players who had stopped asking for an opponent
}

// Drain does what Keep does, and also removes players from the queues who have stopped
// asking.
//
// Cost: that of Keep, and 1 billed command for each mode and 1 more; 4 for every 1,000
// players who are removed from a queue.
func (k *Keeper) Drain(ctx context.Context) (Drained, error) {
	did, err := k.Keep(ctx)
	if err != nil {
		return did, err
	}
	did.Queue, err = k.duels.queue.drain(ctx)
	return did, err
}

// Keep ends duels whose time is over, hands decided duels to the history for good and those
// under way as they are, and adds the XP up. It may run at any time, concurrently, and be
// interrupted: a duel leaves the list only after the history has it, and in one step with its
// XP.
//
// Cost: 1 billed command for each duel, 7 more for one that has to be ended, and up to 6 for
// each page of 200; and that of Races.Keep.
func (k *Keeper) Keep(ctx context.Context) (Drained, error) {
	var did Drained
	if err := k.races.Keep(ctx); err != nil {
		return did, err
	}
	for {
		reply, err := k.redis.Do(ctx, upstash.Cmd("ZRANGE", game.DuelsDueKey,
			strconv.Itoa(did.Waiting), strconv.Itoa(did.Waiting+drainPage-1), "WITHSCORES"))
		if err != nil {
			return did, fmt.Errorf("list duels: %w", err)
		}
		due, err := reply.Strings()
		if err != nil || len(due) < 2 {
			return did, err
		}
		if err := k.keep(ctx, due, &did); err != nil {
			return did, err
		}
	}
}

// takeOffScript takes duels off the due list and adds the XP that they gave. It skips duels
// whose score in the list has changed since they were read: they were accepted or decided
// meanwhile, or a player of theirs was erased. Sent twice, it changes nothing.
//
// KEYS: due, XP of duels
// ARGV: id, score in the list, a, XP of a, b, XP of b of each duel
// Answer: {calls}
var takeOffScript = redis.NewScript(`
local ask = {'ZMSCORE', KEYS[1]}
for i = 1, #ARGV, 6 do ask[#ask + 1] = ARGV[i] end
local places = call(unpack(ask))
local done, gained, players = {'ZREM', KEYS[1]}, {}, {}
for i = 1, #places do
  local at = 6 * i - 5
  if places[i] and tonumber(places[i]) == tonumber(ARGV[at + 1]) then
    done[#done + 1] = ARGV[at]
    for j = at + 2, at + 4, 2 do
      local player, xp = ARGV[j], tonumber(ARGV[j + 1])
      if xp > 0 then
        if not gained[player] then players[#players + 1] = player end
        gained[player] = (gained[player] or 0) + xp
      end
    end
  end
end
if #players > 0 then
  local had = call('ZMSCORE', KEYS[2], unpack(players))
  local put = {'ZADD', KEYS[2]}
  for i = 1, #players do
    put[#put + 1] = string.format('%.0f', tonumber(had[i] or 0) + gained[players[i]])
    put[#put + 1] = players[i]
  end
  call(unpack(put))
end
if #done > 2 then call(unpack(done)) end
return answer()
`)

// lasts reports whether a duel is for the history: it is decided, or disputed for good. A
// duel that expired with two players also is, if K is provisional, because it counts for K.
func (k *Keeper) lasts(d Duel) bool {
	switch d.State {
	case Decided:
		return true
	case Disputed:
		return k.now().After(d.Until)
	case Expired:
		return d.K > 0 && k.rules.Provisional.Duels > 0
	}
	return false
}

// keep handles one page of the due list: ids with their scores.
func (k *Keeper) keep(ctx context.Context, due []string, did *Drained) error {
	ids := make([]string, len(due)/2)
	for i := range ids {
		ids[i] = due[2*i]
	}
	duels, err := k.duels.read(ctx, ids)
	if err != nil {
		return err
	}
	var done, ended []string
	var kept, open []Duel
	for i, d := range duels {
		if overdue(d, k.now()) {
			if d, err = k.duels.settle(ctx, d.ID); err != nil {
				return err
			}
			did.Ended++
		}
		switch {
		case k.lasts(d):
			kept = append(kept, d)
			if d.State == Expired {
				did.Dropped++
			} else {
				did.Kept++
			}
		case d.State == Expired || d.ID == "":
			did.Dropped++
		default:
			open = append(open, d)
			did.Waiting++
			continue
		}
		ended = append(ended, due[2*i])
		done = append(done, due[2*i], due[2*i+1])
		for j, player := range d.Players {
			xp := d.XP[j]
			if player == Erased {
				xp = 0
			}
			done = append(done, player, redis.Itoa(xp))
		}
	}
	if len(kept) > 0 && k.history != nil {
		if err := k.history.Put(ctx, kept); err != nil {
			return fmt.Errorf("keep duels: %w", err)
		}
	}
	if k.history != nil {
		if err := k.history.PutOpen(ctx, open, ended); err != nil {
			return fmt.Errorf("keep duels under way: %w", err)
		}
	}
	if len(done) == 0 {
		return nil
	}
	if _, err := k.redis.Do(ctx, takeOffScript.Command([]string{game.DuelsDueKey, game.DuelXPKey}, done...).Idempotent()); err != nil {
		return fmt.Errorf("take duels off the list: %w", err)
	}
	return nil
}
