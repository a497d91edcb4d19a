package closing

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// As long as the archive has a claimed device's result of a day, its owner's result there is one
// without it: what a claim has made of the owner's in Redis is written only after the device's
// was given to the owner. So a sum has each play once, whatever is cut off in between.

// GiveClaimed gives a device's owner what the archive has of the device on days that a claim
// has moved: a restore would bring it back under the device.
//
// Cost: nothing where the archive has nothing of the device; else 1 billed command.
func (c *Closing) GiveClaimed(ctx context.Context, device, player string, claimed game.Claim) error {
	if len(claimed.Days) == 0 {
		return nil
	}
	from := c.Now()
	rows, err := c.Archive.Results.Of(ctx, device, c.clock().oldest(), c.clock().today().AddDays(1))
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r game.DayResult) bool {
		_, is := claimed.Days[game.ClosedDay(r.Mode, r.Date)]
		return !is
	})
	if len(rows) == 0 {
		return nil
	}
	source, err := c.Store.Notices.Source(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		m, known := c.Game.Mode(row.Mode)
		if !known {
			continue
		}
		g := giving{archive: c.Archive, mode: m, date: row.Date, source: source, again: true, claim: true, from: from}
		if err := g.give(ctx, device, player); err != nil {
			return err
		}
	}
	return nil
}

// giving gives results of one day to owners.
type giving struct {
	archive *archive.Archive
	mode    *game.Mode
	date    game.Date
	source  string // of the Redis that the days were claimed in
	again   bool   // a complete day is closed once more
	claim   bool   // the claim itself gives: a run that is writing the day will do it in the end
	from    time.Time
}

// giveTries is how often a result is merged, if a run writes the owner's meanwhile each time.
const giveTries = 5

// give merges a device's result with its owner's, as the claim has merged their entries.
func (g giving) give(ctx context.Context, device, owner string) error {
	for range giveTries {
		both, err := g.archive.Results.OfPlayers(ctx, g.mode.Name, g.date, []string{device, owner})
		if err != nil {
			return err
		}
		of := slices.IndexFunc(both, func(r game.Result) bool { return r.Player == device })
		if of < 0 {
			return nil
		}
		to := archive.GivenResult{Device: both[of], Source: g.source, Again: g.again, Claim: g.claim, From: g.from}
		if len(both) > 1 {
			to.Owner = &both[1-of]
		}
		to.Merged = mergeResults(g.mode, to.Device, owner, to.Owner)
		if given, err := g.archive.Results.Give(ctx, g.mode.Name, g.date, to); err != nil || given {
			return err
		}
	}
	return nil // the day is of another Redis or being written, or the owner may have nothing
}

// mergeResults merges a device's result of a day with its owner's; nil: there is none.
func mergeResults(m *game.Mode, device game.Result, player string, own *game.Result) game.Result {
	if own == nil {
		device.Player = player
		return device
	}
	at, taken := lifecycle.MergePlaces(m, redis.Place{Stored: device.Stored, Found: true}, redis.Place{Stored: own.Stored, Found: true})
	all := game.Result{Player: player, Stored: at.Stored, Details: own.Details}
	if taken {
		all.Details = device.Details
	}
	scopes := map[game.Scope]redis.Place{}
	for _, s := range own.Scopes {
		scopes[s.Scope] = redis.Place{Stored: s.Stored, Found: true}
	}
	for _, s := range device.Scopes {
		if s.Scope.Written() {
			scopes[s.Scope], _ = lifecycle.MergePlaces(m, redis.Place{Stored: s.Stored, Found: true}, scopes[s.Scope])
		}
	}
	for scope, place := range scopes {
		if !scope.OwnEntries() {
			place = at
		}
		all.Scopes = append(all.Scopes, game.ScopedResult{Scope: scope, Stored: place.Stored})
	}
	return all
}

// moves is what a run that writes days knows of claims.
type moves struct {
	first  string            // the mark of the newest move before the run wrote anything
	mark   string            // of the newest move that owners is of
	owners map[string]string // by device, of claims that are not finished
	days   []game.DayName    // that the run has written
}

