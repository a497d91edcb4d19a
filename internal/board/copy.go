package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// How many members one command carries where whole boards are read or written:
// about a megabyte, and some ten milliseconds of Redis.
const (
	readPage  = 20_000
	writePage = 10_000
)

// scratchSeconds is how long a scratch key outlives its last step.
const scratchSeconds = 600

// member is an entry as Redis holds it.
type member struct {
	player string
	stored float64
}

// scratch names a key that nobody else uses, so that two runs at once do not
// work on each other's copies.
func (s *Store) scratch(board string) string {
	return game.ScratchKey(board, s.id+"-"+itoa(s.scratches.Add(1)))
}

func membersInto(members *[]member) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		flat, err := r.Array()
		if err != nil {
			return err
		}
		if len(flat)%2 != 0 {
			return errShape("members with scores", len(flat))
		}
		read := make([]member, len(flat)/2)
		for i := range read {
			if read[i].player, err = flat[2*i].Text(); err != nil {
				return err
			}
			if read[i].stored, err = flat[2*i+1].Float64(); err != nil {
				return err
			}
		}
		*members = read
		return nil
	}
}

// readMembers reads up to size members from a zero-based position, ascending by
// stored score.
func (s *Store) readMembers(ctx context.Context, key string, first, size int64) ([]member, error) {
	var members []member
	var p pipeline
	p.add(upstash.Cmd("ZRANGE", key, itoa(first), itoa(first+size-1), "WITHSCORES"), membersInto(&members))
	_, err := p.run(ctx, s.redis)
	return members, err
}

// eachMember reads a whole board in pages. A board that changes meanwhile may
// show a member twice, or not the one that moved.
//
// Cost: 1 billed command for every 20,000 members, at least 1.
func (s *Store) eachMember(ctx context.Context, key string, page func([]member) error) error {
	for first := int64(0); ; first += readPage {
		members, err := s.readMembers(ctx, key, first, readPage)
		if err != nil {
			return err
		}
		if len(members) > 0 {
			if err := page(members); err != nil {
				return err
			}
		}
		if len(members) < readPage {
			return nil
		}
	}
}

// scanMembers reads a whole board that may change meanwhile: members that were
// there all the time are shown at least once, perhaps twice.
func (s *Store) scanMembers(ctx context.Context, key string, page func([]member) error) error {
	cursor := "0"
	for {
		reply, err := s.redis.Do(ctx, upstash.Cmd("ZSCAN", key, cursor, "COUNT", itoa(readPage)))
		if err != nil {
			return err
		}
		parts, err := reply.Array()
		if err != nil {
			return err
		}
		if len(parts) != 2 {
			return errShape("a cursor with members", len(parts))
		}
		var members []member
		if err := membersInto(&members)(parts[1]); err != nil {
			return err
		}
		if err := page(members); err != nil {
			return err
		}
		if cursor, err = parts[0].Text(); err != nil || cursor == "0" {
			return err
		}
	}
}

// writeMembers puts members into a scratch key of one's own, which goes by
// itself if nobody takes it.
//
// Cost: 1 billed command for every 10,000 members, and 1.
func (s *Store) writeMembers(ctx context.Context, scratch string, all map[string]float64) error {
	var p pipeline
	flush := func(args []string) error {
		p.add(upstash.Cmd(args...).Idempotent(), nil)
		p.add(upstash.Cmd("EXPIRE", scratch, itoa(scratchSeconds), "NX").Idempotent(), nil)
		_, err := p.run(ctx, s.redis)
		return err
	}
	args := []string{"ZADD", scratch}
	first := true
	for player, score := range all {
		args = append(args, game.FormatStored(score), player)
		if len(args) < 2+2*writePage {
			continue
		}
		if err := flush(args); err != nil {
			return err
		}
		if first {
			flush = func(args []string) error {
				_, err := s.redis.Do(ctx, upstash.Cmd(args...).Idempotent())
				return err
			}
			first = false
		}
		args = []string{"ZADD", scratch}
	}
	if len(args) == 2 {
		return nil
	}
	return flush(args)
}

// scan reads a whole board that may change meanwhile.
func (s *Store) scan(ctx context.Context, key string) (map[string]float64, error) {
	all := map[string]float64{}
	return all, s.scanMembers(ctx, key, func(page []member) error {
		for _, m := range page {
			all[m.player] = m.stored
		}
		return nil
	})
}

// replace puts a board in place of the one that is there, in one step.
func (s *Store) replace(ctx context.Context, key string, all map[string]float64) error {
	if len(all) == 0 {
		_, err := s.redis.Do(ctx, upstash.Cmd("UNLINK", key).Idempotent())
		return err
	}
	scratch := s.scratch(key)
	if err := s.writeMembers(ctx, scratch, all); err != nil {
		return err
	}
	_, err := s.redis.Do(ctx, replaceScript.Command([]string{key, scratch}).Idempotent())
	return err
}

// replaceScript takes a scratch key for a board's own. The old board is let go
// in the background, since a large one takes long to free. Sent twice, it
// changes nothing.
//
// KEYS: board, scratch. Answer: {calls}
var replaceScript = upstash.NewScript(`
if redis.call('EXISTS', KEYS[2]) == 0 then return {1} end
redis.call('UNLINK', KEYS[1])
redis.call('RENAME', KEYS[2], KEYS[1])
redis.call('PERSIST', KEYS[1])
return {4}
`, firstInt)
