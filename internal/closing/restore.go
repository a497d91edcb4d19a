package closing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// ErrNoArchive is returned where a job needs Postgres and there is none.
var ErrNoArchive = errors.New("there is no archive: set DATABASE_URL")

// RestoreOptions say what to restore, and who is told how it goes.
type RestoreOptions struct {
	Modes []*game.Mode // nil: all
	// DryRun only tells what would be made.
	DryRun bool
	// Force restores from an archive that knows less than Redis does.
	Force bool
	// Step is told each step, of how many.
	Step func(done, all int, what string)
}

// LackError is returned where the archive knows less than Redis: what it lacks
// would be lost.
type LackError struct{ Lacks []string }

func (e *LackError) Error() string {
	return "the archive knows less than Redis, nothing was changed: " + strings.Join(e.Lacks, "; ")
}

// Restored tells what was made again.
type Restored struct {
	Lacks    []string `json:"lacks,omitempty"` // that the archive does not have, and Redis has
	Days     int      `json:"days"`            // day boards of all players
	Open     int      `json:"open"`            // those whose day had not closed when they were last archived
	Results  int64    `json:"results"`         // entries of the day boards
	Folded   int      `json:"folded"`          // boards of what is older than day boards live
	Periods  int      `json:"periods"`         // boards of closed weeks, months and seasons
	Streaks  int      `json:"streaks"`         // players
	Profiles int      `json:"profiles"`        // players
	Bans     int      `json:"bans"`
	Posted   int      `json:"posted"` // submissions of open days, from the outbox
	Spent
}

// Restore makes every board, streak and name again from the archive. Modes may
// be restored one by one; XP, streaks and names are made in any case. It may be
// repeated, and holds off the daily job while it runs.
func (c *Closing) Restore(ctx context.Context, o RestoreOptions) (Restored, error) {
	var report Restored
	if c.Archive == nil {
		return report, ErrNoArchive
	}
	modes := o.Modes
	if modes == nil {
		modes = c.Game.Modes
	}
	r := &restore{Closing: c, options: o, report: &report, modes: modes}
	spent, err := c.metered(ctx, func(ctx context.Context) error {
		lacks, err := c.Lacks(ctx)
		if err != nil {
			return err
		}
		if report.Lacks = lacks; o.DryRun {
			return r.run(ctx)
		}
		if len(lacks) > 0 && !o.Force {
			return &LackError{lacks}
		}
		ran, err := c.Store.Exclusively(ctx, "daily", r.run)
		if err == nil && !ran {
			return errors.New("the daily job is at work; try again when it has ended")
		}
		return err
	})
	report.Spent = spent
	return report, err
}

// Lacks tells what Redis knows of closed and folded days and of XP and the archive
// does not. Days that the index has forgotten still are in what players have of XP.
//
// Cost: 2 billed commands, 1 for each mode, and 1 for every 20,000 players; where
// it lacks players' XP, the boards of days that are not closed.
func (c *Closing) Lacks(ctx context.Context) ([]string, error) {
	if c.Archive == nil {
		return nil, ErrNoArchive
	}
	view, err := c.Store.Survey(ctx)
	if err != nil {
		return nil, err
	}
	lacks, err := c.lacksDays(ctx, view)
	if err != nil {
		return nil, err
	}
	stands, err := c.Store.ReadBoard(ctx, game.XPBaseKey)
	if err != nil {
		return nil, err
	}
	should, err := c.xpTotals(ctx, beginning, c.Game.Today(c.Now()))
	if err != nil {
		return nil, err
	}
	var missing []string
	for player, xp := range stands {
		if has, known := should[player]; !known || has < xp {
			missing = append(missing, player)
		}
	}
	if len(missing) > 0 {
		again, err := c.closingAgain(ctx, view)
		if err != nil {
			return nil, err
		}
		missing = slices.DeleteFunc(missing, func(player string) bool { _, will := again[player]; return will })
	}
	if len(missing) > 0 {
		lacks = append(lacks, fmt.Sprintf("XP of %d of %d players, all or part", len(missing), len(stands)))
	}
	return lacks, nil
}

