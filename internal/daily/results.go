package daily

import (
	"context"
	"errors"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// ScopesOf reads the boards of all scopes of a mode's day.
func (ds *Days) ScopesOf(ctx context.Context, m *game.Mode, day rollup.Unclosed) (map[string][]game.ScopedResult, error) {
	of := map[string][]game.ScopedResult{}
	for _, scope := range day.Scopes[m.Name] {
		key := game.BoardKey(m.Name, game.Day.Of(day.Date), scope)
		err := ds.DB.EachMember(ctx, key, func(page []rdb.Member) error {
			for _, e := range page {
				of[e.Player] = append(of[e.Player], game.ScopedResult{Scope: scope, Stored: e.Stored})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return of, nil
}

// RecordsPage bounds the answer of one read of details or profiles. A page of
// unusually long ones, which would exceed what one answer may have, is read in
// halves.
const RecordsPage = 10_000

// Results completes a page of a day with scopes, details and profiles.
func (ds *Days) Results(ctx context.Context, m *game.Mode, d game.Date, page []rdb.Member, scopes map[string][]game.ScopedResult, known KnownProfiles) ([]game.Result, error) {
	results := make([]game.Result, len(page))
	for i, e := range page {
		results[i] = game.Result{Player: e.Player, Stored: e.Stored, Scopes: scopes[e.Player]}
	}
	for part := range slices.Chunk(results, RecordsPage) {
		err := ds.resultProfiles(ctx, part, known)
		if err == nil && m.Details {
			err = ds.records(ctx, game.DetailsKey(m.Name, d), part, func(r *game.Result, record string) { r.Details = game.DetailsOf(record, m, r.Stored) })
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
			results[i].Scopes = append(slices.Clip(r.Scopes), game.ScopedResult{Scope: scope, Stored: r.Stored})
		}
	}
	return results, nil
}

// KnownProfiles are what one reading of a day has met, so that who plays several
// modes is asked for once; of up to recordsPage players.
type KnownProfiles map[string]game.Profile

// resultProfiles reads the profiles of each result's player, in halves where
// one answer would be too large.
func (ds *Days) resultProfiles(ctx context.Context, results []game.Result, known KnownProfiles) error {
	var players []string
	for _, r := range results {
		if _, met := known[r.Player]; !met {
			players = append(players, r.Player)
		}
	}
	read, err := ds.Players.ReadProfiles(ctx, players)
	if half := len(results) / 2; half > 0 && errors.Is(err, upstash.KindTooLarge) {
		return errors.Join(ds.resultProfiles(ctx, results[:half], known), ds.resultProfiles(ctx, results[half:], known))
	}
	for i, r := range results {
		p, met := known[r.Player]
		if !met {
			p = read[r.Player].Profile()
		}
		if results[i].Profile = p; len(known) < RecordsPage {
			known[r.Player] = p
		}
	}
	return err
}

// records reads what a hash holds of each result's player.
func (ds *Days) records(ctx context.Context, key string, results []game.Result, take func(*game.Result, string)) error {
	command := make([]string, 0, len(results)+2)
	command = append(command, "HMGET", key)
	for _, r := range results {
		command = append(command, r.Player)
	}
	var p rdb.Pipeline
	p.Add(upstash.Cmd(command...), recordsInto(results, take))
	_, err := p.Run(ctx, ds.DB.Redis)
	if half := len(results) / 2; half > 0 && errors.Is(err, upstash.KindTooLarge) {
		return errors.Join(ds.records(ctx, key, results[:half], take), ds.records(ctx, key, results[half:], take))
	}
	return err
}

// recordsInto hands each record that is there to the result it belongs to.
func recordsInto(results []game.Result, take func(*game.Result, string)) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		records, err := r.Array()
		if err != nil {
			return err
		}
		if len(records) != len(results) {
			return rdb.WrongShape("a record for each player", len(records))
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
func (ds *Days) ReadOpen(ctx context.Context, d game.Date, page func(*game.Mode, []game.Result) error) error {
	known := KnownProfiles{}
	for _, m := range ds.DB.Game.Modes {
		key := game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})
		err := ds.DB.EachMember(ctx, key, func(members []rdb.Member) error {
			results, err := ds.Results(ctx, m, d, members, nil, known)
			if err != nil {
				return err
			}
			return page(m, results)
		})
		if err != nil {
			return rdb.Wrap("read "+key, err)
		}
	}
	return nil
}
