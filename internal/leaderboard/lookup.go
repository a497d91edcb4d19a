package leaderboard

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Lookup reads many players' entries and ranks them among themselves. It leaves out players
// without an entry. 1 billed command in 1 round trip, one more for names that this process has
// not seen.
func (s *Store) Lookup(ctx context.Context, b game.Board, players []string) ([]game.Entry, error) {
	if len(players) == 0 {
		return nil, nil
	}
	if in, err := s.ready(ctx, b); err != nil {
		return nil, err
	} else if in != nil {
		return in.lookup(ctx, players)
	}
	var found []game.Entry
	if err := s.DB.Ask(ctx, scoresCommand(b, players), foundInto(b, players, &found)); err != nil {
		return nil, redis.Wrap("look players up", err)
	}
	return found, nameOn(ctx, s.Players, b, found)
}

// LookupFriends is [Store.Lookup] for a player and the player's friends as they are now: it
// intersects the sorted set of friends with the board.
//
// Cost: on a derived board that of [derive.Rollup.OwnEntry], and 1 billed command in 1 round trip; 1
// more if nobody was found, and 1 for names that this process has not seen.
func (s *Store) LookupFriends(ctx context.Context, b game.Board, player string) ([]game.Entry, error) {
	if in, err := s.bandsOf(ctx, b); err != nil {
		return nil, err
	} else if in != nil {
		return in.friends(ctx, player)
	}
	own, err := s.Rollup.OwnEntry(ctx, b, player)
	if err != nil {
		return nil, err
	}
	var found []game.Entry
	var p redis.Pipeline
	own.Ask(&p)
	p.Add(upstash.Cmd("ZINTER", "2", b.Key, game.FriendsKey(player), "WEIGHTS", "1", "0", "WITHSCORES"), redis.EntriesInto(b, &found))
	if _, err := p.Run(ctx, s.DB.Redis); err != nil {
		return nil, redis.Wrap("look friends up", err)
	}
	if len(found) == 0 { // a player without friends has no list
		if err := s.DB.Ask(ctx, scoresCommand(b, []string{player}), foundInto(b, []string{player}, &found)); err != nil {
			return nil, redis.Wrap("look the player up", err)
		}
	}
	entry, err := own.Entry(ctx, entryOf(found, player))
	if err != nil {
		return nil, err
	}
	if entry.Found {
		found = slices.DeleteFunc(found, func(e game.Entry) bool { return e.Player == player })
		found = append(found, game.Entry{Player: player, Stored: entry.Stored, Score: b.Mode.Decode(entry.Stored)})
	}
	b.Sort(found)
	b.RankAmongThemselves(found)
	return found, nameOn(ctx, s.Players, b, found)
}

// entryOf is a player's entry among others.
func entryOf(entries []game.Entry, player string) redis.Place {
	for _, e := range entries {
		if e.Player == player {
			return redis.Place{Stored: e.Stored, Found: true}
		}
	}
	return redis.Place{}
}

// scoresCommand reads the scores of many players.
func scoresCommand(b game.Board, players []string) upstash.Command {
	return upstash.Cmd(append([]string{"ZMSCORE", b.Key}, players...)...)
}

// foundInto keeps the players who have an entry, ranked among themselves.
func foundInto(b game.Board, players []string, found *[]game.Entry) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		scores, err := redis.Values(r, len(players), "one score per player")
		if err != nil {
			return err
		}
		entries := make([]game.Entry, 0, len(players))
		for i, score := range scores {
			if score.IsNil() {
				continue
			}
			stored, err := score.Float64()
			if err != nil {
				return err
			}
			entries = append(entries, game.Entry{Player: players[i], Stored: stored, Score: b.Mode.Decode(stored)})
		}
		b.Sort(entries)
		b.RankAmongThemselves(entries)
		*found = entries
		return nil
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
