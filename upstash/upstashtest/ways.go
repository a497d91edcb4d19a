package upstashtest

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/upstash/upstashtest/engine"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// differs lists the commands that Upstash takes or answers differently from Redis, as far
// as changing a command's words or its error is enough. If a given Redis needs a
// script, a standIn does it; what only the embedded engine can do depends on its strict.
const differs = `copy evalsha evalsha_ro xadd xinfo xtrim zrangestore`

// asUpstash returns the words that make an engine which works as Redis does answer cmd as
// Upstash would.
func (e *Engine) asUpstash(cmd command) [][]byte {
	if e.strict || !cmd.kind.differs {
		return cmd.args
	}
	switch cmd.kind.name {
	case "xadd", "xtrim":
		return trimmedExactly(cmd.args)
	case "zrangestore":
		return limitedByRank(cmd.args)
	}
	return cmd.args
}

// trimmedExactly replaces the ~ of MAXLEN ~ n by =. Redis would keep up to a hundred
// entries more, Upstash keeps about n. With LIMIT, which needs the ~, the ~ stays.
func trimmedExactly(args [][]byte) [][]byte {
	at := -1
	for i := 2; i < len(args); i++ {
		switch word := strings.ToUpper(string(args[i])); {
		case word == "MAXLEN" && i+2 < len(args) && string(args[i+1]) == "~":
			at = i + 1
			i += 2
		case word == "MAXLEN", word == "MINID":
			i++ // the threshold
			if i < len(args) && (string(args[i]) == "=" || string(args[i]) == "~") {
				i++
			}
		case word == "LIMIT":
			return args
		case word != "NOMKSTREAM":
			i = len(args) // the ID: fields follow
		}
	}
	if at < 0 {
		return args
	}
	exact := append([][]byte(nil), args...)
	exact[at] = []byte("=")
	return exact
}

// limitedByRank changes the words of ZRANGESTORE dst src start stop LIMIT offset count so
// that Redis stores what Upstash does: of the ranks start to stop, those that LIMIT
// leaves. Redis has LIMIT only for ranges by score and by name. Commands with ranks from
// the end stay as they are, except for a stop of -1.
func limitedByRank(args [][]byte) [][]byte {
	if len(args) < 8 {
		return args
	}
	start, ok1 := resp.Integer(string(args[3]))
	stop, ok2 := resp.Integer(string(args[4]))
	if !ok1 || !ok2 || start < 0 || stop < -1 {
		return args
	}
	words := append([][]byte(nil), args[:5]...)
	limited := false
	for i := 5; i < len(args); i++ {
		switch strings.ToUpper(string(args[i])) {
		case "REV":
			words = append(words, args[i])
		case "LIMIT":
			if limited || i+2 >= len(args) {
				return args
			}
			offset, ok1 := resp.Integer(string(args[i+1]))
			count, ok2 := resp.Integer(string(args[i+2]))
			if !ok1 || !ok2 || offset < 0 {
				return args
			}
			start += offset
			if last := start + count - 1; count >= 0 && (stop == -1 || last < stop) {
				stop = last
			}
			if count == 0 {
				start, stop = 1, 0
			}
			limited = true
			i += 2
		default:
			return args
		}
	}
	words[3], words[4] = strconv.AppendInt(nil, start, 10), strconv.AppendInt(nil, stop, 10)
	return words
}

const (
	errSameKey = "ERR source and destination objects are the same"
)

// appendAsUpstash reads the reply to a command that differs.
func (e *Engine) appendAsUpstash(c *conn, dst []byte, cmd command, f format) (out []byte, failed bool, err error) {
	if next, err := c.Next(); err != nil || next != resp.ErrorKind {
		return appendReply(c.Reader, dst, f)
	}
	h, err := c.Head()
	if err != nil {
		return dst, false, err
	}
	instead, isJSON := "", f != formatRESP
	switch name := cmd.kind.name; {
	case name == "copy" && string(h.Text) == errSameKey:
		instead = map[bool]string{true: `{"result":0}`, false: ":0\r\n"}[isJSON]
	case name == "xinfo" && bytes.HasPrefix(h.Text, []byte("NOGROUP ")):
		instead = map[bool]string{true: `{"result":[]}`, false: "*0\r\n"}[isJSON]
	case bytes.HasPrefix(h.Text, []byte("NOSCRIPT ")): // Valkey leaves out the advice
		return f.appendError(dst, []byte(engine.NoScript)), true, nil
	default:
		return f.appendError(dst, h.Text), true, nil
	}
	return append(dst, instead...), false, nil
}
