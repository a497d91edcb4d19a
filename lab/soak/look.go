package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/model"
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

// look reads every board and compares it with the model, then some cards. If the
// options expect them, it also checks GET /v1/me and the snapshots in the database. The
// operator's changes of closed days may reach XP only in the next run of cron-daily, so
// look starts one first.
func (r *run) look(ctx context.Context) error {
	r.report.Looks++
	if r.stirred {
		if err := r.whole(ctx); err != nil {
			return err
		}
	}
	boards := r.boards()
	// The product makes a country's board from the global one as it is in Redis, and
	// another reader may be making that one at this moment. So country boards are read
	// after all others.
	var first, countries []read
	for _, b := range boards {
		check := func(ctx context.Context) (finding, error) { return r.checkBoard(ctx, b) }
		if r.scopes.isCountry(b.Scope) {
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

// periods lists all days, weeks and months so far, and all time.
func (r *run) periods() (all []game.Period) {
	seen := map[game.Period]bool{}
	for d := r.Start; !d.After(game.DateOf(r.now)); d = d.AddDays(1) {
		for kind := game.Day; kind <= game.AllTime; kind++ {
			if p := kind.Of(d); !seen[p] {
				seen[p] = true
				all = append(all, p)
			}
		}
	}
	return all
}

// boards lists every board that must exist: of each day, week and month so far, all time
// and XP.
func (r *run) boards() []model.Board {
	boards := []model.Board{{Mode: model.XP, Period: game.AllTime.Of(r.Start)}}
	for _, p := range r.periods() {
		if r.History || r.inRedis(p) {
			boards = append(boards, r.boardsOf(p)...)
		}
	}
	return boards
}

// boardsOf lists the boards of all modes and scopes in a period.
func (r *run) boardsOf(p game.Period) (boards []model.Board) {
	for mode, m := range r.model.Rules {
		for scope := range r.scopes {
			if r.scopes.kept(m.Mode, scope) {
				boards = append(boards, model.Board{Mode: mode, Period: p, Scope: scope})
			}
		}
	}
	return boards
}

func (r *run) name(b model.Board) string {
	if b.Mode == model.XP {
		return "xp"
	}
	return fmt.Sprintf("%s %s %s", r.model.Rules[b.Mode].Name, b.Period.Key(), r.scopes[b.Scope])
}

// query returns the parameters that name a board in a URL.
func (r *run) query(b model.Board) url.Values {
	if b.Mode == model.XP {
		return url.Values{}
	}
	q := url.Values{"period": {b.Period.Kind().String()}, "scope": {r.scopes[b.Scope]}}
	if b.Period.Kind() != game.AllTime {
		q.Set("date", b.Period.Last().String())
	}
	return q
}

// checkBoard reads a board page by page and compares it with the model.
func (r *run) checkBoard(ctx context.Context, b model.Board) (finding, error) {
	reading, m := r.model.Read(b), r.model.RuleOf(b)
	want := int64(len(reading.Rows()))
	query := r.query(b)
	limit := [...]int{200, 150, 60}[(b.Mode+b.Scope+int(b.Period.Kind())+3)%3]
	query.Set("limit", strconv.Itoa(limit))
	for {
		var p pageBody
		err := r.calls.Get(ctx, caller.Nobody, "/v1/leaderboards/"+m.Name+"?"+query.Encode(), &p)
		switch {
		case errors.Is(err, caller.ErrNotFound):
			return r.finding(b, "404")
		case err != nil:
			return finding{}, err
		case p.Total != want:
			f, _ := r.finding(b, "total %d, must be %d", p.Total, want)
			f.total = p.Total > 0 && p.Total < want
			return f, nil
		case p.Closed != (b.Period.Kind() != game.AllTime && r.closedFor(b.Period) >= 0):
			return r.finding(b, "closed is %v", p.Closed)
		}
		for _, e := range p.Entries {
			score, ok := model.Scaled(e.Score.String(), m.Decimals)
			if !ok {
				return r.finding(b, "%s has %s, which is no score", e.Player, e.Score)
			}
			if fault := reading.Next(e.Rank, e.Player, score); fault != "" {
				return r.finding(b, "%s", fault)
			}
		}
		if p.NextCursor == "" || len(p.Entries) == 0 {
			break
		}
		query.Set("cursor", p.NextCursor)
	}
	if reading.Entries() != want {
		return r.finding(b, "ends after %d of %d", reading.Entries(), want)
	}
	atomic.AddInt64(&r.report.Boards, 1)
	atomic.AddInt64(&r.report.Rows, want)
	return finding{}, nil
}

// closedFor is how long ago a period closed; negative while it has not.
func (r *run) closedFor(p game.Period) time.Duration {
	return r.now.Sub(p.Last().Midnight().Add(day + r.Game.Grace))
}
