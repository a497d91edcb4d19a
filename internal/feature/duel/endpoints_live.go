package duel

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// GetLiveDuel streams a duel to callers who may read it: GET /v1/live/duels/{id}.
func (s Endpoints) GetLiveDuel(w http.ResponseWriter, r *gate.Request) error {
	id, from, err := live.AskedRecord(r, ValidID)
	if err != nil {
		return err
	}
	if live.AnswerClosed(w, from) {
		return nil
	}
	player := r.Caller.Player.ID
	return s.Streams.Live.WatchRecord(w, r.Request, s.Gate.Address(r.Request), live.Record{
		Key: game.DuelRecordKey(id), Event: "duel", Player: player, Read: s.read(id),
		First: func(ctx context.Context) (live.Reading, error) {
			if r.Caller.IsServer() {
				return s.reading(s.Duels.Duel(ctx, id))
			}
			return s.reading(s.Duels.See(ctx, id, player))
		},
	})
}

// read makes the function that reads a duel for all its viewers.
func (s Endpoints) read(id string) live.ReadRecord {
	return func(ctx context.Context) (live.Reading, error) {
		reading, err := s.reading(s.Duels.Duel(ctx, id))
		if errors.Is(err, ErrUnknown) { // it was erased
			return live.Reading{Show: func(string) []byte { return nil }, Over: true}, nil
		}
		return reading, err
	}
}

func (s Endpoints) reading(d Duel, err error) (live.Reading, error) {
	if err != nil {
		return live.Reading{}, err
	}
	reading := live.Reading{Show: s.show(d), Over: d.State == Decided || d.State == Expired}
	if d.State == Waiting || d.State == Ready {
		reading.Until = d.Until
	}
	return reading, nil
}

// show is a duel in the form of GET /v1/duels/{id}, for players who may read it.
func (s Endpoints) show(d Duel) func(player string) []byte {
	return func(player string) []byte {
		if player != "" && !IsVisible(d, player) {
			return nil
		}
		body, err := json.Marshal(Show(s.Game, d, gate.Caller{Player: auth.Player{ID: player}}))
		if err != nil {
			return nil
		}
		return body
	}
}
