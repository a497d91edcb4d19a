package upstashtest

import (
	"bytes"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// runEmbedded runs a job and counts what its scripts called.
func (e *Engine) runEmbedded(c *conn, j *job) (err error) {
	before := e.embedded.Ran()
	if j.shape == shapeTransaction {
		err = e.transaction(c, j)
	} else {
		err = j.through(c)
	}
	j.inner = e.embedded.Ran() - before
	for i := range j.commands {
		if name := j.commands[i].kind.name; j.commands[i].refusal == "" && e.embedded.Knows(name) {
			j.inner--
		}
	}
	j.inner = max(0, j.inner) // a discarded transaction ran nothing
	return err
}

// transaction checks all commands as Redis does when it queues them (known? right number
// of arguments?) and then runs them one by one. Meanwhile the gate keeps every other
// request out. It does not use miniredis' own MULTI, which lets unknown commands pass,
// and discards the whole transaction for errors that Redis reports per command.
func (e *Engine) transaction(c *conn, j *job) error {
	refusal, err := e.rehearse(c, j.commands)
	if err != nil {
		return err
	}
	e.embedded.CountTransaction()
	if refusal != nil {
		j.out, j.failed = j.format.appendError(j.out, refusal), true
		return nil
	}
	return j.through(c)
}

// rehearse queues the commands and discards them. It returns the first error with which
// Redis would have refused to queue a command, or nil.
func (e *Engine) rehearse(c *conn, cmds []command) (refusal []byte, err error) {
	e.embedded.Rehearse(true)
	defer e.embedded.Rehearse(false)
	c.out = resp.AppendCommand(c.out[:0], []byte("MULTI"))
	for _, cmd := range cmds {
		c.out = resp.AppendCommand(c.out, cmd.args...)
	}
	c.out = resp.AppendCommand(c.out, []byte("DISCARD"))
	wait, err := c.send()
	if err != nil {
		return nil, err
	}
	if _, err := c.FirstError(1); err != nil {
		return nil, err
	}
	for range cmds {
		text, err := c.FirstError(1)
		if err != nil {
			return nil, err
		}
		if refusal == nil && refusesToQueue(text) {
			refusal = text
		}
	}
	if _, err := c.FirstError(1); err != nil {
		return nil, err
	}
	return refusal, wait()
}

func refusesToQueue(text []byte) bool {
	return bytes.HasPrefix(text, []byte("ERR unknown command")) ||
		bytes.HasPrefix(text, []byte("ERR wrong number of arguments"))
}