// lacksDays tells of the days that Redis has closed and the archive has not whole,
// and of those that it has folded and the archive does not know: where a restore
// has noted that a day is folded, nothing says that it was closed.
func (c *Closing) lacksDays(ctx context.Context, view board.Survey) ([]string, error) {
	closed, missing := map[*game.Mode]int{}, map[*game.Mode][]game.Date{}
	kept := map[*game.Mode]map[game.Date]bool{}
	for _, day := range c.Store.DayStates(view) {
		m := day.Mode
		if !day.Closed && !day.Folded {
			continue
		}
		if kept[m] == nil {
			days, err := c.Archive.Days.Between(ctx, m.Name, beginning, c.Game.Today(c.Now()))
			if err != nil {
				return nil, err
			}
			kept[m] = map[game.Date]bool{}
			for _, a := range days {
				kept[m][a.Date] = a.Complete
			}
		}
		closed[m]++
		if whole, known := kept[m][day.Date]; !known || day.Closed && !whole {
			missing[m] = append(missing[m], day.Date)
		}
	}
	var lacks []string
	for _, m := range c.Game.Modes {
		if n := len(missing[m]); n > 0 {
			lacks = append(lacks, fmt.Sprintf("%s: %d of %d closed days, from %s to %s", m.Name, n, closed[m], missing[m][0], missing[m][n-1]))
		}
	}
	return lacks, nil
}

// closingAgain are the players on days that are over and not closed: whatever XP
// is made of, the next closing gives them theirs.
func (c *Closing) closingAgain(ctx context.Context, view board.Survey) (map[string]struct{}, error) {
	players := map[string]struct{}{}
	for _, day := range c.Store.DayStates(view) {
		if !day.Over || day.Closed || !day.Alive {
			continue
		}
		stands, err := c.Store.ReadBoard(ctx, game.BoardKey(day.Mode.Name, game.Day.Of(day.Date), game.Scope{}))
		if err != nil {
			return nil, err
		}
		for player := range stands {
			players[player] = struct{}{}
		}
	}
	return players, nil
}

type restore struct {
	*Closing
	options RestoreOptions
	report  *Restored
	modes   []*game.Mode
	source  string    // of this Redis
	foreign []lostDay // that the archive has from another one
	done    int
	all     int
}

// lostDay is a mode's day that was archived from a Redis that has been lost.
type lostDay struct {
	mode *game.Mode
	date game.Date
	from string
}

func (r *restore) step(what string) {
	r.done++
	if r.options.Step != nil {
		r.options.Step(r.done, r.all, what)
	}
}

// The archive begins where the calendar does, for all that matters here.
var beginning = game.NewDate(1, 1, 1)

func (r *restore) run(ctx context.Context) error {
	if !r.options.DryRun {
		var err error
		if r.source, err = r.Store.Source(ctx); err != nil {
			return err
		}
	}
	days := make([][]archive.ArchivedDay, len(r.modes))
	tomorrow := r.Game.Today(r.Now()).AddDays(1)
	for i, m := range r.modes {
		var err error
		if days[i], err = r.Archive.Days.Between(ctx, m.Name, beginning, tomorrow); err != nil {
			return err
		}
		r.all += len(days[i]) + 1
	}
	r.all += 8
	for i, m := range r.modes {
		if err := r.mode(ctx, m, days[i]); err != nil {
			return fmt.Errorf("restore %s: %w", m.Name, err)
		}
	}
	for _, part := range []struct {
		what string
		make func(context.Context) error
	}{{"XP", r.xp}, {"streaks", r.streaks}, {"names", r.profiles}, {"bans", r.bans}, {"open days", r.posted}, {"days of a lost Redis", r.adopt}, {"folds", r.foldDue}, {"epoch", r.epoch}} {
		if err := part.make(ctx); err != nil {
			return fmt.Errorf("restore %s: %w", part.what, err)
		}
		r.step(part.what)
	}
	return nil
}

// oldest is the first day whose board can still be in Redis; what is before it
// has been folded.
func (c *Closing) oldest() game.Date {
	d := c.Game.Today(c.Now()).AddDays(1)
	for c.Store.Alive(d.AddDays(-1)) && d.After(beginning) {
		d = d.AddDays(-1)
	}
	return d
}

func (r *restore) mode(ctx context.Context, m *game.Mode, days []archive.ArchivedDay) error {
	oldest := r.oldest()
	var periods []game.Period
	for _, d := range days {
		for _, p := range r.Game.PeriodsOf(d.Date) {
			if p.Kind() != game.AllTime && !slices.Contains(periods, p) && r.lives(p) {
				periods = append(periods, p)
			}
		}
		if err := r.day(ctx, m, d, d.Date.Before(oldest)); err != nil {
			return err
		}
		r.step(m.Name + " " + d.Date.String())
	}
	scopes, err := r.Archive.Results.Scopes(ctx, m.Name, beginning, r.Game.Today(r.Now()).AddDays(1))
	if err != nil {
		return err
	}
	for _, scope := range written(scopes) {
		if err := r.folded(ctx, m, scope, periods, oldest); err != nil {
			return err
		}
	}
	if m.HasScope(game.Teams) {
		if err := r.teams(ctx, m, periods); err != nil {
			return err
		}
	}
	r.step(m.Name)
	return nil
}

