package board

import (
	"context"
	"strconv"

	"github.com/framedle/leaderboards/upstash"
)

// pipeline gathers commands and what to do with each answer, so that one
// operation is one round trip and reads in the order it happens.
type pipeline struct {
	atomic   bool // as one transaction
	commands []upstash.Command
	takes    []func(upstash.Reply) error
}

// add queues a command; take gets its answer. A nil take only checks for an error.
func (p *pipeline) add(c upstash.Command, take func(upstash.Reply) error) {
	p.commands = append(p.commands, c)
	p.takes = append(p.takes, take)
}

// run sends everything in one round trip. It returns how often the request was
// sent: above one, an earlier sending may have taken effect.
func (p *pipeline) run(ctx context.Context, c *upstash.Client) (attempts int, err error) {
	if len(p.commands) == 0 {
		return 0, nil
	}
	send := c.Pipeline
	if p.atomic {
		send = c.MultiExec
	}
	result, err := send(ctx, p.commands...)
	if err != nil {
		return result.Attempts, err
	}
	if err := result.Err(); err != nil {
		return result.Attempts, err
	}
	for i, take := range p.takes {
		if take == nil {
			continue
		}
		if err := take(result.Replies[i]); err != nil {
			return result.Attempts, err
		}
	}
	return result.Attempts, nil
}

// intInto keeps an integer answer.
func intInto(n *int64) func(upstash.Reply) error {
	return func(r upstash.Reply) (err error) {
		*n, err = r.Int64()
		return err
	}
}

// place is where a player stands: position is zero-based, best first.
type place struct {
	position int64
	stored   float64
	found    bool
}

// placeInto keeps the answer of ZRANK or ZREVRANK … WITHSCORE.
func placeInto(p *place) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		if r.IsNil() {
			*p = place{}
			return nil
		}
		pair, err := r.Array()
		if err != nil {
			return err
		}
		if len(pair) != 2 {
			return errShape("a rank with its score", len(pair))
		}
		if p.position, err = pair[0].Int64(); err != nil {
			return err
		}
		p.stored, err = pair[1].Float64()
		p.found = err == nil
		return err
	}
}

// scoreInto keeps the answer of ZSCORE.
func scoreInto(p *place) func(upstash.Reply) error {
	return func(r upstash.Reply) (err error) {
		if r.IsNil() {
			p.found = false
			return nil
		}
		p.stored, err = r.Float64()
		p.found = err == nil
		return err
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func scoresOf(key string, members []member) upstash.Command {
	args := make([]string, 0, len(members)+2)
	args = append(args, "ZMSCORE", key)
	for _, m := range members {
		args = append(args, m.player)
	}
	return upstash.Cmd(args...)
}

// placesInto keeps the answer of ZMSCORE.
func placesInto(places []place) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		scores, err := r.Array()
		if err != nil {
			return err
		}
		if len(scores) != len(places) {
			return errShape("one score per player", len(scores))
		}
		for i, score := range scores {
			if err := scoreInto(&places[i])(score); err != nil {
				return err
			}
		}
		return nil
	}
}

// fieldsInto reads the answer of HGETALL.
func fieldsInto(take func(map[string]string) error) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		flat, err := r.Strings()
		if err != nil {
			return err
		}
		if len(flat)%2 != 0 {
			return errShape("fields with values", len(flat))
		}
		fields := make(map[string]string, len(flat)/2)
		for i := 0; i < len(flat); i += 2 {
			fields[flat[i]] = flat[i+1]
		}
		return take(fields)
	}
}
