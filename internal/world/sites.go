package world

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// publishScript puts a new top in place of the last, unless somebody else has meanwhile.
// KEYS: state, scratch with the entries, the new top, the last top. ARGV: the state that
// was read, the new one, seconds that the last top has left.
var publishScript = rdb.NewScript(`
if (call('GET', KEYS[1]) or '') ~= ARGV[1] then
  call('DEL', KEYS[2])
  return answer(0)
end
if call('EXISTS', KEYS[2]) == 1 then
  call('RENAME', KEYS[2], KEYS[3])
  call('PERSIST', KEYS[3])
end
call('EXPIRE', KEYS[4], ARGV[3])
call('SET', KEYS[1], ARGV[2])
return answer(1)
`)

// takeScript puts what was read of a site in place of its copy, unless somebody else has
// meanwhile. KEYS: copies, scratch with the entries, the copy. ARGV: the site, the state
// of the copy that was there, the new one.
var takeScript = rdb.NewScript(`
if (call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  call('DEL', KEYS[2])
  return answer(0)
end
if call('EXISTS', KEYS[2]) == 1 then
  call('RENAME', KEYS[2], KEYS[3])
  call('PERSIST', KEYS[3])
else
  call('DEL', KEYS[3])
end
call('HSET', KEYS[1], ARGV[1], ARGV[3])
return answer(1)
`)

// Publish shows the others the top of the own board, if it is not what they see already.
// It reports whether it was to do. Of two runs at once one publishes.
//
// Cost: 3 billed commands where nothing has changed; 12 otherwise, for up to 10,000
// entries.
func (s *Site) Publish(ctx context.Context, b Board) (bool, error) {
	var text string
	var players int64
	var top []rdb.Member
	var p rdb.Pipeline // a score between the reads has the next run publish
	p.Add(upstash.Cmd("GET", stateKey(b.Key)), textInto(&text))
	p.Add(upstash.Cmd("ZCARD", b.Key), rdb.IntInto(&players))
	p.Add(rdb.RangeCommand(game.Board{Key: b.Key, Mode: &game.Mode{Order: b.Order}}, 0, b.Top-1), rdb.MembersInto(&top))
	if _, err := p.Run(ctx, s.db.Redis); err != nil {
		return false, rdb.Wrap("read the top of "+b.Key, err)
	}
	last, err := parse(text)
	if err != nil {
		return false, err
	}
	now := State{
		Stamp: max(s.db.Now().UnixMilli(), last.Stamp+1), Rules: b.Rules,
		Players: players, Top: int64(len(top)), Digest: digest(players, top),
	}
	if text != "" && now.Digest == last.Digest && now.Rules == last.Rules {
		return false, nil
	}
	scratch := s.db.Scratch("world:" + b.Key)
	if err := s.db.WriteMembers(ctx, scratch, byPlayer(top)); err != nil {
		return false, rdb.Wrap("write the top of "+b.Key, err)
	}
	done, err := s.swap(ctx, publishScript.Command(
		[]string{stateKey(b.Key), scratch, topKey(b.Key, now.Stamp), topKey(b.Key, last.Stamp)},
		text, now.text(), rdb.Itoa(int64(oldTop.Seconds()))))
	return done, rdb.Wrap("publish "+b.Key, err)
}

// Take reads another site's board and keeps it as a copy, if it is newer than the copy
// that is there. It reports whether it was to do; after any error the copy is what it
// was. Of two runs at once the newer copy stays, or the next run takes it.
//
// Cost: 1 billed command there and 1 here where nothing has changed; 2 there and 9
// here otherwise, for up to 10,000 entries.
//
// Errors: ErrUnpublished, ErrOlder, ErrRules, and what the client of the site says.
func (s *Site) Take(ctx context.Context, b Board, name string, site *upstash.Client) (bool, error) {
	there, err := readState(ctx, site, b)
	if err != nil {
		return false, fmt.Errorf("site %s: %w", name, err)
	}
	var text string
	var p rdb.Pipeline
	p.Add(upstash.Cmd("HGET", copiesKey(b.Key), name), textInto(&text))
	if _, err := p.Run(ctx, s.db.Redis); err != nil {
		return false, rdb.Wrap("read the copy of "+name, err)
	}
	here, err := parse(text)
	switch {
	case err != nil:
		return false, err
	case there.Stamp == 0:
		return false, fmt.Errorf("site %s: %w", name, ErrUnpublished)
	case there.Rules != b.Rules, there.Top > b.Top:
		return false, fmt.Errorf("site %s: %w", name, ErrRules)
	case there.Stamp < here.Stamp:
		return false, fmt.Errorf("site %s: %w, by %s", name, ErrOlder, here.At().Sub(there.At()))
	case there.Stamp == here.Stamp:
		return false, nil
	}
	var top []rdb.Member
	var read rdb.Pipeline
	read.Add(upstash.Cmd("ZRANGE", topKey(b.Key, there.Stamp), "0", rdb.Itoa(b.Top-1), "WITHSCORES"), rdb.MembersInto(&top))
	if _, err := read.Run(ctx, site); err != nil {
		return false, fmt.Errorf("site %s: read the top: %w", name, err)
	}
	if digest(there.Players, top) != there.Digest {
		return false, fmt.Errorf("site %s: %w: it has %d of the %d entries", name, ErrOlder, len(top), there.Top)
	}
	scratch := s.db.Scratch("world:" + name + ":" + b.Key)
	if err := s.db.WriteMembers(ctx, scratch, byPlayer(top)); err != nil {
		return false, rdb.Wrap("write the copy of "+name, err)
	}
	done, err := s.swap(ctx, takeScript.Command([]string{copiesKey(b.Key), scratch, copyKey(b.Key, name)}, name, text, there.text()))
	return done, rdb.Wrap("keep the copy of "+name, err)
}

// swap runs a script that answers whether it did anything.
func (s *Site) swap(ctx context.Context, c upstash.Command) (bool, error) {
	reply, err := s.db.Redis.Do(ctx, c)
	if err != nil {
		return false, err
	}
	values, err := reply.Array()
	if err != nil {
		return false, err
	}
	if len(values) != 2 {
		return false, rdb.WrongShape("what a swap did", len(values))
	}
	n, err := values[1].Int64()
	return n == 1, err
}

func readState(ctx context.Context, redis *upstash.Client, b Board) (State, error) {
	var text string
	var p rdb.Pipeline
	p.Add(upstash.Cmd("GET", stateKey(b.Key)), textInto(&text))
	if _, err := p.Run(ctx, redis); err != nil {
		return State{}, rdb.Wrap("read the state of "+b.Key, err)
	}
	return parse(text)
}

func textInto(text *string) func(upstash.Reply) error {
	return func(r upstash.Reply) (err error) {
		if r.IsNil() {
			return nil
		}
		*text, err = r.Text()
		return err
	}
}

func byPlayer(top []rdb.Member) map[string]float64 {
	all := make(map[string]float64, len(top))
	for _, m := range top {
		all[m.Player] = m.Stored
	}
	return all
}

// digest names a top, in whichever direction it was read, and how many play.
func digest(players int64, top []rdb.Member) string {
	sum := sha256.New()
	var all [sha256.Size]byte // entries are added up, so that their order is nothing
	for _, m := range top {
		one := sha256.Sum256([]byte(game.FormatStored(m.Stored) + " " + m.Player))
		carry := 0
		for i := range all {
			carry += int(all[i]) + int(one[i])
			all[i], carry = byte(carry), carry>>8
		}
	}
	_, _ = io.WriteString(sum, rdb.Itoa(players)+" ")
	_, _ = sum.Write(all[:])
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
