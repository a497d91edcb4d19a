package friend

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
)

// friendshipAnswer is the state between the caller and another player.
type friendshipAnswer struct {
	Player string `json:"player"`
	Status string `json:"status"` // requested or friends
}

// PostRequest asks another player: POST /v1/friends/requests.
func (f Endpoints) PostRequest(w http.ResponseWriter, r *gate.Request) error {
	me := r.Caller.Player.ID
	o := decode.Open(r.Sent, "")
	other, ok := o.Text("player", decode.Required)
	if ok {
		if err := validOther(me, other); err != "" {
			o.Fault("player", err)
		}
	}
	if err := o.Done(); err != nil {
		return err
	}
	if err := f.Notices.MayPlay(r.Context(), me); err != nil {
		return err
	}
	return f.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		if err := api.Introduce(ctx, f.Profiles, r); err != nil {
			return 0, nil, false, err
		}
		outcome, err := f.Friends.Act(ctx, Ask, me, other)
		if err != nil {
			return 0, nil, false, err
		}
		status := http.StatusOK
		if outcome == Asked {
			status = http.StatusCreated
		}
		return friendship(status, other, outcome)
	})
}

// PostAccept accepts a request: POST /v1/friends/requests/{player}/accept.
func (f Endpoints) PostAccept(w http.ResponseWriter, r *gate.Request) error {
	me, other, err := both(r)
	if err != nil {
		return err
	}
	if err := f.Notices.MayPlay(r.Context(), me); err != nil {
		return err
	}
	banned, err := f.Notices.IsBanned(r.Context(), other)
	if err != nil {
		return err
	}
	return f.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		if err := api.Introduce(ctx, f.Profiles, r); err != nil {
			return 0, nil, false, err
		}
		outcome := None
		if !banned {
			var err error
			if outcome, err = f.Friends.Act(ctx, Accept, me, other); err != nil {
				return 0, nil, false, err
			}
		}
		if outcome == None {
			return 0, nil, false, problem.New("no-request", "no friend request from this player")
		}
		return friendship(http.StatusOK, other, outcome)
	})
}

// Ending makes the endpoint of an action that may be repeated without a difference, such as
// DELETE /v1/friends/{player}: 204.
func (f Endpoints) Ending(action Action) gate.Endpoint {
	return func(w http.ResponseWriter, r *gate.Request) error {
		me, other, err := both(r)
		if err != nil {
			return err
		}
		if err := f.Notices.MayWrite(r.Context()); err != nil {
			return err
		}
		outcome, err := f.Friends.Act(r.Context(), action, me, other)
		if err != nil {
			return err
		}
		if refused := problemOf(outcome); refused != nil {
			return refused
		}
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}

// both reads the caller and the player of the path.
func both(r *gate.Request) (me, other string, err error) {
	q := decode.OpenQuery(r.URL)
	me, other = r.Caller.Player.ID, r.PathValue("player")
	if fault := validOther(me, other); fault != "" {
		q.PathFault("player", fault)
	}
	return me, other, q.Done()
}

// validOther describes what is wrong with another player's id; "" for nothing.
func validOther(me, other string) string {
	if err := game.ValidPlayer(other); err != nil {
		return err.Error()
	}
	if me == other {
		return "this must be another player"
	}
	return ""
}

// friendship is the answer to an action that has had its effect.
func friendship(status int, other string, outcome Outcome) (int, any, bool, error) {
	if refused := problemOf(outcome); refused != nil {
		return 0, nil, false, refused
	}
	answer := friendshipAnswer{Player: other, Status: "requested"}
	if outcome == Friends {
		answer.Status = "friends"
	}
	return status, answer, false, nil
}

// problemOf is the problem of an outcome of an action on friends; nil: none.
func problemOf(outcome Outcome) error {
	switch outcome {
	case Blocking:
		return problem.New("player-blocked", "you have blocked this player; unblock first")
	case FullMe:
		return problem.New("list-full", "friend limit reached (500)")
	case FullOther:
		return problem.New("list-full", "this player's friend limit is reached (500)")
	case FullAsked:
		return problem.New("list-full", "pending request limit reached (500); cancel some")
	case FullBlocked:
		return problem.New("list-full", "block limit reached (500)")
	}
	return nil
}
