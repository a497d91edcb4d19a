package attack_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
)

// startSocial serves the product over a real Redis and a real Postgres.
func startSocial(t *testing.T) *product {
	t.Helper()
	return start(t, testkit.RealRedis(t), archivetest.Database(t))
}

const (
	playersAtOnce = 5
	phases        = 3
	stepsInPhase  = 14
)

// Whatever players do at the same time, friendships are mutual, and no player sees or
// meets another over a block: neither in answers while others act, nor in the state
// afterwards.
func TestBlocksNeverLeak(t *testing.T) {
	p := startSocial(t)
	round, made := 0, map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		round++
		w := newWorld(p, round)
		for _, player := range w.players {
			a := p.do(request{method: "POST", path: "/v1/scores", body: `{"mode":"daily_frame","score":500}`}.with(bearer(p.token(player))))
			require.Equal(r, http.StatusCreated, a.status, "%s", a.body)
		}
		for range phases {
			plans := make([][]plan, len(w.players))
			for i := range plans {
				plans[i] = rapid.SliceOfN(rapid.Custom(drawPlan), stepsInPhase, stepsInPhase).Draw(r, w.players[i])
			}
			var wait sync.WaitGroup
			for i, player := range w.players {
				wait.Go(func() {
					for _, one := range plans[i] {
						w.act(player, one)
					}
				})
			}
			wait.Wait()
			require.Empty(r, w.faults)
			w.requireNoLeak(r)
			w.requireMutual(r)
			p.clock.Pass(time.Minute)
		}
		for what, n := range w.done {
			made[what] += n
		}
		for _, player := range w.players {
			w.act(player, plan{what: "leave"})
		}
	})
	t.Logf("%v", made)
	for _, what := range []string{"block 204", "accept 200", "redeem 200", "challenge 201", "accept duel 200", "queue met 200"} {
		require.Positive(t, made[what], "this test does not reach %q: %v", what, made)
	}
}

// Over a block, each of two players looks to the other like a player who does not react:
// in answers and in what they cost.
func TestADuelOverABlockLooksLikeAnyOther(t *testing.T) {
	p := startSocial(t)
	as := func(player string, r request) request { return r.with(bearer(p.token(player))) }
	a := p.do(as("user_a", request{method: "PUT", path: "/v1/friends/blocks/user_b"}))
	require.Equal(t, http.StatusNoContent, a.status, "%s", a.body)
	for _, pair := range [][2]string{{"user_a", "user_b"}, {"user_b", "user_a"}} {
		me, other := pair[0], pair[1]
		challenge := func(opponent string) (d map[string]any, exchanges int64) {
			before := p.exchanges.Load()
			a := p.do(as(me, request{method: "POST", path: "/v1/duels", body: `{"opponent":"` + opponent + `"}`}))
			require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
			require.NoError(t, json.Unmarshal(a.body, &d))
			return d, p.exchanges.Load() - before
		}
		for range 3 { // the first requests of a process cost more, whoever sends them
			challenge("user_warm")
		}
		usual, cost := challenge("user_idle")
		made, sameCost := challenge(other)
		require.Equal(t, cost, sameCost)
		id := made["id"].(string)
		usual["id"], usual["opponent"] = made["id"], made["opponent"]
		require.Equal(t, usual, made)

		for _, r := range []request{
			{method: "GET", path: "/v1/duels/%s"}, {method: "POST", path: "/v1/duels/%s/accept"}, {method: "POST", path: "/v1/duels/%s/rematch"},
			{method: "POST", path: "/v1/duels/%s/result", body: `{"winner":"` + other + `"}`},
		} {
			path := r.path
			answers := make([]map[string]any, 2)
			for i, of := range []string{id, "a-duel-that-is-not"} {
				r.path = fmt.Sprintf(path, of)
				a := p.do(as(other, r))
				require.Equal(t, http.StatusNotFound, a.status, "%s: %s", r.path, a.body)
				require.NoError(t, json.Unmarshal(a.body, &answers[i]))
				delete(answers[i], "instance")
			}
			require.Equal(t, answers[1], answers[0])
		}
		a := p.do(as(other, request{method: "GET", path: "/v1/duels"}))
		require.NotContains(t, string(a.body), id)
		a = p.do(as(me, request{method: "POST", path: "/v1/duels/queue"}))
		require.Contains(t, string(a.body), `"status":"queued"`)
	}
}

