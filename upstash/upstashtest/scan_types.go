package upstashtest

import (
	"slices"
	"strings"
)

// scanScript replaces SCAN … WITHTYPE, which only Upstash has. Its arguments are those of
// SCAN.
const scanScript = `local found = redis.pcall('SCAN', unpack(ARGV))
if found.err then return found end
local typed = {}
for _, key in ipairs(found[2]) do
  typed[#typed + 1] = key
  typed[#typed + 1] = redis.call('TYPE', key).ok
end
return {found[1], typed}`

// withTypeAt is the index of WITHTYPE among the arguments that follow the word SCAN, or
// -1.
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

// scanWithTypes returns the stand-in for a SCAN with these arguments, or nil if they
// do not include WITHTYPE.
func scanWithTypes(args [][]byte) *standIn {
	at := withTypeAt(args)
	if at < 0 {
		return nil
	}
	return &standIn{
		words: eval("EVAL", scanScript, nil, slices.Concat(args[:at], args[at+1:])),
		answer: func(reply []byte) ([]byte, map[string]int64) {
			found, _ := reader(reply).Value(0)
			return reply, map[string]int64{"eval": 1, "type": typesIn(found)}
		},
	}
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
