package engine

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// scanPage is how many keys SCAN looks at if it has no COUNT.
const scanPage = 10

// scanOptions are the options of SCAN; WITHTYPE is Upstash's own.
type scanOptions struct {
	pattern, kind string // "" for any
	count         int
	withType      bool
}

func parseScan(args []string) (o scanOptions, problem string) {
	o.count = scanPage
	for ; len(args) > 0; args = args[1:] {
		option := strings.ToUpper(args[0])
		if option == "WITHTYPE" {
			o.withType = true
			continue
		}
		if len(args) < 2 {
			return o, errSyntax
		}
		switch value := args[1]; option {
		case "MATCH":
			o.pattern = value
		case "TYPE":
			o.kind = strings.ToLower(value)
		case "COUNT":
			n, ok := resp.Integer(value)
			if !ok {
				return o, errInteger
			}
			if n < 1 {
				return o, errSyntax
			}
			o.count = int(min(n, 1<<30))
		default:
			return o, errSyntax
		}
		args = args[1:]
	}
	return o, ""
}

// scanPlace is a key's place in the order of SCAN: 1 to 2^48, so that a cursor is exact
// in languages whose numbers are floats. A key's place does not depend on the other keys.
// So a scan finds every key that exists all the time, as Redis promises, even if others
// come and go between two pages.
func scanPlace(key string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	return h.Sum64()>>16 + 1
}

type placedKey struct {
	place uint64
	key   string
}

// scan answers SCAN in pages. Keys with the same place are on the same page.
func (e *Redis) scan(p *server.Peer, args []string) bool {
	cursor, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return e.refuse(p, "ERR invalid cursor")
	}
	o, problem := parseScan(args[1:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	var placed []placedKey
	for _, key := range e.keys(p, "*") {
		placed = append(placed, placedKey{scanPlace(key), key})
	}
	slices.SortFunc(placed, func(a, b placedKey) int { return cmp.Compare(a.place, b.place) })
	from, _ := slices.BinarySearchFunc(placed, cursor, func(k placedKey, at uint64) int { return cmp.Compare(k.place, at) })
	to := min(len(placed), from+o.count)
	for to > from && to < len(placed) && placed[to].place == placed[to-1].place {
		to++
	}
	next := uint64(0)
	if to < len(placed) {
		next = placed[to].place
	}
	var matching map[string]bool
	if o.pattern != "" {
		matching = map[string]bool{}
		for _, key := range e.keys(p, o.pattern) {
			matching[key] = true
		}
	}
	found := []any{}
	for _, k := range placed[from:to] {
		key := k.key
		kind, _ := e.value(p, "TYPE", key).(string)
		if matching != nil && !matching[key] || o.kind != "" && o.kind != kind {
			continue
		}
		found = append(found, key)
		if o.withType {
			found = append(found, status(kind))
		}
	}
	return e.answer(p, []any{strconv.FormatUint(next, 10), found})
}

// keys are the keys that match a pattern.
func (e *Redis) keys(p *server.Peer, pattern string) (keys []string) {
	found, _ := e.value(p, "KEYS", pattern).([]any)
	for _, key := range found {
		name, _ := key.(string)
		keys = append(keys, name)
	}
	return keys
}
