package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Board names a board. Only Mode is required; it may also be xp or duels, with the period
// alltime.
type Board struct {
	Mode   string
	Period string // day, week, month, season or alltime; "" for day
	Date   string // YYYY-MM-DD within the period; "" for the current one
	Scope  string // global, country:BR, region:SA, group:ID or groups; "" for global
}

// path begins the path of the board; rest are the segments after it.
func (b Board) path(rest ...string) (string, error) {
	path := "/v1/leaderboards"
	for _, part := range append([]string{b.Mode}, rest...) {
		s, err := segment(part)
		if err != nil {
			return "", err
		}
		path += "/" + s
	}
	return path, nil
}

func (b Board) query() url.Values {
	q := url.Values{}
	setText(q, "period", b.Period)
	setText(q, "date", b.Date)
	setText(q, "scope", b.Scope)
	return q
}

// Place names the board that an answer is about.
type Place struct {
	Mode   string `json:"mode"`
	Period string `json:"period"`
	Key    string `json:"key"` // of the period: 2026-11-21, 2026-W47, 2026-11 or alltime
	Scope  string `json:"scope"`
}

// Entry is one row of a board.
type Entry struct {
	Rank    int64   `json:"rank"` // 1 is the best
	Player  string  `json:"player"`
	Score   float64 `json:"score"`
	Values  Values  `json:"values"`
	Name    string  `json:"name"` // Name, Picture and Country are "" where nobody said
	Picture string  `json:"picture"`
	Country string  `json:"country"`
	Me      bool    `json:"me"` // always false for a game server
}

// Page is a part of a board, from the top or after a cursor.
type Page struct {
	Place
	Total      int64     `json:"total"` // players on the board
	UpdatedAt  time.Time `json:"updated_at"`
	Closed     bool      `json:"closed"`  // the period takes no more scores
	Stale      bool      `json:"stale"`   // as of UpdatedAt, since Redis refuses
	History    string    `json:"history"` // "unavailable": the period has left Redis and there is no history
	Entries    []Entry   `json:"entries"`
	NextCursor string    `json:"next_cursor"` // "" on the last page
}

// From is where on a board a page begins.
type From struct {
	Limit  int    // largest number of entries, 1 to 200; 0 for 100
	Offset int    // number of entries to skip; not together with Cursor
	Cursor string // NextCursor of the previous page
}

// Page reads a page of a board.
func (c *Client) Page(ctx context.Context, b Board, from From) (Page, error) {
	q := b.query()
	setNumber(q, "limit", from.Limit)
	setNumber(q, "offset", from.Offset)
	setText(q, "cursor", from.Cursor)
	return readBoard[Page](ctx, c, b, q)
}

// Entries reads a whole board from the top, page by page as the loop goes on. It neither
// repeats nor skips a player whose entry does not move meanwhile. An error is the last pair.
func (c *Client) Entries(ctx context.Context, b Board) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		from := From{Limit: 200}
		for {
			page, err := c.Page(ctx, b, from)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for _, e := range page.Entries {
				if !yield(e, nil) {
					return
				}
			}
			if page.NextCursor == "" || page.NextCursor == from.Cursor {
				return
			}
			from.Cursor = page.NextCursor
		}
	}
}

// Card is one player's place on a board.
type Card struct {
	Place
	Player       string          `json:"player"`
	Rank         int64           `json:"rank"`
	Score        float64         `json:"score"`
	Values       Values          `json:"values"`
	Name         string          `json:"name"`
	Picture      string          `json:"picture"`
	Country      string          `json:"country"`
	Total        int64           `json:"total"`
	Percentile   float64         `json:"percentile"`    // the share of players at or below the player
	TopPercent   float64         `json:"top_percent"`   // Rank as a share of Total
	PreviousRank *int64          `json:"previous_rank"` // in the period before; nil: the player was not on that board
	RankChange   *int64          `json:"rank_change"`   // since then, positive is up
	Details      json.RawMessage `json:"details"`       // of a day's score; nil: none
	UpdatedAt    time.Time       `json:"updated_at"`
	Stale        bool            `json:"stale"`
	History      string          `json:"history"`
	Me           bool            `json:"me"`
}

// Card reads a player's place. If the player is not on the board, the error is a
// [*Problem] with [CodeNotOnBoard].
func (c *Client) Card(ctx context.Context, b Board, player string) (Card, error) {
	return readBoard[Card](ctx, c, b, b.query(), "players", player)
}

// Around is a player with the neighbours on a board.
type Around struct {
	Place
	Rank      int64     `json:"rank"` // the player's
	Score     float64   `json:"score"`
	Values    Values    `json:"values"`
	Total     int64     `json:"total"`
	UpdatedAt time.Time `json:"updated_at"`
	Closed    bool      `json:"closed"`
	Stale     bool      `json:"stale"`
	History   string    `json:"history"`
	Entries   []Entry   `json:"entries"`
}

