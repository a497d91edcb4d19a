package race

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

func init() {
	problem.Register("unknown-race", problem.Kind{Status: http.StatusNotFound, Title: "Unknown race"})
	problem.Register("race-state", problem.Kind{Status: http.StatusConflict, Title: "Not possible in the race's current state"})
}

// Endpoints are the endpoints of races, each named after its route.
type Endpoints struct {
	Game    *game.Game
	Now     func() time.Time
	Gate    *gate.Guard
	Notices *control.Notices
	Secret  auth.Secret // for ids and challenges that nobody may guess
	Dealer  *play.Dealer
	Names   api.Profiles
	People  api.People
	Races   *Store // nil: the game has none
	Streams live.Endpoints
	Queued  bool // scores are written later, so that no play could be sent in
	Blocks  int  // commands for whom a player has blocked; 0: nobody can
}

// Routes are the routes of races.
func (a Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "duel", Pattern: "POST /v1/races", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.Required,
			Price: gate.UpTo(30), Steady: 13, Keyed: true, BlockedInMaintenance: true, Serve: gate.NoQuery(a.PostRace)},
		{Function: "duel", Pattern: "POST /v1/races/queue", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.Required,
			Price: gate.UpTo(105), Steady: 18 + 4*a.Blocks, BlockedInMaintenance: true, Serve: gate.NoQuery(a.PostRaceQueue)},
		{Function: "duel", Pattern: "DELETE /v1/races/queue", Auth: gate.SignedIn, Limit: limit.Boards,
			Price: gate.UpTo(12), Steady: 8, BlockedInMaintenance: true, Serve: gate.NoQuery(a.DeleteRaceQueue)},
		{Function: "duel", Pattern: "GET /v1/races/{id}", Auth: gate.SignedIn, Limit: limit.Boards, Price: gate.UpTo(15), Steady: 4, Serve: a.GetRace},
		{Function: "duel", Pattern: "POST /v1/races/{id}/join", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.NoFields,
			Price: gate.UpTo(25), Steady: 12 + a.Blocks, BlockedInMaintenance: true, Serve: a.PostRaceJoin},
		{Function: "duel", Pattern: "POST /v1/races/{id}/progress", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.Required,
			Price: gate.UpTo(5), Steady: 3, BlockedInMaintenance: true, Serve: a.PostRaceProgress},
		{Function: "duel", Pattern: "POST /v1/races/{id}/leave", Auth: gate.SignedIn, Limit: limit.Duels, Body: gate.NoFields,
			Price: gate.UpTo(13), Steady: 7, BlockedInMaintenance: true, Serve: a.PostRaceLeave},
		{Function: "leaderboard", Pattern: "GET /v1/live/races/{id}", Auth: gate.SignedIn, Limit: limit.Boards,
			Price: gate.UpTo(14), Steady: 4, Serve: a.Streams.OrAway(ValidID, a.GetLiveRace)},
	}
}

// mayAsk refuses banned players, and counts the requests of others.
func (a Endpoints) mayAsk(w http.ResponseWriter, r *gate.Request) error {
	if err := a.Notices.MayPlay(r.Context(), r.Caller.Player.ID); err != nil {
		return err
	}
	return a.Gate.Count(w, r)
}

// readMode reads the mode of a race, which must be one that hands out plays. It returns the name
// under which races keep the mode.
func (a Endpoints) readMode(f *decode.Object) (name string, refused error) {
	name, ok := f.Text("mode", decode.Required)
	if !ok {
		return "", nil
	}
	if err := game.ValidMode(name); err != nil {
		f.Fault("mode", err.Error())
		return "", nil
	}
	mode, ok := a.Game.ModeCalled(name)
	switch {
	case !ok:
		return "", problem.UnknownMode(name)
	case !mode.NeedsPlay:
		f.Fault("mode", "results of races require plays, and this mode issues none; use a mode with plays")
	case a.Queued:
		return "", play.Refuse(play.NotTaken, api.WrittenLater)
	}
	return mode.Name, nil
}

