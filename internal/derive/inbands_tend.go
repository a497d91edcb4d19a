package derive

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/upstash"
)

// BandsTended reports what a run has done for a mode's board.
type BandsTended struct {
	Board string   `json:"board"`
	Did   []string `json:"did,omitempty"`
	Drift int64    `json:"drift,omitempty"` // entries that are in a band, but not in their player's home
	More  bool     `json:"more,omitempty"`  // a change is under way
}

// TendBands gives large boards bands, carries days to them, splits bands that have become too
// large, and settles what interrupted writes have left, for as long as patience. The next run
// does the rest.
func (k *Banded) TendBands(ctx context.Context, patience time.Duration) (all []BandsTended, err error) {
	ru := k.ru
	ends := ru.db.Elapsed() + patience
	for _, m := range ru.db.Game.Modes {
		in := k.mayBeIn(game.BoardOf(m, game.AllTime.Of(game.Date{}), game.Scope{}))
		if in == nil {
			continue
		}
		did, err := in.tend(ctx, func() time.Duration { return ends - ru.db.Elapsed() })
		if err != nil {
			return all, fmt.Errorf("tend %s: %w", in.of.Key, err)
		}
		all = append(all, did)
	}
	return all, nil
}

func (in *InBands) tend(ctx context.Context, left func() time.Duration) (BandsTended, error) {
	report := BandsTended{Board: in.of.Key}
	rule := in.of.Mode.Bands
	keeper := bands.NewKeeper(in.Bands, bands.Rules{Adopt: rule.From, Split: rule.Most, Homes: homes})
	kept, err := in.Bands.HasBands(ctx, in.Board)
	if err != nil {
		return report, err
	}
	if !kept { // the bands begin with what all days add up to now
		days, _, err := in.ru.Calendar.Indexes(ctx, in.of.Mode)
		if err != nil {
			return report, err
		}
		if whole, err := (ofDays{ru: in.ru, board: in.of}).derive(ctx, *days); err != nil || !whole {
			return report, err
		}
	} else if err := in.carryDays(ctx); err != nil {
		return report, err
	}
	for {
		did, err := keeper.Tend(ctx, in.Board)
		if err != nil {
			return report, err
		}
		if did.Did != "" && did.Wait <= 0 {
			report.Did = append(report.Did, did.Did)
		}
		report.More = did.More
		if !did.More && did.Did == "" {
			break
		}
		if did.Wait > left() || left() <= 0 {
			return report, nil
		}
		if err := wait.Sleep(ctx, did.Wait); err != nil {
			return report, err
		}
	}
	if kept, err = in.Bands.HasBands(ctx, in.Board); err != nil || !kept {
		return report, err
	}
	// What was rolled up before the board got bands is in the bands by now.
	if _, err := in.ru.db.Redis.Do(ctx, upstash.Cmd("DEL", game.RolledUpKey(in.of.Key)).Idempotent()); err != nil {
		return report, err
	}
	return report, in.sweep(ctx, &report, left)
}

// sweep settles players whom interrupted writes have left in a wrong band, if there are any.
func (in *InBands) sweep(ctx context.Context, report *BandsTended, left func() time.Duration) (err error) {
	if report.Drift, err = in.Drift(ctx, in.Board); err != nil || report.Drift == 0 {
		return err
	}
	var at bands.Swept
	for !at.Done && left() > 0 {
		if at, err = in.Sweep(ctx, in.Board, at, 1); err != nil {
			return err
		}
	}
	report.Did = append(report.Did, fmt.Sprintf("settled %d players", at.Found))
	return nil
}
