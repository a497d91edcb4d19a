package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
)

// keepErased are the kinds of keys that keep an erased player's id for a while
// (docs/operate/removal.md), and the list of all keys.
var keepErased = []string{"limit", "erasure", "removals", "groups", "presence", "spends", "keys"}

// A player is erased, by another process, before each request to Redis of a call about what
// the player has earned: of what was earned and spent nothing is left, and no call brings
// anything back.
func TestNothingIsEarnedOrSpentByWhoIsErasedMeanwhile(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		for what, c := range map[string]call{
			"wallets": get(walletsPath), "spend": post(spendPath, `{"amount":3,"item":"hat"}`), "badges": get("/v1/me/badges"),
			"me": get("/v1/me"), "results": get("/v1/me/results"),
		} {
			t.Run(what, func(t *testing.T) {
				s := newStackAt(t, address)
				s.redis.Empty()
				s.game += earning
				s.handler = s.process()
				for n, more := 1, true; more; n++ {
					player := fmt.Sprintf("user_%s%d", what, n)
					s.play(player, "daily", "5")
					s.want(http.StatusCreated, s.as(player, post(spendPath, `{"amount":8}`)).with("Idempotency-Key", "k"))
					s.handler = s.process()
					end := testkit.Before(s.redis.Server, n, func() {
						running := s.handler
						s.handler = s.process()
						s.want(http.StatusOK, operatorCall(remove("/v1/ops/players/"+player, "")))
						s.handler = running
					})
					s.send(s.as(player, c).with("Idempotency-Key", "other"))
					if more = end(); !more {
						continue
					}
					for key, words := range testkit.Words(t, s.redis.Server, s.redis.Do("KEYS", "*")) {
						if kind, _, _ := strings.Cut(key, ":"); !slices.Contains(keepErased, kind) {
							require.False(t, words[player] || strings.Contains(key, player), "%s has who was erased before request %d", key, n)
						}
					}
				}
				s.mendRedis()
			})
		}
	})
}
