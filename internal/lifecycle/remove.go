package lifecycle

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

var (
	// ErrRolledUp is returned for a score that has been rolled up into boards that outlive its
	// day, if there is no archive to say what else was rolled up.
	ErrRolledUp = fault.New("not-removable", "the day has been rolled up, or part of its week has expired in Redis, and there is no archive; erase the player, or keep the score")
	// ErrHistory is returned if rolled-up boards and the archive differ.
	ErrHistory = fault.New("not-removable", "the archive and the boards differ in what was rolled up for this player: wait for a running import to finish, finish the interrupted removal, or erase the player")
	// ErrRollingUp is returned while a day is about to be rolled up.
	ErrRollingUp = fault.Unavailable("a day is about to be rolled up; try again in half a minute", "", 30*time.Second)
)

// ArchivedPlayer is what an archive has of one player. Nil: there is no archive; if the archive has
// nothing, it is empty.
type ArchivedPlayer struct {
	Results []game.DayResult // in any order
}

// RemovalReport is what a removal has removed.
type RemovalReport struct {
	Days   []game.DayName // days that the player is no longer on: the archive may have rows of them
	Taken  []game.DayName // those of these days on which the player had an entry
	Boards int            // boards on which the player's entry was changed or removed
	// Left are the boards, by key, that keep what they had: some of their days have left
	// Redis, and there is no archive.
	Left []string
}

// RemoveScore removes one player's entry of a day, and corrects every board that the entry
// counted for. Repeating it changes nothing. It checks everything before it changes anything.
// If it is cut off, the same call or LookAfterRemovals finishes it.
//
// It removes entries from the sources first: a refresh that begins later is right by itself. A
// refresh that began earlier may put the entry back on a derived board until the next one.
//
// Cost: 1 billed command for the mode's days and 1 for those of its scopes; for each scope of
// the day 1, and for each that the player is on some 15; for a mode that gives XP 10, and 1
// for each such mode and open day; for a mode that activity computes 1 for each open day; for a
// mode that ranks countries 1, and 1 for each board of the player's country and region; for one
// that ranks groups that of Retotal.
//
// Errors: ErrRolledUp without an archive, ErrHistory, ErrRollingUp.
func (rp *Repair) RemoveScore(ctx context.Context, m *game.Mode, d game.Date, player string, past *ArchivedPlayer) (RemovalReport, error) {
	r := &removal{rp: rp, player: player, past: past, strict: true}
	return r.run(ctx, []*game.Mode{m}, func(t *modeRemoval) { t.dates = []game.Date{d} })
}

// RemoveRecent removes a player's entries of all days that may still change, as RemoveScore
// does. Rolled-up days stay. It leaves boards that it cannot correct without an archive.
//
// Cost: for each mode that of RemoveScore, and 1 billed command for each day and scope more.
//
// Errors: ErrRollingUp.
func (rp *Repair) RemoveRecent(ctx context.Context, player string, past *ArchivedPlayer) (RemovalReport, error) {
	r := &removal{rp: rp, player: player, past: past, ban: true}
	return r.run(ctx, rp.DB.Game.Modes, func(t *modeRemoval) { t.dates = r.recent(t) })
}

// removal removes a player's entries of some days.
type removal struct {
	rp     *Repair
	player string
	past   *ArchivedPlayer
	strict bool // fail unless every board can be corrected
	ban    bool
	after  bool // long ago: no process still works with the old entries
	erased bool // the whole player was removed
	modes  []*modeRemoval
	// country is the player's, whose boards and region's are made from everybody's; "": none.
	country string
	xpDays  derive.Index
	gone    map[string]bool // boards of days that Redis has lost
	taken   []derive.DayKey // boards of days that the player was taken off
	report  RemovalReport
}

// modeRemoval is what is removed of one mode.
type modeRemoval struct {
	mode     *game.Mode
	dates    []game.Date                  // ascending
	indexes  map[game.Scope]*derive.Index // by scope; the global one under the zero scope
	scopes   map[game.Scope]struct{}      // of the boards that the player may be on, including the zero scope
	rolledUp []rolledUpChange
	allTime  *derive.InBands // nil: one sorted set
}

func (r *removal) run(ctx context.Context, modes []*game.Mode, choose func(*modeRemoval)) (RemovalReport, error) {
	if err := r.list(ctx, modes); err != nil {
		return r.report, redis.Wrap("list the days of "+r.player, err)
	}
	for _, t := range r.modes {
		choose(t)
	}
	if err := r.find(ctx); err != nil {
		return r.report, redis.Wrap("find the entries of "+r.player, err)
	}
	if err := (rolledUpPlan{r}).make(ctx); err != nil {
		return r.report, err
	}
	return r.report, redis.Wrap("remove "+r.player, inOrder(ctx, r.note, r.takeAway))
}

