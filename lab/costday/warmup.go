package costday

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	warmDays  = 9    // days before the measured ones: a day is rolled up 7 days after it
	batchSize = 1000 // scores in one request
)

// warmUp plays the days before: scores come in batches and schedules fire. On the last
// day every player plays the first mode with a session token, so that the product knows
// all names. Nothing of it is counted.
func (s *run) warmUp(ctx context.Context, first game.Date) error {
	d := s.deploy(Setting{Alone: true}, counts{})
	for n := range warmDays {
		day := first.AddDays(n)
		events := slices.DeleteFunc(s.plan(day, byDay), func(e event) bool { return e.act != submits })
		s.clock.Forward(day.Midnight().Add(opens))
		if n == warmDays-1 {
			if err := s.befriend(ctx); err != nil {
				return err
			}
			named := slices.DeleteFunc(slices.Clone(events), func(e event) bool { return e.mode != firstMode })
			if err := s.play(ctx, day, d, Apart, named); err != nil {
				return err
			}
			events = slices.DeleteFunc(events, func(e event) bool { return e.mode == firstMode })
		}
		for some := range slices.Chunk(events, batchSize) {
			if err := s.batch(ctx, d, some); err != nil {
				return err
			}
			s.progress.Done(len(some))
		}
		if n == warmDays-1 {
			break // the first measured day closes it
		}
		if err := s.closeDays(ctx, day.AddDays(1).Midnight()); err != nil {
			return err
		}
	}
	return nil
}

// batch sends scores as a game server does.
func (s *run) batch(ctx context.Context, d *deployment, events []event) error {
	type score struct {
		Player  string `json:"player"`
		Mode    string `json:"mode"`
		Score   int    `json:"score"`
		Country string `json:"country"`
	}
	var body struct {
		Scores []score `json:"scores"`
	}
	for _, e := range events {
		who := s.crowd.all[e.player]
		body.Scores = append(body.Scores, score{who.ID, e.mode, e.score, who.Country})
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode a batch: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "/v1/scores/batch", bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Framedle-Signature", "any")
	_, err = ask(d, routeSubmit, r, counts{})
	return err
}

// closeDays fires the schedules that are due within the first hour of a day; they close
// the day before. It leaves out the schedule that archives open days, since closing
// archives them.
func (s *run) closeDays(ctx context.Context, midnight time.Time) error {
	for _, d := range s.dues(midnight, midnight.Add(time.Hour)) {
		if d.function == cronSave {
			continue
		}
		if err := s.fire(ctx, d, counts{}); err != nil {
			return err
		}
	}
	return nil
}
