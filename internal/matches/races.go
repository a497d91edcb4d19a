package matches

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/race"
)

// races are the endpoints of races.
type races struct {
	shownRaces
	now     func() time.Time
	gate    *gate.Keeper
	notices gate.Notices
}

// pathRace reads the id of a race from the path, and refuses parameters.
func pathRace(r *gate.Request) (string, error) {
	q := fields.OpenQuery(r.URL)
	id := r.PathValue("id")
	if err := game.ValidRace(id); err != nil {
		q.PathFault("id", err.Error())
	}
	return id, q.Done()
}

// postRace makes a race: POST /v1/races.
func (a races) postRace(w http.ResponseWriter, r *gate.Request) error {
	f := fields.Open(r.Sent, "")
	mode, unknown := readMode(a.game, f, true)
	size := readSize(f)
	invite := f.Flag("invite")
	if err := cmp.Or(fields.OpenQuery(r.URL).Done(), f.Done(), unknown); err != nil {
		return err
	}
	if err := mayAsk(w, r, a.gate, a.notices); err != nil {
		return err
	}
	k := r.Record()
	want := race.Wanted{ID: madeID(a.secret, "race", k), Player: r.Caller.Player.ID, Mode: mode, Size: size, Open: invite == nil || !*invite}
	return a.gate.AnswerOnce(w, r, k, func(ctx context.Context) (int, any, bool, error) {
		made, err := a.store.Create(ctx, want)
		if err != nil {
			return 0, nil, false, err
		}
		answer, err := a.at(made, r.Caller.Player.ID, a.now())
		return http.StatusCreated, answer, false, err
	})
}

// readSize reads how many players may race; 0 for the game's own number.
func readSize(f *fields.Object) int {
	text, ok := f.Number("players", false)
	if !ok {
		return 0
	}
	size, err := strconv.Atoi(text)
	if err != nil || size < 2 || size > game.MaxRacers {
		f.Fault("players", fmt.Sprintf("this must be a whole number from 2 to %d", game.MaxRacers))
	}
	return size
}

// postRaceJoin takes a seat: POST /v1/races/{id}/join.
func (a races) postRaceJoin(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathRace(r)
	if err != nil {
		return err
	}
	if err := mayAsk(w, r, a.gate, a.notices); err != nil {
		return err
	}
	return a.tell(w, r, func(player string) (game.Race, error) { return a.store.Join(r.Context(), id, player) })
}

// postRaceLeave leaves a waiting race, or gives up a started one: POST /v1/races/{id}/leave.
func (a races) postRaceLeave(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathRace(r)
	if err != nil {
		return err
	}
	if err := a.notices.MayWrite(r.Context()); err != nil {
		return err
	}
	if err := a.gate.Count(w, r); err != nil {
		return err
	}
	return a.tell(w, r, func(player string) (game.Race, error) { return a.store.Leave(r.Context(), id, player) })
}

// getRace reads GET /v1/races/{id}.
func (a races) getRace(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathRace(r)
	if err != nil {
		return err
	}
	return a.tell(w, r, func(player string) (game.Race, error) { return a.store.See(r.Context(), id, player) })
}

// postRaceQueue looks for a race: POST /v1/races/queue.
func (a races) postRaceQueue(w http.ResponseWriter, r *gate.Request) error {
	f := fields.Open(r.Sent, "")
	mode, unknown := readMode(a.game, f, true)
	if err := cmp.Or(fields.OpenQuery(r.URL).Done(), f.Done(), unknown); err != nil {
		return err
	}
	if err := mayAsk(w, r, a.gate, a.notices); err != nil {
		return err
	}
	return a.tell(w, r, func(player string) (game.Race, error) { return a.store.Queue(r.Context(), player, mode) })
}

// deleteRaceQueue leaves a waiting race: DELETE /v1/races/queue.
func (a races) deleteRaceQueue(w http.ResponseWriter, r *gate.Request) error {
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	if err := a.notices.MayWrite(r.Context()); err != nil {
		return err
	}
	if err := a.store.LeaveQueue(r.Context(), r.Caller.Player.ID); err != nil {
		return err
	}
	return answers.JSON(w, r.Request, http.StatusOK, map[string]string{"status": "left"})
}

// tell runs an action on a race for the caller, and answers with the race.
func (a races) tell(w http.ResponseWriter, r *gate.Request, do func(player string) (game.Race, error)) error {
	player := r.Caller.Player.ID
	found, err := do(player)
	if err != nil {
		return err
	}
	answer, err := a.at(found, player, a.now())
	if err != nil {
		return err
	}
	return answers.JSON(w, r.Request, http.StatusOK, answer)
}