// takeAway removes what was found and planned, and corrects what follows from it.
func (r *removal) takeAway(ctx context.Context) error {
	return inOrder(ctx, r.takeOut, (rolledUpPlan{r}).takeBack, r.workOut)
}

// workOut works out again what follows from the days.
func (r *removal) workOut(ctx context.Context) error {
	return inOrder(ctx, r.rework, (teamsRework{r}).run, (xpRework{r}).run, (streakRework{r}).run, worldNotice{r.rp.DB}.run)
}

// datesOf returns the days of some modes, ascending.
func datesOf(modes []*modeRemoval) (dates []game.Date) {
	for _, t := range modes {
		dates = append(dates, t.dates...)
	}
	return ascending(dates)
}

// ascending sorts dates, and leaves each once.
func ascending(dates []game.Date) []game.Date {
	slices.SortFunc(dates, game.Date.Compare)
	return slices.Compact(dates)
}

// listTries is how often days are listed again because others roll them up meanwhile.
const listTries = 5

// list reads the indexes of days, and rolls up the days that are due. So no concurrent roll-up
// has read an entry that it would bring back.
func (r *removal) list(ctx context.Context, modes []*game.Mode) error {
	for range listTries {
		r.modes = nil
		scoped := make([]map[game.Scope]*derive.Index, len(modes))
		globals := make([]derive.Index, len(modes))
		if err := r.rp.Rollup.Calendar.ListDays(ctx); err != nil {
			return err
		}
		var p redis.Pipeline
		for i, m := range modes {
			r.rp.Rollup.Calendar.AskDays(&p, m, &globals[i])
			if game.WritesScopes(m) {
				p.Add(upstash.Cmd("HGETALL", game.ScopedDaysKey(m.Name)), derive.ScopedInto(&scoped[i]))
			}
		}
		p.Add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), derive.DaysInto(&r.xpDays))
		if _, err := p.Run(ctx, r.rp.DB.Redis); err != nil {
			return err
		}
		if err := r.rp.Rollup.Calendar.KeepPlayed(ctx, modes, globals); err != nil {
			return err
		}
		due, soon := r.isDue(&r.xpDays, nil)
		for i, m := range modes {
			t := &modeRemoval{mode: m, indexes: map[game.Scope]*derive.Index{{}: &globals[i]}, scopes: map[game.Scope]struct{}{{}: {}}}
			for scope, index := range scoped[i] {
				t.indexes[scope] = index
			}
			for scope, index := range t.indexes {
				dueHere, soonHere := r.isDue(index, r.rp.Rollup.SequenceOf(m, scope).Board)
				due, soon = due || dueHere, soon || soonHere
			}
			r.modes = append(r.modes, t)
		}
		if soon {
			return ErrRollingUp
		}
		if !due {
			return bandsRework{r}.list(ctx)
		}
		if err := r.rollUpDue(ctx); err != nil {
			return err
		}
	}
	return ErrRollingUp
}

// isDue reports whether a day of the index is due to be rolled up, and whether one will be soon.
// A day that is over stays in Redis until it is rolled up, unless it was lost. board is nil for
// XP.
func (r *removal) isDue(x *derive.Index, board func(game.Date) string) (due, soon bool) {
	for _, d := range x.Dates {
		if x.RolledUp[d] || !r.rp.DB.Alive(d) && (board == nil || r.gone[board(d)]) {
			continue
		}
		due = due || !r.rp.Rollup.Calendar.Writable(d)
		soon = soon || r.rp.sealsSoon(d)
	}
	return due, soon
}

// sealsSoon reports whether a day will be due to be rolled up within the time that a write may
// be under way.
func (rp *Repair) sealsSoon(d game.Date) bool {
	return rp.Rollup.Calendar.Writable(d) && !rp.DB.Now().Add(derive.InFlight).Before(rp.DB.Game.Seals(d))
}

func (r *removal) rollUpDue(ctx context.Context) error {
	var report derive.RolledUp
	for _, t := range r.modes {
		for scope, index := range t.indexes {
			if err := r.rp.Rollup.RollUp(ctx, r.rp.Rollup.SequenceOf(t.mode, scope), index, &report); err != nil {
				return err
			}
		}
	}
	r.gone = map[string]bool{}
	for _, key := range report.Expired {
		r.gone[key] = true
	}
	return r.rp.rollUpXP(ctx)
}

func (rp *Repair) rollUpXP(ctx context.Context) error {
	view, err := rp.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return err
	}
	return rp.Days.RollUpXP(ctx, view, &derive.RolledUp{})
}