// checkPage makes sure that Redis is still the one that a page of a day was read from. In games
// with devices it gives owners what claims have moved off the day's board, and returns the page
// as it is to be written.
//
// Cost: 1 billed command; if a claim has moved anything 1 for each new mark, and 1 if the page or
// the archive has something of a claimed device; 1 for each level of the mode for each of them that
// has moved.
func (s sink) checkPage(ctx context.Context, of game.DayName, page []game.Result) ([]game.Result, error) {
	if !s.c.Game.Anonymous {
		return page, s.c.Store.Notices.FromSource(ctx, s.source)
	}
	mark, err := s.newestMove(ctx)
	if err != nil {
		return page, err
	}
	if len(s.moves.days) == 0 {
		s.moves.first = mark
	}
	if !slices.Contains(s.moves.days, of) {
		s.moves.days = append(s.moves.days, of)
	}
	return s.giveMoved(ctx, of, page, mark, false)
}

// giveDay gives owners what claims have moved off a day's board.
//
// Cost: 1 billed command in games with devices; more as for checkPage.
func (s sink) giveDay(ctx context.Context, of game.DayName) error {
	if !s.c.Game.Anonymous {
		return nil
	}
	mark, err := s.newestMove(ctx)
	if err == nil {
		_, err = s.giveMoved(ctx, of, nil, mark, true)
	}
	return err
}

// giveWritten gives owners what the run has written of devices whose days were moved meanwhile.
//
// Cost: 1 billed command in games with devices, if the run has written anything; more as for
// checkPage.
func (s sink) giveWritten(ctx context.Context) error {
	if len(s.moves.days) == 0 {
		return nil
	}
	mark, err := s.newestMove(ctx)
	if err != nil || mark == s.moves.first {
		return err
	}
	for _, of := range s.moves.days {
		if _, err := s.giveMoved(ctx, of, nil, mark, true); err != nil {
			return err
		}
	}
	return nil
}

// newestMove is [control.Notices.FromSource], and returns the mark of the newest claim that has
// moved a day; "": none has. 1 billed command.
func (s sink) newestMove(ctx context.Context) (mark string, err error) {
	reply, err := s.c.Store.DB.Redis.Do(ctx, upstash.Cmd("HMGET", game.ClosedKey, game.SourceField, game.MovedField))
	if err != nil {
		return "", redis.Wrap("ask for the name of Redis", err)
	}
	fields, err := redis.Texts(reply, 2, "the name of Redis and a mark")
	if err != nil {
		return "", redis.Wrap("ask for the name of Redis", err)
	}
	if fields[0] != s.source {
		return "", control.ErrLost
	}
	return fields[1], nil
}

// giveMoved gives owners what claims have moved off a day's board, and returns the page as it is
// to be written. mark is of the newest move of any day; again has a complete day closed once more.
func (s sink) giveMoved(ctx context.Context, of game.DayName, page []game.Result, mark string, again bool) ([]game.Result, error) {
	if mark == "" {
		return page, nil
	}
	if err := s.learnOwners(ctx, mark); err != nil || len(s.moves.owners) == 0 {
		return page, err
	}
	rows, err := s.c.Archive.Results.OfPlayers(ctx, of.Mode, of.Date, slices.Collect(maps.Keys(s.moves.owners)))
	if err != nil {
		return page, err
	}
	m, _ := s.c.Game.Mode(of.Mode)
	g := giving{archive: s.c.Archive, mode: m, date: of.Date, source: s.source, again: again, from: s.c.Now()}
	archived := map[string]bool{} // devices; of the others the page has something
	for _, r := range page {
		if s.moves.owners[r.Player] != "" {
			archived[r.Player] = false
		}
	}
	for _, r := range rows {
		archived[r.Player] = true
	}
	moved, err := s.moved(ctx, of, slices.Collect(maps.Keys(archived)))
	for _, pair := range moved {
		if archived[pair.device] {
			if err := g.give(ctx, pair.device, pair.owner); err != nil {
				return page, err
			}
		}
		if page, err = g.renew(ctx, page, pair); err != nil {
			return page, err
		}
	}
	return page, err
}

// movedDevice is a device whose entry of a day a claim has moved to its owner.
type movedDevice struct {
	device, owner string
	entry         float64             // the owner's
	levels        []game.ScopedResult // those of the owner on boards of levels
}

