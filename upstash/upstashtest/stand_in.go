package upstashtest

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// standIn is a script that a given Redis gets in place of a command that it would answer
// differently from Upstash. It is one command too, so it keeps its place in a pipeline or
// transaction. The embedded engine needs no stand-ins.
type standIn struct {
	words [][]byte // EVAL and its arguments
	// answer turns the script's complete reply into the command's reply. It also returns
	// how often the engine ran each command for it beyond what the client sent, since
	// Upstash would not bill those.
	answer func(reply []byte) (instead []byte, ran map[string]int64)
}

// standInFor returns the stand-in for cmd, or nil if the engine gets cmd itself.
func (e *Engine) standInFor(cmd command) *standIn {
	switch {
	case e.embedded != nil:
		return nil
	case cmd.instead != nil:
		return cmd.instead
	case cmd.kind.name == "scan":
		return scanWithTypes(cmd.args[1:])
	case cmd.kind.name == "xreadgroup" && !e.strict:
		return readWithoutConsumer(cmd.args)
	}
	return nil
}

// eval returns the words of a command that runs a script with keys and arguments.
func eval(name, script string, keys, args [][]byte) [][]byte {
	words := [][]byte{[]byte(name), []byte(script), []byte(formatInt(int64(len(keys))))}
	return append(append(words, keys...), args...)
}

// appendStandIn reads the reply to a stand-in, and counts the commands that ran for it.
func (e *Engine) appendStandIn(c *conn, dst []byte, s *standIn, f format) (out []byte, failed bool, err error) {
	reply, _, err := appendReply(c.Reader, nil, formatRESP)
	if err != nil {
		return dst, false, err
	}
	reply, ran := s.answer(reply)
	for name, n := range ran {
		e.catalog.kind([]byte(name)).sent.Add(n)
	}
	return appendReply(reader(reply), dst, f)
}

func reader(reply []byte) *resp.Reader {
	return resp.NewReader(bufio.NewReader(bytes.NewReader(reply)))
}

// isError reports whether a complete reply is an error.
func isError(reply []byte) bool { return len(reply) > 0 && reply[0] == resp.ErrorKind }

func is(word []byte, name string) bool { return strings.EqualFold(string(word), name) }
