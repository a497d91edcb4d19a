package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/apitest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// interrupted is a request whose client keeps asking through broken connections.
type interrupted struct {
	// prepare makes what is there before, and the call, without its key.
	prepare func(*apitest.Stack) apitest.Call
	// effect tells what has come of it, the same however often it is looked at.
	effect  func(*apitest.Stack) string
	sum     bool
	friends bool // needs the database
}

// interruptions are of each route that takes an idempotency key, and each policy.
func interruptions() map[string][]interrupted {
	boards := func(s *apitest.Stack) (text string) {
		for _, mode := range []string{"daily", "longest", "newest", "tied", "coins"} {
			text += fmt.Sprintln(mode, s.Page("/v1/leaderboards/"+mode+"?limit=50").Entries)
		}
		return text
	}
	score := func(body string) interrupted {
		return interrupted{prepare: apitest.As("user_a", apitest.Post(apitest.Scores, body)), effect: boards, sum: strings.Contains(body, "coins")}
	}
	duels := func(s *apitest.Stack) string {
		var page struct{ Duels []struct{ Status string } }
		require.NoError(s, json.Unmarshal(s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.DuelsPath+"?limit=50"))).Body, &page))
		return fmt.Sprint(page)
	}
	batchOf := func(items ...string) interrupted {
		return interrupted{
			prepare: apitest.Plain(apitest.Post(apitest.Batch, `{"scores":[`+strings.Join(items, ",")+`]}`).Signed()), effect: boards,
			sum: strings.Contains(items[0], "coins"),
		}
	}
	return map[string][]interrupted{
		"POST /v1/scores": {
			score(`{"mode":"daily","score":800,"country":"BR","details":{"a":1}}`),
			score(`{"mode":"longest","score":800}`), score(`{"mode":"newest","score":8}`), score(`{"mode":"tied","score":8}`), score(fiveCoins),
		},
		"POST /v1/scores/batch": {
			batchOf(`{"mode":"daily","player":"user_x","score":8}`, `{"mode":"longest","player":"user_y","score":9}`),
			batchOf(`{"mode":"coins","player":"user_x","score":8}`, `{"mode":"coins","player":"user_y","score":9}`),
		},
		"POST /v1/duels": {
			{prepare: apitest.As("user_a", apitest.Post(apitest.DuelsPath, `{"opponent":"user_b"}`)), effect: duels},
			{prepare: apitest.As("user_a", apitest.Post(apitest.DuelsPath, `{}`)), effect: duels},
			{prepare: apitest.Plain(apitest.Post(apitest.DuelsPath, `{"players":["user_a","user_b"]}`).Signed()), effect: duels},
			{prepare: apitest.Plain(apitest.Post(apitest.DuelsPath, `{"id":"match-1","players":["user_a","user_b"]}`).Signed()), effect: duels},
		},
		"POST /v1/me/claim": {{
			prepare: func(s *apitest.Stack) apitest.Call {
				d := s.Device()
				s.Want(http.StatusCreated, apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(d.Token))
				return s.As("user_a", s.Claim(d))
			},
			effect: boards,
		}},
		"POST /v1/duels/queue": {{prepare: func(s *apitest.Stack) apitest.Call {
			s.Want(http.StatusOK, s.As("user_b", apitest.Post(apitest.QueuePath, `{}`)))
			return s.As("user_a", apitest.Post(apitest.QueuePath, `{}`))
		}, effect: duels}},
		"POST /v1/duels/{id}/accept": {{prepare: func(s *apitest.Stack) apitest.Call {
			return s.As("user_a", apitest.Post(s.Challenge("user_b", `{}`)+"/accept", ""))
		}, effect: duels}},
		"POST /v1/duels/{id}/result": {{prepare: func(s *apitest.Stack) apitest.Call {
			return apitest.Post(s.Arrange("match", "user_a", "user_b")+"/result", apitest.Won).Signed()
		}, effect: duels}},
		"POST /v1/duels/{id}/rematch": {{prepare: func(s *apitest.Stack) apitest.Call {
			address := s.Arrange("match", "user_a", "user_b")
			s.Want(http.StatusOK, apitest.Post(address+"/result", apitest.Won).Signed())
			return s.As("user_a", apitest.Post(address+"/rematch", ""))
		}, effect: duels}},
		"POST /v1/me/wallets/{currency}/spend": {{
			prepare: apitest.Earns(func(s *apitest.Stack) apitest.Call {
				s.Play("user_a", "daily", "5")
				s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.SpendPath, `{"amount":1}`)).With("Idempotency-Key", "other"))
				return s.As("user_a", apitest.Post(apitest.SpendPath, `{"amount":7,"item":"hat-3"}`))
			}),
			effect: func(s *apitest.Stack) string {
				return string(s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.WalletsPath))).Body)
			},
		}},
		"POST /v1/races": {{
			prepare: func(s *apitest.Stack) apitest.Call {
				s.Racing()
				return s.As("user_a", apitest.Post(apitest.RacesAt, `{"mode":"typed"}`))
			},
			effect: func(s *apitest.Stack) string {
				reply, err := s.Redis.Server.Redis().Do(s.Context(), "ZCARD", game.RacesOfKey("user_a"))
				require.NoError(s, err)
				return fmt.Sprint(reply)
			},
		}},
		"POST /v1/friends/requests": {betweenFriends(func(_ *apitest.Stack, a, b string) apitest.Call {
			return apitest.Post(apitest.RequestsPath, fmt.Sprintf(`{"player":%q}`, b))
		})},
		"POST /v1/friends/requests/{player}/accept": {betweenFriends(func(s *apitest.Stack, a, b string) apitest.Call {
			s.Want(http.StatusCreated, s.As(b, apitest.Post(apitest.RequestsPath, fmt.Sprintf(`{"player":%q}`, a))))
			return apitest.Post(apitest.RequestsPath+"/"+b+"/accept", "")
		})},
		// If the answer could not be kept, a code may exist that no client knows.
		"POST /v1/friends/invites": {betweenFriends(func(*apitest.Stack, string, string) apitest.Call { return apitest.Post(apitest.InvitesPath, "") })},
		"POST /v1/friends/invites/{code}/accept": {betweenFriends(func(s *apitest.Stack, a, b string) apitest.Call {
			var invite struct{ Code string }
			require.NoError(s, json.Unmarshal(s.Want(http.StatusCreated, s.As(b, apitest.Post(apitest.InvitesPath, ""))).Body, &invite))
			return apitest.Post(apitest.InvitesPath+"/"+invite.Code+"/accept", "")
		})},
	}
}

