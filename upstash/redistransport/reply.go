package redistransport

import (
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/framedle/leaderboards/upstash"
)

// What a transaction adds to its commands on the wire.
const (
	wireMulti = "*1\r\n$5\r\nMULTI\r\n"
	wireExec  = "*1\r\n$4\r\nEXEC\r\n"
)

// readAll turns go-redis' values into replies and returns where each ends on the
// wire, in bytes.
func readAll(values []any) ([]upstash.Reply, []int, error) {
	replies := make([]upstash.Reply, len(values))
	ends := make([]int, len(values))
	total := 0
	for i, value := range values {
		reply, size, err := read(value)
		if err != nil {
			return nil, nil, err
		}
		total += size
		replies[i], ends[i] = reply, total
	}
	return replies, ends, nil
}

func read(value any) (reply upstash.Reply, size int, err error) {
	switch v := value.(type) {
	case nil:
		return upstash.Reply{}, len("$-1\r\n"), nil
	case int64:
		return upstash.IntReply(v), 1 + digits(v) + 2, nil
	case string:
		return upstash.TextReply(v), bulk(v), nil
	case redis.Error:
		return upstash.ErrorReply(v.Error()), 1 + len(v.Error()) + 2, nil
	case []any:
		for i := range v {
			// As over REST, an error within an array is its text.
			if e, ok := v[i].(redis.Error); ok {
				v[i] = e.Error()
			}
		}
		items, ends, err := readAll(v)
		size := 1 + digits(int64(len(v))) + 2
		if len(ends) > 0 {
			size += ends[len(ends)-1]
		}
		return upstash.ArrayReply(items), size, err
	}
	return upstash.Reply{}, 0, fmt.Errorf("redistransport: reply has the unknown type %T", value)
}

// wireSize is a command's length on the wire, in bytes.
func wireSize(words []string) int {
	size := 1 + digits(int64(len(words))) + 2
	for _, word := range words {
		size += bulk(word)
	}
	return size
}

func bulk(text string) int { return 1 + digits(int64(len(text))) + 2 + len(text) + 2 }

func digits(n int64) int { return len(strconv.FormatInt(n, 10)) }
