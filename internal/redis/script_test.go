package redis_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// most is how many values a script passes on: Lua has room for 8,000, and no script of
// the product passes more than some 7,000.
const most = 7900

func TestAScriptSaysWhatRedisBills(t *testing.T) {
	players := make([]string, most)
	for i := range players {
		players[i] = strconv.Itoa(i)
	}
	tests := map[string]struct {
		source  string
		args    []string
		answers int // beside the count
		calls   int64
	}{
		"nothing":     {"return answer()", nil, 0, 0},
		"within":      {"return answer(call('EXISTS', KEYS[1]), call('EXISTS', KEYS[1]))", nil, 2, 2},
		"absent":      {"return answer(1, call('GET', KEYS[1]), 1)", nil, 3, 1},
		"up to a nil": {"return answer(1, nil, call('GET', KEYS[1]))", nil, 1, 1},
		"a loop":      {"for i = 1, 12 do call('HINCRBY', KEYS[1], 'a', 1) end return answer('done')", nil, 1, 12},
		"many values": {"return answer(unpack(call('HMGET', KEYS[1], unpack(ARGV))))", players, most, 1},
		"a long list": {"local all = {} for i = 1, 20000 do all[i] = i end call('DEL', KEYS[1]) table.insert(all, 1, calls) return all", nil, 20_000, 1},
	}
	testkit.OnEngines(t, func(t *testing.T, address string) {
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				k := testkit.NewRedis(t, address)
				before := k.Ran()
				var reply upstash.Reply
				commands, _ := k.Spent(func() {
					var err error
					reply, err = k.Client.Do(t.Context(), redis.NewScript(tt.source).Command([]string{"key"}, tt.args...))
					require.NoError(t, err)
				})
				require.Equal(t, k.Ran()-before, commands, "the meter and Redis itself disagree")
				values, err := reply.Array()
				require.NoError(t, err)
				require.Len(t, values, 1+tt.answers)
				n, err := values[0].Int64()
				require.NoError(t, err)
				require.Equal(t, tt.calls, n)
			})
		}
	})
}
