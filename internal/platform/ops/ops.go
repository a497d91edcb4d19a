// Package ops has the operator's endpoints: to ban and erase players, to remove scores, to
// decide about held scores, to stop writes, and to read the audit, what everything costs and
// the state of the product. The gate has let its callers in as operators; it knows no
// player's rights.
package ops

import (
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/feature/queue/deadletters"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/lifecycle/recompute"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// Config is what New makes the endpoints of.
type Config struct {
	Game *game.Game
	Now  func() time.Time
	Log  *slog.Logger // for acts, if no database has an audit
	Gate *gate.Keeper

	Notices  *control.Notices
	Removals *recompute.Service
	People   *playerdata.Service
	Held     HeldPlays
	Calendar *derive.Calendar
	Pass     Pass
	Status   *status.Reporter
	Dead     deadletters.Queues
	Usage    *usage.Ledger
	Plan     int64                 // commands a month in Upstash's plan; 0: the free plan's
	Steady   func() map[string]int // the cost of a request in the steady state, by route
}

// Endpoints are the operator's endpoints, each named after its route.
type Endpoints struct {
	removing
	operatorLists
	scoreAudits
	maintaining
	statusOf
	deadLetters
	usages
	heldPlays
}

// New makes the endpoints.
func New(c Config) Endpoints {
	return Endpoints{
		removing{c}, operatorLists{c}, scoreAudits{c}, maintaining{c}, statusOf{c}, deadLetters{c}, usages{c}, heldPlays{c},
	}
}

// Routes are the operator's routes.
func (o Endpoints) Routes() []route.Route {
	return []route.Route{
		{Function: "ops", Pattern: "PUT /v1/ops/bans/{player}", Auth: gate.Operator, Body: gate.EmptyAllowed,
			Steady: 68, BlockedInMaintenance: true, Serve: o.PutBan},
		{Function: "ops", Pattern: "DELETE /v1/ops/bans/{player}", Auth: gate.Operator, Steady: 1, BlockedInMaintenance: true, Serve: o.DeleteBan},
		{Function: "ops", Pattern: "GET /v1/ops/bans", Auth: gate.Operator, Serve: o.GetBans},
		// Steady: 3 with a database.
		{Function: "ops", Pattern: "DELETE /v1/ops/players/{player}", Auth: gate.Operator, Steady: 4, BlockedInMaintenance: true, Serve: o.DeletePlayer},
		{Function: "ops", Pattern: "DELETE /v1/ops/scores", Auth: gate.Operator, Body: gate.Required,
			Steady: 33, BlockedInMaintenance: true, Serve: gate.NoQuery(o.DeleteScore)},
		{Function: "ops", Pattern: "GET /v1/ops/health", Auth: gate.Operator, Serve: o.GetHealth},
		{Function: "ops", Pattern: "GET /v1/ops/log", Auth: gate.Operator, Serve: o.GetLog},
		{Function: "ops", Pattern: "GET /v1/ops/audit", Auth: gate.Operator, Serve: o.GetAudit},
		// Steady: 2 in a game with proofs.
		{Function: "ops", Pattern: "GET /v1/ops/held", Auth: gate.Operator, Serve: o.GetHeld},
		{Function: "ops", Pattern: "PUT /v1/ops/held/{id}", Auth: gate.Operator, Steady: 6, BlockedInMaintenance: true, Serve: o.PutHeld},
		{Function: "ops", Pattern: "DELETE /v1/ops/held/{id}", Auth: gate.Operator, Steady: 4, BlockedInMaintenance: true, Serve: o.DeleteHeld},
		{Function: "ops", Pattern: "GET /v1/ops/statistics", Auth: gate.Operator, Serve: o.GetStatistics},
		{Function: "ops", Pattern: "GET /v1/ops/maintenance", Auth: gate.Operator, Steady: 1, Serve: gate.NoQuery(o.GetMaintenance)},
		{Function: "ops", Pattern: "PUT /v1/ops/maintenance", Auth: gate.Operator, Body: gate.Required, Steady: 4, Serve: gate.NoQuery(o.PutMaintenance)},
		{Function: "ops", Pattern: "DELETE /v1/ops/maintenance", Auth: gate.Operator, Body: gate.NoFields, Steady: 1, Serve: gate.NoQuery(o.DeleteMaintenance)},
		{Function: "ops", Pattern: "GET /v1/ops/status", Auth: gate.Operator, Steady: 14, Serve: gate.NoQuery(o.GetStatus)},
		{Function: "ops", Pattern: "GET /v1/ops/dead-letters", Auth: gate.Operator, Serve: gate.NoQuery(o.GetDeadLetters)},
		{Function: "ops", Pattern: "POST /v1/ops/dead-letters/redrive", Auth: gate.Operator, Body: gate.NoFields,
			BlockedInMaintenance: true, Serve: gate.NoQuery(o.PostRedrive)},
		{Function: "ops", Pattern: "GET /v1/ops/usage", Auth: gate.Operator, Steady: 30, Serve: o.GetUsage},
	}
}
