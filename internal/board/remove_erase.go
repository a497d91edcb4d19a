package board

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// scanCount is how many keys one step of a scan looks at, a few milliseconds
// of Redis.
const scanCount = 10_000

// Erase takes a player off every board there is, with details, XP, streak,
// rating, name and picture. Nothing has to be worked out again, so it needs no
// archive. The player may play again. Erasing again changes nothing.
//
// Cost: 2 billed commands for each mode, 1 for every 10,000 keys in Redis, and
// 1 for each board of the game: up to 9 days, 6 weeks, 8 months and all time,
// derived and folded, for each mode and each of its scopes.
//
// Errors: ErrFolding.
func (s *Store) Erase(ctx context.Context, player string) (Removed, error) {
	r := &removal{Store: s, player: player}
	if err := r.list(ctx, s.game.Modes); err != nil {
		return r.report, wrap("list the days of "+player, err)
	}
	old, err := s.foldedKeys(ctx)
	if err != nil {
		return r.report, wrap("list the boards of "+player, err)
	}
	for _, t := range r.modes {
		t.dates = r.recent(t)
		for scope, index := range t.indexes {
			t.scopes[scope] = struct{}{}
			for _, d := range index.dates { // folded ones that still have a board, too
				if r.alive(d) && !slices.Contains(t.dates, d) {
					t.dates = append(t.dates, d)
				}
			}
		}
		slices.SortFunc(t.dates, game.Date.Compare)
	}
	steps := []func(context.Context) error{
		r.note, r.takeOut,
		func(ctx context.Context) error { return r.takeOffAll(ctx, old) },
		r.forget,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return r.report, wrap("erase "+player, err)
		}
	}
	return r.report, nil
}

// foldedKeys lists the folded boards: what remains of scopes that no index
// names any more.
func (s *Store) foldedKeys(ctx context.Context) ([]string, error) {
	var keys []string
	for cursor := "0"; ; {
		reply, err := s.redis.Do(ctx, upstash.Cmd("SCAN", cursor, "MATCH", game.FoldedKey("*"), "COUNT", itoa(scanCount)))
		if err != nil {
			return nil, err
		}
		parts, err := reply.Array()
		if err != nil {
			return nil, err
		}
		if len(parts) != 2 {
			return nil, errShape("a cursor with keys", len(parts))
		}
		some, err := parts[1].Strings()
		if err != nil {
			return nil, err
		}
		for _, key := range some {
			keys = append(keys, strings.Clone(key))
		}
		if cursor, err = parts[0].Text(); err != nil {
			return nil, err
		}
		if cursor == "0" {
			slices.Sort(keys)
			return slices.Compact(keys), nil
		}
		cursor = strings.Clone(cursor)
	}
}

// takeOffAll removes the player from every board that outlives its day.
func (r *removal) takeOffAll(ctx context.Context, folded []string) error {
	keys := map[string]struct{}{
		game.XPKey: {}, game.XPBaseKey: {}, game.FoldedKey(game.XPKey): {}, game.DuelKey: {},
	}
	for _, d := range r.xpDays.dates {
		if r.alive(d) {
			keys[game.XPDayKey(d)] = struct{}{}
		}
	}
	for _, key := range folded {
		keys[key] = struct{}{}
		keys[strings.TrimPrefix(key, game.FoldedKey(""))] = struct{}{}
	}
	for _, t := range r.modes {
		for scope, index := range t.indexes {
			for _, d := range index.dates {
				for _, kind := range []game.PeriodKind{game.Week, game.Month, game.AllTime} {
					if b := r.Board(t.mode, kind.Of(d), scope); !r.frozen(b) {
						keys[b.Key] = struct{}{}
					}
				}
			}
		}
	}
	var p pipeline
	for key := range keys {
		r.takeOff(&p, key)
	}
	return r.runChunks(ctx, &p)
}

// forget removes how the player is shown, the streak and the groups.
func (r *removal) forget(ctx context.Context) error {
	r.directory.forget(r.player)
	var p pipeline
	p.add(upstash.Cmd("ZREM", game.CountriesKey, r.player).Idempotent(), nil)
	p.add(upstash.Cmd("HDEL", game.ProfilesKey, r.player, game.OwnProfile(r.player)).Idempotent(), nil)
	p.add(upstash.Cmd("HDEL", game.StreaksKey, r.player).Idempotent(), nil)
	p.add(upstash.Cmd("HDEL", game.GroupsKey, r.player).Idempotent(), nil)
	_, err := p.run(ctx, r.redis)
	return err
}
