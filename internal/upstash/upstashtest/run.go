package upstashtest

import (
	"context"
	"strings"
)

// single runs one command and appends its answer. failed says that the answer
// is an error object.
func (e *Engine) single(ctx context.Context, dst []byte, cmd command, may access, encode bool) (out []byte, failed bool, err error) {
	if refusal := vet(cmd, may); refusal != "" {
		return appendError(dst, []byte(refusal)), true, nil
	}
	out = dst
	err = e.with(ctx, func(c *conn) error {
		c.out = e.appendWire(c.out[:0], cmd)
		wait, err := c.send()
		if err != nil {
			return err
		}
		if out, failed, err = e.appendAnswer(c, dst, cmd, encode); err != nil {
			return err
		}
		return wait()
	})
	return out, failed, err
}

// pipeline runs commands in order, in one write, and appends an array of
// their answers. A refused command takes no other with it.
func (e *Engine) pipeline(ctx context.Context, dst []byte, cmds []command, may access, encode bool) (out []byte, err error) {
	refusals := make([]string, len(cmds))
	for i, cmd := range cmds {
		refusals[i] = vet(cmd, may)
	}
	out = dst
	err = e.with(ctx, func(c *conn) error {
		c.out = c.out[:0]
		for i, cmd := range cmds {
			if refusals[i] == "" {
				c.out = e.appendWire(c.out, cmd)
			}
		}
		wait, err := c.send()
		if err != nil {
			return err
		}
		for i, cmd := range cmds {
			out = append(out, separator(i))
			if refusals[i] != "" {
				out = appendError(out, []byte(refusals[i]))
				continue
			}
			if out, _, err = e.appendAnswer(c, out, cmd, encode); err != nil {
				return err
			}
		}
		out = append(out, ']')
		return wait()
	})
	return out, err
}

// transaction runs commands atomically and appends an array of their answers,
// or one error object (discarded is true) when none was run: a refused or
// unknown command, or a wrong number of arguments.
func (e *Engine) transaction(ctx context.Context, dst []byte, cmds []command, may access, encode bool) (out []byte, discarded bool, err error) {
	for _, cmd := range cmds {
		if refusal := vet(cmd, may); refusal != "" {
			return appendError(dst, []byte(refusal)), true, nil
		}
	}
	out = dst
	err = e.with(ctx, func(c *conn) error {
		if e.embedded != nil {
			out, discarded, err = e.embedded.transaction(e, c, dst, cmds, encode)
			return err
		}
		c.out = appendCommand(c.out[:0], []byte("MULTI"))
		for _, cmd := range cmds {
			c.out = e.appendWire(c.out, cmd)
		}
		c.out = appendCommand(c.out, []byte("EXEC"))
		wait, err := c.send()
		if err != nil {
			return err
		}
		if out, discarded, err = e.appendExec(c, dst, cmds, encode); err != nil {
			return err
		}
		return wait()
	})
	return out, discarded, err
}

// appendExec reads what MULTI, the queued commands and EXEC answer.
func (e *Engine) appendExec(c *conn, dst []byte, cmds []command, encode bool) (out []byte, discarded bool, err error) {
	queued := 1 // MULTI
	for _, cmd := range cmds {
		queued += e.wireCommands(cmd)
	}
	refusal, err := c.firstError(queued)
	if err != nil {
		return dst, false, err
	}
	h, err := c.head()
	if err != nil {
		return dst, false, err
	}
	switch {
	case refusal != nil && h.kind == respError:
		return appendError(dst, refusal), true, nil
	case h.kind == respError:
		return appendError(dst, h.text), true, nil
	case h.kind != respArray || h.n != int64(queued-1):
		return dst, false, errProtocol
	}
	for i, cmd := range cmds {
		dst = append(dst, separator(i))
		if dst, _, err = e.appendAnswer(c, dst, cmd, encode); err != nil {
			return dst, false, err
		}
	}
	return append(dst, ']'), false, nil
}

// firstError reads n replies and returns a copy of the first error text, or
// nil.
func (rr *replyReader) firstError(n int) (text []byte, err error) {
	for range n {
		v, err := rr.value(0)
		if err != nil {
			return nil, err
		}
		if refusal, ok := v.(EngineError); ok && text == nil {
			text = []byte(refusal)
		}
	}
	return text, nil
}

func separator(i int) byte {
	if i == 0 {
		return '['
	}
	return ','
}

// appendWire appends a command in the form that this engine understands.
func (e *Engine) appendWire(dst []byte, cmd command) []byte {
	if !e.splits(cmd) {
		return appendCommand(dst, cmd.args...)
	}
	dst = appendCommand(dst, cmd.args[:3]...)
	return appendCommand(dst, []byte("ZSCORE"), cmd.args[1], cmd.args[2])
}

func (e *Engine) wireCommands(cmd command) int {
	if e.splits(cmd) {
		return 2
	}
	return 1
}

// appendAnswer reads the replies to what appendWire wrote for cmd.
func (e *Engine) appendAnswer(c *conn, dst []byte, cmd command, encode bool) (out []byte, failed bool, err error) {
	if !e.splits(cmd) {
		return c.appendReply(dst, encode)
	}
	rank, err := c.head()
	if err != nil {
		return dst, false, err
	}
	if rank.kind == respError {
		return appendError(dst, rank.text), true, c.skip()
	}
	start := len(dst)
	if !rank.isNil() {
		dst = append(dst, `{"result":[`...)
		if dst, err = c.appendValue(dst, rank, encode, 1); err != nil {
			return dst, false, err
		}
		dst = append(dst, ',')
	}
	score, err := c.head()
	if err != nil {
		return dst, false, err
	}
	// Another client may have removed the member between the two.
	if rank.isNil() || score.isNil() {
		if !score.isNil() {
			_, err = c.bulk(score.n)
		}
		return append(dst[:start], `{"result":null}`...), false, err
	}
	if dst, err = c.appendValue(dst, score, encode, 1); err != nil {
		return dst, false, err
	}
	return append(dst, "]}"...), false, nil
}

// splits says whether cmd is Z[REV]RANK key member WITHSCORE on an engine that
// does not know it.
func (e *Engine) splits(cmd command) bool {
	return e.splitRank && len(cmd.args) == 4 &&
		strings.EqualFold(string(cmd.args[3]), "WITHSCORE") &&
		(strings.EqualFold(string(cmd.args[0]), "ZRANK") || strings.EqualFold(string(cmd.args[0]), "ZREVRANK"))
}
