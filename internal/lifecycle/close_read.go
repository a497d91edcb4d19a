package lifecycle

import (
	"context"
	"errors"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// RecordsPage bounds the answer to one read of details or profiles. A page that is too long
// for one answer is read in halves.
const RecordsPage = 10_000

// ProfileCache has the profiles that one reading of days has read, for up to RecordsPage players: so
// the profile of a player of several modes is read once.
type ProfileCache map[string]game.Profile

// Reading is one reading of a mode's day.
type Reading struct {
	Board  game.Board   // of all players
	Groups []game.Board // of that day
	Known  ProfileCache
	// Bare leaves out details, profiles and countries. It may be set during the reading.
	Bare bool

	plain bool // no player of the day has details

	// left has the entries of the groups' boards, by player, for the players whom the mode's
	// board has not shown yet.
	left map[string][]game.ScopedResult
	none []derive.DayKey // boards that have nobody
}

// eachMember reads a board, and notes if it has nobody.
func (r *Reading) eachMember(ctx context.Context, db *redis.DB, b game.Board, page func([]redis.Member) error) error {
	empty := true
	err := db.EachMember(ctx, b.Key, func(members []redis.Member) error {
		empty = empty && len(members) == 0
		return page(members)
	})
	if err == nil && empty {
		r.none = append(r.none, derive.DayKey{Mode: b.Mode.Name, Date: b.Period.First(), Scope: b.Scope})
	}
	return err
}

// Read reads a mode's day whole, page by page: each player's result, with the boards of
// groups, details and profiles.
//
// Cost: 1 billed command for each group; for every 20,000 players 3, and 2 for details, at
// least 1.
func (ds *Days) Read(ctx context.Context, r *Reading, page func([]game.Result) error) error {
	r.left = map[string][]game.ScopedResult{}
	for _, group := range r.Groups {
		err := r.eachMember(ctx, ds.DB, group, func(members []redis.Member) error {
			for _, e := range members {
				r.left[e.Player] = append(r.left[e.Player], game.ScopedResult{Scope: group.Scope, Stored: e.Stored})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return r.eachMember(ctx, ds.DB, r.Board, func(members []redis.Member) error {
		results := make([]game.Result, len(members))
		for i, e := range members {
			results[i] = game.Result{Player: e.Player, Stored: e.Stored, Scopes: r.left[e.Player]}
			delete(r.left, e.Player)
		}
		if !r.Bare {
			if err := ds.complete(ctx, r, results); err != nil {
				return err
			}
		}
		return page(results)
	})
}

// ReadOpen reads a day that still takes scores, mode by mode and page by page. It may miss a
// player whose entry moves meanwhile, until the next reading. groups returns the boards of
// groups to read with a mode; nil: none, since they cost a command each.
//
// Cost: 1 billed command for each mode that has scores, 1 for names, and for those of larger
// modes 1 each; 1 for details, and if there are any 1 for each mode; 2 for modes that have no
// scores, and 1 for each of these that comes before one which has. From 10,000 players on 3 for
// every 20,000, and 2 for details.
func (ds *Days) ReadOpen(ctx context.Context, d game.Date, groups func(*game.Mode) []game.Board, page func(*game.Mode, []game.Result) error) error {
	known := ProfileCache{}
	details, err := ds.anyDetails(ctx, d)
	if err != nil {
		return err
	}
	boards := make([]game.Board, len(ds.DB.Game.Modes))
	keys := make([]string, len(boards))
	for i, m := range ds.DB.Game.Modes { // the most played modes come first
		boards[i] = game.BoardOf(m, game.Day.Of(d), game.Scope{})
		keys[i] = boards[i].Key
	}
	return redis.EachThere(ctx, ds.DB.Redis, keys, func(i int) (empty bool, err error) {
		b := boards[i]
		empty = true
		r := Reading{Board: b, Known: known, plain: !details}
		if groups != nil {
			r.Groups = groups(b.Mode)
		}
		err = ds.Read(ctx, &r, func(results []game.Result) error {
			empty = false
			return page(b.Mode, results)
		})
		return empty, redis.Wrap("read "+b.Key, err)
	})
}

// anyDetails reports whether any player of a day has details.
//
// Cost: 1 billed command, or none if no mode keeps any.
func (ds *Days) anyDetails(ctx context.Context, d game.Date) (bool, error) {
	var keys []string
	for _, m := range ds.DB.Game.Modes {
		if m.Details {
			keys = append(keys, game.DetailsKey(m.Name, d))
		}
	}
	n, err := redis.CountThere(ctx, ds.DB.Redis, keys...)
	return n > 0, redis.Wrap("look for details", err)
}

// complete adds details, profiles and boards by country to the results of a day.
func (ds *Days) complete(ctx context.Context, r *Reading, results []game.Result) error {
	b := r.Board
	for part := range slices.Chunk(results, RecordsPage) {
		err := ds.profiles(ctx, part, r.Known)
		if err == nil && b.Mode.Details && !r.plain {
			err = ds.details(ctx, b, part)
		}
		if err != nil {
			return err
		}
	}
	if !game.RanksByCountry(b.Mode) {
		return nil
	}
	for i, r := range results {
		for _, scope := range game.ScopesOf(b.Mode, r.Profile.Country) {
			results[i].Scopes = append(slices.Clip(results[i].Scopes), game.ScopedResult{Scope: scope, Stored: r.Stored})
		}
	}
	return nil
}

// profiles reads the profile of each result's player, in halves if one answer would be too
// large.
func (ds *Days) profiles(ctx context.Context, results []game.Result, known ProfileCache) error {
	var players []string
	for _, r := range results {
		if _, met := known[r.Player]; !met {
			players = append(players, r.Player)
		}
	}
	read, err := ds.Players.ReadProfiles(ctx, players)
	if half := len(results) / 2; half > 0 && errors.Is(err, upstash.KindTooLarge) {
		return errors.Join(ds.profiles(ctx, results[:half], known), ds.profiles(ctx, results[half:], known))
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

// details reads the details of each result, in the same way.
func (ds *Days) details(ctx context.Context, b game.Board, results []game.Result) error {
	command := make([]string, 0, len(results)+2)
	command = append(command, "HMGET", game.DetailsKey(b.Mode.Name, b.Period.First()))
	for _, r := range results {
		command = append(command, r.Player)
	}
	err := ds.DB.Ask(ctx, upstash.Cmd(command...), detailsInto(b.Mode, results))
	if half := len(results) / 2; half > 0 && errors.Is(err, upstash.KindTooLarge) {
		return errors.Join(ds.details(ctx, b, results[:half]), ds.details(ctx, b, results[half:]))
	}
	return err
}

func detailsInto(m *game.Mode, results []game.Result) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		records, err := redis.Texts(r, len(results), "details for each player")
		if err != nil {
			return err
		}
		for i, record := range records {
			if record != "" {
				results[i].Details = game.DetailsOf(record, m, results[i].Stored)
			}
		}
		return nil
	}
}
