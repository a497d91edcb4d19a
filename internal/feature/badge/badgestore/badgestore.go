// Package badgestore gives players the badges that follow from days and periods that are over.
package badgestore

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Store gives badges. Everything except peers is read from the archive, so the same rows give the
// same badges whenever they are read, also when a day closes again.
type Store struct {
	Game     *game.Game
	Boards   *leaderboard.Store
	Control  *control.Notices
	Activity *activity.Activity // nil: the game has none
	Archive  *archive.Archive   // nil: no badges are given
	Now      func() time.Time
	// Awarded is called with the number of players who were given a badge. It may be nil.
	Awarded func(rule string, players int)
}

// How many players' histories are read at once, how many badges are given at once, and how
// many entries of a board are read at once.
const (
	historiesAtOnce = 500
	givenAtOnce     = 5000
	entriesAtOnce   = 1000
)

// isEnabled reports whether there is anything to give badges for.
func (b *Store) isEnabled() bool { return b.Archive != nil && len(badge.RulesOf(b.Game)) > 0 }

// badgeDay is a day that badges are given for.
type badgeDay struct {
	date   game.Date
	boards []game.Board
	best   map[string]int // longest streaks of those who played
	all    bool           // best is not known: everybody who played may have a long one
}

// ClosePeriods gives the badges that follow from days that have just closed, without those that
// the archive has refused, and from days that it has got back. It counts how rare badges are.
func (b *Store) ClosePeriods(ctx context.Context, n lifecycle.Night) error {
	if !b.isEnabled() {
		return nil
	}
	var all []badgeDay
	for _, day := range n.Closed {
		if n.Refused[day.Date] {
			continue
		}
		if err := b.meet(ctx, day); err != nil {
			return err
		}
		all = append(all, badgeDay{date: day.Day(), boards: b.boardsOf(day), best: day.Best()})
	}
	return b.ofDays(ctx, all, n.Back)
}

// boardsOf returns the boards of a day that has closed.
func (b *Store) boardsOf(day lifecycle.ClosedDay) (boards []game.Board) {
	for _, m := range b.Game.Modes {
		boards = append(boards, game.BoardOf(m, game.Day.Of(day.Day()), game.Scope{}))
		for _, group := range day.Groups() {
			if scope, err := game.GroupScope(group); err == nil && m.HasScope(game.Group) {
				boards = append(boards, game.BoardOf(m, game.Day.Of(day.Day()), scope))
			}
		}
	}
	return boards
}

// ofDays gives the badges that follow from days, and from those that the archive has got back,
// by what the archive has.
func (b *Store) ofDays(ctx context.Context, days []badgeDay, back []lifecycle.ModeDay) error {
	if !b.isEnabled() {
		return nil
	}
	from := b.Now()
	again, err := b.gotBack(ctx, back)
	if err != nil {
		return err
	}
	days = append(days, again...)
	for _, day := range days {
		if err := b.ofBoards(ctx, day, from); err != nil {
			return err
		}
	}
	last, _ := b.Game.LastClosed(game.Day, b.Now())
	through := last.Last()
	who, err := b.candidates(ctx, days, through)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(who)), historiesAtOnce) {
		if err := b.ofHistories(ctx, some, who, through, from); err != nil {
			return err
		}
	}
	return In(b.Archive).CountRarities(ctx, from)
}

// gotBack returns days of modes as days that badges are given for.
func (b *Store) gotBack(ctx context.Context, back []lifecycle.ModeDay) ([]badgeDay, error) {
	boards := map[game.Date][]game.Board{}
	for _, day := range back {
		scopes := []game.Scope{{}}
		if day.Mode.HasScope(game.Group) && len(badge.RulesOf(b.Game).Of(badge.OfRank)) > 0 {
			written, err := b.Archive.Results.Scopes(ctx, day.Mode.Name, day.Date, day.Date)
			if err != nil {
				return nil, err
			}
			scopes = append(scopes, slices.DeleteFunc(written, func(s game.Scope) bool { return s.Kind() != game.Group })...)
		}
		for _, scope := range scopes {
			boards[day.Date] = append(boards[day.Date], game.BoardOf(day.Mode, game.Day.Of(day.Date), scope))
		}
	}
	var days []badgeDay
	for _, d := range slices.SortedFunc(maps.Keys(boards), game.Date.Compare) {
		days = append(days, badgeDay{date: d, boards: boards[d], all: true})
	}
	return days, nil
}

// give gives badges whose facts were read from a moment on.
func (b *Store) give(ctx context.Context, given []PlayerBadge, from time.Time) error {
	for some := range slices.Chunk(given, givenAtOnce) {
		news, err := In(b.Archive).Give(ctx, some, from)
		if err != nil {
			return err
		}
		for _, rule := range slices.Sorted(maps.Keys(news)) {
			if b.Awarded != nil {
				b.Awarded(rule, news[rule])
			}
		}
	}
	return nil
}