// moved returns the devices whose entries of a day have moved. A device that still has its own is
// not moved yet, and an owner without one was taken out since.
func (s sink) moved(ctx context.Context, of game.DayName, devices []string) (moved []movedDevice, err error) {
	if len(devices) == 0 {
		return nil, nil
	}
	both := make([]redis.Member, 0, 2*len(devices))
	for _, device := range devices {
		both = append(both, redis.Member{Player: device}, redis.Member{Player: s.moves.owners[device]})
	}
	stand := make([]redis.Place, len(both))
	if err := s.c.Store.DB.Ask(ctx, redis.ScoresOf(game.DayBoardKey(of.Mode, of.Date), both), redis.PlacesInto(stand)); err != nil {
		return nil, redis.Wrap("look for claimed devices", err)
	}
	for i, device := range devices {
		if owner := stand[2*i+1]; !stand[2*i].Found && owner.Found {
			levels, err := s.levels(ctx, of, s.moves.owners[device])
			if err != nil {
				return nil, err
			}
			moved = append(moved, movedDevice{device, s.moves.owners[device], owner.Stored, levels})
		}
	}
	return moved, nil
}

// levels reads a player's entries on the boards of a day's levels.
//
// Cost: 1 billed command for each level of the mode.
func (s sink) levels(ctx context.Context, of game.DayName, player string) ([]game.ScopedResult, error) {
	m, _ := s.c.Game.Mode(of.Mode)
	if m.Levels == 0 {
		return nil, nil
	}
	var found []game.ScopedResult
	var p redis.Pipeline
	for level := range m.Levels {
		scope, err := game.LevelScope(level + 1)
		if err != nil {
			return nil, err
		}
		p.Add(upstash.Cmd("ZSCORE", game.BoardKey(m.Name, game.Day.Of(of.Date), scope), player), func(r upstash.Reply) error {
			var at redis.Place
			err := redis.ScoreInto(&at)(r)
			if at.Found {
				found = append(found, game.ScopedResult{Scope: scope, Stored: at.Stored})
			}
			return err
		})
	}
	if _, err := p.Run(ctx, s.c.Store.DB.Redis); err != nil {
		return nil, redis.Wrap("read the levels of a claimed device's owner", err)
	}
	return found, nil
}

// renew corrects a page that was read, at least in part, before a device's day was moved: the
// owner gets the current entry of the board, the device none.
func (g giving) renew(ctx context.Context, page []game.Result, moved movedDevice) ([]game.Result, error) {
	device, owner, current := moved.device, moved.owner, moved.entry
	read := slices.IndexFunc(page, func(r game.Result) bool { return r.Player == device })
	at := slices.IndexFunc(page, func(r game.Result) bool { return r.Player == owner })
	var own *game.Result
	if at >= 0 {
		own = &page[at]
	}
	switch {
	case read < 0 && own == nil:
		return page, nil
	case own == nil:
		kept, err := g.archive.Results.OfPlayers(ctx, g.mode.Name, g.date, []string{owner})
		if err != nil {
			return page, err
		}
		if len(kept) > 0 {
			own = &kept[0]
		}
	}
	var both game.Result
	if read >= 0 {
		both = mergeResults(g.mode, page[read], owner, own)
	} else {
		both = *own
	}
	both.Stored, both.Scopes = current, slices.Clone(both.Scopes)
	for i, s := range both.Scopes {
		if !s.Scope.OwnEntries() {
			both.Scopes[i].Stored = current
		}
	}
	for _, level := range moved.levels { // the page may have them as they were before
		if i := slices.IndexFunc(both.Scopes, func(s game.ScopedResult) bool { return s.Scope == level.Scope }); i >= 0 {
			both.Scopes[i].Stored = level.Stored
		} else {
			both.Scopes = append(both.Scopes, level)
		}
	}
	page = slices.DeleteFunc(slices.Clone(page), func(r game.Result) bool { return r.Player == device || r.Player == owner })
	return append(page, both), nil
}

// learnOwners reads which claims are not finished, if something has moved since.
func (s sink) learnOwners(ctx context.Context, mark string) error {
	if s.moves.mark == mark {
		return nil
	}
	notes, err := lifecycle.ClaimNotes(ctx, s.c.Store.DB)
	if err != nil {
		return err
	}
	s.moves.mark, s.moves.owners = mark, map[string]string{}
	for device, n := range notes {
		if n.Player != "" {
			s.moves.owners[device] = n.Player
		}
	}
	return nil
}
