package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// interrupted is a request whose client keeps asking through broken connections.
type interrupted struct {
	// prepare makes what is there before, and the call, without its key.
	prepare func(*stack) call
	// effect tells what has come of it, the same however often it is looked at.
	effect  func(*stack) string
	sum     bool
	friends bool // needs the database
}

// interruptions are of each route that takes an idempotency key, and each policy.
func interruptions() map[string][]interrupted {
	boards := func(s *stack) (text string) {
		for _, mode := range []string{"daily", "longest", "newest", "tied", "coins"} {
			text += fmt.Sprintln(mode, s.page("/v1/leaderboards/"+mode+"?limit=50").Entries)
		}
		return text
	}
	score := func(body string) interrupted {
		return interrupted{prepare: as("user_a", post(scores, body)), effect: boards, sum: strings.Contains(body, "coins")}
	}
	duels := func(s *stack) string {
		var page struct{ Duels []struct{ Status string } }
		require.NoError(s, json.Unmarshal(s.want(http.StatusOK, s.as("user_a", get(duelsPath+"?limit=50"))).body, &page))
		return fmt.Sprint(page)
	}
	batchOf := func(items ...string) interrupted {
		return interrupted{
			prepare: plain(post(batch, `{"scores":[`+strings.Join(items, ",")+`]}`).signed()), effect: boards,
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
			{prepare: as("user_a", post(duelsPath, `{"opponent":"user_b"}`)), effect: duels},
			{prepare: as("user_a", post(duelsPath, `{}`)), effect: duels},
			{prepare: plain(post(duelsPath, `{"players":["user_a","user_b"]}`).signed()), effect: duels},
			{prepare: plain(post(duelsPath, `{"id":"match-1","players":["user_a","user_b"]}`).signed()), effect: duels},
		},
		"POST /v1/me/claim": {{
			prepare: func(s *stack) call {
				d := s.device()
				s.want(http.StatusCreated, post(scores, goodScore).bearer(d.Token))
				return s.as("user_a", s.claim(d))
			},
			effect: boards,
		}},
		"POST /v1/duels/queue": {{prepare: func(s *stack) call {
			s.want(http.StatusOK, s.as("user_b", post(queuePath, `{}`)))
			return s.as("user_a", post(queuePath, `{}`))
		}, effect: duels}},
		"POST /v1/duels/{id}/accept": {{prepare: func(s *stack) call {
			return s.as("user_a", post(s.challenge("user_b", `{}`)+"/accept", ""))
		}, effect: duels}},
		"POST /v1/duels/{id}/result": {{prepare: func(s *stack) call {
			return post(s.arrange("match", "user_a", "user_b")+"/result", won).signed()
		}, effect: duels}},
		"POST /v1/duels/{id}/rematch": {{prepare: func(s *stack) call {
			address := s.arrange("match", "user_a", "user_b")
			s.want(http.StatusOK, post(address+"/result", won).signed())
			return s.as("user_a", post(address+"/rematch", ""))
		}, effect: duels}},
		"POST /v1/me/wallets/{currency}/spend": {{
			prepare: earns(func(s *stack) call {
				s.play("user_a", "daily", "5")
				s.want(http.StatusCreated, s.as("user_a", post(spendPath, `{"amount":1}`)).with("Idempotency-Key", "other"))
				return s.as("user_a", post(spendPath, `{"amount":7,"item":"hat-3"}`))
			}),
			effect: func(s *stack) string { return string(s.want(http.StatusOK, s.as("user_a", get(walletsPath))).body) },
		}},
		"POST /v1/races": {{
			prepare: func(s *stack) call {
				s.racing()
				return s.as("user_a", post(racesAt, `{"mode":"typed"}`))
			},
			effect: func(s *stack) string {
				reply, err := s.redis.Server.Redis().Do(s.Context(), "ZCARD", game.RacesOfKey("user_a"))
				require.NoError(s, err)
				return fmt.Sprint(reply)
			},
		}},
		"POST /v1/friends/requests": {betweenFriends(func(_ *stack, a, b string) call {
			return post(requestsPath, fmt.Sprintf(`{"player":%q}`, b))
		})},
		"POST /v1/friends/requests/{player}/accept": {betweenFriends(func(s *stack, a, b string) call {
			s.want(http.StatusCreated, s.as(b, post(requestsPath, fmt.Sprintf(`{"player":%q}`, a))))
			return post(requestsPath+"/"+b+"/accept", "")
		})},
		// If the answer could not be kept, a code may exist that no client knows.
		"POST /v1/friends/invites": {betweenFriends(func(*stack, string, string) call { return post(invitesPath, "") })},
		"POST /v1/friends/invites/{code}/accept": {betweenFriends(func(s *stack, a, b string) call {
			var invite struct{ Code string }
			require.NoError(s, json.Unmarshal(s.want(http.StatusCreated, s.as(b, post(invitesPath, ""))).body, &invite))
			return post(invitesPath+"/"+invite.Code+"/accept", "")
		})},
	}
}

