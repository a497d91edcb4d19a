package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// LookupFriends is [Store.Lookup] for a player and the player's friends, as
// they are at this moment: those a sorted set and the board have in common.
//
// Cost: 1 billed command in 1 round trip, one more where nobody was found, and
// one for names that this process has not seen.
func (s *Store) LookupFriends(ctx context.Context, b Board, player string) ([]Entry, error) {
	if err := s.refresh(ctx, b); err != nil {
		return nil, err
	}
	var found []Entry
	var p pipeline
	p.add(upstash.Cmd("ZINTER", "2", b.Key, game.FriendsKey(player), "WEIGHTS", "1", "0", "WITHSCORES"), entriesInto(b, &found))
	if _, err := p.run(ctx, s.redis); err != nil {
		return nil, wrap("look friends up", err)
	}
	if len(found) == 0 { // who has no friends has no list either
		return s.Lookup(ctx, b, []string{player})
	}
	b.order(found)
	b.rankAmongThemselves(found)
	return found, s.name(ctx, found, false)
}

// scoresCommand reads the scores of many players.
func scoresCommand(b Board, players []string) upstash.Command {
	return upstash.Cmd(append([]string{"ZMSCORE", b.Key}, players...)...)
}

// foundInto keeps the players who have an entry, ranked among themselves.
func foundInto(b Board, players []string, found *[]Entry) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		scores, err := r.Array()
		if err != nil {
			return err
		}
		if len(scores) != len(players) {
			return errShape("one score per player", len(scores))
		}
		entries := make([]Entry, 0, len(players))
		for i, score := range scores {
			if score.IsNil() {
				continue
			}
			stored, err := score.Float64()
			if err != nil {
				return err
			}
			entries = append(entries, Entry{Player: players[i], stored: stored, Score: b.Mode.Decode(stored)})
		}
		b.order(entries)
		b.rankAmongThemselves(entries)
		*found = entries
		return nil
	}
}

// Names reads how players are shown; those without a name have an empty
// profile.
//
// Cost: 1 billed command, or none where this process knows all of them.
func (s *Store) Names(ctx context.Context, players []string) (map[string]Profile, error) {
	entries := make([]Entry, len(players))
	for i, player := range players {
		entries[i].Player = player
	}
	if err := s.name(ctx, entries, false); err != nil {
		return nil, err
	}
	names := make(map[string]Profile, len(entries))
	for _, e := range entries {
		names[e.Player] = e.Profile
	}
	return names, nil
}
