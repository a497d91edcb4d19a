package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/graph"
)

// planned is a graph that remembers what the last query was to cost.
type planned struct {
	graph.Engine
	price int
}

func (p *planned) Answer(ctx context.Context, reads *graph.Reads, q graph.Query) (graph.Answer, error) {
	answer, err := p.Engine.Answer(ctx, reads, q)
	p.price = reads.Price()
	return answer, err
}

// drawQuery is a query of some parts, each with arguments of its own.
func drawQuery(t *rapid.T, duel string) string {
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	board := func() string {
		mode := pick("mode", "daily", "daily", "longest", "tied", "newest", "coins", "fastest", "xp", "duels")
		args := fmt.Sprintf("mode: %q", mode)
		if mode == "xp" || mode == "duels" {
			return args
		}
		args += ", period: " + pick("period", "DAY", "DAY", "WEEK", "MONTH", "ALLTIME")
		if mode == "daily" {
			args += pick("scope", "", "", "", `, scope: "country:BR"`, `, scope: "region:SA"`, `, scope: "group:g1"`)
		}
		return args + pick("date", "", "", fmt.Sprintf(", date: %q", yesterday), `, date: "2026-10-30"`)
	}
	cards := func() string {
		var all strings.Builder
		for i := range rapid.IntRange(0, 2).Draw(t, "cards") {
			fmt.Fprintf(&all, " c%d: card(%s) { rank score }", i, board())
		}
		return all.String()
	}
	var q strings.Builder
	for i := range rapid.IntRange(1, 4).Draw(t, "parts") {
		switch pick("part", "board", "board", "card", "own card", "players", "me", "standing", "friends", "duels", "duel") {
		case "board":
			fmt.Fprintf(&q, "p%d: board(%s, first: %d) { total cursor entries { rank player { id name%s } } }\n", i, board(), rapid.IntRange(1, 100).Draw(t, "first"), cards())
		case "card":
			fmt.Fprintf(&q, "p%d: card(%s, player: %q) { rank total previousRank player { name%s } }\n", i, board(), pick("player", "user_a", "user_b", "user_x"), cards())
		case "own card":
			fmt.Fprintf(&q, "p%d: card(%s) { rank total previousRank }\n", i, board())
		case "players":
			fmt.Fprintf(&q, "p%d: players(ids: [\"user_a\", \"user_b\", \"user_x\"]) { name%s }\n", i, cards())
		case "me":
			fmt.Fprintf(&q, "p%d: me { player { name%s } }\n", i, cards())
		case "standing":
			fmt.Fprintf(&q, "p%d: me { standing { xp today { rank } } }\n", i)
		case "friends":
			fmt.Fprintf(&q, "p%d: me { friends { player { name%s } } }\n", i, cards())
		case "duels":
			fmt.Fprintf(&q, "p%d: me { duels(first: %d) { id status } }\n", i, rapid.IntRange(1, 5).Draw(t, "first"))
		case "duel":
			fmt.Fprintf(&q, "p%d: duel(id: %q) { status }\n", i, duel)
		}
	}
	return "{\n" + q.String() + "}"
}

// Whatever is asked, of a process that remembers everything or nothing, of boards that are
// due or not: it costs no more than was predicted before its first command, and that is no
// more than a query may cost.
func TestNoQueryCostsMoreThanWasPredicted(t *testing.T) {
	s := newStack(t)
	s.clock.Stop()
	s.befriend()
	s.want(http.StatusOK, asked("user_b", "user_a", post(requestsPath+"/user_b/accept", ""))(s))
	for day := range 12 {
		s.clock.Set(noon.AddDate(0, 0, day-11))
		for i, player := range []string{"user_a", "user_b", "user_z"} {
			for _, mode := range []string{"daily", "longest", "tied"} {
				s.want(http.StatusCreated, post(scores, fmt.Sprintf(`{"mode":%q,"player":%q,"score":%d,"country":"BR","groups":["g1"]}`, mode, player, i+1)).signed())
			}
		}
		_, err := s.keeper(nil).Daily(t.Context())
		require.NoError(t, err)
	}
	n, answered, refused, dearest := 0, 0, 0, int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		n++
		if rapid.Bool().Draw(rt, "due again") && s.clock.Now().Before(noon.Add(30*time.Hour)) { // no longer: here no schedule runs
			s.clock.Set(s.clock.Now().Add(20 * time.Minute))
		}
		duel := ""
		if rapid.Bool().Draw(rt, "a duel") {
			duel = strings.TrimPrefix(s.arrange(fmt.Sprint("match", n), "user_a", "user_z"), "/v1/duels/")
		} else {
			duel = strings.TrimPrefix(s.challenge(fmt.Sprint("user_q", n), `{"opponent":"user_a"}`), "/v1/duels/")
		}
		query := drawQuery(rt, duel)
		c := s.as("user_a", asks(query))
		if rapid.Bool().Draw(rt, "a score meanwhile") {
			mode := rapid.SampledFrom([]string{"daily", "longest", "tied"}).Draw(rt, "of")
			s.send(post(scores, fmt.Sprintf(`{"mode":%q,"player":"user_a","score":%d,"country":"BR","groups":["g1"]}`, mode, 4+n%7)).signed())
		}
		if rapid.Bool().Draw(rt, "a new process") {
			s.handler = s.process()
		}
		before := s.billed()
		var a answer
		commands, _ := s.spent(func() { a = s.do(c) })
		require.Equal(rt, s.billed()-before, commands, "the meter and Redis itself disagree")
		price := int64(s.planned.price)
		require.LessOrEqual(rt, commands, price, "%s\n%s", query, a.body)
		switch a.status {
		case http.StatusServiceUnavailable: // a database that is too busy
		case http.StatusOK:
			answered++
			dearest = max(dearest, commands)
			require.LessOrEqual(rt, price, int64(graph.MostCommands), query)
		default:
			require.Equal(rt, http.StatusBadRequest, a.status, "%s", a.body)
			refused++
			require.Zero(rt, commands, query)
			require.Contains(rt, string(a.body), `"too-large"`, query)
			require.Greater(rt, price, int64(graph.MostCommands), query)
		}
	})
	t.Log(answered, refused, dearest)
	require.Positive(t, answered)
	require.Positive(t, refused)

	// What is drawn may be cheap each time: this is not.
	s.clock.Set(s.clock.Now().Add(20 * time.Minute))
	s.handler = s.process()
	commands, _ := s.spent(func() {
		s.want(http.StatusOK, s.as("user_a", asks(`{ card(mode: "daily", period: MONTH) { rank total previousRank } }`)))
	})
	t.Log(commands, "of", s.planned.price)
	require.LessOrEqual(t, commands, int64(s.planned.price))
	require.Greater(t, max(dearest, commands), int64(graph.MostCommands/2), "queries come near what they may cost")
}
