package race

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/feature/live"
)

// GetLiveRace streams a race to callers who may read it: GET /v1/live/races/{id}.
func (s Endpoints) GetLiveRace(w http.ResponseWriter, r *gate.Request) error {
	id, from, err := live.AskedRecord(r, ValidID)
	if err != nil {
		return err
	}
	if live.AnswerClosed(w, from) {
		return nil
	}
	if s.Races == nil {
		return s.Streams.Away(ValidID)(w, r)
	}
	player := r.Caller.Player.ID
	return s.Streams.Live.WatchRecord(w, r.Request, s.Gate.Address(r.Request), live.Record{
		Key: RecordKey(id), Event: "race", Player: player, Read: s.read(id),
		First: func(ctx context.Context) (live.Reading, error) {
			return s.reading(s.Races.See(ctx, id, player))
		},
	})
}

// read makes the function that reads a race for all its viewers.
func (s Endpoints) read(id string) live.ReadRecord {
	return func(ctx context.Context) (live.Reading, error) {
		reading, err := s.reading(s.Races.Look(ctx, id))
		if errors.Is(err, ErrUnknown) {
			return live.Reading{Show: func(string) []byte { return nil }, Over: true}, nil
		}
		return reading, err
	}
}

func (s Endpoints) reading(g Race, err error) (live.Reading, error) {
	if err != nil {
		return live.Reading{}, err
	}
	over := g.State == Decided || g.State == Expired
	reading := live.Reading{Show: s.show(g), Over: over}
	if !over {
		reading.Until = s.Races.Next(g)
	}
	return reading, nil
}

// show is a race in the form of GET /v1/races/{id}, for players who may read it, with the
// progress that is known now.
func (s Endpoints) show(g Race) func(player string) []byte {
	at := s.Now()
	return func(player string) []byte {
		if g.State != Waiting && g.Seat(player) < 0 {
			return nil
		}
		answer, err := s.answerFor(g, player, at)
		if err != nil {
			return nil
		}
		body, err := json.Marshal(answer)
		if err != nil {
			return nil
		}
		return body
	}
}
