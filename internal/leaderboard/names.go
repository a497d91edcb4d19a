package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
)

// nameOn fills in the names of the entries of a board. Groups have no names here, and the id
// of a group may be that of a player.
func nameOn(ctx context.Context, players *player.Profiles, b game.Board, entries []game.Entry) error {
	if b.OfTeams() {
		return nil
	}
	return players.Name(ctx, entries)
}

// nameFromMemory fills in the names that this process knows, however old they are.
func nameFromMemory(known *player.Directory, entries []game.Entry) {
	for i, e := range entries {
		if p, ok := known.Last(e.Player); ok {
			entries[i].Profile = p.Profile().Shown()
		}
	}
}

// Names reads how players are shown; players without a name have an empty profile.
//
// Cost: 1 billed command, or none if this process knows all of them.
func (s *Store) Names(ctx context.Context, players []string) (map[string]game.Profile, error) {
	entries := make([]game.Entry, len(players))
	for i, player := range players {
		entries[i].Player = player
	}
	if err := s.Players.Name(ctx, entries); err != nil {
		return nil, err
	}
	names := make(map[string]game.Profile, len(entries))
	for _, e := range entries {
		names[e.Player] = e.Profile
	}
	return names, nil
}
