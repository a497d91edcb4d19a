package replay

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
)

// How the board is read back.
const (
	pageSize   = 200 // the most that the API gives
	topEntries = 10
	maxCards   = 200
)

// page is a page of the board.
type page struct {
	Total      int64   `json:"total"`
	Entries    []Entry `json:"entries"`
	NextCursor string  `json:"next_cursor"`
}

// Entry is a row of the board.
type Entry struct {
	Rank   int64  `json:"rank"`
	Player string `json:"player"`
	Score  int32  `json:"score"`
}

func (r *replay) page(ctx context.Context, limit int, cursor string) (page, error) {
	query := url.Values{"period": {"day"}, "date": {r.date}, "limit": {strconv.Itoa(limit)}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	var p page
	return p, r.get(ctx, "/v1/leaderboards/"+daily.Name, query, &p)
}

func (r *replay) get(ctx context.Context, path string, query url.Values, into any) error {
	return r.Calls.Get(ctx, caller.Nobody, path+"?"+query.Encode(), into)
}

// walk reads the whole board, page after page, and compares every entry with the model.
func (r *replay) walk(ctx context.Context) error {
	began := time.Now()
	r.Exact = r.Workers == 1
	r.board = modelOf(r.plays, r.Exact).Read(theDay)
	cursor := ""
	for {
		p, err := r.page(ctx, pageSize, cursor)
		if err != nil {
			return err
		}
		for _, e := range p.Entries {
			if len(r.Top) < topEntries {
				r.Top = append(r.Top, e)
			}
			if fault := r.board.Next(e.Rank, e.Player, int64(e.Score)); fault != "" {
				r.found.Add("%s", fault)
			}
			if tries := slices.Index(Points[:], e.Score); tries >= 0 {
				r.Ties[tries]++
			}
		}
		if p.Total > int64(len(r.plays)) {
			r.found.Add("a page tells of %d players, %d were sent", p.Total, len(r.plays))
		}
		cursor = p.NextCursor
		if cursor == "" || len(p.Entries) == 0 || r.board.Entries() > int64(len(r.plays)) {
			break
		}
	}
	for fault := range r.board.Missing() {
		r.found.Add("%s", fault)
	}
	r.Checked = r.board.Entries()
	r.Pages = (r.Checked + pageSize - 1) / pageSize
	r.WalkTook = time.Since(began)
	return nil
}

// card is a player's own card.
type card struct {
	Entry
	Total      int64   `json:"total"`
	Percentile float64 `json:"percentile"`
	TopPercent float64 `json:"top_percent"`
}

// cards reads the cards of players from all parts of the board.
func (r *replay) cards(ctx context.Context) error {
	every := max(1, len(r.plays)/maxCards)
	for i := 0; i < len(r.plays); i += every {
		p := r.plays[i]
		id := p.id()
		var c card
		err := r.get(ctx, "/v1/leaderboards/"+daily.Name+"/players/"+id, url.Values{"period": {"day"}, "date": {r.date}}, &c)
		if err != nil {
			return err
		}
		rank := r.board.Place(id)
		switch {
		case c.Player != id || c.Score != p.score() || c.Rank != rank:
			r.found.Add("the card of %s tells rank %d and score %d, the board %d and %d", id, c.Rank, c.Score, rank, p.score())
		case c.Total < c.Rank || c.Total > int64(len(r.plays)):
			r.found.Add("the card of %s tells rank %d of %d, with %d players", id, c.Rank, c.Total, len(r.plays))
		case !model.IsShare(c.Percentile, c.Total-c.Rank+1, c.Total) || !model.IsShare(c.TopPercent, c.Rank, c.Total):
			r.found.Add("the card of %s tells percentile %v and top %v%%, which rank %d of %d is not", id, c.Percentile, c.TopPercent, c.Rank, c.Total)
		}
		r.Cards++
	}
	return nil
}
