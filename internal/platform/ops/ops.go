// Package ops has the operator's endpoints: to ban and erase players, to remove scores, to stop
// writes, and to read the audit, what everything costs and the state of the product. Features
// have endpoints of their own for the operator. The gate has let its callers in as operators; it knows no
// player's rights.
package ops

import (
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// Config is what New makes the endpoints of.
type Config struct {
	Game *game.Game
	Now  func() time.Time
	Log  *slog.Logger // for acts, if no database has an audit
	Gate *gate.Guard

	Notices  *control.Notices
	Removals *lifecycle.Removals
	People   *playerdata.Service
	Status   *status.Reporter
	Usage    *usage.Ledger
	Version  string                // of this build
	Revision string                // its commit; empty: not known
	Plan     int64                 // commands a month in Upstash's plan; 0: the free plan's; [usage.NoPlan]: none
	Steady   func() map[string]int // the cost of a request in the steady state, by route
}

// Endpoints are the operator's endpoints, each named after its route.
type Endpoints struct {
	removing
	operatorLists
	scoreAudits
	maintaining
	statusOf
	usages
}

// New makes the endpoints.
func New(c Config) Endpoints {
	return Endpoints{
		removing{c}, operatorLists{c}, scoreAudits{c}, maintaining{c}, statusOf{c}, usages{c},
	}
}

// Routes are the operator's routes.
func (o Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "ops", Pattern: "PUT /v1/ops/bans/{player}", Auth: gate.Moderator, Body: gate.EmptyAllowed,
			Steady: 68, BlockedInMaintenance: true, Serve: o.PutBan},
		{Function: "ops", Pattern: "DELETE /v1/ops/bans/{player}", Auth: gate.Moderator, Steady: 1, BlockedInMaintenance: true, Serve: o.DeleteBan},
		{Function: "ops", Pattern: "GET /v1/ops/bans", Auth: gate.Reader, Serve: o.GetBans},
		// Steady: 3 with a database.
		{Function: "ops", Pattern: "DELETE /v1/ops/players/{player}", Auth: gate.Administrator, Steady: 4, BlockedInMaintenance: true, Serve: o.DeletePlayer},
		{Function: "ops", Pattern: "DELETE /v1/ops/scores", Auth: gate.Moderator, Body: gate.Required,
			Steady: 33, BlockedInMaintenance: true, Serve: gate.NoQuery(o.DeleteScore)},
		{Function: "ops", Pattern: "GET /v1/ops/health", Auth: gate.Reader, Serve: o.GetHealth},
		{Function: "ops", Pattern: "GET /v1/ops/log", Auth: gate.Reader, Serve: o.GetLog},
		{Function: "ops", Pattern: "GET /v1/ops/audit", Auth: gate.Reader, Serve: o.GetAudit},
		{Function: "ops", Pattern: "GET /v1/ops/statistics", Auth: gate.Reader, Serve: o.GetStatistics},
		{Function: "ops", Pattern: "GET /v1/ops/maintenance", Auth: gate.Reader, Steady: 1, Serve: gate.NoQuery(o.GetMaintenance)},
		{Function: "ops", Pattern: "PUT /v1/ops/maintenance", Auth: gate.Administrator, Body: gate.Required, Steady: 4, Serve: gate.NoQuery(o.PutMaintenance)},
		{Function: "ops", Pattern: "DELETE /v1/ops/maintenance", Auth: gate.Administrator, Body: gate.NoFields, Steady: 1, Serve: gate.NoQuery(o.DeleteMaintenance)},
		{Function: "ops", Pattern: "GET /v1/ops/status", Auth: gate.Reader, Steady: 14, Serve: gate.NoQuery(o.GetStatus)},
		{Function: "ops", Pattern: "GET /v1/ops/usage", Auth: gate.Reader, Steady: 30, Serve: o.GetUsage},
	}
}
