package upstashtest

import (
	"bufio"
	"bytes"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// scanScript stands for SCAN … WITHTYPE, which only Upstash has, over a given
// Redis: one command, so that it keeps its place in a pipeline or transaction.
// Its arguments are those of SCAN.
const scanScript = `local found = redis.pcall('SCAN', unpack(ARGV))
if found.err then return found end
local typed = {}
for _, key in ipairs(found[2]) do
  typed[#typed + 1] = key
  typed[#typed + 1] = redis.call('TYPE', key).ok
end
return {found[1], typed}`

// withTypeAt is where WITHTYPE stands among the arguments of SCAN, its name
// not among them, or -1.
func withTypeAt[T string | []byte](args []T) int {
	for i := 1; i < len(args); i++ {
		switch strings.ToUpper(string(args[i])) {
		case "MATCH", "COUNT", "TYPE":
			i++ // its value
		case "WITHTYPE":
			return i
		}
	}
	return -1
}

// scansTypes: a SCAN … WITHTYPE that the engine is given as a script.
func (e *Engine) scansTypes(cmd command) bool {
	return cmd.kind.name == "scan" && e.embedded == nil && withTypeAt(cmd.args[1:]) > 0
}

// appendScanTypes appends the script with the arguments of SCAN.
func appendScanTypes(dst []byte, args [][]byte) []byte {
	at := withTypeAt(args)
	script := [][]byte{[]byte("EVAL"), []byte(scanScript), []byte("0")}
	return resp.AppendCommand(dst, slices.Concat(script, args[:at], args[at+1:])...)
}

// appendTyped reads what the script answers, and keeps count of what it called.
func (e *Engine) appendTyped(c *conn, dst []byte, f format) (out []byte, failed bool, err error) {
	reply, _, err := appendReply(c.Reader, nil, formatRESP)
	if err != nil {
		return dst, false, err
	}
	rr := resp.NewReader(bufio.NewReader(bytes.NewReader(reply)))
	answer, err := rr.Value(0)
	if err != nil {
		return dst, false, err
	}
	e.catalog.kind([]byte("type")).sent.Add(typesIn(answer))
	rr = resp.NewReader(bufio.NewReader(bytes.NewReader(reply)))
	return appendReply(rr, dst, f)
}

// typesIn counts the keys of [cursor, [key, type, …]].
func typesIn(reply any) int64 {
	pair, _ := reply.([]any)
	if len(pair) != 2 {
		return 0
	}
	typed, _ := pair[1].([]any)
	return int64(len(typed) / 2)
}