// recent returns the days of a mode that are not rolled up: those on the index, and days of
// the archive that may still change. After a loss the index does not have the latter.
func (r *removal) recent(t *modeRemoval) []game.Date {
	var dates []game.Date
	if r.past != nil {
		for _, row := range r.past.Results {
			if row.Mode == t.mode.Name && !t.indexes[game.Scope{}].Has(row.Date) && r.rp.Rollup.Calendar.Writable(row.Date) {
				dates = append(dates, row.Date)
			}
		}
	}
	for _, index := range t.indexes {
		for _, d := range index.Dates {
			if !index.RolledUp[d] && r.rp.DB.Alive(d) {
				dates = append(dates, d)
			}
		}
	}
	return ascending(dates)
}

// wasRolledUp reports whether a day's board has been rolled up. Days leave the index with
// their month; they are rolled up long before.
func (rp *Repair) wasRolledUp(x *derive.Index, d game.Date) bool {
	if x != nil && x.Has(d) {
		return x.RolledUp[d]
	}
	return !rp.DB.Alive(d)
}

// find finds the scopes that the player has been on, on the days to remove: from the boards,
// from the archive, and from the notes of a removal that was cut off; and the player's country.
func (r *removal) find(ctx context.Context) error {
	var p redis.Pipeline
	for _, t := range r.modes {
		for scope, index := range t.indexes {
			if scope == (game.Scope{}) {
				continue
			}
			for _, d := range t.dates {
				if !index.Has(d) || !r.rp.DB.Alive(d) {
					continue
				}
				p.Add(upstash.Cmd("ZSCORE", game.BoardKey(t.mode.Name, game.Day.Of(d), scope), r.player), func(reply upstash.Reply) error {
					if !reply.IsNil() {
						t.scopes[scope] = struct{}{}
					}
					return nil
				})
			}
		}
	}
	askCountry(&p, r)
	var notes []removalNote
	p.Add(upstash.Cmd("HGETALL", game.RemovalsKey), notesInto(func(read []removalNote) { notes = read }))
	if _, err := p.Run(ctx, r.rp.DB.Redis); err != nil {
		return err
	}
	for _, t := range r.modes {
		for _, note := range notes {
			if note.Player == r.player {
				note.scopesInto(t)
			}
		}
		if r.past == nil {
			continue
		}
		for _, row := range r.past.Results {
			if row.Mode == t.mode.Name && slices.Contains(t.dates, row.Date) {
				for _, scoped := range row.Scopes {
					if !scoped.Scope.ByCountry() { // follows from the global board
						t.scopes[scoped.Scope] = struct{}{}
					}
				}
			}
		}
	}
	return nil
}

// askCountry queues the reading of the player's country, if a mode of the removal ranks
// countries.
func askCountry(p *redis.Pipeline, r *removal) {
	if slices.ContainsFunc(r.modes, func(t *modeRemoval) bool { return game.RanksByCountry(t.mode) }) {
		countryInto(p, r)
	}
}

// countryInto queues the reading of the player's country.
func countryInto(p *redis.Pipeline, r *removal) {
	p.Add(upstash.Cmd("ZSCORE", game.CountriesKey, r.player), func(reply upstash.Reply) error {
		var at redis.Place
		err := redis.ScoreInto(&at)(reply)
		if at.Found {
			r.country = game.CountryOf(int64(at.Stored))
		}
		return err
	})
}

// teamsRework works out again what the groups of a removal's player score on boards that rank
// groups.
type teamsRework struct{ *removal }

func (r teamsRework) run(ctx context.Context) error {
	for _, t := range r.modes {
		var periods []game.Period
		for _, d := range t.dates {
			periods = append(append(periods, game.Day.Of(d)), game.BoardsOf(r.rp.DB.Game, t.mode, d)...)
		}
		var groups []game.Scope
		for scope := range t.scopes {
			if scope.Kind() == game.Group {
				groups = append(groups, scope)
			}
		}
		if err := r.rp.Rollup.Retotal(ctx, t.mode, periods, groups); err != nil {
			return err
		}
	}
	return nil
}

// teamsErasure does so for all groups that an erased player was found in.
type teamsErasure struct{ *erasure }

func (r teamsErasure) run(ctx context.Context) error {
	for _, m := range r.rp.DB.Game.Modes {
		var periods []game.Period
		var groups []game.Scope
		for _, at := range r.spots {
			if at.mode != m || at.scope.Kind() != game.Group {
				continue
			}
			if !at.rolledUp {
				periods = append(periods, at.period)
			}
			periods = append(periods, r.periodsFrom(at)...)
			if !slices.Contains(groups, at.scope) {
				groups = append(groups, at.scope)
			}
		}
		if err := r.rp.Rollup.Retotal(ctx, m, periods, groups); err != nil {
			return err
		}
	}
	return nil
}