// pathRace reads the id of a race from the path, and refuses parameters.
func pathRace(r *gate.Request) (string, error) {
	q := decode.OpenQuery(r.URL)
	id := r.PathValue("id")
	if err := ValidID(id); err != nil {
		q.PathFault("id", err.Error())
	}
	return id, q.Done()
}

// PostRace makes a race: POST /v1/races.
func (a Endpoints) PostRace(w http.ResponseWriter, r *gate.Request) error {
	f := decode.Open(r.Sent, "")
	mode, refused := a.readMode(f)
	size := readSize(f)
	invite := f.Flag("invite")
	if err := cmp.Or(f.Done(), refused); err != nil {
		return err
	}
	if err := a.mayAsk(w, r); err != nil {
		return err
	}
	k := r.Record()
	want := Wanted{ID: a.Secret.ID("race", k.ID), Player: r.Caller.Player.ID, Mode: mode, Size: size, Open: invite == nil || !*invite}
	return a.Gate.AnswerOnce(w, r, k, func(ctx context.Context) (int, any, bool, error) {
		if err := api.Introduce(ctx, a.Names, r); err != nil {
			return 0, nil, false, err
		}
		made, err := a.Races.Create(ctx, want)
		if err != nil {
			return 0, nil, false, err
		}
		answer, err := a.named(ctx, made, r.Caller.Player.ID)
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
	if err != nil || size < 2 || size > MaxRacers {
		f.Fault("players", fmt.Sprintf("this must be a whole number from 2 to %d", MaxRacers))
	}
	return size
}

// PostRaceJoin takes a seat: POST /v1/races/{id}/join.
func (a Endpoints) PostRaceJoin(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathRace(r)
	if err != nil {
		return err
	}
	if err := a.mayAsk(w, r); err != nil {
		return err
	}
	if err := api.Introduce(r.Context(), a.Names, r); err != nil {
		return err
	}
	return a.answer(w, r, func(player string) (Race, error) { return a.Races.Join(r.Context(), id, player) })
}

// PostRaceLeave leaves a waiting race, or gives up a started one: POST /v1/races/{id}/leave.
func (a Endpoints) PostRaceLeave(w http.ResponseWriter, r *gate.Request) error {
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
	return a.answer(w, r, func(player string) (Race, error) { return a.Races.Leave(r.Context(), id, player) })
}

// GetRace reads GET /v1/races/{id}.
func (a Endpoints) GetRace(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathRace(r)
	if err != nil {
		return err
	}
	return a.answer(w, r, func(player string) (Race, error) { return a.Races.See(r.Context(), id, player) })
}

// PostRaceQueue looks for a race: POST /v1/races/queue.
func (a Endpoints) PostRaceQueue(w http.ResponseWriter, r *gate.Request) error {
	f := decode.Open(r.Sent, "")
	mode, refused := a.readMode(f)
	if err := cmp.Or(f.Done(), refused); err != nil {
		return err
	}
	if err := a.mayAsk(w, r); err != nil {
		return err
	}
	if err := api.Introduce(r.Context(), a.Names, r); err != nil {
		return err
	}
	return a.answer(w, r, func(player string) (Race, error) { return a.Races.Queue(r.Context(), player, mode) })
}

// DeleteRaceQueue leaves a waiting race: DELETE /v1/races/queue.
func (a Endpoints) DeleteRaceQueue(w http.ResponseWriter, r *gate.Request) error {
	if err := a.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	if err := a.Races.LeaveQueue(r.Context(), r.Caller.Player.ID); err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, map[string]string{"status": "left"})
}

// answer runs an action on a race for the caller, and answers with it as
// the caller may see it.
func (a Endpoints) answer(w http.ResponseWriter, r *gate.Request, do func(player string) (Race, error)) error {
	player := r.Caller.Player.ID
	found, err := do(player)
	if err != nil {
		return err
	}
	answer, err := a.named(r.Context(), found, player)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, answer)
}
