package upstashtest

import (
	"context"
	"strings"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// shape is how the commands of a request belong together.
type shape byte

const (
	shapeSingle shape = iota
	shapePipeline
	shapeTransaction
)

// job is what a request asks of the engine, and the answer to it.
type job struct {
	engine   *Engine
	shape    shape
	format   format
	commands []command

	out    []byte // what the answer is appended to
	failed bool   // the whole answer is one error
	inner  int64  // what scripts called; 0 over a given Redis
}

// run runs the job's commands: a single one; a pipeline in order, in which one refused
// command does not affect the others; or a transaction, all or none.
func (e *Engine) run(ctx context.Context, j *job, t *ticket) error {
	j.engine = e
	if j.allRefused() {
		return j.read(nil) // reads nothing from the engine
	}
	if e.shared != nil && j.sharable() {
		return e.shared.do(ctx, j, t)
	}
	return e.with(ctx, func(c *conn) error {
		if e.embedded != nil {
			return e.runEmbedded(c, j)
		}
		return j.through(c)
	})
}

// allRefused reports whether the engine gets none of the commands.
func (j *job) allRefused() bool {
	for i := range j.commands {
		if j.commands[i].refusal == "" {
			return false
		}
	}
	return true
}

// sharable reports whether the job may use the shared connection: it is small and has no
// script. The others would wait behind a script, and among them the SCRIPT KILL that ends
// it.
func (j *job) sharable() bool {
	size := 0
	for i := range j.commands {
		size += j.commands[i].size
		if j.commands[i].kind.script || size > maxShared {
			return false
		}
	}
	return true
}

// through writes the commands to a connection of their own and reads the answers. In a
// pipeline with a command that has to be looked up, commands go one by one, since each
// may depend on the one before.
func (j *job) through(c *conn) error {
	if !j.engine.looksUp(j.commands) {
		return j.exchange(c)
	}
	if j.shape != shapePipeline {
		if err := j.engine.lookUp(c, j.commands); err != nil {
			return err
		}
		return j.exchange(c)
	}
	for i := range j.commands {
		one := job{engine: j.engine, format: j.format, commands: j.commands[i : i+1], out: j.format.appendSeparator(j.out, i)}
		if err := j.engine.lookUp(c, one.commands); err != nil {
			return err
		}
		if err := one.exchange(c); err != nil {
			return err
		}
		j.out = one.out
	}
	j.out = j.format.appendEnd(j.out)
	return nil
}

// exchange writes the commands and reads their answers.
func (j *job) exchange(c *conn) error {
	c.out = j.write(c.out[:0])
	wait, err := c.send()
	if err != nil {
		return err
	}
	if err := j.read(c); err != nil {
		return err
	}
	return wait()
}

func (j *job) write(dst []byte) []byte {
	if j.shape == shapeTransaction && j.engine.embedded == nil {
		dst = resp.AppendCommand(dst, []byte("MULTI"))
	}
	for i := range j.commands {
		if j.commands[i].refusal == "" {
			dst = j.engine.appendWire(dst, j.commands[i])
		}
	}
	if j.shape == shapeTransaction && j.engine.embedded == nil {
		dst = resp.AppendCommand(dst, []byte("EXEC"))
	}
	return dst
}

func (j *job) read(c *conn) (err error) {
	switch {
	case j.shape == shapeSingle:
		return j.readOne(c, j.commands[0])
	case j.shape == shapeTransaction && j.engine.embedded == nil:
		j.out, j.failed, err = j.engine.appendExec(c, j.out, j.commands, j.format)
		return err
	}
	for i := range j.commands {
		j.out = j.format.appendSeparator(j.out, i)
		if err := j.readOne(c, j.commands[i]); err != nil {
			return err
		}
	}
	j.failed = false // an error of one item does not fail the whole answer
	j.out = j.format.appendEnd(j.out)
	return nil
}

func (j *job) readOne(c *conn, cmd command) (err error) {
	if cmd.refusal != "" {
		j.out, j.failed = j.format.appendError(j.out, []byte(cmd.refusal)), true
		return nil
	}
	j.out, j.failed, err = j.engine.appendAnswer(c, j.out, cmd, j.format)
	return err
}

// appendExec reads what MULTI, the queued commands and EXEC answer.
func (e *Engine) appendExec(c *conn, dst []byte, cmds []command, f format) (out []byte, discarded bool, err error) {
	if _, err := c.FirstError(1); err != nil { // MULTI
		return dst, false, err
	}
	queued := 0
	var refusal []byte
	for _, cmd := range cmds {
		n := e.wireCommands(cmd)
		text, err := c.FirstError(n)
		if err != nil {
			return dst, false, err
		}
		if text != nil {
			cmd.kind.sent.Add(1) // the engine's statistics count it as rejected
		}
		if text != nil && refusal == nil {
			refusal = text
		}
		queued += n
	}
	h, err := c.Head()
	if err != nil {
		return dst, false, err
	}
	switch {
	case refusal != nil && h.Kind == resp.ErrorKind:
		return f.appendError(dst, refusal), true, nil
	case h.Kind == resp.ErrorKind:
		return f.appendError(dst, h.Text), true, nil
	case h.Kind != resp.ArrayKind || h.N != int64(queued):
		return dst, false, resp.ErrProtocol
	}
	for i, cmd := range cmds {
		dst = f.appendSeparator(dst, i)
		if dst, _, err = e.appendAnswer(c, dst, cmd, f); err != nil {
			return dst, false, err
		}
	}
	return f.appendEnd(dst), false, nil
}

// appendWire appends a command in the form that this engine understands.
func (e *Engine) appendWire(dst []byte, cmd command) []byte {
	if s := e.standInFor(cmd); s != nil {
		return resp.AppendCommand(dst, s.words...)
	}
	if !e.splits(cmd) {
		return resp.AppendCommand(dst, e.asUpstash(cmd)...)
	}
	dst = resp.AppendCommand(dst, cmd.args[:3]...)
	return resp.AppendCommand(dst, []byte("ZSCORE"), cmd.args[1], cmd.args[2])
}

func (e *Engine) wireCommands(cmd command) int {
	if e.splits(cmd) {
		return 2
	}
	return 1
}

// appendAnswer reads the replies to the words that appendWire wrote for cmd.
func (e *Engine) appendAnswer(c *conn, dst []byte, cmd command, f format) (out []byte, failed bool, err error) {
	current := e.standInFor(cmd)
	switch {
	case current != nil:
		out, failed, err = e.appendStandIn(c, dst, current, f)
	case cmd.digest != "":
		out, failed, err = c.appendDigest(dst, f, cmd.digest)
	case e.splits(cmd):
		out, failed, err = c.appendRank(dst, f)
	case cmd.kind.differs && !e.strict:
		out, failed, err = e.appendAsUpstash(c, dst, cmd, f)
	default:
		out, failed, err = appendReply(c.Reader, dst, f)
	}
	if size := len(out) - len(dst); e.maxReply > 0 && size > e.maxReply {
		return f.appendError(dst, tooLarge(e.maxReply, size)), true, err
	}
	return out, failed, err
}

// appendDigest reads the answer of SCRIPT LOAD and writes digest in its place.
func (c *conn) appendDigest(dst []byte, f format, digest string) (out []byte, failed bool, err error) {
	h, err := c.Head()
	switch {
	case err != nil:
		return dst, false, err
	case h.Kind == resp.ErrorKind:
		return f.appendError(dst, h.Text), true, nil
	}
	return f.appendResult(dst, []byte(digest)), false, c.SkipRest(h, 0)
}

// appendRank reads the replies to a rank and a score, and writes them as one.
func (c *conn) appendRank(dst []byte, f format) (out []byte, failed bool, err error) {
	rank, err := c.Head()
	if err != nil {
		return dst, false, err
	}
	if rank.Kind == resp.ErrorKind {
		return f.appendError(dst, rank.Text), true, c.Skip()
	}
	score, err := c.Head()
	if err != nil {
		return dst, false, err
	}
	var text []byte
	if score.Kind == resp.BulkKind && !score.IsNil() {
		if text, err = c.Bulk(score.N); err != nil {
			return dst, false, err
		}
	}
	// Another client may have removed the member between the two.
	if rank.IsNil() || text == nil {
		return f.appendNilArray(dst), false, nil
	}
	return f.appendRankPair(dst, rank.N, text), false, nil
}

// splits reports whether cmd is Z[REV]RANK key member WITHSCORE on an engine that does
// not know WITHSCORE.
func (e *Engine) splits(cmd command) bool {
	return e.splitRank && len(cmd.args) == 4 &&
		strings.EqualFold(string(cmd.args[3]), "WITHSCORE") &&
		(cmd.kind.name == "zrank" || cmd.kind.name == "zrevrank")
}
