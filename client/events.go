package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// MaxEvents is how many events go in one request.
const MaxEvents = 500

// Event is something that players did beside playing, in a game that has activity. Its
// type says whether it has From and To, one User, or two Users, of whom one may be the
// Winner.
type Event struct {
	ID     string    `json:"id"` // the same however often it is sent
	Type   string    `json:"type"`
	At     time.Time `json:"at"`
	Group  string    `json:"group"` // where it counts
	From   string    `json:"from,omitempty"`
	To     string    `json:"to,omitempty"`
	User   string    `json:"user,omitempty"`
	Users  []string  `json:"users,omitempty"`
	Winner string    `json:"winner,omitempty"`
}

// EventResults are what became of events.
type EventResults struct {
	New     int            `json:"new"`   // they count from now on
	Known   int            `json:"known"` // they were sent before, or say nothing more than others of their day
	Refused []RefusedEvent `json:"refused"`
}

// RefusedEvent is an event that does not count, and never will.
type RefusedEvent struct {
	Index  int    `json:"index"`  // among those that were sent
	Reason string `json:"reason"` // such as sealed or unknown_type
	Detail string `json:"detail"` // for people
}

// SendEvents tells of up to [MaxEvents] events. Sent again they change nothing, so it
// needs no key. One that is refused spoils no other and is no error here. Where the
// game has no activity it is a [*Problem] with [CodeNotFound].
func (c *Client) SendEvents(ctx context.Context, events []Event) (EventResults, error) {
	if len(events) == 0 || len(events) > MaxEvents {
		return EventResults{}, fmt.Errorf("%d events: use 1 to %d", len(events), MaxEvents)
	}
	body, err := json.Marshal(struct {
		Events []Event `json:"events"`
	}{events})
	if err != nil {
		return EventResults{}, fmt.Errorf("the events: %w", err)
	}
	return ask[EventResults](ctx, c, Request{Method: http.MethodPost, Path: "/v1/events", Body: body})
}
