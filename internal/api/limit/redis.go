package limit

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Ask is one question about one caller under one rule.
type Ask struct {
	Rule   Rule
	Caller string
	Now    int64 // Unix nanoseconds
	Slot   int64 // not for a pause
	Add    int   // requests to add to the slot
	Create bool  // the slot's key may not exist yet
}

// Answer is what Redis knows.
type Answer struct {
	Count   int                 // of the slot, over all processes
	Created bool                // with Create: the slot has what was sent
	Before  [slotsPerWindow]int // the slots before, newest first; only with Create
	Until   int64               // end of a pause that another request began; 0: none
}

// Store answers several asks in one round trip.
type Store interface {
	Exchange(ctx context.Context, asks []Ask) ([]Answer, error)
}

// redisTimeout bounds a round trip, so that no caller waits long for a limit.
const redisTimeout = time.Second

type redisStore struct{ client *upstash.Client }

// NewRedis keeps counts in Redis. An ask costs one command, and two if it may have to create
// its key. No key is ever without expiry.
func NewRedis(client *upstash.Client) Store { return redisStore{client} }

func (s redisStore) Exchange(ctx context.Context, asks []Ask) ([]Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	var commands []upstash.Command
	var pauses []string
	for _, a := range asks {
		switch {
		case a.Rule.Pause:
			// If the answer is lost and the command sent again, the random part shows that
			// the pause is this request's own.
			own := strconv.FormatInt(a.Now+int64(a.Rule.Window), 10) + " " + rand.Text()
			pauses = append(pauses, own)
			commands = append(commands, upstash.Cmd("SET", game.PauseKey(a.Rule.Name, a.Caller), own,
				"NX", "GET", "PX", strconv.FormatInt(a.Rule.Window.Milliseconds(), 10)).Idempotent())
		case a.Create:
			commands = append(commands, create(a), before(a))
		default:
			commands = append(commands, a.add())
		}
	}
	result, err := s.client.Pipeline(ctx, commands...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("ask for the requests of a caller: %w", err)
	}
	answers, err := read(asks, pauses, result.Replies)
	if err != nil {
		return nil, err
	}
	return answers, s.expireMade(ctx, asks, answers)
}

// expireMade sets the expiry of keys that the process took to exist but that counting has just
// created, since Redis was lost meanwhile.
func (s redisStore) expireMade(ctx context.Context, asks []Ask, answers []Answer) error {
	var commands []upstash.Command
	for i, a := range asks {
		if !a.Rule.Pause && !a.Create && answers[i].Count == a.Add {
			commands = append(commands, upstash.Cmd("EXPIRE", a.key(a.Slot), a.life()).Idempotent())
		}
	}
	if len(commands) == 0 {
		return nil
	}
	result, err := s.client.Pipeline(ctx, commands...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("end the count of a caller: %w", err)
	}
	return nil
}

func (a Ask) key(slot int64) string { return game.LimitKey(a.Rule.Name, a.Caller, slot) }

func (a Ask) add() upstash.Command {
	return upstash.Cmd("INCRBY", a.key(a.Slot), strconv.Itoa(a.Add))
}

// create makes the slot's key with its expiry, unless the key exists.
func create(a Ask) upstash.Command {
	return upstash.Cmd("SET", a.key(a.Slot), strconv.Itoa(a.Add), "NX", "GET", "EX", a.life())
}

// life is how long the slot's key lives, in seconds.
func (a Ask) life() string {
	life := time.Duration(a.Rule.slot()) * (slotsPerWindow + 1)
	return strconv.FormatInt(int64(life/time.Second)+2, 10)
}

func before(a Ask) upstash.Command {
	words := []string{"MGET"}
	for i := range int64(slotsPerWindow) {
		words = append(words, a.key(a.Slot-1-i))
	}
	return upstash.Cmd(words...)
}

func read(asks []Ask, pauses []string, replies []upstash.Reply) ([]Answer, error) {
	answers := make([]Answer, len(asks))
	var err error
	for i, a := range asks {
		switch {
		case a.Rule.Pause:
			answers[i].Until, err = readPause(replies[0], pauses[0])
			pauses, replies = pauses[1:], replies[1:]
		case a.Create:
			err = answers[i].readCreated(a, replies[0], replies[1])
			replies = replies[2:]
		default:
			err = answers[i].readCount(replies[0])
			replies = replies[1:]
		}
		if err != nil {
			return nil, fmt.Errorf("read the requests of a caller: %w", err)
		}
	}
	return answers, nil
}

func readPause(r upstash.Reply, own string) (int64, error) {
	if r.IsNil() {
		return 0, nil
	}
	text, err := r.Text()
	if err != nil || text == own {
		return 0, err
	}
	end, _, _ := strings.Cut(text, " ")
	return strconv.ParseInt(end, 10, 64)
}

func (got *Answer) readCreated(a Ask, set, slots upstash.Reply) error {
	if got.Created = set.IsNil(); got.Created {
		got.Count = a.Add
	} else {
		if err := got.readCount(set); err != nil {
			return err
		}
	}
	return got.readBefore(slots)
}

func (got *Answer) readCount(r upstash.Reply) error {
	n, err := r.Int64()
	got.Count = int(n)
	return err
}

func (got *Answer) readBefore(slots upstash.Reply) error {
	counts, err := slots.Array()
	if err != nil {
		return err
	}
	for i := range min(len(counts), slotsPerWindow) {
		if counts[i].IsNil() {
			continue
		}
		n, err := counts[i].Int64()
		if err != nil {
			return err
		}
		got.Before[i] = int(n)
	}
	return nil
}
