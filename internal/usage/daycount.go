package usage

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/usage/heavy"
	"github.com/framedle/leaderboards/upstash"
)

// mostParts bounds the parts of a process and day. What comes beyond them is
// counted under the route other, of which there is one part for each caller.
const mostParts = 128

// dayCount is what a process has counted of one day.
type dayCount struct {
	parts     map[purpose]*partCount
	callers   heavy.Sketch
	lambda    Lambda
	commands  int64 // of all parts
	unwritten int64 // commands
	added     int64 // commands that are in the month's totals
	doubtful  int64 // commands that may be in the totals or not, since the answer to their addition was lost; 0: none
}

// partCount is one part of it.
type partCount struct {
	count, written Count
}

// add counts a call of a caller.
func (d *dayCount) add(route string, who Caller, n Count) {
	of := purpose{route, who.label()}
	if d.parts[of] == nil && len(d.parts) >= mostParts {
		of.route = Stray
	}
	p := d.parts[of]
	if p == nil {
		p = &partCount{}
		d.parts[of] = p
	}
	p.count.Add(n)
	d.commands += n.Commands
	d.unwritten += n.Commands
	if n.Commands > 0 {
		if name := who.name(); name != "" {
			d.callers.Add(name, n.Commands)
		}
	}
}

// told is what is written of one day.
type told struct {
	day                 game.Date
	fields              []string // and their values, in turn
	parts               map[purpose]Count
	known               []string // fields that may have been written before
	commands, unwritten int64
	added, doubtful     int64 // see dayCount
	delta, sum          int64 // what is added to the day's total, and what it comes to; 0: not added
	written, isAddition bool
}

// tell packs what has changed since the last write, and today's callers. It does not name
// callers of a day that is over, since their names stay no longer than that.
func (d *dayCount) tell(process string, day, today game.Date) *told {
	t := &told{day: day, parts: map[purpose]Count{}, commands: d.commands, unwritten: d.unwritten, added: d.added, doubtful: d.doubtful}
	if day == today {
		t.fields = append(t.fields, process+":"+callersField, d.callers.Record().String())
	}
	if d.lambda.Calls > 0 {
		t.fields = append(t.fields, process+":"+lambdaField, d.lambda.String())
	}
	for of, p := range d.parts {
		field := fieldOf(process, of)
		if p.count != p.written {
			t.fields = append(t.fields, field, p.count.String())
			t.parts[of] = p.count
		}
		t.known = append(t.known, field)
	}
	return t
}

// settle takes over what came of a write.
func (d *dayCount) settle(t *told) {
	if t.written {
		d.unwritten -= t.unwritten
		for of, c := range t.parts {
			if p := d.parts[of]; p != nil {
				p.written = c
			}
		}
	}
	d.added, d.doubtful = t.added, t.doubtful
}

// resolve learns from the process's own fields whether an addition in doubt has taken effect:
// the same request has set these fields.
func (t *told) resolve(reply upstash.Reply) error {
	texts, err := reply.Array()
	if err != nil {
		return fmt.Errorf("read what was told: %w", err)
	}
	var kept int64
	for _, one := range texts {
		if one.IsNil() {
			continue
		}
		text, err := one.Text()
		if err != nil {
			return fmt.Errorf("read what was told: %w", err)
		}
		c, err := ParseCount(text)
		if err != nil {
			return fmt.Errorf("read what was told: %w", err)
		}
		kept += c.Commands
	}
	if kept >= t.doubtful {
		t.added = t.doubtful
	}
	t.doubtful = 0
	return nil
}

// resolve finds out about additions that are in doubt: 1 billed command for each.
func resolve(ctx context.Context, redis *upstash.Client, all []*told) error {
	var commands []upstash.Command
	var of []*told
	for _, t := range all {
		if t.doubtful > 0 {
			commands = append(commands, upstash.Cmd(append([]string{"HMGET", Key(t.day)}, t.known...)...))
			of = append(of, t)
		}
	}
	result, err := redis.Pipeline(ctx, commands...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("read what was told: %w", err)
	}
	for i, t := range of {
		if err := t.resolve(result.Replies[i]); err != nil {
			return err
		}
	}
	return nil
}
