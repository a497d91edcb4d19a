package duel

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
)

// Verified counts what was compared.
type Verified struct {
	Entries     int64
	Differences int64
}

// exact is how far a rating may be off the one of the history: nothing where
// that has every duel, and the last bits of a sum where some are missing in
// between, as after a loss.
const exact = 1e-9

// Verify holds the ratings and the XP of duels against the history. Players of
// duels that are decided and not handed over yet are passed over. Each
// difference is told to differ, with "-" for a side that has none.
//
// Errors: ErrNoHistory.
//
// Cost: 1 billed command for each duel on the list, and for every 20,000
// players 2.
func (k *Keeper) Verify(ctx context.Context, differ func(key, player, redis, history string)) (Verified, error) {
	if k.history == nil {
		return Verified{}, ErrNoHistory
	}
	due, err := k.due(ctx)
	if err != nil {
		return Verified{}, err
	}
	_, pending, err := k.underWay(ctx, due)
	if err != nil {
		return Verified{}, err
	}
	v := &verify{differ: differ}
	stands := map[string]map[string]float64{game.DuelKey: nil, game.DuelXPKey: nil}
	for key := range stands {
		if stands[key], err = k.all(ctx, key); err != nil {
			return Verified{}, err
		}
	}
	reckoning := k.reckoning()
	xp := func(stored float64) game.Rating { return game.Rating{Points: stored} }
	err = k.standings(ctx, due, func(page []Standing) error {
		for _, p := range page {
			v.compare(game.DuelKey, p.Player, stands, reckoning.entry, reckoning.kept(p), pending[p.Player])
			if p.XP > 0 {
				v.compare(game.DuelXPKey, p.Player, stands, xp, xp(float64(p.XP)), false)
			}
		}
		return nil
	})
	for key, rest := range stands {
		for player, stored := range rest {
			if !pending[player] {
				v.tell(key, player, game.FormatStored(stored), "-")
			}
		}
	}
	return v.report, err
}

type verify struct {
	differ func(key, player, redis, history string)
	report Verified
}

// compare takes an entry off what stands, and tells it where it differs.
func (v *verify) compare(key, player string, stands map[string]map[string]float64, is func(stored float64) game.Rating, should game.Rating, passOver bool) {
	v.report.Entries++
	stood, there := stands[key][player]
	delete(stands[key], player)
	switch {
	case passOver || there && same(is(stood), should):
	case there:
		v.tell(key, player, game.FormatStored(is(stood).Stored()), game.FormatStored(should.Stored()))
	default:
		v.tell(key, player, "-", game.FormatStored(should.Stored()))
	}
}

func (v *verify) tell(key, player, redis, history string) {
	v.report.Differences++
	v.differ(key, player, redis, history)
}

// Lacks tells what Redis knows of duels and the history does not: a restore would
// put it back. What is decided and not handed over yet is passed over, since a
// restore hands it over first. Empty: nothing.
//
// Errors: ErrNoHistory.
//
// Cost: 1 billed command for each duel on the list, and for every 20,000 players
// 2.
func (k *Keeper) Lacks(ctx context.Context) (string, error) {
	if k.history == nil {
		return "", ErrNoHistory
	}
	pending, err := k.begunUnderWay(ctx)
	if err != nil {
		return "", err
	}
	ratings, err := k.all(ctx, game.DuelKey)
	if err != nil {
		return "", err
	}
	xp, err := k.all(ctx, game.DuelXPKey)
	if err != nil {
		return "", err
	}
	players := len(ratings)
	err = k.standings(ctx, nil, func(page []Standing) error {
		for _, p := range page {
			if xp[p.Player] <= float64(p.XP) {
				delete(ratings, p.Player)
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	for player := range pending {
		delete(ratings, player)
	}
	if len(ratings) == 0 {
		return "", nil
	}
	return fmt.Sprintf("duels: of %d of %d players with a rating the history lacks some", len(ratings), players), nil
}
