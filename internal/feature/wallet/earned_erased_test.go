package wallet_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

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
		for what, c := range map[string]apitest.Call{
			"wallets": apitest.Get(apitest.WalletsPath), "spend": apitest.Post(apitest.SpendPath, `{"amount":3,"item":"hat"}`), "badges": apitest.Get("/v1/me/badges"),
			"me": apitest.Get("/v1/me"), "results": apitest.Get("/v1/me/results"),
		} {
			t.Run(what, func(t *testing.T) {
				s := apitest.NewStackAt(t, address)
				s.Redis.Empty()
				s.Game += apitest.Earning
				s.Handler = s.Process()
				for n, more := 1, true; more; n++ {
					player := fmt.Sprintf("user_%s%d", what, n)
					s.Play(player, "daily", "5")
					s.Want(http.StatusCreated, s.As(player, apitest.Post(apitest.SpendPath, `{"amount":8}`)).With("Idempotency-Key", "k"))
					s.Handler = s.Process()
					end := testkit.Before(s.Redis.Server, n, func() {
						running := s.Handler
						s.Handler = s.Process()
						s.Want(http.StatusOK, operatorCall(apitest.Remove("/v1/ops/players/"+player, "")))
						s.Handler = running
					})
					s.Send(s.As(player, c).With("Idempotency-Key", "other"))
					if more = end(); !more {
						continue
					}
					for key, words := range testkit.Words(t, s.Redis.Server, s.Redis.Do("KEYS", "*")) {
						if kind, _, _ := strings.Cut(key, ":"); !slices.Contains(keepErased, kind) {
							require.False(t, words[player] || strings.Contains(key, player), "%s has who was erased before request %d", key, n)
						}
					}
				}
				s.MendRedis()
			})
		}
	})
}
