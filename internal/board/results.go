package board

import (
	"context"
	"errors"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

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
func (s *Store) results(ctx context.Context, m *game.Mode, d game.Date, page []member, scopes map[string][]ScopedResult, known knownProfiles) ([]Result, error) {
	results := make([]Result, len(page))
	for i, e := range page {
		results[i] = Result{Player: e.player, Score: m.Decode(e.stored), Stored: e.stored, Scopes: scopes[e.player]}
	}
	for part := range slices.Chunk(results, recordsPage) {
		err := s.resultProfiles(ctx, part, known)
		if err == nil && m.Details {
			err = s.records(ctx, game.DetailsKey(m.Name, d), part, func(r *Result, record string) { r.Details = detailsOf(record, m, r.Stored) })
		}
		if err != nil {
			return nil, err
		}
	}
	if !m.HasScope(game.Country) {
		return results, nil
	}
	for i, r := range results {
		if scope, err := game.CountryScope(r.Profile.Country); err == nil {
			results[i].Scopes = append(slices.Clip(r.Scopes), ScopedResult{scope, r.Stored})
		}
	}
	return results, nil
}

// knownProfiles are what one reading of a day has met, so that who plays several
// modes is asked for once; of up to recordsPage players.
type knownProfiles map[string]Profile

// resultProfiles reads the profiles of each result's player, in halves where
// one answer would be too large.
func (s *Store) resultProfiles(ctx context.Context, results []Result, known knownProfiles) error {
	var players []string
	for _, r := range results {
		if _, met := known[r.Player]; !met {
			players = append(players, r.Player)
		}
	}
	read, err := s.readProfiles(ctx, players)
	if half := len(results) / 2; half > 0 && errors.Is(err, upstash.KindTooLarge) {
		return errors.Join(s.resultProfiles(ctx, results[:half], known), s.resultProfiles(ctx, results[half:], known))
	}
	for i, r := range results {
		p, met := known[r.Player]
		if !met {
			p = read[r.Player].profile()
		}
		if results[i].Profile = p; len(known) < recordsPage {
			known[r.Player] = p
		}
	}
	return err
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

// ReadOpen reads a day that still takes scores, mode by mode and page by page.
// Who moves while it reads may be missed until the next time. Groups are not
// told, since their boards would cost a command each.
//
// Cost: 1 billed command for each mode, and where it has scores 1 for details;
// 1 for names, and for those of larger modes 1 each; from 10,000 players on 3
// for every 20,000, and 2 for details.
func (s *Store) ReadOpen(ctx context.Context, d game.Date, page func(*game.Mode, []Result) error) error {
	known := knownProfiles{}
	for _, m := range s.game.Modes {
		key := game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})
		err := s.eachMember(ctx, key, func(members []member) error {
			results, err := s.results(ctx, m, d, members, nil, known)
			if err != nil {
				return err
			}
			return page(m, results)
		})
		if err != nil {
			return wrap("read "+key, err)
		}
	}
	return nil
}
