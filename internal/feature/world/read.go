package world

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Reader reads boards of the world.
type Reader struct {
	Boards *leaderboard.Store
}

// SiteOf is a site's part of a board of the world.
type SiteOf struct {
	Name    string
	Own     bool      // the site that answers
	Players int64     // on its own board
	AsOf    time.Time // its board is of this time or newer; zero: nothing is known of the site
}

// Page is a run of entries of a board of the world.
type Page struct {
	game.Page          // Total: the entries of the world's board
	Players   int64    // at all sites; a player of several sites counts at each
	Sites     []SiteOf // by name; none: the board has not been merged yet
	made      boardSources
}

// Page reads a run of entries with names, as the last merge left them.
//
// Cost: that of [leaderboard.Store.Page], 2 billed commands, and 1 for each other site.
//
// Errors: those of [leaderboard.Store.Page].
func (s Reader) Page(ctx context.Context, b game.Board, request game.PageRequest) (Page, error) {
	page := Page{}
	err := s.about(ctx, b, &page)
	if err != nil {
		return page, err
	}
	if page.Page, err = s.Boards.Page(ctx, b, request); err != nil {
		return page, err
	}
	page.Entries = slices.Clone(page.Entries) // entries of a page from memory are shared
	return page, s.name(ctx, b, &page)
}

// about reads what a board was made of, and when.
func (s Reader) about(ctx context.Context, b game.Board, page *Page) error {
	key := ownKey(b)
	var text string
	var sites map[string]string
	var p redis.Pipeline
	p.Add(upstash.Cmd("HGET", MadeKey, key), redis.TextInto(&text))
	p.Add(upstash.Cmd("HGETALL", SitesKey), redis.FieldsInto(func(f map[string]string) error {
		sites = f
		return nil
	}))
	if _, err := p.Run(ctx, s.Boards.DB.Redis); err != nil {
		return redis.Wrap("read what "+b.Key+" was made of", err)
	}
	var err error
	if page.made, err = parse[boardSources]("what a board was made of", text); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(sites)) {
		k, err := parse[siteState]("what is known of a site", sites[name])
		if err != nil {
			return err
		}
		site := SiteOf{Name: name, Own: k.Own}
		if k.Looked > 0 {
			site.AsOf = time.UnixMilli(k.Looked).UTC()
		}
		if k.Own && page.made.Own != nil {
			site.Players = page.made.Own.Players
		} else {
			site.Players = page.made.Copies[name].Players
		}
		page.Players += site.Players
		page.Sites = append(page.Sites, site)
	}
	return nil
}

// ownKey is the key of the site's own board, of which a board of the world is merged.
func ownKey(b game.Board) string { return strings.TrimPrefix(b.Key, Key("")) }

// name fills in the profiles of players who have none here, from what the other sites show. If
// several sites know a player, the first by name counts.
func (s Reader) name(ctx context.Context, b game.Board, page *Page) error {
	var unnamed []int
	for i, e := range page.Entries {
		if e.Profile == (game.Profile{}) {
			unnamed = append(unnamed, i)
		}
	}
	if len(unnamed) == 0 {
		return nil
	}
	var p redis.Pipeline
	for _, name := range slices.Sorted(maps.Keys(page.made.Copies)) {
		ask := []string{"HMGET", ShownKey(name, ownKey(b))}
		for _, i := range unnamed {
			ask = append(ask, page.Entries[i].Player)
		}
		p.Add(upstash.Cmd(ask...), func(r upstash.Reply) error {
			records, err := redis.Texts(r, len(unnamed), "one record for each player")
			if err != nil {
				return err
			}
			for n, record := range records {
				e := &page.Entries[unnamed[n]]
				if record == "" || e.Profile != (game.Profile{}) {
					continue
				}
				if e.Profile, err = parse[game.Profile]("how a player is shown", record); err != nil {
					return err
				}
			}
			return nil
		})
	}
	_, err := p.Run(ctx, s.Boards.DB.Redis)
	return redis.Wrap("read names for "+b.Key, err)
}

// PlayerPlace is a player's place in the world.
type PlayerPlace struct {
	Stored float64
	Score  game.Score
	Rank   int64 // 0: below the entries of the world's board
	// Better is the number of better players: exact if there is a rank, else estimated by the
	// cuts of the sites' boards.
	Better int64
}

// PlayerPlace returns a player's place in the world, by the better of two entries: the own site's
// entry of now, and the best of the other sites' at the last merge. It returns false if the
// player has neither.
//
// Cost: 3 billed commands in 1 round trip, and 1 more in another where ranks are shared and
// another site's entry is the better one.
func (s Reader) PlayerPlace(ctx context.Context, b game.Board, page *Page, player string, own redis.Place) (PlayerPlace, bool, error) {
	var there redis.Place
	var better int64
	var p redis.Pipeline
	p.Add(upstash.Cmd(redis.RankCommand(b), b.Key, player, "WITHSCORE"), redis.PlaceInto(&there))
	if own.Found {
		p.Add(s.ahead(b, own.Stored), redis.IntInto(&better))
	}
	var entries int64 // the page's total may be some seconds old
	p.Add(upstash.Cmd("ZCARD", b.Key), redis.IntInto(&entries))
	if _, err := p.Run(ctx, s.Boards.DB.Redis); err != nil {
		return PlayerPlace{}, false, redis.Wrap("look for "+player+" on "+b.Key, err)
	}
	current := own
	switch first := func(a, than float64) bool { return a != than && a > than == (b.Mode.Order == game.Desc) }; {
	case !own.Found && !there.Found:
		return PlayerPlace{}, false, nil
	case !own.Found || there.Found && first(there.Stored, own.Stored):
		current, better = there, there.Position
		if b.Mode.Ties == game.Shared {
			var again redis.Pipeline
			again.Add(s.ahead(b, there.Stored), redis.IntInto(&better))
			if _, err := again.Run(ctx, s.Boards.DB.Redis); err != nil {
				return PlayerPlace{}, false, redis.Wrap("rank "+player+" on "+b.Key, err)
			}
		}
	case there.Found && there.Stored == own.Stored && b.Mode.Ties != game.Shared:
		better = there.Position
	}
	o := PlayerPlace{Stored: current.Stored, Score: b.Mode.Decode(current.Stored), Rank: better + 1, Better: better}
	if better >= entries && entries >= RulesOf(s.Boards.DB.Game).Top { // the world's board is full of better players
		o.Rank, o.Better = 0, max(entries, page.better(b.Mode.Order, current.Stored))
	}
	return o, true, nil
}

// ahead counts the players better than a stored score, by true scores if ranks are shared.
func (s Reader) ahead(b game.Board, stored float64) upstash.Command {
	switch {
	case b.Mode.Ties == game.Shared:
		return redis.AheadCommand(b, b.Mode.Decode(stored))
	case b.Mode.Order == game.Asc:
		return upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+game.FormatStored(stored))
	}
	return upstash.Cmd("ZCOUNT", b.Key, "("+game.FormatStored(stored), "+inf")
}

// better adds up the estimates of better players at all sites, by their cuts.
func (p *Page) better(order game.Order, stored float64) (n int64) {
	if p.made.Own != nil {
		n = p.made.Own.better(order, stored)
	}
	for _, s := range p.made.Copies {
		n += s.better(order, stored)
	}
	return n
}
