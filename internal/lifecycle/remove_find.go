package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Few commands find the boards that a player is on, by asking about many boards at once: ZDIFF
// of a set with only this player and the boards returns the player if none of the boards has
// the player. Its work grows with the number of boards, not with their players, since Redis
// begins with the smallest. A part with the player is divided further.

const (
	// lensKeys is the largest number of boards in one command, some 50 KB.
	lensKeys = 1000
	// lensParts is the number of parts into which boards are divided: 3 or 4 needs the fewest
	// commands for a player on few boards.
	lensParts = 4
)

// through makes the command that returns the player if none of the boards has the player.
func (r *erasure) through(keys []string) upstash.Command {
	return upstash.Cmd(slices.Concat([]string{"ZDIFF", redis.Itoa(int64(len(keys) + 1)), r.lens}, keys)...)
}

// boardsWithPlayer returns the boards that the player is on.
//
// Cost: some 8 billed commands for each board that is found among some hundred.
func (r *erasure) boardsWithPlayer(ctx context.Context, keys []string) (found []string, err error) {
	divide := func(part []string) [][]string {
		return slices.Collect(slices.Chunk(part, min((len(part)+lensParts-1)/lensParts, lensKeys)))
	}
	for parts := divide(keys); len(parts) > 0; {
		var next [][]string
		var p redis.Pipeline
		for _, part := range parts {
			p.Add(r.through(part), func(reply upstash.Reply) error {
				missing, err := reply.Strings()
				switch {
				case slices.Contains(missing, r.player):
				case len(part) == 1:
					found = append(found, part[0])
				default:
					next = append(next, divide(part)...)
				}
				return err
			})
		}
		if _, err := p.Run(ctx, r.rp.DB.Redis); err != nil {
			return nil, err
		}
		parts = next
	}
	return found, nil
}

// spot is a board that others are made from: a day's, or the rolled-up days of a month, a
// season or all time. Without a mode it belongs to the whole game.
type spot struct {
	key      string
	mode     *game.Mode
	scope    game.Scope
	period   game.Period
	date     game.Date // for a day
	rolledUp bool
}

// living computes which boards may exist on the date today.
type living struct {
	db    *redis.DB
	today game.Date // in UTC
}

// lateDays is for how many days a day's board may stay in Redis that no schedule has rolled up.
const lateDays = 31

// days returns the dates whose boards may exist, newest first, but for those that wait to be
// rolled up.
func (r living) days() []game.Date {
	var dates []game.Date
	// The newest date is the one east of UTC; a clock may be ahead, too.
	for d := game.DateOf(r.db.Now()).AddDays(2); r.db.Alive(d); d = d.AddDays(-1) {
		dates = append(dates, d)
	}
	return dates
}

// lateOf returns the dates before those of dates whose boards may wait to be rolled up.
func lateOf(dates []game.Date) (late []game.Date) {
	for n := range lateDays {
		late = append(late, dates[len(dates)-1].AddDays(-1-n))
	}
	return late
}

// findLate finds which modes have days that wait to be rolled up although their time is over.
func (r *erasure) findLate(ctx context.Context) error {
	if r.nowhere && len(r.groups) == 0 {
		return nil
	}
	var keys []derive.DayKey
	for _, m := range r.rp.DB.Game.Modes {
		for _, d := range lateOf(r.daysOf(m)) {
			keys = append(keys, derive.DayKey{Mode: m.Name, Date: d})
		}
	}
	there, err := r.rp.Rollup.Calendar.FindExisting(ctx, keys)
	r.late = map[*game.Mode][]game.Date{}
	for _, key := range there {
		m, _ := r.rp.DB.Game.Mode(key.Mode)
		r.late[m] = append(r.late[m], key.Date)
	}
	return err
}

// daysOf returns the dates for which keys of a mode may exist, newest first: for a mode with
// rolling boards also those of expired days.
func (r living) daysOf(m *game.Mode) []game.Date {
	dates := r.days()
	for m.Rolling {
		d := game.DateOf(r.db.Now()).AddDays(2 - len(dates))
		if !game.KeyLives(r.db.Game, m, d, r.db.Now()) {
			break
		}
		dates = append(dates, d)
	}
	return dates
}

// rollingOf returns the rolling periods of a mode whose boards may exist.
func (r living) rollingOf(m *game.Mode) (all []game.Period) {
	if !m.Rolling {
		return nil
	}
	for _, d := range r.days() {
		all = append(all, game.Last7.Of(d), game.Last30.Of(d))
	}
	return all
}

// periods returns the weeks, or months, whose boards may exist.
func (r living) periods(kind game.PeriodKind) []game.Period {
	var all []game.Period
	today := game.DateOf(r.db.Now())
	for d := today.AddDays(2); ; d = d.AddDays(-1) {
		period := kind.Of(d)
		if slices.Contains(all, period) {
			continue
		}
		if r.db.Age(period) == game.Expired {
			return all
		}
		all = append(all, period)
	}
}

// lasting returns the months, and the seasons that have begun, whose boards may exist.
func (r living) lasting() []game.Period {
	all := r.periods(game.Month)
	for _, season := range r.db.Game.AllSeasons() {
		if end, _ := r.db.Game.Expires(season); r.db.Now().Before(end) && !season.First().After(game.DateOf(r.db.Now()).AddDays(2)) {
			all = append(all, season)
		}
	}
	return all
}

