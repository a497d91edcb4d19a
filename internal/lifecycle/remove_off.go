package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// settleRolledUp rolls up those of the player's days that are due. So no concurrent roll-up
// has read an entry that it would bring back.
func (r *erasure) settleRolledUp(ctx context.Context) error {
	var spots []spot
	for _, at := range r.spots {
		if at.date.IsZero() {
			continue
		}
		if r.rp.sealsSoon(at.date) {
			return ErrRollingUp
		}
		if r.rp.Rollup.Calendar.Writable(at.date) {
			continue
		}
		if err := r.settleOne(ctx, at); err != nil {
			return err
		}
		if at.mode == nil {
			spots = append(spots, spot{key: game.RolledUpKey(game.XPKey)})
			continue
		}
		for _, period := range r.rp.DB.Game.OutlivingOf(at.date) {
			spots = append(spots, spot{
				key: game.RolledUpKey(game.BoardKey(at.mode.Name, period, at.scope)), mode: at.mode, scope: at.scope, period: period, rolledUp: true,
			})
		}
	}
	for _, at := range spots {
		if !slices.ContainsFunc(r.spots, func(have spot) bool { return have.key == at.key }) {
			r.spots = append(r.spots, at)
		}
	}
	return nil
}

func (r *erasure) settleOne(ctx context.Context, at spot) error {
	for range listTries {
		index, err := r.indexOf(ctx, at)
		if err != nil {
			return err
		}
		if !index.Has(at.date) || index.RolledUp[at.date] {
			return nil
		}
		if at.mode != nil {
			err = r.rp.Rollup.RollUp(ctx, r.rp.Rollup.SequenceOf(at.mode, at.scope), index, &derive.RolledUp{})
		} else {
			err = r.rp.rollUpXP(ctx)
		}
		if err != nil {
			return err
		}
	}
	return ErrRollingUp
}

// indexOf reads the index that contains a day's board.
func (r *erasure) indexOf(ctx context.Context, at spot) (*derive.Index, error) {
	if at.mode != nil {
		global, scoped, err := r.rp.Rollup.Calendar.Indexes(ctx, at.mode)
		if at.scope == (game.Scope{}) || err != nil {
			return global, err
		}
		if index := scoped[at.scope]; index != nil {
			return index, nil
		}
		return &derive.Index{}, nil
	}
	var index derive.Index
	err := r.rp.DB.Ask(ctx, upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), derive.DaysInto(&index))
	return &index, err
}

// takeOffSources removes the entries that boards are made from, with their details, and marks
// their days to be closed again.
func (r *erasure) takeOffSources(ctx context.Context) error {
	var p redis.Pipeline
	for _, at := range r.spots {
		if at.date.IsZero() || at.mode == nil {
			r.takeOff(&p, at.key)
		} else {
			r.takeOffDay(&p, derive.DayKey{Mode: at.mode.Name, Date: at.date, Scope: at.scope})
		}
	}
	return r.reopen(ctx, &p)
}

// takeOffRest removes the player from every board that follows, and from every other board
// that has the player: a board whose sources have all left Redis, or one that was just being
// made from them.
func (r *erasure) takeOffRest(ctx context.Context) error {
	keys := map[string]struct{}{}
	for _, at := range r.spots {
		if at.mode != nil {
			r.following(at, keys)
		}
	}
	var p redis.Pipeline
	for key := range keys {
		r.takeOff(&p, key)
	}
	if err := r.runChunks(ctx, &p); err != nil {
		return err
	}
	var all []string
	if !r.nowhere {
		all = r.everywhere(game.Scope{})
	}
	for _, group := range r.groups {
		all = append(all, r.everywhere(group)...)
	}
	for _, scope := range game.ScopesByCountry(r.country) {
		all = append(all, r.everywhere(scope)...)
	}
	for some := range slices.Chunk(all, lensKeys) {
		if err := r.takeOffAny(ctx, some); err != nil {
			return err
		}
	}
	return inOrder(ctx, bandsErasure{r}.takeOff, teamsErasure{r}.run)
}

// takeOffAny removes the player from those of some boards that still have the player.
func (r *erasure) takeOffAny(ctx context.Context, keys []string) error {
	missing := false
	var p redis.Pipeline
	p.Add(r.through(keys), func(reply upstash.Reply) error {
		some, err := reply.Strings()
		missing = slices.Contains(some, r.player)
		return err
	})
	if _, err := p.Run(ctx, r.rp.DB.Redis); err != nil || missing {
		return err
	}
	found, err := r.boardsWithPlayer(ctx, keys)
	if err != nil {
		return err
	}
	p = redis.Pipeline{}
	for _, key := range found {
		r.takeOff(&p, key)
	}
	return r.runChunks(ctx, &p)
}

// following adds to keys the boards that are made from one board, and those of the player's
// country and region that are made from these.
func (r *erasure) following(at spot, keys map[string]struct{}) {
	scopes := []game.Scope{at.scope}
	if at.scope == (game.Scope{}) {
		byCountry := game.ScopesOf(at.mode, r.country)
		scopes = append(scopes, byCountry...)
		for _, scope := range byCountry {
			if !at.rolledUp {
				keys[game.BoardKey(at.mode.Name, at.period, scope)] = struct{}{}
			}
		}
	}
	for _, period := range r.periodsFrom(at) {
		for _, scope := range scopes {
			if b := game.BoardOf(at.mode, period, scope); !r.rp.Rollup.Frozen(b) {
				keys[b.Key] = struct{}{}
			}
		}
	}
}

// periodsFrom are the periods whose boards are made from one board.
func (r living) periodsFrom(at spot) []game.Period {
	periods := []game.Period{game.AllTime.Of(r.today)}
	switch {
	case !at.rolledUp:
		periods = game.BoardsOf(r.db.Game, at.mode, at.date)
	case at.period.Kind() == game.Season:
		periods = append(periods, at.period)
	case at.period.Kind() == game.Month:
		periods = append(periods, at.period)
		for _, week := range r.periods(game.Week) {
			if at.period.Contains(week.First()) || at.period.Contains(week.Last()) {
				periods = append(periods, week)
			}
		}
	}
	return periods
}
