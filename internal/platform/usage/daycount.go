package usage

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// mostParts bounds the parts of a process and day. Calls that would need a further part are
// counted under the route other, which has one part for each caller.
const mostParts = 128

// dayCount is what a process has counted of one day.
type dayCount struct {
	parts     map[purpose]*partCount
	lambda    Lambda
	commands  int64 // of all parts
	unwritten int64 // commands
	added     int64 // commands that the process has added to the month's totals
	doubtful  int64 // what added is if the last addition has taken effect; the answer to it was lost; 0: no doubt
}

// partCount is what a process has counted for one purpose, now and at its last write.
type partCount struct {
	count, written Count
}

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
}

// dayWrite is the part of a write that is about one day, and its outcome.
type dayWrite struct {
	day                 game.Date
	fields              []string // each followed by its value
	parts               map[purpose]Count
	known               []string // fields of counts that Redis may have
	commands, unwritten int64    // see dayCount
	added, doubtful     int64    // see dayCount
	delta, sum          int64    // what is added to the day's total, and the total after that; 0: not added
	written, isAddition bool     // the fields were written; the write adds to the month's totals
}

// pack packs what has changed since the last write.
func (d *dayCount) pack(process string, day game.Date) *dayWrite {
	t := &dayWrite{day: day, parts: map[purpose]Count{}, commands: d.commands, unwritten: d.unwritten, added: d.added, doubtful: d.doubtful}
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

// settle notes the outcome of a write.
func (d *dayCount) settle(t *dayWrite) {
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

// resolve finds out whether a doubtful addition has taken effect. The same request has set the
// process's own fields, so it has if these fields have as many commands as it would have
// brought.
func (t *dayWrite) resolve(reply upstash.Reply) error {
	texts, err := reply.Array()
	if err != nil {
		return fmt.Errorf("read what was reported: %w", err)
	}
	var kept int64
	for _, one := range texts {
		if one.IsNil() {
			continue
		}
		text, err := one.Text()
		if err != nil {
			return fmt.Errorf("read what was reported: %w", err)
		}
		c, err := ParseCount(text)
		if err != nil {
			return fmt.Errorf("read what was reported: %w", err)
		}
		kept += c.Commands
	}
	if kept >= t.doubtful {
		t.added = t.doubtful
	}
	t.doubtful = 0
	return nil
}

// resolve finds out whether doubtful additions have taken effect: 1 billed command for each.
func resolve(ctx context.Context, redis *upstash.Client, all []*dayWrite) error {
	var commands []upstash.Command
	var of []*dayWrite
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
		return fmt.Errorf("read what was reported: %w", err)
	}
	for i, t := range of {
		if err := t.resolve(result.Replies[i]); err != nil {
			return err
		}
	}
	return nil
}
