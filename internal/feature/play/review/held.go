// Package review keeps plays off the boards until an operator has looked at them.
//
// It knows how many may wait, for how long, and which player each belongs to. It must not
// know why a play is held, boards, or who may let it pass.
//
// All waiting plays are in one hash. It has at most OfPlayer plays of a player, the newest
// ones; once it has Most plays, or OfDevices of devices, further ones are refused.
package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/fault"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// OfPlayer is how many plays of one player may wait; a further one replaces the oldest.
	OfPlayer = 5
	// Most is how many plays may wait in all, some 600 KB.
	Most = 1000
	// OfDevices is how many of these may be plays of devices, of which anybody can have more.
	OfDevices = Most / 2
)

// A verdict is what an operator has decided about a play.
const (
	Passes  = "passes"
	Dropped = "dropped"
)

var (
	// ErrFull is returned if there is no room for another play.
	ErrFull = fault.Unavailable("the review queue is full",
		"the review queue is full; retry later", time.Minute)
	// ErrUnknown is returned for a play that is not held, or no longer.
	ErrUnknown = fault.New("not-found", "no such play is under review: it was approved or rejected, or is being so, was replaced by others of its player, or its day can no longer change")
)

// Play is a play that is held.
type Play struct {
	ID         string // the nonce of the play
	Why        string // for the operator
	Submission game.Submission
}

// record is a play as it is stored.
type record struct {
	Why        string          `json:"why"`
	Submission json.RawMessage `json:"s"` // in the form of queued messages
}

// Store stores held plays. It is safe for concurrent use.
type Store struct{ db *redis.DB }

// New makes a Store.
func New(db *redis.DB) *Store { return &Store{db} }

// putScript adds a play, and deletes plays of days whose boards take no writes any more. It
// may be sent any number of times.
//
// KEYS: held plays
// ARGV: field, record, player, the oldest time that a play may have in Unix milliseconds, how
// many plays of a player, how many in all, seconds that the key lives, how many of devices, how
// devices' ids begin
// Answer: {calls, "held"|"full"}
var putScript = redis.NewScript(`
local own, all, gone, there, devices = {}, 0, {}, false, 0
local function device(player) return string.sub(player, 1, #ARGV[9]) == ARGV[9] end
for _, field in ipairs(call('HKEYS', KEYS[1])) do
  local player, at = string.match(field, '^(%S+) (%d+) ')
  if field == ARGV[1] then
    there = true
  elseif tonumber(at or 0) < tonumber(ARGV[4]) then
    table.insert(gone, field)
  else
    all = all + 1
    if device(player) then devices = devices + 1 end
    if player == ARGV[3] then table.insert(own, field) end
  end
end
table.sort(own)
if not there then
  while #own >= tonumber(ARGV[5]) do
    table.insert(gone, table.remove(own, 1))
    all = all - 1
    if device(ARGV[3]) then devices = devices - 1 end
  end
end
if #gone > 0 then call('HDEL', KEYS[1], unpack(gone)) end
if not there and (all >= tonumber(ARGV[6]) or device(ARGV[3]) and devices >= tonumber(ARGV[8])) then
  return answer('full')
end
call('HSET', KEYS[1], ARGV[1], ARGV[2])
call('EXPIRE', KEYS[1], ARGV[7])
return answer('held')
`)

// field is the name of a play in the hash. In name order, a player's plays are together,
// oldest first.
func field(p Play) string {
	return p.Submission.Player + " " + fmt.Sprintf("%013d", p.Submission.At.UnixMilli()) + " " + p.ID
}

func owner(field string) string { player, _, _ := strings.Cut(field, " "); return player }
func idOf(field string) string  { return field[strings.LastIndexByte(field, ' ')+1:] }
func atOf(field string) int64 {
	words := strings.Fields(field)
	if len(words) != 3 {
		return 0
	}
	at, _ := strconv.ParseInt(words[1], 10, 64)
	return at
}

// outlives is how long after a play its day takes no scores any more, at the latest.
func (s *Store) outlives() time.Duration { return s.db.Game.Lives.Day + 72*time.Hour }

// Oldest is the oldest time that a waiting play may have.
func (s *Store) Oldest() time.Time { return s.db.Now().Add(-s.outlives()) }

