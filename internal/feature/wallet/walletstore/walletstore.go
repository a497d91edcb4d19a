// Package walletstore keeps in the archive what players earn and spend, and puts it back.
package walletstore

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/redis"
)

// Store takes the earnings of days into totals and into the archive, and spends into the archive.
type Store struct {
	Game    *game.Game
	DB      *redis.DB
	Control *control.Notices
	Books   wallet.Books
	Archive *archive.Archive // nil: none
	Now     func() time.Time
}

func (w *Store) Name() string { return "wallets" }

// CloseDays takes in days that have just closed. A day that the archive has refused is left to the
// next run; until then the days after it are treated as open.
func (w *Store) CloseDays(ctx context.Context, n lifecycle.Night) error {
	if !w.Books.Enabled() {
		return nil
	}
	if w.Archive == nil { // the totals already contain the spends
		if err := w.drain(ctx); err != nil {
			return err
		}
	}
	var through game.Date
	whole := true
	for _, day := range n.Closed {
		if n.Refused[day.Date] {
			whole = false
			continue
		}
		if err := w.closeDay(ctx, day.Day()); err != nil {
			return err
		}
		if whole {
			through = day.Day()
		}
	}
	if through.IsZero() {
		return nil
	}
	return w.Books.Through(ctx, through)
}

func (w *Store) closeDay(ctx context.Context, d game.Date) error {
	var source string // the Redis that is read
	if w.Archive != nil {
		var err error
		if source, err = w.Control.Source(ctx); err != nil {
			return err
		}
	}
	from := w.Now()
	taken, err := w.Books.Close(ctx, d)
	if err != nil || taken == nil || w.Archive == nil {
		return err
	}
	if err := w.plays(ctx, d, from); err != nil {
		return err
	}
	// If Redis was lost meanwhile, what was read says that hardly anybody has earned anything.
	if err := w.Control.FromSource(ctx, source); err != nil {
		return err
	}
	for currency, amounts := range taken {
		if err := In(w.Archive).PutEarned(ctx, d, currency, amounts, from); err != nil {
			return err
		}
	}
	return nil
}

