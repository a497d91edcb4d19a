package api

import (
	"net/http"
	"slices"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/feature/activity"
)

// events takes what players do besides playing.
type events struct{ *API }

// routes are the routes of events.
func (e events) routes() []route.Route {
	return []route.Route{
		{Function: "events", Pattern: "POST /v1/events", Auth: gate.GameServer, Body: gate.RequiredBatch,
			Steady: eventsSteady(e.Game), BlockedInMaintenance: true, Serve: e.postEvents},
	}
}

// eventsAnswer says what became of a batch.
type eventsAnswer struct {
	New     int            `json:"new"`   // that were not known
	Known   int            `json:"known"` // that were known, or add nothing to known ones
	Refused []refusedEvent `json:"refused"`
}

type refusedEvent struct {
	Index  int             `json:"index"`
	Reason activity.Reason `json:"reason"`
	Detail string          `json:"detail"`
}

// postEvents takes up to 500 events: POST /v1/events. Sent again, they change
// nothing.
func (a events) postEvents(w http.ResponseWriter, r *gate.Request) error {
	if a.Activity == nil {
		return problem.NoActivity()
	}
	f := decode.Open(r.Sent, "")
	items := f.Items("events", activity.MostEvents)
	if err := f.Done(); err != nil {
		return err
	}
	var batch []activity.Event
	var places []int
	answer := eventsAnswer{Refused: []refusedEvent{}}
	refuse := func(index int, why activity.Refusal) {
		answer.Refused = append(answer.Refused, refusedEvent{index, why.Reason, why.Detail})
	}
	for i, item := range items {
		e, unreadable := activity.Read(item)
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
