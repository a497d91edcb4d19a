package rdb

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Pipeline gathers commands, each with what to do with its answer. So an operation is one
// round trip, and its code reads in the order in which things happen.
type Pipeline struct {
	Atomic   bool // as one transaction
	Commands []upstash.Command
	Takes    []func(upstash.Reply) error
	aside    *aside
}

// Add queues a command; take gets its answer. A nil take only checks for an error.
func (p *Pipeline) Add(c upstash.Command, take func(upstash.Reply) error) {
	p.Commands = append(p.Commands, c)
	p.Takes = append(p.Takes, take)
}

// aside is a command that is sent after all others, and may fail.
type aside struct {
	command upstash.Command
	take    func(upstash.Reply)
}

// Aside sends a command after all others. Its failure fails nothing else: take gets its
// answer, even an error. A transaction does not send it, since the transaction would fail with
// it.
func (p *Pipeline) Aside(c upstash.Command, take func(upstash.Reply)) { p.aside = &aside{c, take} }

// Run sends everything in one round trip. It returns how often the request was sent: if more
// than once, an earlier sending may have taken effect.
func (p *Pipeline) Run(ctx context.Context, c *upstash.Client) (attempts int, err error) {
	if len(p.Commands) == 0 {
		return 0, nil
	}
	send, commands := c.Pipeline, p.Commands
	switch {
	case p.Atomic:
		send = c.MultiExec
	case p.aside != nil:
		commands = append(slices.Clip(commands), p.aside.command)
	}
	result, err := send(ctx, commands...)
	if err != nil {
		return result.Attempts, err
	}
	if len(commands) > len(p.Commands) {
		p.aside.take(result.Replies[len(p.Commands)])
	}
	for i := range p.Commands {
		if err := result.ErrOf(i); err != nil {
			return result.Attempts, err
		}
	}
	for i, take := range p.Takes {
		if take == nil {
			continue
		}
		if err := take(result.Replies[i]); err != nil {
			return result.Attempts, err
		}
	}
	return result.Attempts, nil
}

// Ask is a pipeline of one command.
func (db *DB) Ask(ctx context.Context, c upstash.Command, take func(upstash.Reply) error) error {
	var p Pipeline
	p.Add(c, take)
	_, err := p.Run(ctx, db.Redis)
	return err
}

// IntInto keeps an integer answer.
func IntInto(n *int64) func(upstash.Reply) error {
	return func(r upstash.Reply) (err error) {
		*n, err = r.Int64()
		return err
	}
}

// Place is where a player stands: position is zero-based, best first.
type Place struct {
	Position int64
	Stored   float64
	Found    bool
}

// PlaceInto keeps the answer of ZRANK or ZREVRANK … WITHSCORE.
func PlaceInto(p *Place) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		if r.IsNil() {
			*p = Place{}
			return nil
		}
		pair, err := Values(r, 2, "a rank with its score")
		if err != nil {
			return err
		}
		if p.Position, err = pair[0].Int64(); err != nil {
			return err
		}
		p.Stored, err = pair[1].Float64()
		p.Found = err == nil
		return err
	}
}

// ScoreInto keeps the answer of ZSCORE.
func ScoreInto(p *Place) func(upstash.Reply) error {
	return func(r upstash.Reply) (err error) {
		if r.IsNil() {
			p.Found = false
			return nil
		}
		p.Stored, err = r.Float64()
		p.Found = err == nil
		return err
	}
}

func Itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Millis returns a moment in Unix milliseconds.
func Millis(t time.Time) string { return Itoa(t.UnixMilli()) }

// Seconds returns a duration in whole seconds.
func Seconds(d time.Duration) string { return Itoa(int64(d / time.Second)) }

func ScoresOf(key string, members []Member) upstash.Command {
	args := make([]string, 0, len(members)+2)
	args = append(args, "ZMSCORE", key)
	for _, m := range members {
		args = append(args, m.Player)
	}
	return upstash.Cmd(args...)
}

// PlacesInto keeps the answer of ZMSCORE.
func PlacesInto(places []Place) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		scores, err := Values(r, len(places), "one score per player")
		if err != nil {
			return err
		}
		for i, score := range scores {
			if err := ScoreInto(&places[i])(score); err != nil {
				return err
			}
		}
		return nil
	}
}

// FieldsInto reads the answer of HGETALL.
func FieldsInto(take func(map[string]string) error) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		flat, err := r.Strings()
		if err != nil {
			return err
		}
		if len(flat)%2 != 0 {
			return WrongShape("fields with values", len(flat))
		}
		fields := make(map[string]string, len(flat)/2)
		for i := 0; i < len(flat); i += 2 {
			fields[flat[i]] = flat[i+1]
		}
		return take(fields)
	}
}

// Text is the stored score, "" for none.
func (p Place) Text() string {
	if !p.Found {
		return ""
	}
	return game.FormatStored(p.Stored)
}
