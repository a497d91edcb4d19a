package activity

import (
	"net/http"
	"slices"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// Endpoints have the endpoint that takes what players do besides playing.
type Endpoints struct {
	Game     *game.Game
	Activity *Activity // nil: the game has none
}

// Routes are the routes of events.
func (e Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "events", Pattern: "POST /v1/events", Auth: gate.GameServer, Body: gate.RequiredBatch,
			Steady: eventsSteady(e.Game), BlockedInMaintenance: true, Serve: e.PostEvents},
	}
}

// eventsSteady is for events of one day and one group, from players whom the process knows.
func eventsSteady(g *game.Game) int {
	if RulesOf(g) == nil {
		return 0
	}
	return 2
}

// eventsAnswer says what became of a batch.
type eventsAnswer struct {
	New     int            `json:"new"`   // that were not known
	Known   int            `json:"known"` // that were known, or add nothing to known ones
	Refused []refusedEvent `json:"refused"`
}

type refusedEvent struct {
	Index  int    `json:"index"`
	Reason Reason `json:"reason"`
	Detail string `json:"detail"`
}

// PostEvents takes up to 500 events: POST /v1/events. Sent again, they change
// nothing.
func (a Endpoints) PostEvents(w http.ResponseWriter, r *gate.Request) error {
	if a.Activity == nil {
		return problem.New("not-found", "activity is off in this game")
	}
	f := decode.Open(r.Sent, "")
	items := f.Items("events", MostEvents)
	if err := f.Done(); err != nil {
		return err
	}
	var batch []Event
	var places []int
	answer := eventsAnswer{Refused: []refusedEvent{}}
	refuse := func(index int, why Refusal) {
		answer.Refused = append(answer.Refused, refusedEvent{index, why.Reason, why.Detail})
	}
	for i, item := range items {
		e, unreadable := Read(item)
		if unreadable != nil {
			refuse(i, *unreadable)
			continue
		}
		batch, places = append(batch, e), append(places, i)
	}
	taken, err := a.Activity.Take(r.Context(), batch)
	if err != nil {
		return err
	}
	for _, why := range taken.Refused {
		refuse(places[why.Index], why)
	}
	slices.SortFunc(answer.Refused, func(x, y refusedEvent) int { return x.Index - y.Index })
	answer.New = taken.New
	answer.Known = len(items) - len(answer.Refused) - taken.New
	return respond.JSON(w, r.Request, http.StatusOK, answer)
}

// Described is what GET /v1/game says of activity: the groups that the game file names.
func Described(g *game.Game) []respond.Part {
	if RulesOf(g) == nil || len(RulesOf(g).Named()) == 0 {
		return nil
	}
	return []respond.Part{{Key: "groups", Value: RulesOf(g).Named()}}
}
