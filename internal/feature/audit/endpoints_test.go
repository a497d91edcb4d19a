package audit_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func scenarios() map[string]apitest.Scenario {
	good := apitest.Get("/v1/ops/audit?mode=daily")
	return map[string]apitest.Scenario{
		"GET /v1/ops/audit 200": {Call: apitest.Recording(apitest.Operator(good))},
		"GET /v1/ops/audit 400": {Call: apitest.Recording(apitest.Operator(apitest.Get("/v1/ops/audit"))), Kind: "invalid-request"},
		"GET /v1/ops/audit 401": {Call: apitest.Recording(apitest.Plain(good)), Kind: "unauthenticated"},
		"GET /v1/ops/audit 403": {Call: apitest.Recording(apitest.As("user_z", good)), Kind: "forbidden"},
		"GET /v1/ops/audit 404": {Call: func(s *apitest.Stack) apitest.Call { s.Handler = s.Process(); return good.Bearer(apitest.OpsToken) }, Kind: "not-found"},
		"GET /v1/ops/audit 429": {Call: apitest.After(5, apitest.Plain(good.Bearer("guessed").CameFrom("192.0.2.28:1"))), Kind: "rate-limited"},
		"GET /v1/ops/audit 500": {Call: apitest.WithoutRights(apitest.Recording(apitest.Operator(good))), Kind: "internal"},
		"GET /v1/ops/audit 501": {Call: apitest.Without(apitest.Recording(apitest.Operator(good))), Kind: "no-database"},
		"GET /v1/ops/audit 503": {Call: apitest.Over("127.0.0.1:1/nothing", apitest.Recording(apitest.Operator(good))), Kind: "temporarily-unavailable"},
	}
}

func TestEveryStatusHappens(t *testing.T) { apitest.EachStatus(t, scenarios()) }

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
		s := apitest.NewStackAt(t, address)
		s.Game = apitest.Keeping + apitest.Audited + s.Game
		s.Database = archivetest.Database(t)
		kept := apitest.OpenArchive(t, s.Database)
		s.History = jobs.NewHistory(kept)
		s.Handler = s.Process()
		read := func(query string) (b auditBody) {
			s.Want(http.StatusOK, apitest.Get("/v1/ops/audit?"+query).Bearer(apitest.OpsToken)).Into(s, &b)
			return b
		}
		require.NotNil(t, read("mode=longest").Entries, "an empty list")
		s.Play("user_a", "longest", "5")
		s.Play("user_a", "longest", "9")
		s.Want(http.StatusCreated, apitest.Post("/v1/scores", `{"mode":"longest","score":7}`).Bearer(s.Device().Token))
		s.Want(http.StatusOK, apitest.Post("/v1/scores", `{"mode":"longest","score":3,"player":"user_a"}`).Signed())
		s.Play("user_b", "daily", "500")
		_, err := s.Keeper(kept).Save(t.Context())
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
		s.Want(http.StatusOK, s.As("user_b", apitest.Get(apitest.MyExport))).Into(s, &document)
		var own []map[string]any
		require.NoError(t, json.Unmarshal(document["score_audit"], &own))
		require.Len(t, own, 1)
		require.Equal(t, "accepted", own[0]["outcome"])
		require.NotContains(t, own[0], "player")
	})
}

// What is asked wrongly is refused with what would be right, and costs no command.
func TestTheRecordIsAskedForInBounds(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game = apitest.Keeping + apitest.Audited + s.Game
	s.Database = archivetest.Database(t)
	s.Handler = s.Process()
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
		before := s.Exchanges.Load()
		problem := s.Want(http.StatusBadRequest, apitest.Get("/v1/ops/audit?"+query).Bearer(apitest.OpsToken)).Problem(t, "invalid-request")
		require.Contains(t, problem.Detail, says, query)
		require.Equal(t, before, s.Exchanges.Load(), query)
	}
	p := s.Want(http.StatusNotFound, apitest.Get("/v1/ops/audit?mode=nothing").Bearer(apitest.OpsToken)).Problem(t, "unknown-mode")
	require.Equal(t, `unknown mode "nothing"; GET /v1/game lists them`, p.Detail)
}
