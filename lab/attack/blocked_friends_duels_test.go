package attack_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const boardPath = "/v1/leaderboards/daily_frame/friends"

// plan is one step of a player; all are drawn before any player acts.
type plan struct {
	what  string
	other int // which of the other players
	pick  int // which of the latest codes or duels
}

// doings are what players do; frequent ones occur several times.
var doings = []string{
	"ask", "ask", "accept", "accept", "drop", "remove", "block", "block", "unblock", "unblock",
	"invite", "redeem", "redeem", "challenge", "open", "accept duel", "accept duel", "queue", "queue", "queue", "settle", "settle", "rematch",
	"see friends", "see friends", "see board", "see duels",
}

func drawPlan(t *rapid.T) plan {
	return plan{
		rapid.SampledFrom(doings).Draw(t, "what"),
		rapid.IntRange(0, playersAtOnce-2).Draw(t, "other"), rapid.IntRange(0, 99).Draw(t, "pick"),
	}
}

// span is the time from before a request to after its answer, counted in turns of all
// requests.
type span struct{ start, end int64 }

// deed is a request of a player about another one that succeeded.
type deed struct {
	span
	what, who, whom string
}

// sight says that a player saw another one on a list.
type sight struct {
	span
	who, list, whom string
}

// meeting is an answer that says that two players are in a duel.
type meeting struct {
	span
	players [2]string
}

// world is some players, with everything that they did and saw.
type world struct {
	*product
	players []string
	turn    atomic.Int64

	mu       sync.Mutex
	deeds    []deed
	sights   []sight
	meetings map[string][]meeting // by duel
	codes    []string             // invites
	duels    []string
	done     map[string]int // counts of answers, for the log
	faults   []string
}

func newWorld(p *product, round int) *world {
	w := &world{product: p, meetings: map[string][]meeting{}, done: map[string]int{}}
	for i := range playersAtOnce {
		w.players = append(w.players, fmt.Sprintf("user_%c_%d", 'a'+i, round))
	}
	return w
}

// duelBody is a duel as the API answers it.
type duelBody struct {
	ID, Status, Opponent string
	Players              []string
}

// act does one step and records the outcome.
func (w *world) act(me string, one plan) {
	others := slices.DeleteFunc(slices.Clone(w.players), func(player string) bool { return player == me })
	other := others[one.other]
	r, ok := w.requestOf(one, other)
	if !ok {
		return
	}
	if one.what == "settle" {
		r = w.signed(r)
	} else {
		r = r.with(bearer(w.token(me)))
	}
	during := span{start: w.turn.Add(1)}
	a, err := w.send(r)
	during.end = w.turn.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || a.status >= http.StatusInternalServerError || a.status == http.StatusBadRequest || a.status == http.StatusUnauthorized {
		w.faults = append(w.faults, fmt.Sprintf("%s %s %s: %d %s %v", me, r.method, r.path, a.status, a.body, err))
		return
	}
	w.done[fmt.Sprint(one.what, " ", a.status)]++
	if a.status < 300 {
		w.note(me, other, one.what, during, a)
	}
}

func (w *world) requestOf(one plan, other string) (request, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	from := func(all []string) (string, bool) {
		if len(all) == 0 {
			return "", false
		}
		return all[len(all)-1-one.pick%min(len(all), 6)], true // one of the latest
	}
	duel, anyDuel := from(w.duels)
	switch one.what {
	case "ask":
		return request{method: "POST", path: "/v1/friends/requests", body: `{"player":"` + other + `"}`}, true
	case "accept":
		return request{method: "POST", path: "/v1/friends/requests/" + other + "/accept"}, true
	case "drop":
		return request{method: "DELETE", path: "/v1/friends/requests/" + other}, true
	case "remove":
		return request{method: "DELETE", path: "/v1/friends/" + other}, true
	case "block":
		return request{method: "PUT", path: "/v1/friends/blocks/" + other}, true
	case "unblock":
		return request{method: "DELETE", path: "/v1/friends/blocks/" + other}, true
	case "invite":
		return request{method: "POST", path: "/v1/friends/invites", body: `{"uses":2}`}, true
	case "redeem":
		code, ok := from(w.codes)
		return request{method: "POST", path: "/v1/friends/invites/" + code + "/accept"}, ok
	case "challenge":
		return request{method: "POST", path: "/v1/duels", body: `{"opponent":"` + other + `"}`}, true
	case "open":
		return request{method: "POST", path: "/v1/duels", body: `{}`}, true
	case "accept duel":
		return request{method: "POST", path: "/v1/duels/" + duel + "/accept"}, anyDuel
	case "rematch":
		return request{method: "POST", path: "/v1/duels/" + duel + "/rematch"}, anyDuel
	case "settle":
		return request{method: "POST", path: "/v1/duels/" + duel + "/result", body: `{"winner":null}`}, anyDuel
	case "queue":
		return request{method: "POST", path: "/v1/duels/queue"}, true
	case "leave":
		return request{method: "DELETE", path: "/v1/duels/queue"}, true
	case "see friends":
		return request{method: "GET", path: "/v1/friends"}, true
	case "see board":
		return request{method: "GET", path: boardPath}, true
	}
	return request{method: "GET", path: "/v1/duels?player=me"}, true
}

