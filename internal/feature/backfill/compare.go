package backfill

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Difference is a day that exists here, but with other entries than in the files.
type Difference struct {
	Mode   string
	Date   game.Date
	Living bool  // its board can still be in Redis
	Equal  int64 // players
	Other  int64 // players with different entries
	Files  int64 // players who are only in the files
	Here   int64 // players who are only in the product
}

func (d Difference) String() string {
	where := "the archive"
	if d.Living {
		where = "Redis"
	}
	return fmt.Sprintf("%s %s: %d players equal in %s, %d different, %d only in the files, %d only in %s",
		d.Mode, d.Date, d.Equal, where, d.Other, d.Files, d.Here, where)
}

// DifferError is returned if days exist here with other entries than in the files.
type DifferError struct{ Days []Difference }

// shownDays is how many days an error names.
const shownDays = 20

func (e *DifferError) Error() string {
	text := fmt.Sprintf("days that exist with different results: %d; nothing was changed", len(e.Days))
	living := false
	for i, d := range e.Days {
		living = living || d.Living
		if i < shownDays {
			text += "\n  " + d.String()
		}
	}
	if more := len(e.Days) - shownDays; more > 0 {
		text += fmt.Sprintf("\n  and %d more", more)
	}
	text += "\n--merge merges the files' entries with those of the archive, by each mode's policy"
	if living {
		text += "\nDays whose boards are in Redis are not merged: load their scores with lbctl import, or wait until the boards have expired"
	}
	return text
}

// readKnown sorts the days of the files into those that are here already with the same entries,
// those for the archive, and those for Redis.
func (r *run) readKnown(ctx context.Context, done map[lifecycle.ModeDay]bool) error {
	archived := map[lifecycle.ModeDay]bool{}
	for _, m := range r.Game.Modes {
		list, err := r.Closing.Archive.Days.Between(ctx, m.Name, epoch, r.Game.Today(r.Closing.Now()))
		if err != nil {
			return err
		}
		for _, d := range list {
			archived[lifecycle.ModeDay{Mode: m, Date: d.Date}] = true
		}
	}
	var differ []Difference
	for n, d := range r.days.list {
		r.report(Progress{Phase: Comparing, Share: float64(n) / float64(len(r.days.list)), Count: int64(n)})
		_, begun := done[d.ModeDay]
		living := r.Closing.Store.DB.Alive(d.Date)
		switch {
		case begun && !living:
			r.fresh = append(r.fresh, d)
			continue
		case living:
			there, err := r.Closing.Store.DB.Exists(ctx, game.DayBoardKey(d.Mode.Name, d.Date))
			if err != nil {
				return err
			}
			if !there && archived[d.ModeDay] {
				return fmt.Errorf("the archive has %s of %s and Redis, which should have it, does not: run lbctl restore first", d.Date, d.Mode.Name)
			}
			if !there {
				r.living = append(r.living, d)
				continue
			}
		case !archived[d.ModeDay]:
			r.fresh = append(r.fresh, d)
			continue
		}
		difference, err := r.compare(ctx, d, living)
		if err != nil {
			return err
		}
		switch {
		case difference.Other+difference.Files+difference.Here == 0:
			r.same = append(r.same, d)
		case r.Merge && !living:
			r.fresh = append(r.fresh, d)
		default:
			differ = append(differ, difference)
		}
	}
	if len(differ) > 0 {
		return &DifferError{differ}
	}
	return nil
}

// compare compares a day of the files with the same day here, without players who may not play
// or have been erased since: the import leaves them out.
func (r *run) compare(ctx context.Context, d *day, living bool) (Difference, error) {
	found := Difference{Mode: d.Mode.Name, Date: d.Date, Living: living}
	seed := maphash.MakeSeed()
	entries := make(map[uint64]uint64, d.entries) // player's digest -> digest of the entry
	digest := func(result game.Result) (player, current uint64) {
		return maphash.String(seed, result.Player), maphash.String(seed, textOf(result))
	}
	err := r.pages(d, func(page []*standing) error {
		erased, err := r.erased(ctx, page)
		if err != nil {
			return err
		}
		for _, s := range page {
			result, err := s.result(d.Mode)
			if err != nil {
				return err
			}
			if player, current := digest(result); !slices.Contains(erased, s.player) {
				entries[player] = current
			}
		}
		return nil
	})
	if err != nil {
		return found, err
	}
	take := func(result game.Result) error {
		banned, err := r.Closing.Store.Notices.IsBanned(ctx, result.Player)
		if err != nil || banned {
			return err
		}
		player, current := digest(result)
		has, ok := entries[player]
		switch {
		case !ok:
			found.Here++
		case has == current:
			found.Equal++
		default:
			found.Other++
		}
		delete(entries, player)
		return nil
	}
	takeAll := func(page []game.Result) error {
		for _, result := range page {
			if err := take(result); err != nil {
				return err
			}
		}
		return nil
	}
	if living {
		err = r.Closing.Store.Restore.ReadDay(ctx, d.Mode, d.Date, takeAll)
	} else {
		err = r.Closing.Archive.Results.OfDay(ctx, d.Mode.Name, d.Date, takeAll)
	}
	found.Files = int64(len(entries))
	return found, err
}

// textOf returns the same text for equal entries. It leaves out the country: that belongs to
// the player and may have changed.
func textOf(r game.Result) string {
	var groups []string
	for _, scoped := range r.Scopes {
		if scoped.Scope.Kind() == game.Group {
			groups = append(groups, scoped.Scope.ID())
		}
	}
	slices.Sort(groups)
	return game.FormatStored(r.Stored) + " " + strings.Join(groups, " ") + " " + string(r.Details)
}
