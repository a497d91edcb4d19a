package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/live"
	"github.com/framedle/leaderboards/internal/matches"
	"github.com/framedle/leaderboards/internal/race"
)

// raceStreams are races that are told as they change.
type raceStreams struct {
	streams
	of matches.Config
}

// getLiveRace streams a race to whoever may read it: GET /v1/live/races/{id}.
func (s raceStreams) getLiveRace(w http.ResponseWriter, r *gate.Request) error {
	id, from, err := recordAsked(r, game.ValidRace)
	if err != nil {
		return err
	}
	if from == closedID {
		seenClosed(w)
		return nil
	}
	if s.of.Races == nil {
		return s.away(w, r)
	}
	player := r.Caller.Player.ID
	return s.record(w, r, watchedRecord{
		key: game.RaceRecordKey(id), event: "race", player: player, read: s.read(id),
		first: func(ctx context.Context) (live.Reading, error) {
			return s.reading(s.of.Races.See(ctx, id, player))
		},
	})
}

// read reads a race for all who watch it.
func (s raceStreams) read(id string) live.ReadRecord {
	return func(ctx context.Context) (live.Reading, error) {
		reading, err := s.reading(s.of.Races.Look(ctx, id))
		if errors.Is(err, race.ErrUnknown) {
			return live.Reading{Show: func(string) []byte { return nil }, Over: true}, nil
		}
		return reading, err
	}
}

func (s raceStreams) reading(g game.Race, err error) (live.Reading, error) {
	if err != nil {
		return live.Reading{}, err
	}
	over := g.State == game.RaceDecided || g.State == game.RaceExpired
	reading := live.Reading{Show: s.show(g), Over: over}
	if !over {
		reading.Until = s.of.Races.Next(g)
	}
	return reading, nil
}

// show is a race as GET /v1/races/{id} has it, for those who may read it; as far as
// progress goes, as it is known now.
func (s raceStreams) show(g game.Race) func(player string) []byte {
	at := s.now()
	return func(player string) []byte {
		if g.State != game.RaceWaiting && g.Seat(player) < 0 {
			return nil
		}
		body, err := matches.ShowRace(s.of, g, player, at)
		if err != nil {
			return nil
		}
		return body
	}
}
