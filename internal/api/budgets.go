package api

import "github.com/framedle/leaderboards/internal/game"

// Budgets are the most billed commands that one request of each route costs in the steady
// state: the process has served similar requests before and has in memory what it keeps.
// TestEveryRouteSpendsItsBudget holds the routes to them, and operators see them beside what
// was spent. The table of routes has the higher costs of a first request, or of a player who
// is on many boards.
func Budgets(g *game.Game) map[string]int64 {
	return map[string]int64{
		"POST /v1/scores":       7, // with a view of three parts; without a view 4 with an Idempotency-Key, else 2
		"POST /v1/scores/batch": 3,
		"POST /v1/plays":        0,
		"POST /v1/events":       eventsBudget(g),

		"GET /v1/leaderboards/{mode}":                  1, // 0 while it is younger than cache
		"GET /v1/live/{mode}":                          0, // a board's commands are shared by all who watch it
		"GET /v1/live/duels/{id}":                      1,
		"GET /v1/live/races/{id}":                      4,
		"GET /v1/leaderboards/{mode}/players/{player}": 3,
		"GET /v1/leaderboards/{mode}/distribution":     1,
		"GET /v1/leaderboards/{mode}/world":            3,
		"GET /v1/leaderboards/{mode}/around/{player}":  1,
		"POST /v1/leaderboards/{mode}/lookup":          1,
		"GET /v1/leaderboards/{mode}/friends":          2,

		"GET /v1/me":                           meBudget(g),
		"GET /v1/me/export":                    36, // for a player with one duel
		"GET /v1/me/results":                   40, // without a database; with one 1 for each mode and date that takes scores
		"GET /v1/leagues/me":                   leagueBudget(g),
		"PATCH /v1/me":                         2,
		"DELETE /v1/me":                        14, // 13 with a database
		"GET /v1/me/wallets":                   0,  // in a game without currencies
		"POST /v1/me/wallets/{currency}/spend": 0,

		"POST /v1/devices":  0,
		"POST /v1/me/claim": 26,

		"GET /v1/friends":                           0,
		"POST /v1/friends/requests":                 5,
		"POST /v1/friends/requests/{player}/accept": 8,
		"DELETE /v1/friends/requests/{player}":      6,
		"DELETE /v1/friends/{player}":               6,
		"PUT /v1/friends/blocks/{player}":           7,
		"DELETE /v1/friends/blocks/{player}":        6,
		"POST /v1/friends/invites":                  0,
		"POST /v1/friends/invites/{code}/accept":    6,

		"POST /v1/duels":              9,
		"GET /v1/duels":               1,
		"POST /v1/duels/queue":        23,
		"DELETE /v1/duels/queue":      2,
		"GET /v1/duels/{id}":          1,
		"POST /v1/duels/{id}/accept":  7,
		"POST /v1/duels/{id}/result":  7,
		"POST /v1/duels/{id}/rematch": 10,

		"POST /v1/races":               12,
		"POST /v1/races/queue":         21,
		"DELETE /v1/races/queue":       8,
		"GET /v1/races/{id}":           4,
		"POST /v1/races/{id}/join":     12,
		"POST /v1/races/{id}/progress": 3,
		"POST /v1/races/{id}/leave":    7,

		"POST /graphql": 1, // a page, as GET /v1/leaderboards/{mode}
		"GET /graphql":  1,

		"POST /v1/webhooks/clerk": 2,

		"PUT /v1/ops/bans/{player}":         68,
		"DELETE /v1/ops/bans/{player}":      1,
		"DELETE /v1/ops/players/{player}":   4, // 3 with a database
		"DELETE /v1/ops/scores":             33,
		"GET /v1/ops/players/{player}":      32,
		"GET /v1/ops/bans":                  0,
		"GET /v1/ops/log":                   0,
		"GET /v1/ops/audit":                 0,
		"GET /v1/ops/held":                  0, // 2 in a game with proofs
		"PUT /v1/ops/held/{id}":             6,
		"DELETE /v1/ops/held/{id}":          4,
		"GET /v1/ops/statistics":            0,
		"GET /v1/ops/health":                0,
		"GET /v1/ops/usage":                 30,
		"GET /v1/ops/dead-letters":          0,
		"POST /v1/ops/dead-letters/redrive": 0,
		"GET /v1/ops/status":                14,
		"GET /v1/ops/maintenance":           1,
		"PUT /v1/ops/maintenance":           4,
		"DELETE /v1/ops/maintenance":        1,
		"GET /v1/me/badges":                 0,
		"GET /v1/players/{player}/badges":   0,
		"GET /v1/feed":                      4, // the outbox, the players' entries, and the top of the day with its names, which is mostly in memory
		"GET /v1/presence":                  0, // the process answers its last count
		"GET /v1/game":                      0,
		"GET /openapi.yaml":                 0,
	}
}

// meBudget is what GET /v1/me costs: the rank in each mode; XP as last closed, its rank, and
// twice how far it goes; profile; streak; XP of duels; and in a game of which no day has closed
// whether anybody played before today.
func meBudget(g *game.Game) int64 {
	budget := int64(len(g.Modes)) + 7
	if g.Duels.GiveXP() {
		budget++
	}
	return budget
}

// eventsBudget is for events of one day and one group, from players whom the process knows.
func eventsBudget(g *game.Game) int64 {
	if g.Activity == nil {
		return 0
	}
	return 2
}

// leagueBudget is for a player whose cohort the process knows: 0 if the process has read that
// cohort in the last 30 s.
func leagueBudget(g *game.Game) int64 {
	if g.Leagues == nil {
		return 0
	}
	return 2
}