// scopesOf returns the scopes of a mode whose boards the player may be on, without those that
// follow from the global board.
func (r *erasure) scopesOf(m *game.Mode) []game.Scope {
	scopes := []game.Scope{}
	if !r.nowhere {
		scopes = append(scopes, game.Scope{})
	}
	if game.WritesScopes(m) {
		scopes = append(scopes, r.groups...)
	}
	return scopes
}

// sources returns the boards to begin with: the days', and the rolled-up days of all time. A
// player who is on none of a mode's sources is, as a rule, on no board that follows from them.
func (r *erasure) sources() []spot {
	var all []spot
	for _, m := range r.rp.DB.Game.Modes {
		for _, scope := range r.scopesOf(m) {
			for _, d := range slices.Concat(r.daysOf(m), r.late[m]) {
				day := game.Day.Of(d)
				all = append(all, spot{key: game.BoardKey(m.Name, day, scope), mode: m, scope: scope, period: day, date: d})
			}
			ever := game.AllTime.Of(r.today)
			all = append(all, spot{key: game.RolledUpKey(game.BoardKey(m.Name, ever, scope)), mode: m, scope: scope, period: ever, rolledUp: true})
		}
	}
	if !r.nowhere {
		for _, d := range r.days() {
			all = append(all, spot{key: game.XPDayKey(d), date: d})
		}
		for _, key := range wholeGame {
			all = append(all, spot{key: key})
		}
	}
	return all
}

// wholeGame are the boards that belong to the whole game.
var wholeGame = []string{game.XPKey, game.XPBaseKey, game.RolledUpKey(game.XPKey), game.DuelKey, game.DuelXPKey}

// everywhere returns all boards that may exist of a scope in any mode; for the global scope
// also those of the whole game.
func (r living) everywhere(scope game.Scope) []string {
	var keys []string
	days, weeks, lasting := r.days(), r.periods(game.Week), r.lasting()
	for _, m := range r.db.Game.Modes {
		if scope != (game.Scope{}) && !m.HasScope(scope.Kind()) {
			continue
		}
		dates := r.daysOf(m)
		if scope == (game.Scope{}) {
			dates = append(dates, lateOf(dates)...)
		}
		for _, d := range dates {
			keys = append(keys, game.BoardKey(m.Name, game.Day.Of(d), scope))
		}
		for _, rolling := range r.rollingOf(m) {
			keys = append(keys, game.BoardKey(m.Name, rolling, scope))
		}
		for _, week := range weeks {
			keys = append(keys, game.BoardKey(m.Name, week, scope))
		}
		for _, period := range append([]game.Period{game.AllTime.Of(r.today)}, lasting...) {
			key := game.BoardKey(m.Name, period, scope)
			if keys = append(keys, key); !scope.ByCountry() {
				keys = append(keys, game.RolledUpKey(key))
			}
		}
	}
	if scope == (game.Scope{}) {
		for _, d := range days {
			keys = append(keys, game.XPDayKey(d))
		}
		keys = append(keys, wholeGame...)
	}
	return keys
}

// otherSets returns the sorted sets besides boards that may have a player as a member.
func (r living) otherSets(player string) []string {
	g, days := r.db.Game, r.days()
	keys := []string{game.CountriesKey, game.FriendsKey(player), game.DuelQueueKey("")}
	for _, m := range g.Modes {
		keys = append(keys, game.DuelQueueKey(m.Name))
	}
	for _, f := range g.Features {
		if has, ok := f.(game.PlayerKeeper); ok {
			keys = append(keys, has.PlayerKeys(days, r.db.Now())...)
		}
	}
	return keys
}

// find finds the sources that the player is on.
func (r *erasure) find(ctx context.Context) error {
	byKey := map[string]spot{}
	ask := func(all []spot) error {
		keys := make([]string, len(all))
		for i, at := range all {
			keys[i], byKey[at.key] = at.key, at
		}
		found, err := r.boardsWithPlayer(ctx, keys)
		for _, key := range found {
			r.spots = append(r.spots, byKey[key])
		}
		return err
	}
	all := r.sources()
	if len(all) == 0 {
		return nil
	}
	if err := ask(all); err != nil {
		return err
	}
	r.spots = append(r.spots, r.inBands...)
	var rolledUp []spot
	for _, at := range r.spots {
		if !at.rolledUp {
			continue
		}
		for _, p := range r.lasting() {
			rolledUp = append(rolledUp, spot{key: game.RolledUpKey(game.BoardKey(at.mode.Name, p, at.scope)), mode: at.mode, scope: at.scope, period: p, rolledUp: true})
		}
	}
	if len(rolledUp) > 0 {
		if err := ask(rolledUp); err != nil {
			return err
		}
	}
	r.listModes()
	return nil
}

// listModes sets for each mode the days and scopes to remove.
func (r *erasure) listModes() {
	for _, m := range r.rp.DB.Game.Modes {
		t := &modeRemoval{mode: m, scopes: map[game.Scope]struct{}{{}: {}}}
		for _, at := range r.spots {
			if at.mode != m || at.rolledUp {
				continue
			}
			t.scopes[at.scope] = struct{}{}
			if !slices.Contains(t.dates, at.date) {
				t.dates = append(t.dates, at.date)
			}
		}
		slices.SortFunc(t.dates, game.Date.Compare)
		if len(t.dates) > 0 {
			r.modes = append(r.modes, t)
		}
	}
}