// CloseGroupDay gives the badges that follow from a group's day that is over in the group's time
// zone: for places on its boards, as they are now, and for streaks. It gives them once; the
// closing of the date gives them again, and also those that only it can give, such as for
// places that more than a hundred share.
//
// Cost: nothing if the game has no such rule; else 2 billed commands for all boards, 1 if
// streaks must be read, and 1 if there are any.
func (b *Store) CloseGroupDay(ctx context.Context, group string, d game.Date) error {
	scope, err := game.GroupScope(group)
	if !b.isEnabled() || err != nil {
		return err
	}
	from := b.Now()
	var boards []game.Board
	for _, m := range b.Game.Modes {
		board := game.BoardOf(m, game.Day.Of(d), scope)
		if m.Computed && m.HasScope(game.Group) && slices.ContainsFunc(badge.RulesOf(b.Game), func(r badge.Rule) bool { return r.Ranks(board) }) {
			boards = append(boards, board)
		}
	}
	if len(boards) > 0 {
		tops, err := b.Boards.Top(ctx, boards, lifecycle.TopSize)
		if err != nil {
			return err
		}
		for _, top := range tops {
			if err := b.ofEntries(ctx, top, from); err != nil {
				return err
			}
		}
	}
	return b.ofStreaks(ctx, group, d, from)
}

// ofEntries gives badges for the places on a board.
func (b *Store) ofEntries(ctx context.Context, top game.Page, from time.Time) error {
	var given []PlayerBadge
	for _, e := range top.Entries {
		given = append(given, placed(badge.RulesOf(b.Game).Of(badge.OfRank), top.Board, e)...)
	}
	return b.give(ctx, given, from)
}

// ofStreaks gives badges for the streaks of players in a group's day.
func (b *Store) ofStreaks(ctx context.Context, group string, d game.Date, from time.Time) error {
	rules := badge.RulesOf(b.Game).Of(badge.OfStreak)
	if len(rules) == 0 {
		return nil
	}
	least := slices.MinFunc(rules, func(x, y badge.Rule) int { return cmp.Compare(x.Bound, y.Bound) }).Bound
	streaks, err := b.Activity.LongStreaks(ctx, group, d, least)
	if err != nil {
		return err
	}
	var given []PlayerBadge
	for _, player := range slices.Sorted(maps.Keys(streaks)) {
		for _, rule := range rules {
			if past := streaks[player] - rule.Bound; past >= 0 {
				given = append(given, PlayerBadge{Player: player, Badge: rule.Reached(d.AddDays(-int(past)))})
			}
		}
	}
	return b.give(ctx, given, from)
}

// ofBoards gives badges for places and scores on the boards of a day.
func (b *Store) ofBoards(ctx context.Context, day badgeDay, from time.Time) error {
	rules := badge.RulesOf(b.Game).Of(badge.OfRank, badge.OfScore)
	var given []PlayerBadge
	for _, board := range day.boards {
		some, err := b.ofBoard(ctx, board, rules)
		if err != nil {
			return err
		}
		given = append(given, some...)
	}
	return b.give(ctx, given, from)
}

// ofBoard returns the badges for a board of the archive. It reads the board from the top as
// long as entries give badges.
func (b *Store) ofBoard(ctx context.Context, board game.Board, rules badge.Rules) (given []PlayerBadge, err error) {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r badge.Rule) bool {
		return !r.Ranks(board) && (r.Fact != badge.OfScore || r.Mode != board.Mode.Called() || board.Period.Kind() != game.Day || board.Scope != game.Scope{})
	})
	var after *game.Place
	for len(rules) > 0 {
		page, err := b.Archive.Boards.Page(ctx, board, entriesAtOnce, 0, after)
		if err != nil {
			return nil, err
		}
		for _, e := range page.Entries {
			before := len(given)
			given = append(given, placed(rules, board, e)...)
			if len(given) == before {
				return given, nil
			}
			after = &game.Place{Stored: e.Stored, Player: e.Player}
		}
		if len(page.Entries) < entriesAtOnce {
			break
		}
	}
	return given, nil
}

// placed returns the badges for one entry of a board.
func placed(rules badge.Rules, board game.Board, e game.Entry) (given []PlayerBadge) {
	for _, rule := range rules {
		switch {
		case rule.Ranks(board) && e.Rank <= rule.Bound:
			given = append(given, PlayerBadge{Player: e.Player, Badge: rule.Placed(board)})
		case rule.Scores(board.Mode, e.Score) && board.Period.Kind() == game.Day && board.Scope == game.Scope{}:
			won := rule.Reached(board.Period.First())
			won.Mode, won.Scope = board.Mode.Name, board.Scope.String()
			given = append(given, PlayerBadge{Player: e.Player, Badge: won})
		}
	}
	return given
}

// CloseTop gives badges for the top of a closed week, month or season. If more players share the
// last counting place than the top contains, it reads the board from the archive.
func (b *Store) CloseTop(ctx context.Context, top game.Page, from time.Time) error {
	rules := slices.DeleteFunc(slices.Clone(badge.RulesOf(b.Game)), func(r badge.Rule) bool { return !r.Ranks(top.Board) })
	if !b.isEnabled() || len(rules) == 0 || len(top.Entries) == 0 {
		return nil
	}
	var given []PlayerBadge
	for _, e := range top.Entries {
		given = append(given, placed(rules, top.Board, e)...)
	}
	last := top.Entries[len(top.Entries)-1]
	if len(top.Entries) >= lifecycle.TopSize && len(placed(rules, top.Board, last)) > 0 && top.Board.Mode.Ties == game.Shared {
		var err error
		if given, err = b.ofBoard(ctx, top.Board, rules); err != nil {
			return err
		}
	}
	return b.give(ctx, given, from)
}

