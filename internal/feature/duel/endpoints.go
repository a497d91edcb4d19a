package duel

import (
	"cmp"
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

func init() {
	problem.Register("unknown-duel", problem.Kind{Status: http.StatusNotFound, Title: "Unknown duel"})
	problem.Register("duel-decided", problem.Kind{Status: http.StatusConflict, Title: "A different result was reported"})
	problem.Register("challenges-full", problem.Kind{Status: http.StatusConflict, Title: "Too many open challenges"})
	problem.Register("duel-state", problem.Kind{Status: http.StatusConflict, Title: "Not possible in the duel's current state"})
}

// Endpoints are the endpoints of duels, each named after its route.
type Endpoints struct {
	Game    *game.Game
	Gate    *gate.Guard
	Notices *control.Notices
	Secret  auth.Secret // for ids that nobody may guess
	Duels   *Store
	Names   api.Profiles
	People  api.People
	Streams live.Endpoints
	Blocks  int // commands for whom a player has blocked; 0: nobody can
}

// ExportSteady is what duels cost in an export.
var ExportSteady = playerdata.Cost{One: 4, None: 3}

// Routes are the routes of duels.
func (d Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "duel", Pattern: "POST /v1/duels", Auth: gate.PlayerOrServer, Limit: limit.Duels, Body: gate.EmptyAllowed,
			Price: gate.UpTo(20), Steady: 8 + d.Blocks, Keyed: true, BlockedInMaintenance: true, Serve: d.PostDuel},
		{Function: "duel", Pattern: "GET /v1/duels", Auth: gate.SignedIn, Limit: limit.Boards, Price: gate.UpTo(73), Steady: 1, Serve: d.GetDuels},
		{Function: "duel", Pattern: "POST /v1/duels/queue", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.EmptyAllowed,
			Price: gate.UpTo(30), Steady: 22 + d.Blocks, Keyed: true, BlockedInMaintenance: true, Serve: d.PostQueue},
		{Function: "duel", Pattern: "DELETE /v1/duels/queue", Auth: gate.SignedIn, Limit: limit.Boards,
			Price: gate.UpTo(3), Steady: 2, BlockedInMaintenance: true, Serve: d.DeleteQueue},
		{Function: "duel", Pattern: "GET /v1/duels/{id}", Auth: gate.PlayerOrServer, Limit: limit.Boards, Price: gate.UpTo(3), Steady: 1, Serve: d.GetDuel},
		{Function: "duel", Pattern: "DELETE /v1/duels/{id}", Auth: gate.SignedIn, Limit: limit.Boards, Body: gate.NoFields,
			Price: gate.UpTo(8), Steady: 5, BlockedInMaintenance: true, Serve: d.DeleteDuel},
		{Function: "duel", Pattern: "POST /v1/duels/{id}/accept", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.EmptyAllowed,
			Price: gate.UpTo(12), Steady: 6 + d.Blocks, Keyed: true, BlockedInMaintenance: true, Serve: d.PostDuelAccept},
		{Function: "duel", Pattern: "POST /v1/duels/{id}/result", Auth: gate.PlayerOrServer, Limit: limit.Duels, Body: gate.Required,
			Price: gate.UpTo(10), Steady: 7, Keyed: true, BlockedInMaintenance: true, Serve: d.PostDuelResult},
		{Function: "duel", Pattern: "POST /v1/duels/{id}/rematch", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.NoFields,
			Price: gate.UpTo(20), Steady: 9 + d.Blocks, Keyed: true, BlockedInMaintenance: true, Serve: d.PostRematch},
		{Function: "leaderboard", Pattern: "GET /v1/live/duels/{id}", Auth: gate.PlayerOrServer, Limit: limit.Boards,
			Price: gate.UpTo(2), Steady: 1, Serve: d.Streams.OrAway(ValidID, d.GetLiveDuel)},
	}
}

// mayAsk refuses banned players, and counts the requests of others.
func (d Endpoints) mayAsk(w http.ResponseWriter, r *gate.Request) error {
	if err := d.Notices.MayPlay(r.Context(), r.Caller.Player.ID); err != nil {
		return err
	}
	return d.Gate.Count(w, r)
}

// readMode reads the mode of a duel, which may be absent. It returns the name under which duels
// keep the mode.
func readMode(g *game.Game, f *decode.Object) (name string, unknown error) {
	name, ok := f.Text("mode", decode.Optional)
	if !ok {
		return "", nil
	}
	if err := game.ValidMode(name); err != nil {
		f.Fault("mode", err.Error())
		return "", nil
	}
	mode, ok := g.ModeCalled(name)
	if !ok {
		return "", problem.UnknownMode(name)
	}
	return mode.Name, nil
}

// pathDuel reads the id of a duel from the path, and refuses parameters.
func pathDuel(r *gate.Request) (string, error) {
	q := decode.OpenQuery(r.URL)
	id := r.PathValue("id")
	if err := ValidID(id); err != nil {
		q.PathFault("id", err.Error())
	}
	return id, q.Done()
}

// PostDuelAccept accepts a challenge: POST /v1/duels/{id}/accept. The body may
// be empty; its invite, where there is one, must be that of the path.
func (d Endpoints) PostDuelAccept(w http.ResponseWriter, r *gate.Request) error {
	if err := d.mayAsk(w, r); err != nil {
		return err
	}
	f := decode.Open(r.Sent, "")
	invite, named := f.Text("invite", decode.Optional)
	id, err := pathDuel(r)
	if err := cmp.Or(err, f.Done()); err != nil {
		return err
	}
	if named && invite != id {
		return ErrUnknown
	}
	return d.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		if err := api.Introduce(ctx, d.Names, r); err != nil {
			return 0, nil, false, err
		}
		accepted, err := d.Duels.Accept(ctx, id, r.Caller.Player.ID)
		return http.StatusOK, Show(d.Game, accepted, r.Caller), false, err
	})
}

// DeleteDuel declines or withdraws a challenge: DELETE /v1/duels/{id}.
func (d Endpoints) DeleteDuel(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	if err := d.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	declined, err := d.Duels.Decline(r.Context(), id, r.Caller.Player.ID)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, Show(d.Game, declined, r.Caller))
}

// PostRematch challenges the other player again: POST /v1/duels/{id}/rematch.
func (d Endpoints) PostRematch(w http.ResponseWriter, r *gate.Request) error {
	if err := d.mayAsk(w, r); err != nil {
		return err
	}
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	return d.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		again, err := d.Duels.Rematch(ctx, id, r.Caller.Player.ID)
		return http.StatusCreated, Show(d.Game, again, r.Caller), false, err
	})
}

// GetDuel reads GET /v1/duels/{id}.
func (d Endpoints) GetDuel(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	var found Duel
	if r.Caller.IsServer() {
		found, err = d.Duels.Duel(r.Context(), id)
	} else {
		found, err = d.Duels.See(r.Context(), id, r.Caller.Player.ID)
	}
	if err != nil {
		return err
	}
	answer := Show(d.Game, found, r.Caller)
	if answer.People, err = d.people(r.Context(), answer); err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, answer)
}
