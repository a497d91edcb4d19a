package duelreplay

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/lab/caller"
)

// tolerance is how far a rating may be off.
const tolerance = 1e-6

// check compares every answer, every stored rating and the board with the plain
// computation.
func (r *replay) check(ctx context.Context, report *Report) error {
	final, changes := compute(r.History, r.Elo)
	for i, m := range r.History.Matches {
		answer, err := parseAnswer(r.answers[i])
		if err != nil || answer.Status != "decided" || len(answer.Ratings) != 2 {
			r.faults.Add("%s was answered %s", m.ID, r.answers[i])
			continue
		}
		for side, team := range m.Teams {
			got := answer.Ratings[player(team)]
			off := max(math.Abs(got.Before-changes[i].before[side]), math.Abs(got.After-changes[i].after[side]))
			report.Worst = max(report.Worst, off)
			if !(off <= tolerance) {
				r.faults.Add("%s: %s went from %v to %v, not from %v to %v", m.ID, r.History.Teams[team],
					got.Before, got.After, changes[i].before[side], changes[i].after[side])
			}
		}
	}
	if err := r.checkStored(ctx, final, report); err != nil {
		return err
	}
	return r.checkBoard(ctx, final, report)
}

func (r *replay) checkStored(ctx context.Context, final []float64, report *Report) error {
	if r.Ratings == nil {
		return nil
	}
	stored, err := r.Ratings(ctx)
	if err != nil {
		return fmt.Errorf("read the ratings: %w", err)
	}
	report.Stored = len(stored)
	if len(stored) != len(final) {
		r.faults.Add("%d ratings are stored, not %d", len(stored), len(final))
	}
	sum := 0.0
	for _, rating := range stored {
		sum += rating
	}
	report.Sum = sum
	if want := r.Elo.Start * float64(len(final)); !(math.Abs(sum-want) <= tolerance) {
		r.faults.Add("all ratings add up to %v, not %v", sum, want)
	}
	for team, want := range final {
		got, ok := stored[player(team)]
		report.Worst = max(report.Worst, math.Abs(got-want))
		if !ok || !(math.Abs(got-want) <= tolerance) {
			r.faults.Add("the rating of %s is %v, not %v", r.History.Teams[team], got, want)
		}
	}
	return nil
}

// checkBoard checks the board of ratings, which shows whole points.
func (r *replay) checkBoard(ctx context.Context, final []float64, report *Report) error {
	teams := make(map[string]int, len(final))
	for team := range final {
		teams[player(team)] = team
	}
	last := math.Inf(1)
	for offset := 0; ; {
		const path = "/v1/leaderboards/duels"
		body, err := r.until(ctx, "GET "+path, http.StatusOK, func() (client.Answer, error) {
			return r.Calls.Call(ctx, caller.Nobody, http.MethodGet, fmt.Sprint(path, "?period=alltime&limit=200&offset=", offset), nil)
		})
		if err != nil {
			return err
		}
		var page struct {
			Total   int
			Entries []struct {
				Rank   int
				Player string
				Score  float64
			}
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return fmt.Errorf("GET %s: the answer cannot be read: %w", path, err)
		}
		for i, e := range page.Entries {
			team, known := teams[e.Player]
			delete(teams, e.Player)
			switch {
			case !known || e.Rank != offset+i+1:
				r.faults.Add("the board has %s at rank %d, the %d. entry read", e.Player, e.Rank, offset+i+1)
			case !(math.Abs(e.Score-final[team]) <= 0.5+tolerance):
				r.faults.Add("the board shows %v for %s, not %v rounded", e.Score, r.History.Teams[team], final[team])
			case final[team] > last+tolerance:
				r.faults.Add("%s stands below a lower rating", r.History.Teams[team])
			}
			if known {
				last = final[team]
				if len(report.Top) < 10 {
					report.Top = append(report.Top, Entry{e.Rank, r.History.Teams[team], final[team]})
				}
			}
		}
		offset += len(page.Entries)
		if len(page.Entries) == 0 || offset >= page.Total {
			break
		}
	}
	for id := range teams {
		r.faults.Add("the board has no %s", id)
	}
	return nil
}