// teams makes the boards of groups that are not made from what is in Redis: of
// periods that are over, and of all time, which has groups that have not played for
// long.
func (r *restore) teams(ctx context.Context, m *game.Mode, periods []game.Period) error {
	today := r.Game.Today(r.Now())
	for _, p := range append(periods, game.AllTime.Of(today)) {
		query := archive.Query{Mode: m, From: p.First(), To: p.Last(), Scope: game.TeamsScope()}
		if p.Kind() == game.AllTime {
			query.From, query.To = beginning, today.AddDays(1)
		} else if !r.Game.Closed(p, r.Now()) {
			continue
		}
		if err := r.fold(ctx, r.Store.Board(m, p, game.TeamsScope()), query, r.Store.Replace); err != nil {
			return err
		}
	}
	return nil
}

// written are everybody and those of some scopes whose boards are written. A
// country's are made from the others when somebody looks.
func written(scopes []game.Scope) []game.Scope {
	groups := []game.Scope{{}}
	for _, scope := range scopes {
		if scope.Kind() != game.Country {
			groups = append(groups, scope)
		}
	}
	return groups
}

// lives reports whether a period's board can still be in Redis.
func (c *Closing) lives(p game.Period) bool {
	end, ok := c.Game.Expires(p)
	return !ok || c.Now().Before(end)
}