// NewHeldPlay is a play in the form in which it is stored.
func NewHeldPlay(p Play) (game.HeldPlay, error) {
	sub := p.Submission
	text, err := game.EncodeSubmission(sub)
	if err != nil {
		return game.HeldPlay{}, err
	}
	value, err := json.Marshal(record{p.Why, json.RawMessage(text)})
	if err != nil {
		return game.HeldPlay{}, fmt.Errorf("encode a play that is held: %w", err)
	}
	return game.HeldPlay{ID: p.ID, Player: sub.Player, Mode: sub.Mode.Name, Date: sub.Date, At: sub.At, Record: string(value)}, nil
}

// Put adds a play. A play that is put twice waits once.
//
// Errors: ErrFull.
//
// Cost: 4 billed commands in 1 round trip, 5 if it replaces others.
func (s *Store) Put(ctx context.Context, p Play) error {
	kept, err := NewHeldPlay(p)
	if err != nil {
		return err
	}
	return s.Restore(ctx, kept)
}

// Restore adds a stored play, like [Store.Put].
func (s *Store) Restore(ctx context.Context, kept game.HeldPlay) error {
	p := Play{ID: kept.ID, Submission: game.Submission{Player: kept.Player, At: kept.At}}
	reply, err := s.db.Redis.Do(ctx, putScript.Command([]string{game.HeldKey}, field(p), kept.Record, kept.Player,
		redis.Itoa(s.Oldest().UnixMilli()), redis.Itoa(OfPlayer), redis.Itoa(Most), redis.Itoa(int64(s.outlives()/time.Second)), redis.Itoa(OfDevices), game.DevicePrefix).Idempotent())
	if err != nil {
		return redis.Wrap("hold a play", err)
	}
	said, err := redis.Word(reply, "what became of a play that is held")
	if err != nil {
		return err
	}
	if said == "full" {
		return ErrFull
	}
	return nil
}

// fields are the names of the held plays for which keep returns true, oldest first.
func (s *Store) fields(ctx context.Context, keep func(field string) bool) ([]string, error) {
	reply, err := s.db.Redis.Do(ctx, upstash.Cmd("HKEYS", game.HeldKey))
	if err != nil {
		return nil, redis.Wrap("list what is held", err)
	}
	all, err := reply.Strings()
	if err != nil {
		return nil, redis.Wrap("list what is held", err)
	}
	all = slices.DeleteFunc(all, func(f string) bool { return !keep(f) })
	slices.SortFunc(all, func(a, b string) int {
		if by := atOf(a) - atOf(b); by != 0 {
			return int(max(min(by, 1), -1))
		}
		return strings.Compare(a, b)
	})
	return all, nil
}

// read reads plays by the names of their fields. It leaves out plays that were dropped
// meanwhile, and plays whose mode the game no longer has.
func (s *Store) read(ctx context.Context, fields []string) ([]Play, error) {
	if len(fields) == 0 {
		return nil, nil
	}
	reply, err := s.db.Redis.Do(ctx, upstash.Cmd(append([]string{"HMGET", game.HeldKey}, fields...)...))
	if err != nil {
		return nil, redis.Wrap("read what is held", err)
	}
	texts, err := redis.Texts(reply, len(fields), "plays that are held")
	if err != nil {
		return nil, redis.Wrap("read what is held", err)
	}
	var plays []Play
	for i, text := range texts {
		if text == "" {
			continue
		}
		var r record
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return nil, fmt.Errorf("read a play that is held: %w", err)
		}
		sub, _, err := game.DecodeSubmission(s.db.Game, r.Submission)
		if errors.Is(err, game.ErrNoMode) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read a play that is held: %w", err)
		}
		plays = append(plays, Play{idOf(fields[i]), r.Why, sub})
	}
	return plays, nil
}

// List reads held plays after a mark, oldest first; after "" it begins with the first. Next
// is the mark to continue with; "" at the end.
//
// Cost: 2 billed commands in 2 round trips.
func (s *Store) List(ctx context.Context, after string, limit int) (plays []Play, next string, err error) {
	if !game.HoldsPlays(s.db.Game) {
		return nil, "", nil
	}
	all, err := s.fields(ctx, func(string) bool { return true })
	if err != nil {
		return nil, "", err
	}
	if after != "" {
		at, _, _ := strings.Cut(after, " ")
		from, _ := strconv.ParseInt(at, 10, 64)
		all = slices.DeleteFunc(all, func(f string) bool { return atOf(f) < from || atOf(f) == from && mark(f) <= after })
	}
	if len(all) > limit {
		all = all[:limit]
		next = mark(all[limit-1])
	}
	plays, err = s.read(ctx, all)
	return plays, next, err
}

