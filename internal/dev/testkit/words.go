package testkit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Words returns the words in the values of some keys of a Redis, by key, and under "keys" the
// words of the keys themselves. keys is the answer of KEYS.
func Words(tb testing.TB, server *upstashtest.Server, keys any) map[string]map[string]bool {
	tb.Helper()
	all := map[string]map[string]bool{"keys": {}}
	for key, value := range Values(tb, server, keys) {
		PutWords(all, "keys", key)
		PutWords(all, key, value)
	}
	return all
}

// Values returns the values of some keys of a Redis, by key. keys is the answer of KEYS.
func Values(tb testing.TB, server *upstashtest.Server, keys any) map[string]any {
	tb.Helper()
	do := func(words ...string) any {
		reply, err := server.Redis().Do(tb.Context(), words...)
		require.NoError(tb, err)
		return reply
	}
	all := map[string]any{}
	for _, k := range keys.([]any) {
		key := k.(string)
		switch do("TYPE", key) {
		case "string":
			all[key] = do("GET", key)
		case "hash":
			all[key] = do("HGETALL", key)
		case "set":
			all[key] = do("SMEMBERS", key)
		case "zset":
			all[key] = do("ZRANGE", key, "0", "-1", "WITHSCORES")
		case "list":
			all[key] = do("LRANGE", key, "0", "-1")
		case "stream":
			all[key] = do("XRANGE", key, "-", "+")
		}
	}
	return all
}

// PutWords adds the words of a value under the name place.
func PutWords(all map[string]map[string]bool, place string, v any) {
	if all[place] == nil {
		all[place] = map[string]bool{}
	}
	for _, word := range strings.FieldsFunc(fmt.Sprint(v), func(r rune) bool { return strings.ContainsRune("[] ():\"{},=|\\", r) }) {
		all[place][word] = true
	}
}
