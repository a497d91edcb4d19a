package graph_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/graph"
)

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
		return args + pick("date", "", "", fmt.Sprintf(", date: %q", apitest.Yesterday), `, date: "2026-10-30"`)
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
	s := apitest.NewStack(t)
	s.Clock.Stop()
	s.Keep()
	s.Want(http.StatusOK, apitest.Asked("user_b", "user_a", apitest.Post(apitest.RequestsPath+"/user_b/accept", ""))(s))
	for day := range 12 {
		s.Clock.Set(apitest.Noon.AddDate(0, 0, day-11))
		for i, player := range []string{"user_a", "user_b", "user_z"} {
			for _, mode := range []string{"daily", "longest", "tied"} {
				s.Want(http.StatusCreated, apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":%q,"player":%q,"score":%d,"country":"BR","groups":["g1"]}`, mode, player, i+1)).Signed())
			}
		}
		_, err := s.Keeper(nil).Daily(t.Context())
		require.NoError(t, err)
	}
	n, answered, refused, dearest := 0, 0, 0, int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		n++
		if rapid.Bool().Draw(rt, "due again") && s.Clock.Now().Before(apitest.Noon.Add(30*time.Hour)) { // no longer: here no later schedule runs
			s.Clock.Set(s.Clock.Now().Add(20 * time.Minute))
			if s.Clock.Now().Hour() == 1 { // a board costs a command more while a sealed day waits for the night's schedule
				_, err := s.Keeper(nil).Daily(t.Context())
				require.NoError(rt, err)
			}
		}
		duel := ""
		if rapid.Bool().Draw(rt, "a duel") {
			duel = strings.TrimPrefix(s.Arrange(fmt.Sprint("match", n), "user_a", "user_z"), "/v1/duels/")
		} else {
			duel = strings.TrimPrefix(s.Challenge(fmt.Sprint("user_q", n), `{"opponent":"user_a"}`), "/v1/duels/")
		}
		query := drawQuery(rt, duel)
		c := s.As("user_a", apitest.Asks(query))
		if rapid.Bool().Draw(rt, "a score meanwhile") {
			mode := rapid.SampledFrom([]string{"daily", "longest", "tied"}).Draw(rt, "of")
			s.Send(apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":%q,"player":"user_a","score":%d,"country":"BR","groups":["g1"]}`, mode, 4+n%7)).Signed())
		}
		if rapid.Bool().Draw(rt, "a new process") {
			s.Handler = s.Process()
		}
		before := s.Billed()
		var a apitest.Answer
		commands, _ := s.Spent(func() { a = s.Do(c) })
		require.Equal(rt, s.Billed()-before, commands, "the meter and Redis itself disagree")
		price := int64(s.Planned.Price)
		require.LessOrEqual(rt, commands, price, "%s\n%s", query, a.Body)
		switch a.Status {
		case http.StatusServiceUnavailable: // a database that is too busy
		case http.StatusOK:
			answered++
			dearest = max(dearest, commands)
			require.LessOrEqual(rt, price, int64(graph.MostCommands), query)
		default:
			require.Equal(rt, http.StatusBadRequest, a.Status, "%s", a.Body)
			refused++
			require.Zero(rt, commands, query)
			require.Contains(rt, string(a.Body), `"too-large"`, query)
			require.Greater(rt, price, int64(graph.MostCommands), query)
		}
	})
	t.Log(answered, refused, dearest)
	require.Positive(t, answered)
	require.Positive(t, refused)

	// What is drawn may be cheap each time: this is not.
	s.Clock.Set(s.Clock.Now().Add(20 * time.Minute))
	s.Handler = s.Process()
	commands, _ := s.Spent(func() {
		s.Want(http.StatusOK, s.As("user_a", apitest.Asks(`{ card(mode: "daily", period: MONTH) { rank total previousRank } }`)))
	})
	t.Log(commands, "of", s.Planned.Price)
	require.LessOrEqual(t, commands, int64(s.Planned.Price))
	require.Greater(t, max(dearest, commands), int64(graph.MostCommands/2), "queries come near what they may cost")
}