// Count is how many plays wait; 0 in a game without proofs.
//
// Cost: 1 billed command; none in a game without proofs.
func (s *Store) Count(ctx context.Context) (int64, error) {
	if !game.HoldsPlays(s.db.Game) {
		return 0, nil
	}
	reply, err := s.db.Redis.Do(ctx, upstash.Cmd("HLEN", game.HeldKey))
	if err != nil {
		return 0, redis.Wrap("count what is held", err)
	}
	return reply.Int64()
}

// mark is where a list continues: the time and the id of its last play.
func mark(field string) string {
	player, rest, _ := strings.Cut(field, " ")
	at, id, _ := strings.Cut(rest, " ")
	return at + " " + player + " " + id
}

// Find reads one play. Errors: ErrUnknown.
//
// Cost: 2 billed commands in 2 round trips.
func (s *Store) Find(ctx context.Context, id string) (Play, error) {
	fields, err := s.fields(ctx, func(f string) bool { return idOf(f) == id })
	if err != nil {
		return Play{}, err
	}
	plays, err := s.read(ctx, fields)
	if err == nil && len(plays) == 0 {
		err = ErrUnknown
	}
	if err != nil {
		return Play{}, err
	}
	return plays[0], nil
}

// decision is the key of what was decided about a play. It lives longer than the play may wait.
func decision(p Play) string { return game.IdempotencyRecordKey("held-" + p.ID) }

// Decide notes what is about to be done with a play, before anything is done. The same may be
// decided again, if it was cut off. Errors: ErrUnknown if something else was decided before.
//
// Cost: 1 billed command.
func (s *Store) Decide(ctx context.Context, p Play, verdict string) error {
	reply, err := s.db.Redis.Do(ctx, upstash.Cmd("SET", decision(p), verdict, "NX", "GET",
		"EX", redis.Itoa(int64(s.outlives()/time.Second))).Idempotent())
	if err != nil {
		return redis.Wrap("decide about a play that is held", err)
	}
	if reply.IsNil() {
		return nil
	}
	before, err := reply.Text()
	if err == nil && before != verdict {
		err = ErrUnknown
	}
	return err
}

// Undecide takes a decision back that could not be carried out.
//
// Cost: 1 billed command.
func (s *Store) Undecide(ctx context.Context, p Play) error {
	_, err := s.db.Redis.Do(ctx, upstash.Cmd("DEL", decision(p)).Idempotent())
	return redis.Wrap("take back a decision about a play that is held", err)
}

// Drop removes a play.
//
// Cost: 1 billed command.
func (s *Store) Drop(ctx context.Context, p Play) error {
	_, err := s.db.Redis.Do(ctx, upstash.Cmd("HDEL", game.HeldKey, field(p)).Idempotent())
	return redis.Wrap("drop a play that is held", err)
}

// Of reads the held plays of a player, oldest first. In a game without proofs there are none.
//
// Cost: 1 billed command, 2 if there are any; none in a game without proofs.
func (s *Store) Of(ctx context.Context, player string) ([]Play, error) {
	if !game.HoldsPlays(s.db.Game) {
		return nil, nil
	}
	fields, err := s.fields(ctx, func(f string) bool { return owner(f) == player })
	if err != nil {
		return nil, err
	}
	return s.read(ctx, fields)
}

// Erase removes all held plays of a player.
//
// Cost: as Of.
func (s *Store) Erase(ctx context.Context, player string) error {
	if !game.HoldsPlays(s.db.Game) {
		return nil
	}
	fields, err := s.fields(ctx, func(f string) bool { return owner(f) == player })
	if err != nil || len(fields) == 0 {
		return err
	}
	_, err = s.db.Redis.Do(ctx, upstash.Cmd(append([]string{"HDEL", game.HeldKey}, fields...)...).Idempotent())
	return redis.Wrap("erase what is held of a player", err)
}
