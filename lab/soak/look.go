package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// pageBody is a page of a board.
type pageBody struct {
	Mode    string `json:"mode"`
	Period  string `json:"period"`
	Key     string `json:"key"`
	Scope   string `json:"scope"`
	Total   int64  `json:"total"`
	Closed  bool   `json:"closed"`
	Entries []struct {
		Rank   int64       `json:"rank"`
		Player string      `json:"player"`
		Score  json.Number `json:"score"`
	} `json:"entries"`
	NextCursor string `json:"next_cursor"`
}

// look reads every board there is and holds it against the model, then cards
// and, where that is expected, what players are told of themselves and the
// rows of the database. What the operator has changed in closed days may wait
// for the next run of cron-daily to reach XP, so there is one first.
func (r *run) look(ctx context.Context) error {
	r.report.Looks++
	if r.stirred {
		if err := r.whole(ctx); err != nil {
			return err
		}
	}
	boards := r.boards()
	ids := map[string]int32{}
	for i, someone := range r.model.people {
		ids[someone.id] = int32(i)
	}
	// A country's boards are made from everybody's as they are, which may be at
	// this moment made by another reader.
	var first, countries []read
	for _, b := range boards {
		check := func(ctx context.Context) (finding, error) { return r.checkBoard(ctx, b, ids) }
		if r.model.places.isCountry(b.scope) {
			countries = append(countries, check)
		} else {
			first = append(first, check)
		}
	}
	for _, reads := range [][]read{first, append(countries, r.cards(boards)...)} {
		if err := r.ask(ctx, reads); err != nil {
			return fmt.Errorf("read the boards: %w", err)
		}
	}
	if r.Streaks {
		if err := r.checkMe(ctx); err != nil {
			return fmt.Errorf("read players: %w", err)
		}
	}
	if r.Snapshots {
		if err := r.checkSnapshots(ctx); err != nil {
			return fmt.Errorf("read the database: %w", err)
		}
	}
	return nil
}

// boards lists every board that must be there: of each day, week and month so
// far, all time and XP.
func (r *run) boards() []board {
	boards := []board{{mode: -1, period: game.AllTime.Of(r.Start)}}
	today := game.DateOf(r.now)
	seen := map[game.Period]bool{}
	for d := r.Start; !d.After(today); d = d.AddDays(1) {
		for kind := game.Day; kind <= game.AllTime; kind++ {
			p := kind.Of(d)
			if seen[p] || !r.History && !r.inRedis(p) {
				continue
			}
			seen[p] = true
			for mode, m := range r.model.rules {
				for scope := range r.model.places.names {
					if r.model.places.kept(m.Mode, scope) {
						boards = append(boards, board{mode, p, scope})
					}
				}
			}
		}
	}
	return boards
}

func (r *run) name(b board) string {
	if b.mode < 0 {
		return "xp"
	}
	return fmt.Sprintf("%s %s %s", r.model.rules[b.mode].Name, b.period.Key(), r.model.places.names[b.scope])
}

// query names a board in an address.
func (r *run) query(b board) url.Values {
	if b.mode < 0 {
		return url.Values{}
	}
	q := url.Values{"period": {b.period.Kind().String()}, "scope": {r.model.places.names[b.scope]}}
	if b.period.Kind() != game.AllTime {
		q.Set("date", b.period.Last().String())
	}
	return q
}

// checkBoard reads a board page by page.
func (r *run) checkBoard(ctx context.Context, b board, ids map[string]int32) (finding, error) {
	want := r.model.rows(b)
	m := r.model.ruleOf(b)
	query := r.query(b)
	limit := [...]int{200, 150, 60}[(b.mode+b.scope+int(b.period.Kind())+3)%3]
	query.Set("limit", strconv.Itoa(limit))
	byPlayer := make(map[int32]row, len(want))
	for _, w := range want {
		byPlayer[w.player] = w
	}
	place := 0
	for {
		var p pageBody
		found, err := r.calls.get(ctx, nobody, "/v1/leaderboards/"+m.Name+"?"+query.Encode(), &p)
		switch {
		case err != nil:
			return finding{}, err
		case !found:
			return r.finding(b, "404")
		case p.Total != int64(len(want)):
			f, _ := r.finding(b, "total %d, must be %d", p.Total, len(want))
			f.total = p.Total > 0 && p.Total < int64(len(want))
			return f, nil
		case p.Closed != (b.period.Kind() != game.AllTime && r.closedFor(b.period) >= 0):
			return r.finding(b, "closed is %v", p.Closed)
		}
		for _, e := range p.Entries {
			if place >= len(want) {
				return r.finding(b, "%s stands behind the last of %d", e.Player, len(want))
			}
			w := want[place]
			place++
			player, known := ids[e.Player]
			got, there := byPlayer[player]
			score, ok := scaled(e.Score.String(), m.Decimals)
			if !known || !there || !ok || score != w.score || e.Rank != w.rank || !r.model.interchangeable(b, got, w) {
				return r.finding(b, "place %d has rank %d %s %s, must be rank %d %s %s", place,
					e.Rank, e.Player, e.Score, w.rank, r.model.people[w.player].id, written(w.score, m.Decimals))
			}
			delete(byPlayer, player)
		}
		if p.NextCursor == "" || len(p.Entries) == 0 {
			break
		}
		query.Set("cursor", p.NextCursor)
	}
	if place != len(want) {
		return r.finding(b, "ends after %d of %d", place, len(want))
	}
	atomic.AddInt64(&r.report.Boards, 1)
	atomic.AddInt64(&r.report.Rows, int64(place))
	return finding{}, nil
}

// closedFor tells how long a period has been closed; negative while it is not.
func (r *run) closedFor(p game.Period) time.Duration {
	return r.now.Sub(p.Last().Midnight().Add(day + r.Game.Grace))
}
