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

// exact is by how much a rating may differ from the history's. If the history has every duel
// they are equal; if it lacks some, as after a loss, the last bits of a sum may differ.
const exact = 1e-9

// Verify compares the ratings and the XP of duels with the history. It skips players who have
// decided duels that are not handed over yet. It calls differ for each difference, with "-"
// for a side without an entry.
//
// Errors: ErrNoHistory.
//
// Cost: 1 billed command for each duel on the list, and for every 20,000 players 2.
func (k *Keeper) Verify(ctx context.Context, differ func(key, player, redis, history string)) (Verified, error) {
	if k.history == nil {
		return Verified{}, ErrNoHistory
	}
	due, err := k.listDue(ctx)
	if err != nil {
		return Verified{}, err
	}
	_, pending, err := k.underWay(ctx, due)
	if err != nil {
		return Verified{}, err
	}
	v := &verify{differ: differ}
	actual := map[string]map[string]float64{game.DuelKey: nil, game.DuelXPKey: nil}
	for key := range actual {
		if actual[key], err = k.all(ctx, key); err != nil {
			return Verified{}, err
		}
	}
	reckoning := k.reckoning()
	xp := func(stored float64) game.Rating { return game.Rating{Points: stored} }
	err = k.standings(ctx, due, func(page []Standing) error {
		for _, p := range page {
			v.compare(game.DuelKey, p.Player, actual, reckoning.entry, reckoning.archivedRating(p), pending[p.Player])
			if p.XP > 0 {
				v.compare(game.DuelXPKey, p.Player, actual, xp, xp(float64(p.XP)), false)
			}
		}
		return nil
	})
	for key, rest := range actual {
		for player, stored := range rest {
			if !pending[player] {
				v.differs(key, player, game.FormatStored(stored), "-")
			}
		}
	}
	return v.report, err
}

type verify struct {
	differ func(key, player, redis, history string)
	report Verified
}

// compare compares the history's rating of a player with the entry in actual, and removes
// that entry.
func (v *verify) compare(key, player string, actual map[string]map[string]float64, is func(stored float64) game.Rating, should game.Rating, passOver bool) {
	v.report.Entries++
	stood, there := actual[key][player]
	delete(actual[key], player)
	switch {
	case passOver || there && same(is(stood), should):
	case there:
		v.differs(key, player, game.FormatStored(is(stood).Stored()), game.FormatStored(should.Stored()))
	default:
		v.differs(key, player, "-", game.FormatStored(should.Stored()))
	}
}

func (v *verify) differs(key, player, redis, history string) {
	v.report.Differences++
	v.differ(key, player, redis, history)
}

// Lacks says of how many players the history lacks duels that Redis counts. A restore would
// set these players back to the history. Empty: of none. It skips decided duels that are not
// handed over yet, because a restore hands them over first.
//
// Errors: ErrNoHistory.
//
// Cost: 1 billed command for each duel on the list, and for every 20,000 players 2.
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
