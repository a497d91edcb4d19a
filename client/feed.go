package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Feed is what has changed on a day's board, newest first.
type Feed struct {
	Mode    string      `json:"mode"`
	Date    string      `json:"date"`
	Entries []FeedEntry `json:"entries"`
}

// FeedEntry is an entry in its present state, and when it was played.
type FeedEntry struct {
	Rank    *int64    `json:"rank"` // nil: below the top 100
	Player  string    `json:"player"`
	Score   float64   `json:"score"`
	Values  Values    `json:"values"`
	Name    string    `json:"name"`
	Picture string    `json:"picture"`
	Country string    `json:"country"`
	At      time.Time `json:"at"`
}

// FeedOf says which changes to read. Only Mode is required.
type FeedOf struct {
	Mode  string
	Date  string    // YYYY-MM-DD; "" for today
	Limit int       // 1 to 50; 0 for 20
	Since time.Time // only entries played later; zero: all
}

// Feed reads what has changed on a day's board. A game without an outbox has no feed: the
// error is a [*Problem] with [CodeNotFound].
func (c *Client) Feed(ctx context.Context, of FeedOf) (Feed, error) {
	q := url.Values{}
	setText(q, "mode", of.Mode)
	setText(q, "date", of.Date)
	if of.Limit != 0 {
		q.Set("limit", strconv.Itoa(of.Limit))
	}
	if !of.Since.IsZero() {
		q.Set("since", of.Since.UTC().Format(time.RFC3339Nano))
	}
	return ask[Feed](ctx, c, Request{Method: http.MethodGet, Path: "/v1/feed", Query: q})
}

// MaxEvents is the largest number of events in one request.
const MaxEvents = 500

// Event is something that players did besides playing, in a game with activity. Its type
// decides whether it has From and To, one User, or two Users, one of whom may be the Winner.
type Event struct {
	ID     string    `json:"id"` // the same each time the event is sent
	Type   string    `json:"type"`
	At     time.Time `json:"at"`
	Group  string    `json:"group"` // where it counts
	From   string    `json:"from,omitempty"`
	To     string    `json:"to,omitempty"`
	User   string    `json:"user,omitempty"`
	Users  []string  `json:"users,omitempty"`
	Winner string    `json:"winner,omitempty"`
}

// EventResults are the results of sending events.
type EventResults struct {
	New     int            `json:"new"`   // count from now on
	Known   int            `json:"known"` // were sent before, or add nothing to other events of their day
	Refused []RefusedEvent `json:"refused"`
}

// RefusedEvent is an event that will never count.
type RefusedEvent struct {
	Index  int    `json:"index"`  // among the events that were sent
	Reason string `json:"reason"` // such as sealed or unknown_type
	Detail string `json:"detail"` // for people
}

// SendEvents sends up to [MaxEvents] events. Sending them again changes nothing, so it needs
// no key. A refused event does not affect the others and is no error here. If the game has no
// activity, the error is a [*Problem] with [CodeNotFound].
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