// day makes a day's boards, or where they have left Redis, notes that they
// were folded.
func (r *restore) day(ctx context.Context, m *game.Mode, d archive.ArchivedDay, folded bool) error {
	lost := d.Source != "" && d.Source != r.source && !r.options.DryRun
	if lost {
		r.foreign = append(r.foreign, lostDay{m, d.Date, d.Source})
	}
	if folded {
		noted := slices.ContainsFunc(r.Game.OutlivingOf(d.Date), func(p game.Period) bool { return p.Kind() != game.AllTime && r.lives(p) })
		if !noted || r.options.DryRun {
			return nil
		}
		scopes, err := r.Archive.Results.Scopes(ctx, m.Name, d.Date, d.Date)
		if err != nil {
			return err
		}
		for _, scope := range written(scopes) {
			if err := r.Store.NoteFolded(ctx, m, d.Date, scope); err != nil {
				return err
			}
		}
		return nil
	}
	var results []board.Result
	err := r.Archive.Results.OfDay(ctx, m.Name, d.Date, func(page []archive.Result) error {
		for _, row := range page {
			results = append(results, resultOf(row))
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.report.Days++
	r.report.Results += int64(len(results))
	if !d.Complete {
		r.report.Open++
	}
	if r.options.DryRun {
		return nil
	}
	if lost {
		there, err := r.Store.Exists(ctx, game.BoardKey(m.Name, game.Day.Of(d.Date), game.Scope{}))
		if err != nil {
			return err
		}
		// It may have been played since, or be played at this moment. A sum is
		// merged in any case: after a restore that was cut off nothing else shows
		// what is in it.
		if there || !d.Complete || m.Policy == game.Sum {
			return r.Store.MergeDay(ctx, m, d.Date, results, d.Source, d.Complete && !there)
		}
	}
	return r.Store.RestoreDay(ctx, m, d.Date, results, d.Complete)
}

// adopt has this Redis archive the days from now on that it has taken over.
func (r *restore) adopt(ctx context.Context) error {
	for _, day := range r.foreign {
		if err := r.Archive.Adopt(ctx, day.mode.Name, day.date, day.from, r.source); err != nil {
			return err
		}
		if !r.Store.Alive(day.date) {
			continue
		}
		if err := r.Store.ForgetMerged(ctx, day.mode, day.date); err != nil {
			return err
		}
	}
	return nil
}

func resultOf(row archive.Result) board.Result {
	r := board.Result{Player: row.Player, Score: row.Score(), Stored: row.Stored, Details: slices.Clone(row.Details)}
	for _, scoped := range row.Scopes {
		r.Scopes = append(r.Scopes, board.ScopedResult(scoped))
	}
	return r
}

// folded makes what outlives the day boards: all time, months, seasons, and the boards
// of weeks, months and seasons that are over, which need not be made from their days any
// more when somebody looks, or some of whose days have expired.
func (r *restore) folded(ctx context.Context, m *game.Mode, scope game.Scope, periods []game.Period, oldest game.Date) error {
	last := oldest.AddDays(-1)
	allTime := archive.Query{Mode: m, From: beginning, To: last, Scope: scope, TrueScores: true}
	if err := r.fold(ctx, r.Store.Board(m, game.AllTime.Of(last), scope), allTime, r.Store.RestoreFolded); err != nil {
		return err
	}
	for _, p := range periods {
		aged := p.First().Before(oldest)
		if !aged && !r.Game.Closed(p, r.Now()) {
			continue // made from its days when somebody looks
		}
		to := p.Last()
		b := r.Store.Board(m, p, scope)
		if p.Kind() != game.Week && aged {
			query := archive.Query{Mode: m, From: p.First(), To: minDate(to, last), Scope: scope, TrueScores: p.TrueScores()}
			if err := r.fold(ctx, b, query, r.Store.RestoreFolded); err != nil {
				return err
			}
		}
		if err := r.fold(ctx, b, archive.Query{Mode: m, From: p.First(), To: to, Scope: scope, TrueScores: p.TrueScores()}, r.Store.Replace); err != nil {
			return err
		}
		r.report.Periods++
	}
	return nil
}

func minDate(a, b game.Date) game.Date {
	if a.Before(b) {
		return a
	}
	return b
}

func (r *restore) fold(ctx context.Context, b board.Board, q archive.Query, put func(context.Context, board.Board, map[string]float64) error) error {
	all, err := r.totals(ctx, q)
	if err != nil || r.options.DryRun {
		return err
	}
	r.report.Folded++
	return put(ctx, b, all)
}

// totals reads aggregated scores by player.
func (c *Closing) totals(ctx context.Context, q archive.Query) (map[string]float64, error) {
	all := map[string]float64{}
	return all, c.Archive.Results.Totals(ctx, q, entriesInto(all))
}

func entriesInto(all map[string]float64) func([]archive.Entry) error {
	return func(entries []archive.Entry) error {
		for _, e := range entries {
			all[e.Player] = e.Stored
		}
		return nil
	}
}

func (r *restore) xp(ctx context.Context) error {
	oldest := r.oldest()
	folded, err := r.xpTotals(ctx, beginning, oldest.AddDays(-1))
	if err != nil {
		return err
	}
	days := map[game.Date]map[string]float64{}
	for d := oldest; r.Game.Closed(game.Day.Of(d), r.Now()); d = d.AddDays(1) {
		of, err := r.xpTotals(ctx, d, d)
		if err != nil {
			return err
		}
		if len(of) > 0 {
			days[d] = of
		}
	}
	if r.options.DryRun {
		return nil
	}
	return r.Store.RestoreXP(ctx, days, folded)
}

func (c *Closing) xpTotals(ctx context.Context, from, to game.Date) (map[string]float64, error) {
	all := map[string]float64{}
	return all, c.Archive.Results.XPTotals(ctx, c.Game.Modes, from, to, entriesInto(all))
}

// bans has those who may not play refused again, erased or not.
func (r *restore) bans(ctx context.Context) error {
	banned, err := r.Archive.Bans.Members(ctx)
	if err != nil || r.options.DryRun {
		return err
	}
	digests := make([]string, len(banned))
	for i, ban := range banned {
		digests[i] = ban.Member
	}
	r.report.Bans = len(digests)
	return board.NewBackflow(r.Store).RestoreBans(ctx, digests)
}

// foldDue folds restored days that had been folded before, and may expire
// before the next daily run.
func (r *restore) foldDue(ctx context.Context) error {
	if r.options.DryRun {
		return nil
	}
	view, err := r.Store.Survey(ctx)
	if err != nil {
		return err
	}
	_, err = r.Store.FoldDays(ctx, view)
	return err
}

// epoch has every process notice, this one too, that Redis is another one: what
// they took for granted may have been lost or replaced.
func (r *restore) epoch(ctx context.Context) error {
	if r.options.DryRun {
		return nil
	}
	return r.Store.BeginEpoch(ctx)
}

func (r *restore) streaks(ctx context.Context) error {
	if r.Game.Streak.Off {
		return nil
	}
	last := r.Game.OpenDates(r.Now())[0].AddDays(-1) // days that are open count when they close
	return r.Archive.Results.PlayedDates(ctx, beginning, last, func(played []archive.Played) error {
		streaks := make([]board.RestoreStreak, len(played))
		for i, p := range played {
			streaks[i] = board.RestoreStreak(p)
		}
		r.report.Streaks += len(played)
		if r.options.DryRun {
			return nil
		}
		return r.Store.RestoreStreaks(ctx, streaks)
	})
}

func (r *restore) profiles(ctx context.Context) error {
	return r.Archive.Profiles.All(ctx, func(page []archive.Profile) error {
		profiles := make([]board.Told, len(page))
		for i, p := range page {
			profiles[i] = board.Told{
				Player: p.Player, Moment: p.UpdatedAt,
				Profile: board.Profile{Name: p.Name, Picture: p.Picture, Country: p.Country, Hidden: p.Hidden},
			}
		}
		r.report.Profiles += len(profiles)
		if r.options.DryRun {
			return nil
		}
		return r.Store.RestoreProfiles(ctx, profiles)
	})
}
