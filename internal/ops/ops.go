// Package ops has the operator's endpoints: to ban and erase players, to remove scores, to
// decide about held scores, to stop writes, and to read the audit, what everything costs and
// the state of the product. The gate has let its callers in as operators; it knows no
// player's rights.
package ops

import (
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/deadletters"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
)

// Config is what New makes the endpoints of.
type Config struct {
	Game *game.Game
	Now  func() time.Time
	Log  *slog.Logger // for acts, if no database has an audit
	Gate *gate.Keeper

	Notices  Notices
	Removals Removals
	Lists    Lists
	Audits   Audits
	Held     HeldPlays
	Calendar Calendar
	Pass     Pass
	Status   Status
	Dead     deadletters.Queues
	Usage    Usage
	Plan     int64                             // commands a month in Upstash's plan; 0: the free plan's
	Budgets  func(*game.Game) map[string]int64 // the most that a request of each route costs
}

// Endpoints are the operator's endpoints, each named after its route.
type Endpoints struct {
	PutBan, DeleteBan, DeletePlayer, DeleteScore      gate.Endpoint
	GetBans, GetLog, GetStatistics, GetAudit          gate.Endpoint
	GetMaintenance, PutMaintenance, DeleteMaintenance gate.Endpoint
	GetHealth, GetStatus, GetUsage                    gate.Endpoint
	GetHeld, PutHeld, DeleteHeld                      gate.Endpoint
	GetDeadLetters, PostRedrive                       gate.Endpoint
}

// New makes the endpoints.
func New(c Config) Endpoints {
	did := acts{c.Now, c.Log, c.Lists}
	o := removing{c.Game, c.Now, c.Gate, c.Notices, c.Removals}
	lists, audit := operatorLists{c.Lists}, scoreAudits{c.Game, c.Now, c.Audits}
	state, status := maintaining{c.Now, c.Notices, did}, statusOf{c.Status}
	dead, usage := deadLetters{c.Game, c.Now, c.Notices, c.Dead, did}, usages{c.Game, c.Now, c.Usage, c.Plan, c.Budgets}
	held := heldPlays{c.Held, c.Calendar, c.Pass, c.Notices, did}
	return Endpoints{
		PutBan: o.putBan, DeleteBan: o.deleteBan, DeletePlayer: o.deletePlayer, DeleteScore: o.deleteScore,
		GetBans: lists.getBans, GetLog: lists.getLog, GetStatistics: lists.getStatistics, GetAudit: audit.getAudit,
		GetMaintenance: state.getMaintenance, PutMaintenance: state.putMaintenance, DeleteMaintenance: state.deleteMaintenance,
		GetHealth: o.getHealth, GetStatus: status.getStatus, GetUsage: usage.getUsage,
		GetHeld: held.getHeld, PutHeld: held.putHeld, DeleteHeld: held.deleteHeld,
		GetDeadLetters: dead.getDeadLetters, PostRedrive: dead.postRedrive,
	}
}
