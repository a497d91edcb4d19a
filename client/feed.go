package client

import (
	"context"
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