// betweenFriends is a request of a player about another, both of whom are new
// each time, since the database stays.
func betweenFriends(request func(s *apitest.Stack, a, b string) apitest.Call) interrupted {
	n, a := 0, ""
	return interrupted{
		prepare: func(s *apitest.Stack) apitest.Call {
			n++
			a = fmt.Sprintf("user_a%d", n)
			return s.As(a, request(s, a, fmt.Sprintf("user_b%d", n)))
		},
		effect: func(s *apitest.Stack) string {
			all := s.FriendsBody(a)
			return fmt.Sprint(len(all.Friends), len(all.Sent), len(all.Received))
		},
		friends: true,
	}
}

// repeatable are the routes that take no key, and what a second request of the
// same does to the first.
var repeatable = map[string]string{
	"POST /v1/leaderboards/{mode}/lookup": "reads only",
	"POST /graphql":                       "reads only",
	"POST /v1/devices":                    "keeps nothing: a device that nobody heard of plays nothing",
	"POST /v1/events":                     "is known by the events' ids",
	"POST /v1/webhooks/clerk":             "is known by the message's id",
	"POST /v1/plays":                      "keeps nothing: of two plays each counts once, where it is played",
	"POST /v1/races/queue":                "finds the race in which the player waits already",
	"POST /v1/races/{id}/join":            "finds the player in the race",
	"POST /v1/races/{id}/progress":        "tells the same once more",
	"POST /v1/races/{id}/leave":           "finds the player gone",
	"POST /v1/ops/dead-letters/redrive":   "sends back what is left: none twice, since a letter leaves its queue as it is sent",
}