// Neighbours says how many neighbours to read.
type Neighbours struct {
	Range int // on each side, 1 to 50; 0 for 5
	// Near is the rank that a submission has answered: on large boards a good one saves a
	// Redis command. It does not change the answer.
	Near int
}

// Around reads a player with the neighbours.
func (c *Client) Around(ctx context.Context, b Board, player string, n Neighbours) (Around, error) {
	q := b.query()
	setNumber(q, "range", n.Range)
	setNumber(q, "near", n.Near)
	return readBoard[Around](ctx, c, b, q, "around", player)
}

// Distribution is how the scores of a board are distributed.
type Distribution struct {
	Place
	Total     int64      `json:"total"`
	UpdatedAt time.Time  `json:"updated_at"`
	Closed    bool       `json:"closed"`
	Stale     bool       `json:"stale"`
	History   string     `json:"history"`
	Buckets   []Bucket   `json:"buckets"` // the lowest numbers first
	Me        *OwnBucket `json:"me"`      // nil without a player's token, and if the player is not on the board
}

// Bucket is the number of players with a score from one number to another, both included.
type Bucket struct {
	From    float64 `json:"from"`
	To      float64 `json:"to"`
	Players int64   `json:"players"`
}

// OwnBucket is the caller's bucket.
type OwnBucket struct {
	Bucket     int     `json:"bucket"` // its index
	Score      float64 `json:"score"`
	Values     Values  `json:"values"`
	Rank       int64   `json:"rank"`
	Percentile float64 `json:"percentile"`
	TopPercent float64 `json:"top_percent"`
}

// Distribution counts the players of a board in at most so many buckets, 1 to 50; 0 for 20.
func (c *Client) Distribution(ctx context.Context, b Board, buckets int) (Distribution, error) {
	q := b.query()
	setNumber(q, "buckets", buckets)
	return readBoard[Distribution](ctx, c, b, q, "distribution")
}

// World is a run of entries of a board that several sites merge.
type World struct {
	Place
	Total      int64       `json:"total"`  // at all sites; a player of several sites counts at each
	Ranked     int64       `json:"ranked"` // entries that the board has
	UpdatedAt  time.Time   `json:"updated_at"`
	Closed     bool        `json:"closed"`
	Sites      []Site      `json:"sites"`
	Entries    []Entry     `json:"entries"`
	NextCursor string      `json:"next_cursor"`
	Me         *OwnInWorld `json:"me"` // nil without a player's token, and if the player is on no board
}

// Site is a deployment that merges its boards with others.
type Site struct {
	Name    string    `json:"name"`
	Players int64     `json:"players"`
	AsOf    time.Time `json:"as_of"` // zero: nothing is known of the site
	Down    bool      `json:"down"`  // no sign of life for more than 16 minutes
}

// OwnInWorld is the caller's place in the world.
type OwnInWorld struct {
	Rank       *int64  `json:"rank"` // nil: below the entries that are ranked
	Score      float64 `json:"score"`
	Values     Values  `json:"values"`
	Percentile float64 `json:"percentile"`
	TopPercent float64 `json:"top_percent"`
}

// World reads a run of a board that several sites merge. It ignores the board's scope.
func (c *Client) World(ctx context.Context, b Board, from From) (World, error) {
	b.Scope = ""
	q := b.query()
	setNumber(q, "limit", from.Limit)
	setNumber(q, "offset", from.Offset)
	setText(q, "cursor", from.Cursor)
	return readBoard[World](ctx, c, b, q, "world")
}

// Found are players ranked among themselves.
type Found struct {
	Place
	Entries []Entry `json:"entries"` // best first, without players who have no entry
}

// LookUp ranks up to 500 players among themselves, with one Redis command.
func (c *Client) LookUp(ctx context.Context, b Board, players []string) (Found, error) {
	path, err := b.path("lookup")
	if err != nil {
		return Found{}, err
	}
	body, err := json.Marshal(map[string][]string{"players": players})
	if err != nil {
		return Found{}, err
	}
	return ask[Found](ctx, c, Request{Method: http.MethodPost, Path: path, Query: b.query(), Body: body})
}

func readBoard[T any](ctx context.Context, c *Client, b Board, q url.Values, rest ...string) (T, error) {
	path, err := b.path(rest...)
	if err != nil {
		var none T
		return none, err
	}
	return ask[T](ctx, c, Request{Method: http.MethodGet, Path: path, Query: q})
}

// segment makes an id a segment of a path. Ids of the product need no encoding; an id that
// would lead to another path is refused before anything is sent.
func segment(id string) (string, error) {
	if id == "" || len(id) > 128 || id == "." || id == ".." {
		return "", fmt.Errorf("the id %.130q: use 1 to 128 characters", id)
	}
	for _, r := range id {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '.', r == ':', r == '@', r == '-':
		default:
			return "", fmt.Errorf("the id %q: use letters of ASCII, digits and _ . : @ -", id)
		}
	}
	return id, nil
}

func setText(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

func setNumber(q url.Values, name string, n int) {
	if n != 0 {
		q.Set(name, strconv.Itoa(n))
	}
}
