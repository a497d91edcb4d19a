package redis

import (
	"context"
	"iter"
	"maps"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// How many members one command carries where whole boards are read or written:
// about a megabyte, and some ten milliseconds of Redis.
const (
	readPage  = 20_000
	WritePage = 10_000
)

// ScratchSeconds is how long a scratch key outlives its last step.
const ScratchSeconds = 600

// Member is an entry as Redis holds it.
type Member struct {
	Player string
	Stored float64
}

// UniqueName makes a name that no other process uses, and this one no second time.
func UniqueName(db *DB) string { return db.ID + "-" + Itoa(db.names.Add(1)) }

// Scratch names a key that nobody else uses, so that two runs at once do not
// work on each other's copies.
func (db *DB) Scratch(board string) string {
	return game.ScratchKey(board, UniqueName(db))
}

func MembersInto(members *[]Member) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		flat, err := r.Array()
		if err != nil {
			return err
		}
		if len(flat)%2 != 0 {
			return WrongShape("members with scores", len(flat))
		}
		read := make([]Member, len(flat)/2)
		for i := range read {
			if read[i].Player, err = flat[2*i].Text(); err != nil {
				return err
			}
			if read[i].Stored, err = flat[2*i+1].Float64(); err != nil {
				return err
			}
		}
		*members = read
		return nil
	}
}

// ReadMembers reads up to size members from a zero-based position, ascending by
// stored score.
func (db *DB) ReadMembers(ctx context.Context, key string, first, size int64) ([]Member, error) {
	var members []Member
	err := db.Ask(ctx, upstash.Cmd("ZRANGE", key, Itoa(first), Itoa(first+size-1), "WITHSCORES"), MembersInto(&members))
	return members, err
}

// EachMember reads a whole board in pages. If the board changes meanwhile, it may show a
// member twice, or miss a member that moved.
//
// Cost: 1 billed command for every 20,000 members, at least 1.
func (db *DB) EachMember(ctx context.Context, key string, page func([]Member) error) error {
	for first := int64(0); ; first += readPage {
		members, err := db.ReadMembers(ctx, key, first, readPage)
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

// ScanMembers reads a whole board that may change meanwhile: members that were
// there all the time are shown at least once, perhaps twice.
func (db *DB) ScanMembers(ctx context.Context, key string, page func([]Member) error) error {
	cursor := "0"
	for {
		reply, err := db.Redis.Do(ctx, upstash.Cmd("ZSCAN", key, cursor, "COUNT", Itoa(readPage)))
		if err != nil {
			return err
		}
		parts, err := Values(reply, 2, "a cursor with members")
		if err != nil {
			return err
		}
		var members []Member
		if err := MembersInto(&members)(parts[1]); err != nil {
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

// WriteMembers puts members into a scratch key of the caller's own, which expires if nobody
// takes it.
//
// Cost: 1 billed command for every 10,000 members, and 1.
func (db *DB) WriteMembers(ctx context.Context, scratch string, all map[string]float64) error {
	return db.writeEach(ctx, scratch, maps.All(all))
}

func (db *DB) writeEach(ctx context.Context, scratch string, all iter.Seq2[string, float64]) error {
	var p Pipeline
	flush := func(args []string) error {
		p.Add(upstash.Cmd(args...).Idempotent(), nil)
		p.Add(upstash.Cmd("EXPIRE", scratch, Itoa(ScratchSeconds), "NX").Idempotent(), nil)
		_, err := p.Run(ctx, db.Redis)
		return err
	}
	args := []string{"ZADD", scratch}
	first := true
	for player, score := range all {
		args = append(args, game.FormatStored(score), player)
		if len(args) < 2+2*WritePage {
			continue
		}
		if err := flush(args); err != nil {
			return err
		}
		if first {
			flush = func(args []string) error {
				_, err := db.Redis.Do(ctx, upstash.Cmd(args...).Idempotent())
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

// Replace replaces a board by that many members, in one step. No member may come twice.
//
// Cost: 1 billed command for every 10,000 members, and 5.
func (db *DB) Replace(ctx context.Context, key string, members int64, all iter.Seq2[string, float64]) error {
	scratch := db.Scratch(key)
	if err := db.writeEach(ctx, scratch, all); err != nil {
		return err
	}
	return db.Take(ctx, key, scratch, members)
}

// Take replaces a board by a scratch key with that many members, in one step.
func (db *DB) Take(ctx context.Context, key, scratch string, members int64) error {
	if members == 0 {
		_, err := db.Redis.Do(ctx, upstash.Cmd("UNLINK", key).Idempotent())
		return err
	}
	_, err := db.Redis.Do(ctx, replaceScript.Command([]string{key, scratch}).Idempotent())
	return err
}

// replaceScript replaces a board by a scratch key. The old board is freed in the background,
// since freeing a large one takes long. Sent twice, it changes nothing.
//
// KEYS: board, scratch
// Answer: {calls}
var replaceScript = NewScript(`
if call('EXISTS', KEYS[2]) == 0 then return answer() end
call('UNLINK', KEYS[1])
call('RENAME', KEYS[2], KEYS[1])
call('PERSIST', KEYS[1])
return answer()
`)
