package redis

import (
	"context"
	"slices"

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

// counting begins every script. Its function call counts the commands of the script, since
// Upstash bills each of them. Its function answer puts that number first in the answer.
const counting = `
local calls = 0
local function call(...)
  calls = calls + 1
  return redis.call(...)
end
local function answer(...)
  return {calls, ...}
end
`

// NewScript is a script in Lua that counts its commands:
//
//	local current = call('ZSCORE', KEYS[1], ARGV[1])
//	return answer(current or '')
//
// Its answer is {calls, what was answered…}. As with all scripts of Redis, the answer ends
// before the first nil. A script with a long list as its answer does not use the function
// answer, since Lua passes some 8,000 values at most; it inserts calls at the front of the list.
func NewScript(source string) *upstash.Script { return upstash.NewScript(counting+source, firstInt) }

// firstInt is how many calls the script made according to its answer; 0 if the answer does not
// say.
func firstInt(r upstash.Reply) int {
	values, err := r.Array()
	if err != nil || len(values) == 0 {
		return 0
	}
	n, err := values[0].Int64()
	if err != nil {
		return 0
	}
	return int(n)
}
