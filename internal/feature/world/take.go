package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// takeScript replaces the copy of a site's board with what was read. If another run has done so
// meanwhile, or if Redis has lost the scratch key, it changes nothing.
//
// KEYS: copies, scratch with the entries, the copy, scratch with names, names
// ARGV: the board, the record of the present copy, the new record, seconds that the board has
// left ("" if it does not expire), non-empty if the present entries stay, number of entries
// read
// Answer: {calls, 1 if the copy was replaced, else 0}
var takeScript = redis.NewScript(`
if (call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] or ARGV[5] == '' and call('ZCARD', KEYS[2]) ~= tonumber(ARGV[6]) then
  call('DEL', KEYS[2], KEYS[4])
  return answer(0)
end
local function put(there, scratch, key)
  if not there then
    call('DEL', key)
    return
  end
  call('RENAME', scratch, key)
  if ARGV[4] == '' then call('PERSIST', key) else call('EXPIRE', key, ARGV[4]) end
end
if ARGV[5] == '' then put(ARGV[6] ~= '0', KEYS[2], KEYS[3]) end
put(call('EXISTS', KEYS[4]) == 1, KEYS[4], KEYS[5])
call('HSET', KEYS[1], ARGV[1], ARGV[3])
return answer(1)
`)

// named is how many entries at the top of a copy are shown with names.
const named = 1000

// The age that names may have, on boards that take scores and on others.
const (
	namesLife       = 6 * time.Hour
	closedNamesLife = 24 * time.Hour
)

// longestName bounds the profile of one player, in bytes.
const longestName = 4096

// taking reads one other site.
type taking struct {
	*run
	from   Other
	before int64             // when the site had last looked, as far as is known
	copies map[string]string // board -> record of the copy
	taken  []string          // boards whose entries were copied
}

// all copies every board that the site has published since its last copy. It returns when the
// site had looked at its boards; 0 if not all copies are of that time. If a board cannot be
// copied, its present copy stays.
//
// Cost: 1 billed command there; for each board that is copied 2 there and up to 13 here.
func (t *taking) all(ctx context.Context) (looked int64, err error) {
	fields, err := hash(ctx, t.from.Redis, StateKey)
	if err != nil {
		return 0, err
	}
	var f redis.Fields
	looked = f.Whole(fields[LookedField])
	switch now := t.db.Now().UnixMilli(); {
	case f.Err != nil:
		return 0, f.Err
	case looked == 0:
		return 0, ErrSilent
	case looked > now+mostAhead.Milliseconds():
		return 0, fmt.Errorf("%w, by %s", ErrAhead, time.Duration(looked-now)*time.Millisecond)
	case looked < t.before:
		return 0, fmt.Errorf("%w, by %s", ErrOlder, time.Duration(t.before-looked)*time.Millisecond)
	}
	var failed error
	whole := true // not counting boards with other rules
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		b, ok := t.boardOf(key)
		if !ok {
			continue
		}
		if err := t.board(ctx, b, fields[key]); err != nil {
			if ctx.Err() != nil {
				return 0, err
			}
			failed, whole = errors.Join(failed, err), whole && errors.Is(err, ErrRules)
		}
	}
	if !whole {
		return 0, failed
	}
	return looked, failed
}

func (t *taking) board(ctx context.Context, b game.Board, says string) error {
	there, err := parse[State]("the state of "+b.Key, says)
	if err != nil {
		return err
	}
	text := t.copies[b.Key]
	here, err := parse[copied]("a copy", text)
	now := t.db.Now().UnixMilli()
	life := namesLife
	if t.db.Game.Closed(b.Period, t.db.Now()) {
		life = closedNamesLife
	}
	switch {
	case err != nil:
		return err
	case there.Rules != t.rulesOf(b.Mode), there.Top > t.rules.Top, there.Players < there.Top, len(there.Cuts) > cutsOf+1:
		return fmt.Errorf("%s: %w", b.Key, ErrRules)
	case there.Stamp > now+mostAhead.Milliseconds():
		return fmt.Errorf("%s: %w", b.Key, ErrAhead)
	case there.Stamp < here.Stamp:
		return fmt.Errorf("%s: %w", b.Key, ErrOlder)
	case there.Stamp == here.Stamp && now-here.Named < life.Milliseconds():
		return nil
	}
	top, err := t.top(ctx, b, there)
	if err != nil {
		return err
	}
	names, err := t.names(ctx, b, top)
	if err != nil {
		return err
	}
	scratch, stays := t.db.Scratch("world:"+t.from.Name+":"+b.Key), ""
	if there.Stamp == here.Stamp {
		stays = "1"
	} else if err := t.db.WriteMembers(ctx, scratch, byPlayer(top)); err != nil {
		return redis.Wrap("write a copy of "+b.Key, err)
	}
	record := textOf(copied{there, now})
	done, err := t.swap(ctx, takeScript.Command(
		[]string{CopiesKey(t.from.Name), scratch, CopyKey(t.from.Name, b.Key), names, ShownKey(t.from.Name, b.Key)},
		b.Key, text, record, t.db.Seconds(b.Key, b.Period), stays, redis.Itoa(int64(len(top)))))
	if err != nil {
		return redis.Wrap("keep a copy of "+b.Key, err)
	}
	if done {
		t.copies[b.Key] = record
		if stays == "" {
			t.taken = append(t.taken, b.Key)
		}
	}
	return nil
}

// top reads a published top, best first.
func (t *taking) top(ctx context.Context, b game.Board, there State) (top []redis.Member, err error) {
	of := b
	of.Key = TopKey(b.Key, there.Stamp)
	var p redis.Pipeline
	p.Add(redis.RangeCommand(of, 0, t.rules.Top-1), redis.MembersInto(&top))
	if _, err := p.Run(ctx, t.from.Redis); err != nil {
		return nil, err
	}
	if digest(there.Players, top) != there.Digest {
		return nil, fmt.Errorf("%s: %w: of %d entries %d are there", b.Key, ErrOlder, there.Top, len(top))
	}
	return top, nil
}

// names reads the profiles of the players at the top of a site's board and puts them into a
// scratch key, which it returns.
func (t *taking) names(ctx context.Context, b game.Board, top []redis.Member) (scratch string, err error) {
	scratch = t.db.Scratch("shown:" + t.from.Name + ":" + b.Key)
	players := make([]string, 0, named)
	for _, m := range top[:min(len(top), named)] {
		players = append(players, m.Player)
	}
	if len(players) == 0 {
		return scratch, nil
	}
	reply, err := t.from.Redis.Do(ctx, player.AskProfiles(players...))
	if err != nil {
		return "", err
	}
	shown, err := player.ProfilesOf(reply, len(players))
	if err != nil {
		return "", err
	}
	set := []string{"HSET", scratch}
	for i, p := range shown {
		profile := p.Profile().Shown()
		if text, _ := json.Marshal(profile); profile != (game.Profile{}) && len(text) <= longestName {
			set = append(set, players[i], string(text))
		}
	}
	if len(set) == 2 {
		return scratch, nil
	}
	var p redis.Pipeline
	p.Add(upstash.Cmd(set...).Idempotent(), nil)
	p.Add(upstash.Cmd("EXPIRE", scratch, redis.Itoa(redis.ScratchSeconds)).Idempotent(), nil)
	_, err = p.Run(ctx, t.db.Redis)
	return scratch, redis.Wrap("write names for "+b.Key, err)
}
