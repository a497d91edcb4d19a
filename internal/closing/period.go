package closing

import (
	"context"
	"errors"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// snapshotSize is how many entries a snapshot keeps.
const snapshotSize = 100

// Period tells what closing a week, month or season did.
type Period struct {
	Period    string   `json:"period"`
	Refreshed []string `json:"refreshed"` // boards made from their days, by key
	Rebuilt   []string `json:"rebuilt"`   // boards made from the archive, their days being gone
	Partial   []string `json:"partial"`   // boards left as they were, neither having all days
	Snapshots int      `json:"snapshots"`
}

// Period completes every board of a closed week, month or season, and keeps the tops
// of them with the achievements they are worth.
func (c *Closing) Period(ctx context.Context, p game.Period) (Period, error) { return c.period(ctx, p) }

func (c *Closing) period(ctx context.Context, p game.Period) (Period, error) {
	report := Period{Period: p.Key(), Refreshed: []string{}, Rebuilt: []string{}, Partial: []string{}}
	if c.Archive != nil && !c.lives(p) {
		return report, c.archivedPeriod(ctx, p, &report)
	}
	did, err := c.Store.Rollup.RefreshPeriod(ctx, p)
	if err != nil {
		return report, err
	}
	whole := did.Refreshed
	behind := map[*game.Mode]bool{} // whose groups' boards were not there when groups were ranked
	for _, b := range did.Refreshed {
		report.Refreshed = append(report.Refreshed, b.Key)
	}
	for _, b := range did.Partial {
		rebuilt := false
		if c.Archive != nil {
			if rebuilt, err = c.rebuild(ctx, b); err != nil {
				return report, err
			}
		}
		if !rebuilt {
			report.Partial = append(report.Partial, b.Key)
			continue
		}
		report.Rebuilt = append(report.Rebuilt, b.Key)
		whole = append(whole, b)
		behind[b.Mode] = behind[b.Mode] || b.Scope.Kind() == game.Group
	}
	for _, m := range c.Game.Modes {
		if !behind[m] || !m.HasScope(game.Teams) {
			continue
		}
		if _, err := c.rebuild(ctx, game.BoardOf(m, p, game.TeamsScope())); err != nil {
			return report, err
		}
	}
	if c.Archive != nil {
		for some := range slices.Chunk(whole, boardsAtOnce) {
			taken, err := c.snapshots(ctx, some)
			if err != nil {
				return report, err
			}
			report.Snapshots += taken
		}
		taken, err := c.byCountry(ctx, whole)
		if err != nil {
			return report, err
		}
		report.Snapshots += taken
	}
	return report, nil
}

// byCountry keeps the tops that boards of all players have for each country.
func (c *Closing) byCountry(ctx context.Context, boards []game.Board) (taken int, err error) {
	boards = slices.DeleteFunc(slices.Clone(boards), func(b game.Board) bool {
		return b.Scope != (game.Scope{}) || !b.Mode.HasScope(game.Country)
	})
	if len(boards) == 0 {
		return 0, nil
	}
	countries, err := c.Store.Players.Countries(ctx)
	if err != nil {
		return 0, err
	}
	at := c.Now()
	for _, b := range boards {
		pages, err := c.Store.Boards.TopsByCountry(ctx, b, countries, snapshotSize)
		if err != nil {
			return taken, err
		}
		for _, page := range pages {
			if err := c.keep(ctx, page.Board, archive.SnapshotOf(page, at)); err != nil {
				return taken, err
			}
			taken++
		}
	}
	return taken, nil
}

// boardsAtOnce is how many boards' tops are read in one request.
const boardsAtOnce = 100

// rebuild makes a board of a closed period from the archive, if that has all
// of its days.
func (c *Closing) rebuild(ctx context.Context, b game.Board) (bool, error) {
	whole, err := c.archived(ctx, b)
	if err != nil || !whole {
		return false, err
	}
	all, err := c.totals(ctx, through(b, b.Period.Last()))
	if err != nil {
		return false, err
	}
	return true, c.Store.Rollup.Replace(ctx, b, all)
}

// archived reports whether the archive has all days of a board that Redis has
// known of.
func (c *Closing) archived(ctx context.Context, b game.Board) (bool, error) {
	days, err := c.Archive.Days.Between(ctx, b.Mode.Name, b.Period.First(), b.Period.Last())
	if err != nil {
		return false, err
	}
	complete := map[game.Date]bool{}
	for _, d := range days {
		complete[d.Date] = d.Complete
	}
	// Of a season's scope the newest days alone would be listed, and groups are ranked
	// by all of theirs.
	if b.Period.Kind() == game.Season || b.Scope.Kind() == game.Teams {
		b = game.BoardOf(b.Mode, b.Period, game.Scope{})
	}
	known, err := c.Store.Rollup.Calendar.Days(ctx, b)
	if err != nil {
		return false, err
	}
	for _, d := range known {
		if !complete[d] {
			return false, nil
		}
	}
	return true, nil
}

// snapshots keeps the tops of boards that are complete, and their achievements.
func (c *Closing) snapshots(ctx context.Context, boards []game.Board) (taken int, err error) {
	if len(boards) == 0 {
		return 0, nil
	}
	at := c.Now()
	pages, err := c.Store.Boards.Top(ctx, boards, snapshotSize)
	if err != nil {
		return 0, err
	}
	for _, page := range pages {
		if len(page.Entries) == 0 {
			// Everybody has been taken out. A board that nobody was ever on has
			// no snapshot.
			taken, err := c.Archive.Snapshots.Of(ctx, page.Board)
			if err != nil {
				return 0, err
			}
			if taken == nil {
				continue
			}
		}
		if err := c.keep(ctx, page.Board, archive.SnapshotOf(page, at)); err != nil {
			return taken, err
		}
		taken++
	}
	return taken, nil
}

// staleAtOnce bounds how many snapshots one run takes anew.
const staleAtOnce = 1000

// renew takes snapshots anew that have lost a result, from what is left in the
// archive.
func (c *Closing) renew(ctx context.Context) error {
	keys, err := c.Archive.Snapshots.Stale(ctx, staleAtOnce)
	if err != nil {
		return err
	}
	for _, key := range keys {
		name, p, scope, err := c.Game.ParseBoardKey(key)
		if errors.Is(err, game.ErrNoSeason) {
			continue // the game has it no more
		}
		if err != nil {
			return err
		}
		m, ok := c.Game.Mode(name)
		if !ok || scope.Kind() == game.Teams && !m.HasScope(game.Teams) {
			continue // the same
		}
		b := game.BoardOf(m, p, scope)
		if err := c.archivedTop(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// keep keeps a snapshot, with the ranks of the period before, and what its
// entries have achieved.
func (c *Closing) keep(ctx context.Context, b game.Board, s archive.Snapshot) error {
	before, err := c.ranksBefore(ctx, b)
	if err != nil {
		return err
	}
	var awards []archive.Award
	for i, e := range s.Entries {
		s.Entries[i].PreviousRank = before[e.Player]
		if b.Scope.Kind() == game.Teams {
			continue // badges are players'
		}
		if kind := achieved(e.Rank); b.Scope == (game.Scope{}) || kind == archive.Champion || kind == archive.Podium {
			awards = append(awards, archive.Award{Player: e.Player, Kind: kind, Rank: e.Rank})
		}
	}
	return errors.Join(c.Archive.Snapshots.Put(ctx, b, s), c.Archive.Achievements.Put(ctx, b, awards, s.TakenAt))
}

// ranksBefore are the ranks of a board's snapshot of the period before.
func (c *Closing) ranksBefore(ctx context.Context, b game.Board) (map[string]int64, error) {
	previous, ok := b.Period.Previous()
	if !ok {
		return nil, nil
	}
	s, err := c.Archive.Snapshots.Of(ctx, game.BoardOf(b.Mode, previous, b.Scope))
	if err != nil || s == nil {
		return nil, err
	}
	ranks := make(map[string]int64, len(s.Entries))
	for _, e := range s.Entries {
		ranks[e.Player] = e.Rank
	}
	return ranks, nil
}

// achieved is what a rank within a snapshot is worth.
func achieved(rank int64) archive.Kind {
	switch {
	case rank == 1:
		return archive.Champion
	case rank <= 3:
		return archive.Podium
	case rank <= 10:
		return archive.Top10
	}
	return archive.Top100
}
