package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const recording = "audit: {since: 2026-01-01}\n"

// auditing makes a call in a game that records what submissions do.
func auditing(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		was := s.game
		s.game = keeping + recording + strings.Replace(s.game, keeping, "", 1)
		s.handler = s.process()
		s.game = was
		return c(s)
	}
}

func auditScenarios() map[string]scenario {
	good := get(opsAudit)
	return map[string]scenario{
		"GET /v1/ops/audit 200": {call: auditing(operator(good))},
		"GET /v1/ops/audit 400": {call: auditing(operator(get("/v1/ops/audit"))), kind: "invalid-request"},
		"GET /v1/ops/audit 401": {call: auditing(plain(good)), kind: "unauthenticated"},
		"GET /v1/ops/audit 403": {call: auditing(as("user_z", good)), kind: "forbidden"},
		"GET /v1/ops/audit 404": {call: func(s *stack) call { s.handler = s.process(); return good.bearer(opsToken) }, kind: "not-found"},
		"GET /v1/ops/audit 429": {call: after(5, plain(good.bearer("guessed").cameFrom("192.0.2.28:1"))), kind: "rate-limited"},
		"GET /v1/ops/audit 500": {call: withoutRights(auditing(operator(good))), kind: "internal"},
		"GET /v1/ops/audit 501": {call: without(auditing(operator(good))), kind: "no-database"},
		"GET /v1/ops/audit 503": {call: over("127.0.0.1:1/nothing", auditing(operator(good))), kind: "temporarily-unavailable"},
	}
}

type auditBody struct {
	Entries []struct {
		At, Mode, Date, Player, Outcome string
		Score                           json.Number
		Before, After                   *json.Number
		SentBy                          *string `json:"sent_by"`
		PlayedAt                        string  `json:"played_at"`
	}
	Next *string
}

// said is what a row says, in words.
func (b auditBody) said() (all []string) {
	number := func(n *json.Number) string {
		if n == nil {
			return "-"
		}
		return n.String()
	}
	for _, e := range b.Entries {
		by := "-"
		if e.SentBy != nil {
			by = *e.SentBy
		}
		all = append(all, strings.Join([]string{e.Player, e.Mode, e.Score.String(), number(e.Before), number(e.After), e.Outcome, by}, " "))
	}
	return all
}

// The operator reads who sent what, with which credential, and what it did; players read the
// record of their own submissions.
func TestTheRecordSaysWhoSentWhatAndWhatItDid(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := newStackAt(t, address)
		s.game = keeping + recording + s.game
		s.database = archivetest.Database(t)
		kept := openArchive(t, s.database)
		s.history = jobs.NewHistory(kept)
		s.handler = s.process()
		read := func(query string) (b auditBody) {
			s.want(http.StatusOK, get("/v1/ops/audit?"+query).bearer(opsToken)).into(s, &b)
			return b
		}
		require.NotNil(t, read("mode=longest").Entries, "an empty list")
		s.play("user_a", "longest", "5")
		s.play("user_a", "longest", "9")
		s.want(http.StatusCreated, post("/v1/scores", `{"mode":"longest","score":7}`).bearer(s.device().Token))
		s.want(http.StatusOK, post("/v1/scores", `{"mode":"longest","score":3,"player":"user_a"}`).signed())
		s.play("user_b", "daily", "500")
		_, err := s.keeper(kept).Save(t.Context())
		require.NoError(t, err)

		require.Equal(t, []string{
			"user_a longest 3 9 9 kept server",
			"user_a longest 9 5 9 improved player",
			"user_a longest 5 - 5 accepted player",
		}, read("player=user_a").said())
		all := read("mode=longest")
		require.Len(t, all.Entries, 4)
		require.Equal(t, "device", *all.Entries[1].SentBy)
		require.Equal(t, all.Entries[0].Date, all.Entries[3].Date)
		var paged []string
		for cursor := ""; ; {
			b := read("mode=longest&limit=1" + cursor)
			paged = append(paged, b.said()...)
			if b.Next == nil {
				break
			}
			cursor = "&cursor=" + *b.Next
		}
		require.Equal(t, all.said(), paged)
		require.Empty(t, read("player=user_a&mode=daily").Entries)
		require.Empty(t, read("player=user_a&to=2026-11-01").Entries)
		require.Len(t, read("player=user_a&from=2026-11-01").Entries, 3)

		var document map[string]json.RawMessage
		s.want(http.StatusOK, s.as("user_b", get(myExport))).into(s, &document)
		var own []map[string]any
		require.NoError(t, json.Unmarshal(document["score_audit"], &own))
		require.Len(t, own, 1)
		require.Equal(t, "accepted", own[0]["outcome"])
		require.NotContains(t, own[0], "player")
	})
}

// What is asked wrongly is refused with what would be right, and costs no command.
func TestTheRecordIsAskedForInBounds(t *testing.T) {
	s := newStack(t)
	s.game = keeping + recording + s.game
	s.database = archivetest.Database(t)
	s.handler = s.process()
	for query, says := range map[string]string{
		"":                          "?player: name a player, a mode, or both",
		"player=a%20b":              "?player: ",
		"mode=daily&mode=longest":   "?mode: duplicate parameter",
		"mode=daily&from=yesterday": "?from: ",
		"mode=daily&from=2026-02-01&to=2026-01-01": "?from: this must be to, or up to 365 days before it",
		"mode=daily&from=2025-01-01&to=2026-01-02": "?from: this must be to, or up to 365 days before it",
		"mode=daily&limit=1001":                    "?limit: this must be a whole number from 1 to 1000",
		"mode=daily&cursor=AAAA":                   "?cursor: invalid cursor; restart without a cursor",
		"mode=daily&page=2":                        "?page: unknown parameter; allowed: cursor, from, limit, mode, player, to",
	} {
		before := s.exchanges.Load()
		problem := s.want(http.StatusBadRequest, get("/v1/ops/audit?"+query).bearer(opsToken)).problem(t, "invalid-request")
		require.Contains(t, problem.Detail, says, query)
		require.Equal(t, before, s.exchanges.Load(), query)
	}
	p := s.want(http.StatusNotFound, get("/v1/ops/audit?mode=nothing").bearer(opsToken)).problem(t, "unknown-mode")
	require.Equal(t, `unknown mode "nothing"; GET /v1/game lists them`, p.Detail)
}
