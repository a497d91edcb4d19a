package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/upstash"
)

// List is players who are looked up together, as it stands in Redis.
type List struct {
	Ask  upstash.Command                       // reads the list
	Read func(upstash.Reply) ([]string, error) // gives the players of its answer, never none
	// Remembered is what it was when it was last read here; nil: never. It saves
	// a round trip, and decides nothing.
	Remembered []string
}

// LookupList is [Store.Lookup] for the players of a list as it is at this
// moment.
//
// Cost: 2 billed commands, in 1 round trip where the list is as remembered and
// 2 where nothing is; 3 in 2 where it has changed. One more for names that this
// process has not seen.
func (s *Store) LookupList(ctx context.Context, b Board, list List) ([]Entry, error) {
	if err := s.refresh(ctx, b); err != nil {
		return nil, err
	}
	var players []string
	var found []Entry
	var p pipeline
	p.add(list.Ask, func(r upstash.Reply) (err error) {
		players, err = list.Read(r)
		return err
	})
	if list.Remembered != nil {
		p.add(scoresCommand(b, list.Remembered), foundInto(b, list.Remembered, &found))
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return nil, wrap("look a list of players up", err)
	}
	if list.Remembered == nil || !slices.Equal(players, list.Remembered) {
		var again pipeline
		again.add(scoresCommand(b, players), foundInto(b, players, &found))
		if _, err := again.run(ctx, s.redis); err != nil {
			return nil, wrap("look a list of players up", err)
		}
	}
	return found, s.name(ctx, found)
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
	if err := s.name(ctx, entries); err != nil {
		return nil, err
	}
	names := make(map[string]Profile, len(entries))
	for _, e := range entries {
		names[e.Player] = e.Profile
	}
	return names, nil
}
