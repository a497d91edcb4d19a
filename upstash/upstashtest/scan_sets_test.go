package upstashtest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A member that is in a set all the time is read at least once, whatever is removed
// meanwhile.
func TestASetIsReadToItsEndWhileMembersGo(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		stays := map[string]bool{}
		for n := range 500 {
			c.command("SADD", "set", fmt.Sprintf("member %03d", n))
			if n%2 == 1 {
				stays[fmt.Sprintf("member %03d", n)] = true
			}
		}
		cursor := "0"
		for pages := 1; ; pages++ {
			require.Less(t, pages, 500)
			page := c.command("SSCAN", "set", cursor, "COUNT", "10").([]any)
			for _, member := range page[1].([]any) {
				if name := member.(string); stays[name] {
					stays[name] = false
				} else {
					c.command("SREM", "set", name)
				}
			}
			if cursor = page[0].(string); cursor == "0" {
				break
			}
		}
		for name, unread := range stays {
			require.False(t, unread, name)
		}
		require.Equal(t, `["0" ["a"]]`, show(c.command("EVAL", `redis.call('SADD', KEYS[1], 'a', 'b'); return redis.call('SSCAN', KEYS[1], 0, 'COUNT', 100, 'MATCH', 'a')`, "1", "other")))
		require.Equal(t, `{"error":"ERR syntax error"}`, c.post("/", `["SSCAN","other",0,"COUNT",0]`))
		require.Equal(t, `{"error":"ERR invalid cursor"}`, c.post("/", `["SSCAN","other","x","COUNT",5]`))
	})
}