func TestEveryPostTakesAKeyOrBearsRepetition(t *testing.T) {
	keyed := interruptions()
	for pattern, operation := range apitest.LoadContract(t).Operations() {
		if !strings.HasPrefix(pattern, "POST ") {
			continue
		}
		takes := operation.Parameters.GetByInAndName("header", "Idempotency-Key") != nil
		require.Equal(t, takes, len(keyed[pattern]) > 0, "%s: say in interruptions how it is retried", pattern)
		require.Equal(t, takes, repeatable[pattern] == "", "%s: either it takes a key, or say in repeatable what a second request does", pattern)
	}
}

// begin has nothing but what the request needs before it.
func (i interrupted) begin(s *apitest.Stack) apitest.Call {
	_, err := s.Redis.Server.Redis().Do(context.Background(), "FLUSHDB")
	require.NoError(s, err)
	s.Clock.Set(apitest.Noon)
	s.Handler = s.Process()
	for n, body := range []string{`{"mode":"daily","score":1}`, fiveCoins, `{"mode":"newest","score":1}`} { // Redis knows the scripts
		s.Want(http.StatusCreated, s.As("user_b", apitest.Post(apitest.Scores, body)).With("Idempotency-Key", fmt.Sprint("other-", n)))
	}
	return i.prepare(s).With("Idempotency-Key", `"a-key"`)
}

// run asks, then once more, and tells what came of it. Whatever was answered
// must be one answer.
func (i interrupted) run(w *apitest.Wire, c apitest.Call) string {
	w.Helper()
	w.Mu.Lock()
	w.Answers = nil
	w.Mu.Unlock()
	heard := w.Ask(c)
	again := w.Ask(c)
	w.MendRedis()
	w.Mu.Lock()
	defer w.Mu.Unlock()
	for _, answer := range append(w.Answers, again) {
		if i.sum {
			heard, answer = asFirst(heard), asFirst(answer)
		}
		require.Equal(w, string(heard), string(answer), "one answer")
	}
	return i.effect(w.Stack)
}

// asFirst is the answer to a sum without what may differ from the first one. Its record keeps
// score and rank; the number of players is read anew.
func asFirst(answer []byte) []byte {
	answer = bytes.ReplaceAll(answer, []byte(`"replayed"`), []byte(`"accepted"`))
	return totals.ReplaceAll(answer, nil)
}

var totals = regexp.MustCompile(`"total":\d+,"percentile":[\d.]+,`)

// Wherever the connection is cut, between client and product or between product
// and Redis, a client that sends the same key again sees one effect and one answer.
func TestOneEffectAndOneAnswerThroughCutConnections(t *testing.T) {
	for pattern, all := range interruptions() {
		for n, i := range all {
			t.Run(fmt.Sprint(pattern, " ", n), func(t *testing.T) {
				w := apitest.NewStack(t).Wire()
				if i.friends {
					w.Keep()
				}
				want := i.run(w, i.begin(w.Stack))
				c := i.begin(w.Stack)
				w.Before.Store(true)
				require.Equal(t, want, i.run(w, c), "cut before the product")
				c = i.begin(w.Stack)
				w.After.Store(true)
				require.Equal(t, want, i.run(w, c), "cut after the product")
				faults := []upstashtest.Fault{{CutBefore: true}, {CutAfter: true}}
				for step := int64(0); ; step++ {
					var reached atomic.Bool
					for f := range slices.Values(faults) {
						c := i.begin(w.Stack)
						var exchange atomic.Int64
						w.Redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
							// All attempts of one call fail, or the client library would mend it.
							if at := exchange.Add(1) - 1; at >= step && at < step+apitest.Attempts {
								reached.Store(true)
								return f
							}
							return upstashtest.Fault{}
						})
						require.Equal(t, want, i.run(w, c), "%+v at exchange %d", f, step)
					}
					if !reached.Load() {
						require.Positive(t, step)
						return
					}
				}
			})
		}
	}
}