// betweenFriends is a request of a player about another, both of whom are new
// each time, since the database stays.
func betweenFriends(request func(s *stack, a, b string) call) interrupted {
	n, a := 0, ""
	return interrupted{
		prepare: func(s *stack) call {
			n++
			a = fmt.Sprintf("user_a%d", n)
			return s.as(a, request(s, a, fmt.Sprintf("user_b%d", n)))
		},
		effect: func(s *stack) string {
			all := s.friendsBody(a)
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
	for pattern, operation := range loadContract(t).operations() {
		if !strings.HasPrefix(pattern, "POST ") {
			continue
		}
		takes := operation.Parameters.GetByInAndName("header", "Idempotency-Key") != nil
		require.Equal(t, takes, len(keyed[pattern]) > 0, "%s: say in interruptions how it is retried", pattern)
		require.Equal(t, takes, repeatable[pattern] == "", "%s: either it takes a key, or say in repeatable what a second request does", pattern)
	}
}

// wire is the network before the product: of the requests that it carries, one
// is cut, before it gets there or after it was answered.
type wire struct {
	*stack
	server        *httptest.Server
	before, after atomic.Bool
	mu            sync.Mutex
	answers       [][]byte // of all requests that got there and succeeded
}

func (s *stack) wire() *wire {
	w := &wire{stack: s}
	w.server = httptest.NewServer(w)
	s.Cleanup(w.server.Close)
	return w
}

func (w *wire) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	if w.before.Swap(false) {
		panic(http.ErrAbortHandler)
	}
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, r)
	if recorder.Code < http.StatusMultipleChoices && !isPartial(recorder.Body.Bytes()) {
		w.mu.Lock()
		w.answers = append(w.answers, recorder.Body.Bytes())
		w.mu.Unlock()
	}
	if w.after.Swap(false) {
		panic(http.ErrAbortHandler)
	}
	for name, values := range recorder.Header() {
		out.Header()[name] = values
	}
	out.WriteHeader(recorder.Code)
	_, _ = out.Write(recorder.Body.Bytes())
}

// isPartial tells of a batch of which some could not be stored: the same is to be
// sent again.
func isPartial(body []byte) bool { return bytes.Contains(body, []byte(`"status":503`)) }

// ask sends a call until it is answered, as any client may: again after 409 and
// 503, and when the connection breaks.
func (w *wire) ask(c call) []byte {
	w.Helper()
	for range 12 {
		made := w.request(c)
		r, err := http.NewRequestWithContext(w.Context(), c.method, w.server.URL+c.target, strings.NewReader(c.body))
		require.NoError(w, err)
		r.Header = made.Header
		a, err := w.server.Client().Do(r)
		if err != nil {
			continue
		}
		body, err := io.ReadAll(a.Body)
		require.NoError(w, err)
		require.NoError(w, a.Body.Close())
		switch {
		case a.StatusCode == http.StatusConflict || a.StatusCode == http.StatusServiceUnavailable:
			require.NotEmpty(w, a.Header.Get("Retry-After"))
			w.pass()
		case isPartial(body):
		default:
			require.Less(w, a.StatusCode, http.StatusMultipleChoices, "%s", body)
			return body
		}
	}
	require.Fail(w, "no answer")
	return nil
}

// begin has nothing but what the request needs before it.
func (i interrupted) begin(s *stack) call {
	_, err := s.redis.Server.Redis().Do(context.Background(), "FLUSHDB")
	require.NoError(s, err)
	s.clock.Set(noon)
	s.handler = s.process()
	for n, body := range []string{`{"mode":"daily","score":1}`, fiveCoins, `{"mode":"newest","score":1}`} { // Redis knows the scripts
		s.want(http.StatusCreated, s.as("user_b", post(scores, body)).with("Idempotency-Key", fmt.Sprint("other-", n)))
	}
	return i.prepare(s).with("Idempotency-Key", `"a-key"`)
}

// run asks, then once more, and tells what came of it. Whatever was answered
// must be one answer.
func (i interrupted) run(w *wire, c call) string {
	w.Helper()
	w.mu.Lock()
	w.answers = nil
	w.mu.Unlock()
	heard := w.ask(c)
	again := w.ask(c)
	w.mendRedis()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, answer := range append(w.answers, again) {
		if i.sum {
			heard, answer = asFirst(heard), asFirst(answer)
		}
		require.Equal(w, string(heard), string(answer), "one answer")
	}
	return i.effect(w.stack)
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
				w := newStack(t).wire()
				if i.friends {
					w.befriend()
				}
				want := i.run(w, i.begin(w.stack))
				c := i.begin(w.stack)
				w.before.Store(true)
				require.Equal(t, want, i.run(w, c), "cut before the product")
				c = i.begin(w.stack)
				w.after.Store(true)
				require.Equal(t, want, i.run(w, c), "cut after the product")
				faults := []upstashtest.Fault{{CutBefore: true}, {CutAfter: true}}
				for step := int64(0); ; step++ {
					var reached atomic.Bool
					for f := range slices.Values(faults) {
						c := i.begin(w.stack)
						var exchange atomic.Int64
						w.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
							// All attempts of one call fail, or the client library would mend it.
							if at := exchange.Add(1) - 1; at >= step && at < step+attempts {
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

// attempts is how often the client library sends one call at most.
const attempts = 4
