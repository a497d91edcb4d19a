package lifecycle_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// After a claim the resulting entry is in the groups that either play named, on the day and on
// all boards made of it, whichever play counts and whatever breaks. An erasure of the owner
// finds it there.
func TestAClaimedEntryStandsInTheGroupsOfBothPlays(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, groupGame)
		k.impatient()
		groups := []game.Scope{group(t, "red"), group(t, "both"), group(t, "blue")}
		for _, m := range k.game.Modes {
			for _, deviceFirst := range []bool{true, false} {
				for _, deviceScore := range []game.Score{3, 9} {
					for _, broken := range []bool{false, true} {
						t.Run(fmt.Sprint(m.Name, ", the device first: ", deviceFirst, ", its score: ", deviceScore, ", broken: ", broken), func(t *testing.T) {
							k.empty()
							k.clock.Set(noon)
							k.claimGroups(t, m, deviceFirst, deviceScore, groups, broken)
						})
					}
				}
			}
		}
	})
}

func (k *kit) claimGroups(t *testing.T, m *game.Mode, deviceFirst bool, deviceScore game.Score, groups []game.Scope, broken bool) {
	ctx := context.Background()
	p := k.process()
	model := newModel(m)
	submit := func(player string, score game.Score, at time.Time, in ...game.Scope) {
		sub := k.play(m.Name, player, score)
		sub.At, sub.Scopes, sub.Idempotency = at, in, game.IdempotencyRecord{ID: player, Fingerprint: "f"}
		_, err := p.Boards.Submit(ctx, sub)
		require.NoError(t, err)
		model.submit(player, score, at)
	}
	early, late := noon.Add(-time.Hour), noon
	deviceAt, ownAt := late, early
	if deviceFirst {
		deviceAt, ownAt = early, late
	}
	submit("dev", deviceScore, deviceAt, groups[0], groups[1])
	submit("p1", 12-deviceScore, ownAt, groups[1], groups[2])
	for _, scope := range groups { // so that boards exist that the claim must correct
		for _, kind := range []game.PeriodKind{game.Week, game.Month, game.AllTime} {
			wholeBoard(t, p, game.BoardOf(m, kind.Of(k.game.Today(noon)), scope), 9)
		}
	}

	claims := 2 // a repeated claim changes nothing
	if broken {
		k.server.Inject(unreliable())
		defer k.server.Inject(nil)
	}
	for try := 0; claims > 0; try++ {
		require.Less(t, try, 500, "the claim never succeeds")
		if _, err := k.process().Repair.Claim(ctx, "dev", "p1", nil); err == nil {
			claims--
		} else if !broken {
			require.NoError(t, err)
		}
	}
	k.server.Inject(nil)
	model.merge("dev", "p1")

	today := k.game.Today(k.clock.Now())
	for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month, game.AllTime} {
		whole := k.raw(t, game.BoardOf(m, kind.Of(today), game.Scope{}).Key)
		for _, scope := range groups {
			b := game.BoardOf(m, kind.Of(today), scope)
			raw := k.raw(t, b.Key)
			require.Len(t, raw, 1, b.Key)
			require.Equal(t, model.entries["p1"].score, m.Decode(raw["p1"]), b.Key)
			if len(whole) > 0 {
				require.Equal(t, whole, raw, b.Key)
			}
		}
	}
	_, err := k.process().Repair.Erase(ctx, "p1", lifecycle.Erasure{})
	require.NoError(t, err)
	for key, members := range k.state() {
		require.False(t, strings.Contains(members, "p1"), "%s: %s", key, members)
	}
}