// candidate is a player who may have earned a badge with days that have closed.
type candidate struct {
	day  game.Date // the first of these days
	best int       // longest streak
	wins bool      // enough wins for a badge
}

// candidates returns the players who may have earned a new badge: those with long streaks,
// with enough wins or, if a rule goes by days, XP or peers, all who played.
func (b *Store) candidates(ctx context.Context, days []badgeDay, through game.Date) (map[string]candidate, error) {
	who := map[string]candidate{}
	add := func(player string, day game.Date, best int) {
		c, known := who[player]
		if !known || day.Before(c.day) {
			c.day = day
		}
		c.best = max(c.best, best)
		who[player] = c
	}
	everybody := len(badge.RulesOf(b.Game).Of(badge.OfDays, badge.OfXP, badge.OfPeers)) > 0
	for _, day := range days {
		for player, best := range day.best {
			add(player, day.date, best)
		}
		if !everybody && !day.all {
			continue
		}
		players, err := FactsIn(b.Archive).Players(ctx, day.date)
		if err != nil {
			return nil, err
		}
		best := 0
		if day.all {
			best = math.MaxInt
		}
		for _, player := range players {
			add(player, day.date, best)
		}
	}
	least := int64(0)
	for _, rule := range badge.RulesOf(b.Game).Of(badge.OfWins) {
		if least == 0 || rule.Bound < least {
			least = rule.Bound
		}
	}
	if least == 0 {
		return who, nil
	}
	winners, err := FactsIn(b.Archive).Winners(ctx, through.AddDays(1).Midnight(), least)
	for _, player := range winners {
		add(player, through.AddDays(1), 0)
		c := who[player]
		c.wins = true
		who[player] = c
	}
	return who, err
}

// asked returns the rules by which a player may have earned a badge, without those of badges
// that the player has.
func (b *Store) asked(c candidate, has map[string]bool) badge.Rules {
	return slices.DeleteFunc(slices.Clone(badge.RulesOf(b.Game)), func(r badge.Rule) bool {
		switch {
		case has[r.ID], r.Fact == badge.OfRank, r.Fact == badge.OfScore:
			return true
		case r.Fact == badge.OfStreak:
			return int64(c.best) < r.Bound
		case r.Fact == badge.OfWins:
			return !c.wins
		}
		return false
	})
}

// ofHistories gives some players the badges that they have earned.
func (b *Store) ofHistories(ctx context.Context, players []string, who map[string]candidate, through game.Date, from time.Time) error {
	due := map[string]badge.Rules{}
	earliest := through
	for _, c := range who {
		if c.day.Before(earliest) {
			earliest = c.day
		}
	}
	has, err := In(b.Archive).Holders(ctx, badge.RulesOf(b.Game).IDs(), players, earliest)
	if err != nil {
		return err
	}
	for _, player := range players {
		if rules := b.asked(who[player], has[player]); len(rules) > 0 {
			due[player] = rules
		}
	}
	histories, err := histories{b, due, through}.read(ctx, earliest)
	if err != nil {
		return err
	}
	var given []PlayerBadge
	for _, player := range slices.Sorted(maps.Keys(due)) {
		for _, rule := range due[player] {
			if day, ok := badge.Reached(b.Game, rule, *histories[player]); ok {
				given = append(given, PlayerBadge{Player: player, Badge: rule.Reached(day)})
			}
		}
	}
	return b.give(ctx, given, from)
}

// meet keeps the peers of a day, if any rule uses them and the day's activity still exists.
func (b *Store) meet(ctx context.Context, day lifecycle.ClosedDay) error {
	rules := badge.RulesOf(b.Game).Of(badge.OfPeers)
	if len(rules) == 0 || b.Activity == nil {
		return nil
	}
	source, err := b.Control.Source(ctx)
	if err != nil {
		return err
	}
	from := b.Now()
	peers, err := b.Activity.Peers(ctx, day.Day(), day.Groups())
	if err != nil || len(peers) == 0 {
		return err
	}
	// A Redis that was lost meanwhile has hardly any peers.
	if err := b.Control.FromSource(ctx, source); err != nil {
		return err
	}
	return FactsIn(b.Archive).PutPeers(ctx, day.Day(), peers, from, day.Day().AddDays(-peersKept))
}

// peersKept is how many days peers are kept: as many as any rule looks back, on both sides of
// a day that closes late.
const peersKept = 100

// Give gives the owner of a device the device's badges.
func (b *Store) Give(ctx context.Context, device, player string) error {
	if b.Archive == nil || len(badge.RulesOf(b.Game)) == 0 {
		return nil
	}
	return In(b.Archive).Move(ctx, device, player)
}
