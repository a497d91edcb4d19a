package closing

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/daily"
	"github.com/framedle/leaderboards/internal/game"
)

// wallets takes the earnings of days into totals and into the archive, and spends into the
// archive.
type wallets struct{ *Closing }

// close takes in days that have just closed, in their order. A day that the archive has
// refused, as one of a lost Redis, is left to the next run; until then the days after it are
// treated as open.
func (w wallets) close(ctx context.Context, days []daily.ClosedDay, refused map[string]bool) error {
	if !w.Store.Wallets.On() {
		return nil
	}
	if w.Archive == nil { // the totals already contain the spends
		if err := w.drain(ctx); err != nil {
			return err
		}
	}
	var through game.Date
	whole := true
	for _, day := range days {
		if refused[day.Date] {
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
	return w.Store.Wallets.Books().Through(ctx, through)
}

func (w wallets) closeDay(ctx context.Context, d game.Date) error {
	var into sink
	if w.Archive != nil {
		var err error
		if into, err = w.sink(ctx); err != nil {
			return err
		}
	}
	from := w.Now()
	taken, err := w.Store.Wallets.Books().Close(ctx, d)
	if err != nil || taken == nil || w.Archive == nil {
		return err
	}
	if err := w.plays(ctx, d, from); err != nil {
		return err
	}
	// If Redis was lost meanwhile, what was read says that hardly anybody has earned anything.
	if err := w.Store.Notices.FromSource(ctx, into.source); err != nil {
		return err
	}
	for currency, amounts := range taken {
		if err := w.Archive.Wallets.PutEarned(ctx, d, currency, amounts, from); err != nil {
			return err
		}
	}
	return nil
}

// plays archives the accepted plays of a day, of modes whose plays are counted.
func (w wallets) plays(ctx context.Context, d game.Date, from time.Time) error {
	for _, m := range w.Game.Modes {
		if !w.Game.Currencies.Counts(m) {
			continue
		}
		plays, err := w.Store.Wallets.Books().Plays(ctx, m, d)
		if err == nil {
			err = w.Archive.Wallets.PutPlays(ctx, d, m.Name, plays, from)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// save archives spends, and the accepted plays of days that are not closed.
//
// Cost: 1 billed command, 2 for every 1,000 spends, and 1 for each open day and mode
// whose plays are counted.
func (w wallets) save(ctx context.Context) error {
	if !w.Store.Wallets.On() {
		return nil
	}
	err := w.drain(ctx)
	for _, d := range w.Game.OpenDates(w.Now()) {
		err = errors.Join(err, w.plays(ctx, d, w.Now()))
	}
	return err
}

// drain takes spends to the archive, if there is one, and deletes them from Redis.
func (w wallets) drain(ctx context.Context) error {
	for !outOfTime(ctx) {
		all, entries, err := w.Store.Wallets.Books().Spends(ctx)
		if err != nil || len(entries) == 0 {
			return err
		}
		if w.Archive != nil {
			if err := w.Archive.Wallets.PutSpends(ctx, all); err != nil {
				return err
			}
		}
		if err := w.Store.Wallets.Books().Drop(ctx, entries); err != nil {
			return err
		}
	}
	return nil
}

// restore puts wallets back, after the boards: first plays, then the earnings of days that may
// close once more, then totals, then spends.
func (w wallets) restore(ctx context.Context) error {
	store := w.Store.Wallets.Books()
	if !store.On() {
		return nil
	}
	plays := map[archive.Played][]string{} // by mode and day
	err := w.Archive.Wallets.PlaysSince(ctx, store.Oldest(), func(page []archive.Played) error {
		for _, p := range page {
			of := archive.Played{Day: p.Day, Mode: p.Mode}
			plays[of] = append(plays[of], p.Play)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for of, accepted := range plays {
		m, ok := w.Game.Mode(of.Mode)
		if !ok || !w.Game.Currencies.Counts(m) || !w.Store.DB.Alive(of.Day) {
			continue
		}
		if err := store.RestorePlays(ctx, of.Mode, of.Day, accepted); err != nil {
			return err
		}
	}
	if err := w.restoreEarned(ctx); err != nil {
		return err
	}
	// Under the lock of saving, which takes spends to the archive: what is added up here must
	// be all that the archive has.
	ran, err := w.Store.DB.WithLock(ctx, "save", func(ctx context.Context) error {
		spent, err := sums(func(each func([]archive.Earned) error) error { return w.Archive.Wallets.Spent(ctx, each) })
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

func (w wallets) restoreEarned(ctx context.Context) error {
	store := w.Store.Wallets.Books()
	days, err := sums(func(each func([]archive.Earned) error) error {
		return w.Archive.Wallets.EarnedSince(ctx, store.Oldest(), each)
	})
	if err != nil {
		return err
	}
	for of, amounts := range days {
		if err := store.RestoreDay(ctx, of.Currency, of.Day, amounts); err != nil {
			return err
		}
	}
	before, err := sums(func(each func([]archive.Earned) error) error {
		return w.Archive.Wallets.EarnedBefore(ctx, store.Oldest(), each)
	})
	if err != nil {
		return err
	}
	for of, amounts := range before {
		if err := store.RestoreTotals(ctx, of.Currency, amounts); err != nil {
			return err
		}
	}
	return nil
}

// sums reads amounts by player, of each currency and day.
func sums(read func(each func([]archive.Earned) error) error) (map[archive.Earned]map[string]int64, error) {
	all := map[archive.Earned]map[string]int64{}
	err := read(func(page []archive.Earned) error {
		for _, e := range page {
			of := archive.Earned{Day: e.Day, Currency: e.Currency}
			if all[of] == nil {
				all[of] = map[string]int64{}
			}
			all[of][e.Player] += e.Amount
		}
		return nil
	})
	return all, err
}
