// Package ops has the operator's endpoints: to ban and erase players, to remove scores, to stop
// writes, and to read the audit, what everything costs and the state of the product. Features
// have endpoints of their own for the operator. The gate has let its callers in as operators; it knows no
// player's rights.
package ops

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
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
	maintaining
	statusOf
	usages
}

// New makes the endpoints.
func New(c Config) Endpoints {
	return Endpoints{
		removing{c}, operatorLists{c}, maintaining{c}, statusOf{c}, usages{c},
	}
}

// Routes are the operator's routes.
func (o Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "ops", Pattern: "PUT /v1/ops/bans/{player}", Auth: gate.Moderator, Body: gate.EmptyAllowed,
			Steady: 68, BlockedInMaintenance: true, Serve: o.PutBan},
		{Function: "ops", Pattern: "DELETE /v1/ops/bans/{player}", Auth: gate.Moderator, Steady: 1, BlockedInMaintenance: true, Serve: o.DeleteBan},
		{Function: "ops", Pattern: "GET /v1/ops/bans", Auth: gate.Reader, Serve: o.GetBans},
		{Function: "ops", Pattern: "GET /v1/ops/players", Auth: gate.Reader, Serve: o.GetPlayers},
		// Steady: 3 with a database.
		{Function: "ops", Pattern: "DELETE /v1/ops/players/{player}", Auth: gate.Administrator, Steady: 4, BlockedInMaintenance: true, Serve: o.DeletePlayer},
		{Function: "ops", Pattern: "DELETE /v1/ops/scores", Auth: gate.Moderator, Body: gate.Required,
			Steady: 33, BlockedInMaintenance: true, Serve: gate.NoQuery(o.DeleteScore)},
		{Function: "ops", Pattern: "GET /v1/ops/health", Auth: gate.Reader, Serve: o.GetHealth},
		{Function: "ops", Pattern: "GET /v1/ops/log", Auth: gate.Reader, Serve: o.GetLog},
		{Function: "ops", Pattern: "GET /v1/ops/statistics", Auth: gate.Reader, Serve: o.GetStatistics},
		{Function: "ops", Pattern: "GET /v1/ops/maintenance", Auth: gate.Reader, Steady: 1, Serve: gate.NoQuery(o.GetMaintenance)},
		{Function: "ops", Pattern: "PUT /v1/ops/maintenance", Auth: gate.Administrator, Body: gate.Required, Steady: 4, Serve: gate.NoQuery(o.PutMaintenance)},
		{Function: "ops", Pattern: "DELETE /v1/ops/maintenance", Auth: gate.Administrator, Body: gate.NoFields, Steady: 1, Serve: gate.NoQuery(o.DeleteMaintenance)},
		{Function: "ops", Pattern: "GET /v1/ops/status", Auth: gate.Reader, Steady: 14, Serve: gate.NoQuery(o.GetStatus)},
		{Function: "ops", Pattern: "GET /v1/ops/usage", Auth: gate.Reader, Steady: 30, Serve: o.GetUsage},
	}
}

// noteWithin bounds how long a completed act waits for the audit.
const noteWithin = 2 * time.Second

// Note writes an act into the audit that does not concern one player.
func (c Config) Note(r *gate.Request, action string, detail map[string]any) {
	c.NoteAs(r, playerdata.Act{Action: action}, detail)
}

// NoteAs writes an act into the audit, under its own id or the request's. If there is no
// database, or it does not answer, NoteAs writes to the log. No failure here fails the
// request.
func (c Config) NoteAs(r *gate.Request, did playerdata.Act, detail map[string]any) {
	by := act(r, c.Now())
	did.At, did.Actor = by.At, by.Actor
	if did.ID == "" {
		did.ID = by.ID + " " + did.Action
	}
	if detail != nil {
		did.Detail, _ = json.Marshal(detail) // texts and numbers always marshal
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), noteWithin)
	defer cancel()
	err := c.People.Note(ctx, did)
	if err == nil {
		return
	}
	attrs := []slog.Attr{slog.String("action", did.Action), slog.String("actor", did.Actor), slog.String("id", did.ID), slog.Time("at", did.At)}
	if did.Player != "" {
		attrs = append(attrs, slog.String("player", did.Player), slog.String("mode", did.Mode), slog.String("date", did.Date))
	}
	for name, value := range detail {
		attrs = append(attrs, slog.Any(name, value))
	}
	if !errors.Is(err, playerdata.ErrNoArchive) {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	c.Log.LogAttrs(ctx, slog.LevelInfo, "audit", attrs...)
}

// statusOf is the endpoint of the state of the product.
type statusOf struct{ Config }

// GetStatus reports the state of the product: GET /v1/ops/status. The answer lists problems,
// and is 200 even if there are some.
func (s statusOf) GetStatus(w http.ResponseWriter, r *gate.Request) error {
	report, err := s.Status.Report(r.Context())
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, report)
}