// plays archives the accepted plays of a day, of modes whose plays are counted.
func (w *Store) plays(ctx context.Context, d game.Date, from time.Time) error {
	for _, m := range w.Game.Modes {
		if !m.CountsPlays() {
			continue
		}
		plays, err := w.Books.Plays(ctx, m, d)
		if err != nil {
			return err
		}
		added, err := In(w.Archive).PutPlays(ctx, d, m.Name, plays, from)
		if err == nil && added > 0 {
			err = w.dropRemoved(ctx, m, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dropRemoved deletes plays from the archive whose scores were removed while they were being
// archived. Scores that are removed after this are removed from the archive after it, too.
//
// Cost: 1 billed command, and 1 for each player with a removed score.
func (w *Store) dropRemoved(ctx context.Context, m *game.Mode, d game.Date) error {
	removed, err := w.removed(ctx, m, d)
	if err != nil {
		return err
	}
	for player := range removed {
		left, err := w.Books.PlaysOf(ctx, m, d, player)
		if err == nil {
			err = In(w.Archive).KeepPlays(ctx, d, m.Name, player, left)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// removed are the players whose scores of a mode's day were removed a short time ago. 1 billed
// command.
func (w *Store) removed(ctx context.Context, m *game.Mode, d game.Date) (map[string]bool, error) {
	var taken lifecycle.RecentRemovals
	var p redis.Pipeline
	lifecycle.AskTaken(&p, w.DB, m.Name, d, &taken)
	_, err := p.Run(ctx, w.DB.Redis)
	return taken.Players, redis.Wrap("look for removed scores", err)
}

// Save archives spends, and the accepted plays of days that are not closed.
//
// Cost: 1 billed command, 2 for every 1,000 spends, and 1 for each open day and mode
// whose plays are counted, 2 if any play is new.
func (w *Store) Save(ctx context.Context) error {
	if !w.Books.Enabled() {
		return nil
	}
	err := w.drain(ctx)
	for _, d := range w.Game.OpenDates(w.Now()) {
		err = errors.Join(err, w.plays(ctx, d, w.Now()))
	}
	return err
}

// drain takes spends to the archive, if there is one, and deletes them from Redis.
func (w *Store) drain(ctx context.Context) error {
	for !lifecycle.OutOfTime(ctx) {
		if more, err := w.drainSome(ctx); err != nil || !more {
			return err
		}
	}
	return nil
}

// drainSome drains the oldest spends. more is false if there were none.
func (w *Store) drainSome(ctx context.Context) (more bool, err error) {
	all, entries, err := w.Books.Spends(ctx)
	if err != nil || len(entries) == 0 {
		return false, err
	}
	if w.Archive != nil {
		if err := In(w.Archive).PutSpends(ctx, all); err != nil {
			return false, err
		}
	}
	return true, w.Books.Drop(ctx, entries)
}

// Restore puts wallets back, after the boards: first plays, then the earnings of days that may
// close once more, then totals, then spends.
func (w *Store) Restore(ctx context.Context) error {
	store := w.Books
	if !store.Enabled() {
		return nil
	}
	plays := map[Played][]string{} // by mode and day
	err := In(w.Archive).PlaysSince(ctx, store.Oldest(), func(page []Played) error {
		for _, p := range page {
			of := Played{Day: p.Day, Mode: p.Mode}
			plays[of] = append(plays[of], p.Play)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for of, accepted := range plays {
		m, ok := w.Game.Mode(of.Mode)
		if !ok || !m.CountsPlays() || !w.DB.Alive(of.Day) {
			continue
		}
		if err := w.restorePlays(ctx, m, of.Day, accepted); err != nil {
			return err
		}
	}
	if err := w.restoreEarned(ctx); err != nil {
		return err
	}
	// Under the lock of saving, which takes spends to the archive: what is added up here must
	// be all that the archive has.
	ran, err := w.DB.WithLock(ctx, "save", func(ctx context.Context) error {
		// A save that was killed, or a backup of Redis, leaves spends in the stream that the
		// archive has, and spends of erased players: both would count once more.
		for more := true; more; {
			var err error
			if more, err = w.drainSome(ctx); err != nil {
				return err
			}
		}
		spent, err := sums(func(each func([]EarnedAmount) error) error { return In(w.Archive).EachSpending(ctx, each) })
		if err != nil {
			return err
		}
		for of, amounts := range spent {
			if err := store.RestoreSpent(ctx, of.Currency, amounts); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && !ran {
		err = errors.New("what was spent is being archived; try again in a minute")
	}
	return err
}

// restorePlays puts back plays, but not of players whose scores were removed since the archive
// was read.
//
// Cost: 2 billed commands, and that of Books.RestorePlays.
func (w *Store) restorePlays(ctx context.Context, m *game.Mode, d game.Date, accepted []string) error {
	store := w.Books
	before, err := w.removed(ctx, m, d)
	if err != nil {
		return err
	}
	of := func(play string) string { player, _, _ := strings.Cut(play, " "); return player }
	accepted = slices.DeleteFunc(accepted, func(play string) bool { return before[of(play)] })
	if err := store.RestorePlays(ctx, m.Name, d, accepted); err != nil {
		return err
	}
	removed, err := w.removed(ctx, m, d)
	if err != nil {
		return err
	}
	return store.DropPlays(ctx, m.Name, d, slices.DeleteFunc(accepted, func(play string) bool { return !removed[of(play)] }))
}

func (w *Store) restoreEarned(ctx context.Context) error {
	store := w.Books
	oldest := store.Oldest() // once for all: midnight may pass meanwhile
	days, err := sums(func(each func([]EarnedAmount) error) error {
		return In(w.Archive).EarnedSince(ctx, oldest, each)
	})
	if err != nil {
		return err
	}
	for of, amounts := range days {
		if err := store.RestoreDay(ctx, of.Currency, of.Day, amounts); err != nil {
			return err
		}
	}
	totals, err := sums(func(each func([]EarnedAmount) error) error {
		return In(w.Archive).EarnedBefore(ctx, oldest, each)
	})
	if err != nil {
		return err
	}
	// The totals of all players of these days are set, also of those who earned nothing before:
	// Redis may have lost the total or a day's part alone.
	for of, amounts := range days {
		total := EarnedAmount{Currency: of.Currency}
		if totals[total] == nil {
			totals[total] = map[string]int64{}
		}
		for player := range amounts {
			totals[total][player] += 0
		}
	}
	for of, before := range totals {
		if err := store.RestoreTotals(ctx, of.Currency, oldest, before); err != nil {
			return err
		}
	}
	return nil
}

// sums reads amounts by player, of each currency and day.
func sums(read func(each func([]EarnedAmount) error) error) (map[EarnedAmount]map[string]int64, error) {
	all := map[EarnedAmount]map[string]int64{}
	err := read(func(page []EarnedAmount) error {
		for _, e := range page {
			of := EarnedAmount{Day: e.Day, Currency: e.Currency}
			if all[of] == nil {
				all[of] = map[string]int64{}
			}
			all[of][e.Player] += e.Amount
		}
		return nil
	})
	return all, err
}