// note records what an answer says.
func (w *world) note(me, other, what string, during span, a answer) {
	var got struct {
		friendLists
		duelBody
		Code    string
		Entries relations
		Duels   []duelBody
	}
	if a.status != http.StatusNoContent {
		if err := json.Unmarshal(a.body, &got); err != nil {
			w.faults = append(w.faults, err.Error())
			return
		}
	}
	saw := func(list string, ids []string) {
		for _, id := range ids {
			if id != me && id != "" {
				w.sights = append(w.sights, sight{during, me, list, id})
			}
		}
	}
	switch what {
	case "ask", "block", "unblock":
		w.deeds = append(w.deeds, deed{during, what, me, other})
	case "invite":
		w.codes = append(w.codes, got.Code)
	case "see friends":
		saw("friends", got.Friends.ids())
		saw("received", got.Received.ids())
		saw("sent", got.Sent.ids())
		saw("blocked", got.Blocked.ids())
	case "see board":
		saw("board", got.Entries.ids())
	case "see duels":
		for _, d := range got.Duels {
			if d.Status == "waiting" { // a duel that both have accepted continues
				saw("challenges", d.Players)
			}
		}
	}
	for _, d := range append(got.Duels, got.duelBody) {
		if d.ID == "" {
			continue
		}
		if !slices.Contains(w.duels, d.ID) {
			w.duels = append(w.duels, d.ID)
		}
		if len(d.Players) == 2 {
			if what == "queue" && len(w.meetings[d.ID]) == 0 {
				w.done["queue met 200"]++
			}
			w.meetings[d.ID] = append(w.meetings[d.ID], meeting{during, [2]string(d.Players)})
		}
	}
}

// blockedAll reports whether one player had certainly blocked another during a whole
// span, and by which deed. The deeds of one player are in order.
func (w *world) blockedAll(who, whom string, during span) (block deed, blocked bool) {
	for _, d := range w.deeds {
		switch {
		case d.who != who || d.whom != whom:
		case d.what == "block" && d.end < during.start && !blocked:
			block, blocked = d, true
		case d.what == "unblock" && d.start < during.end:
			blocked = false
		}
	}
	return block, blocked
}

// did reports whether a player may have done something since a moment.
func (w *world) did(what, who, whom string, since int64) bool {
	return slices.ContainsFunc(w.deeds, func(d deed) bool {
		return d.what == what && d.who == who && d.whom == whom && d.end > since
	})
}

// requireNoLeak compares everything that was answered with the blocks at that time.
func (w *world) requireNoLeak(t require.TestingT) {
	for _, s := range w.sights {
		if s.list == "blocked" {
			require.True(t, w.did("block", s.who, s.whom, 0), "%s is told a block that was not theirs: %+v", s.who, s)
			continue
		}
		if block, ok := w.blockedAll(s.who, s.whom, s.span); ok {
			require.Fail(t, "a blocked player is listed to the blocker", "%+v, blocked in %+v", s, block)
		}
		if block, ok := w.blockedAll(s.whom, s.who, s.span); ok {
			// A player's own request stays on the list, as if the other player did not
			// react.
			require.True(t, s.list == "sent" && w.did("ask", s.who, s.whom, block.start),
				"the blocker is listed to a blocked player: %+v, blocked in %+v", s, block)
		}
	}
	for id, all := range w.meetings {
		first := slices.MinFunc(all, func(a, b meeting) int { return int(a.start - b.start) })
		a, b := first.players[0], first.players[1]
		for _, pair := range [][2]string{{a, b}, {b, a}} {
			block, ok := w.blockedAll(pair[0], pair[1], first.span)
			require.False(t, ok, "duel %s of %v came about over a block: %+v, blocked in %+v", id, pair, first, block)
		}
	}
}
