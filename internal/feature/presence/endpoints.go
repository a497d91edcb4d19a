package presence

import (
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
)

// Endpoints have the endpoint of how many players are online.
type Endpoints struct {
	Presence *Presence // nil: nobody is counted
}

// Routes are the routes of presence.
func (p Endpoints) Routes() []gate.Route {
	return []gate.Route{
		// Steady: the process answers its last count.
		{Function: "leaderboard", Pattern: "GET /v1/presence", Auth: gate.Public, Limit: limit.Boards,
			Price: gate.UpTo(3), Serve: gate.NoQuery(p.GetPresence)},
	}
}

type presenceAnswer struct {
	Players int64  `json:"players"`
	Window  int64  `json:"window_s"`
	AsOf    string `json:"as_of"`
}

// presenceCache is as long as a process keeps a count in memory.
const presenceCache = "public, max-age=30"

// GetPresence reads GET /v1/presence.
func (p Endpoints) GetPresence(w http.ResponseWriter, r *gate.Request) error {
	if p.Presence == nil {
		return problem.New("not-found", "presence is off; set presence: true in the game file")
	}
	count, err := p.Presence.Count(r.Context())
	if err != nil {
		return err
	}
	return respond.Public(w, r.Request, presenceCache, presenceAnswer{
		count.Players, int64(Window / time.Second), count.At.UTC().Format(time.RFC3339),
	})
}
