package matches

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
)

// Races are the endpoints of races, each named after its route.
type Races struct{ Config }

// Routes are the routes of races.
func (a Races) Routes() []route.Route {
	return []route.Route{
		{Function: "duel", Pattern: "POST /v1/races", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.Required,
			Price: route.UpTo(25), Steady: 12, Keyed: true, BlockedInMaintenance: true, Serve: gate.NoQuery(a.PostRace)},
		{Function: "duel", Pattern: "POST /v1/races/queue", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.Required,
			Price: route.UpTo(100), Steady: 21, BlockedInMaintenance: true, Serve: gate.NoQuery(a.PostRaceQueue)},
		{Function: "duel", Pattern: "DELETE /v1/races/queue", Auth: gate.SignedIn, Limit: limit.Boards,
			Price: route.UpTo(12), Steady: 8, BlockedInMaintenance: true, Serve: gate.NoQuery(a.DeleteRaceQueue)},
		{Function: "duel", Pattern: "GET /v1/races/{id}", Auth: gate.SignedIn, Limit: limit.Boards, Price: route.UpTo(14), Steady: 4, Serve: a.GetRace},
		{Function: "duel", Pattern: "POST /v1/races/{id}/join", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.NoFields,
			Price: route.UpTo(20), Steady: 12, BlockedInMaintenance: true, Serve: a.PostRaceJoin},
		{Function: "duel", Pattern: "POST /v1/races/{id}/progress", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.Required,
			Price: route.UpTo(5), Steady: 3, BlockedInMaintenance: true, Serve: a.PostRaceProgress},
		{Function: "duel", Pattern: "POST /v1/races/{id}/leave", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.NoFields,
			Price: route.UpTo(12), Steady: 7, BlockedInMaintenance: true, Serve: a.PostRaceLeave},
	}
}

// pathRace reads the id of a race from the path, and refuses parameters.
func pathRace(r *gate.Request) (string, error) {
	q := decode.OpenQuery(r.URL)
	id := r.PathValue("id")
	if err := game.ValidRace(id); err != nil {
		q.PathFault("id", err.Error())
	}
	return id, q.Done()
}

// PostRace makes a race: POST /v1/races.
func (a Races) PostRace(w http.ResponseWriter, r *gate.Request) error {
	f := decode.Open(r.Sent, "")
	mode, unknown := readMode(a.Game, f, true)
	size := readSize(f)
	invite := f.Flag("invite")
	if err := cmp.Or(f.Done(), unknown); err != nil {
		return err
	}
	if err := a.mayAsk(w, r); err != nil {
		return err
	}
	k := r.Record()
	want := race.Wanted{ID: madeID(a.Secret, "race", k), Player: r.Caller.Player.ID, Mode: mode, Size: size, Open: invite == nil || !*invite}
	return a.Gate.AnswerOnce(w, r, k, func(ctx context.Context) (int, any, bool, error) {
		made, err := a.Races.Create(ctx, want)
		if err != nil {
			return 0, nil, false, err
		}
		answer, err := a.at(made, r.Caller.Player.ID, a.Now())
		return http.StatusCreated, answer, false, err
	})
}

// readSize reads how many players may race; 0 for the game's own number.
func readSize(f *decode.Object) int {
	text, ok := f.Number("players", decode.Optional)
	if !ok {
		return 0
	}
	size, err := strconv.Atoi(text)
	if err != nil || size < 2 || size > game.MaxRacers {
		f.Fault("players", fmt.Sprintf("this must be a whole number from 2 to %d", game.MaxRacers))
	}
	return size
}

// PostRaceJoin takes a seat: POST /v1/races/{id}/join.
func (a Races) PostRaceJoin(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathRace(r)
	if err != nil {
		return err
	}
	if err := a.mayAsk(w, r); err != nil {
		return err
	}
	return a.answer(w, r, func(player string) (game.Race, error) { return a.Races.Join(r.Context(), id, player) })
}

// PostRaceLeave leaves a waiting race, or gives up a started one: POST /v1/races/{id}/leave.
func (a Races) PostRaceLeave(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathRace(r)
	if err != nil {
		return err
	}
	if err := a.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	if err := a.Gate.Count(w, r); err != nil {
		return err
	}
	return a.answer(w, r, func(player string) (game.Race, error) { return a.Races.Leave(r.Context(), id, player) })
}

// GetRace reads GET /v1/races/{id}.
func (a Races) GetRace(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathRace(r)
	if err != nil {
		return err
	}
	return a.answer(w, r, func(player string) (game.Race, error) { return a.Races.See(r.Context(), id, player) })
}

// PostRaceQueue looks for a race: POST /v1/races/queue.
func (a Races) PostRaceQueue(w http.ResponseWriter, r *gate.Request) error {
	f := decode.Open(r.Sent, "")
	mode, unknown := readMode(a.Game, f, true)
	if err := cmp.Or(f.Done(), unknown); err != nil {
		return err
	}
	if err := a.mayAsk(w, r); err != nil {
		return err
	}
	return a.answer(w, r, func(player string) (game.Race, error) { return a.Races.Queue(r.Context(), player, mode) })
}

// DeleteRaceQueue leaves a waiting race: DELETE /v1/races/queue.
func (a Races) DeleteRaceQueue(w http.ResponseWriter, r *gate.Request) error {
	if err := a.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	if err := a.Races.LeaveQueue(r.Context(), r.Caller.Player.ID); err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, map[string]string{"status": "left"})
}

// answer runs an action on a race for the caller, and answers with the race.
func (a Races) answer(w http.ResponseWriter, r *gate.Request, do func(player string) (game.Race, error)) error {
	player := r.Caller.Player.ID
	found, err := do(player)
	if err != nil {
		return err
	}
	answer, err := a.at(found, player, a.Now())
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, answer)
}
