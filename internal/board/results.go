package board

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// Result is everything that stands of one player on one day of one mode.
type Result struct {
	Player  string
	Score   game.Score
	Stored  float64 // as Redis holds it, tie fraction included
	Scopes  []ScopedResult
	Details json.RawMessage // nil: none that belongs to this score
	Profile Profile         // empty where nothing is known
}

// ScopedResult is the player's entry on the board of a scope, which may be
// another than the global one where the player has changed scopes meanwhile.
type ScopedResult struct {
	Scope  game.Scope
	Stored float64
}

// scopesOf reads the boards of all scopes of a mode's day.
func (s *Store) scopesOf(ctx context.Context, m *game.Mode, day Unclosed) (map[string][]ScopedResult, error) {
	of := map[string][]ScopedResult{}
	for _, scope := range day.scopes[m.Name] {
		key := game.BoardKey(m.Name, game.Day.Of(day.Date), scope)
		err := s.eachMember(ctx, key, func(page []member) error {
			for _, e := range page {
				of[e.player] = append(of[e.player], ScopedResult{scope, e.stored})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return of, nil
}

// recordsPage bounds the answer of one read of details or profiles. A page of
// unusually long ones, which would exceed what one answer may have, is read in
// halves.
const recordsPage = 10_000

// results completes a page of a day with scopes, details and profiles.
func (s *Store) results(ctx context.Context, m *game.Mode, d game.Date, page []member, scopes map[string][]ScopedResult) ([]Result, error) {
	results := make([]Result, len(page))
	for i, e := range page {
		results[i] = Result{Player: e.player, Score: m.Decode(e.stored), Stored: e.stored, Scopes: scopes[e.player]}
	}
	for part := range slices.Chunk(results, recordsPage) {
		err := s.resultProfiles(ctx, part)
		if err == nil && m.Details {
			err = s.records(ctx, game.DetailsKey(m.Name, d), part, func(r *Result, record string) { r.Details = detailsOf(record, r.Score) })
		}
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// records reads what a hash holds of each result's player.
func (s *Store) records(ctx context.Context, key string, results []Result, take func(*Result, string)) error {
	command := make([]string, 0, len(results)+2)
	command = append(command, "HMGET", key)
	for _, r := range results {
		command = append(command, r.Player)
	}
	var p pipeline
	p.add(upstash.Cmd(command...), recordsInto(results, take))
	_, err := p.run(ctx, s.redis)
	if half := len(results) / 2; half > 0 && errors.Is(err, upstash.KindTooLarge) {
		return errors.Join(s.records(ctx, key, results[:half], take), s.records(ctx, key, results[half:], take))
	}
	return err
}

// recordsInto hands each record that is there to the result it belongs to.
func recordsInto(results []Result, take func(*Result, string)) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		records, err := r.Array()
		if err != nil {
			return err
		}
		if len(records) != len(results) {
			return errShape("a record for each player", len(records))
		}
		for i, record := range records {
			if record.IsNil() {
				continue
			}
			text, err := record.Text()
			if err != nil {
				return err
			}
			take(&results[i], text)
		}
		return nil
	}
}

// ReadOpen reads a day that still takes scores, page by page. Who moves while
// it reads may be missed until the next time. Of scopes only the country in the
// player's profile is told, since the boards of all scopes would cost a command
// each.
//
// Cost: 2 billed commands, and 1 for details; from 10,000 players on 3 for every
// 20,000, and 2 for details.
func (s *Store) ReadOpen(ctx context.Context, m *game.Mode, d game.Date, page func([]Result) error) error {
	key := game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})
	return wrap("read "+key, s.eachMember(ctx, key, func(members []member) error {
		results, err := s.results(ctx, m, d, members, nil)
		if err != nil {
			return err
		}
		for i, r := range results {
			if scope, err := game.CountryScope(r.Profile.Country); err == nil && slices.Contains(m.Scopes, game.Country) {
				results[i].Scopes = []ScopedResult{{scope, r.Stored}}
			}
		}
		return page(results)
	}))
}
