// Package feed has the endpoint of the latest changes of a board.
//
// It must not know Redis or SQL: the outbox and the history have the latest submissions.
package feed

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// History has the submissions that have left the outbox.
type History interface {
	// NewestSubmissions returns those of one day and mode, newest first. Errors:
	// problem.ErrHistoryAway.
	NewestSubmissions(ctx context.Context, mode string, d game.Date, limit int) ([]game.Posted, error)
}

// Endpoints have the endpoint of the latest changes of a board.
type Endpoints struct {
	*api.Boards
	History History // nil without Postgres
}

// Routes are the routes of the feed.
func (f Endpoints) Routes() []gate.Route {
	return []gate.Route{
		// Steady: the outbox, the players' entries, and the top of the day with its names, which is mostly in memory.
		{Function: "leaderboard", Pattern: "GET /v1/feed", Auth: gate.Public, Limit: limit.Boards, Price: gate.UpTo(feedPrice), Steady: 4, Serve: f.GetFeed},
	}
}

const (
	feedPrice = 8 // the outbox, the players' entries, names, and the top of a day

	usualFeed = 20
	mostFeed  = 50
	// mostLooked is how many submissions are read: not all of them have changed the board.
	mostLooked = 200
	// rankedInFeed is the lowest rank that the feed shows: the top of a board is remembered
	// down to there.
	rankedInFeed = 100
)

type feedAnswer struct {
	Mode    string       `json:"mode"`
	Date    string       `json:"date"`
	Entries []feedChange `json:"entries"`
}

// feedChange is an entry, and when it last changed.
type feedChange struct {
	Rank    *int64          `json:"rank"` // null: below rankedInFeed
	Player  string          `json:"player"`
	Score   json.RawMessage `json:"score"`
	Values  json.RawMessage `json:"values,omitempty"`
	Name    string          `json:"name,omitempty"`
	Picture string          `json:"picture,omitempty"`
	Country string          `json:"country,omitempty"`
	At      string          `json:"at"`
}

// GetFeed reads GET /v1/feed: the newest entries of a day's board.
func (f Endpoints) GetFeed(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	mode, limit := q.Text("mode"), q.Number("limit", usualFeed, 1, mostFeed)
	since, later := time.Time{}, q.Text("since")
	if later != "" {
		var err error
		if since, err = time.Parse(time.RFC3339Nano, later); err != nil {
			q.Fault("since", "use a timestamp, as in an entry's at, such as 2026-11-21T12:00:00Z")
		}
	}
	if mode == "" {
		q.Fault("mode", "say which mode's board")
	}
	asked := api.Asked{Mode: mode, Date: q.Text("date")}
	var b game.Board
	if _, ok := f.Game.ModeCalled(mode); ok {
		var err error
		if b, err = asked.In(f.Game, f.Now(), q.Fault); err != nil {
			return err
		}
	}
	if err := q.Done(); err != nil {
		return err
	}
	switch {
	case b.Mode == nil:
		return problem.UnknownMode(mode)
	case !f.Game.Outbox:
		return problem.New("not-found", "the feed is off; set outbox: true in the game file")
	}
	changes, err := f.changes(r.Context(), b, since, int(limit))
	if err != nil {
		return err
	}
	answer := feedAnswer{b.Mode.Called(), b.Period.First().String(), changes}
	return respond.Public(w, r.Request, api.SharedCache(w, max(f.Game.Refresh, time.Second), 0), answer)
}

// changes are the newest submissions that are entries of the board now, one for each player.
// Players who are not on the board, such as banned or erased ones, are left out.
func (f Endpoints) changes(ctx context.Context, b game.Board, since time.Time, limit int) ([]feedChange, error) {
	changes := []feedChange{}
	sent, err := f.readSent(ctx, b, since, limit)
	if err != nil || len(sent) == 0 {
		return changes, err
	}
	var players []string
	for _, one := range sent {
		if !slices.Contains(players, one.Player) {
			players = append(players, one.Player)
		}
	}
	found, err := f.Store.Lookup(ctx, b, players)
	if err != nil {
		return nil, err
	}
	current := map[string]game.Entry{}
	for _, e := range found {
		current[e.Player] = e
	}
	top, err := f.Reads.Page(ctx, b, game.PageRequest{Limit: rankedInFeed})
	if err != nil {
		return nil, err
	}
	ranks := map[string]int64{}
	for _, e := range top.Found.Entries {
		if e.Score == current[e.Player].Score { // otherwise the top was read before that score
			ranks[e.Player] = e.Rank
		}
	}
	for _, one := range sent {
		e, on := current[one.Player]
		if !on || b.Mode.Policy != game.Sum && e.Stored != one.Stored {
			continue // it changed nothing, or was taken back
		}
		delete(current, one.Player)
		changes = append(changes, newFeedChange(b, e, one.At, ranks))
		if len(changes) == limit {
			break
		}
	}
	return changes, nil
}

func newFeedChange(b game.Board, e game.Entry, at time.Time, ranks map[string]int64) feedChange {
	change := feedChange{
		Player: e.Player, Score: json.RawMessage(b.Mode.FormatScore(e.Score)),
		Values: b.Mode.FormatValues(e.Score),
		Name:   e.Profile.Name, Picture: e.Profile.Picture, Country: e.Profile.Country, At: at.UTC().Format(time.RFC3339Nano),
	}
	if rank, ok := ranks[e.Player]; ok {
		change.Rank = &rank
	}
	return change
}

// readSent returns the latest submissions, newest first: those in the outbox and, if these are
// fewer than limit and the outbox holds no older ones, those in the history.
func (f Endpoints) readSent(ctx context.Context, b game.Board, since time.Time, limit int) ([]game.Posted, error) {
	list, whole, err := f.Store.Outbox.Newest(ctx, b)
	if err != nil {
		return nil, err
	}
	if len(list) < limit && whole && f.History != nil {
		kept, err := f.History.NewestSubmissions(ctx, b.Mode.Name, b.Period.First(), mostLooked)
		if err != nil {
			return nil, fmt.Errorf("read the feed: %w", err)
		}
		list = append(list, kept...) // a submission that is in both is of one player, so it shows once
		slices.SortStableFunc(list, func(a, b game.Posted) int { return b.At.Compare(a.At) })
	}
	list = slices.DeleteFunc(list, func(one game.Posted) bool { return !since.IsZero() && !one.At.After(since) })
	return list[:min(len(list), mostLooked)], nil
}