// However many requests are accepted at once, a player has at most 500 friends, all of
// them mutual.
func TestNobodyHasMoreThan500Friends(t *testing.T) {
	p := startSocial(t)
	const star, fans, most = "user_star", 512, 500
	var codes []string
	for range 6 {
		a := p.do(request{method: "POST", path: "/v1/friends/invites", body: `{"uses":100}`}.with(bearer(p.token(star))))
		require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
		var invite struct{ Code string }
		require.NoError(t, json.Unmarshal(a.body, &invite))
		codes = append(codes, invite.Code)
	}
	statuses := make([]int, fans)
	atOnce(8, fans, func(i int) {
		a, err := p.send(request{method: "POST", path: "/v1/friends/invites/" + codes[i%len(codes)] + "/accept"}.with(bearer(p.token(fmt.Sprint("user_fan_", i)))))
		if err != nil {
			p.Error(err)
		}
		statuses[i] = a.status
	})
	counts := map[int]int{}
	for _, status := range statuses {
		counts[status]++
	}
	require.Equal(t, map[int]int{http.StatusOK: most, http.StatusConflict: fans - most}, counts)
	of := func(player string) friendLists { return p.friendsOf(t, player) }
	var want []string
	for i, status := range statuses {
		if fan := fmt.Sprint("user_fan_", i); status == http.StatusOK {
			want = append(want, fan)
		} else {
			require.Empty(t, of(fan).Friends, fan)
		}
	}
	require.ElementsMatch(t, want, of(star).Friends.ids())
	require.Equal(t, []string{star}, of(want[0]).Friends.ids())
}

type relations []struct{ Player string }

func (r relations) ids() []string {
	ids := make([]string, len(r))
	for i, one := range r {
		ids[i] = one.Player
	}
	return ids
}

// friendLists is the answer of GET /v1/friends.
type friendLists struct{ Friends, Received, Sent, Blocked relations }

func (p *product) friendsOf(t require.TestingT, player string) (f friendLists) {
	a, err := p.send(request{method: "GET", path: "/v1/friends"}.with(bearer(p.token(player))))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	require.NoError(t, json.Unmarshal(a.body, &f))
	return f
}

// requireMutual checks everything while no player acts.
func (w *world) requireMutual(t require.TestingT) {
	lists := map[string]friendLists{}
	for _, player := range w.players {
		lists[player] = w.friendsOf(t, player)
	}
	for _, me := range w.players {
		mine := lists[me]
		friends := mine.Friends.ids()
		for _, other := range w.players {
			theirs := lists[other]
			require.Equal(t, slices.Contains(friends, other), slices.Contains(theirs.Friends.ids(), me), "friendship of %s and %s is mutual", me, other)
			if slices.Contains(mine.Blocked.ids(), other) {
				for list, ids := range map[string][]string{"friends": friends, "received": mine.Received.ids(), "sent": mine.Sent.ids()} {
					require.NotContains(t, ids, other, "%s of the blocker", list)
				}
				require.NotContains(t, theirs.Friends.ids(), me)
				require.NotContains(t, theirs.Received.ids(), me)
			}
		}
		a, err := w.send(request{method: "GET", path: boardPath}.with(bearer(w.token(me))))
		require.NoError(t, err)
		var board struct{ Entries relations }
		require.NoError(t, json.Unmarshal(a.body, &board))
		require.ElementsMatch(t, append([]string{me}, friends...), board.Entries.ids(), "the friends board of %s", me)
	}
}
