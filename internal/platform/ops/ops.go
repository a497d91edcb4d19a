// Package ops has the operator's endpoints: to ban and erase players, to remove scores, to
// decide about held scores, to stop writes, and to read the audit, what everything costs and
// the state of the product. The gate has let its callers in as operators; it knows no
// player's rights.
package ops

import (
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/feature/queue/deadletters"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/moderation"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
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
	Removals *moderation.Service
	People   *playerdata.Service
	Held     HeldPlays
	Calendar *derive.Calendar
	Pass     Pass
	Status   *status.Reporter
	Dead     deadletters.Queues
	Usage    *usage.Ledger
	Plan     int64                             // commands a month in Upstash's plan; 0: the free plan's
	Budgets  func(*game.Game) map[string]int64 // the most that a request of each route costs
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
