package standings_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// A new process does not repeat housekeeping that others have done for a board and noted in
// the set of bans.
func TestWhoBeginsKnowsWhichBoardsWereSeenTo(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		k.ageless()
		play := func(p *process, mode, player string) (commands int64) {
			commands, _ = p.spent(func() {
				_, err := p.Boards.Submit(ctx, k.play(mode, player, 5))
				require.NoError(t, err)
			})
			return commands
		}
		cold := func(mode, player string) int64 {
			p := k.process()
			require.NoError(t, p.Notices.MayWrite(ctx))
			return play(p, mode, player)
		}
		one := k.process()
		play(one, "shared", "a")
		require.EqualValues(t, 2+2, cold("shared", "b"), "nobody has told yet")
		require.EqualValues(t, 2+1, play(one, "shared", "c"), "others are told")
		require.EqualValues(t, 2, play(one, "shared", "d"))
		require.EqualValues(t, 2, cold("shared", "e"))
		require.EqualValues(t, 2+2, cold("golf", "e"), "another board")

		// The last removal deletes the board: the next write makes it again, with its expiry.
		for _, player := range []string{"a", "b", "c", "d", "e"} {
			_, err := one.Repair.RemoveRecent(ctx, player, nil)
			require.NoError(t, err)
		}
		require.EqualValues(t, 2+2, cold("shared", "f"))
		k.requireIndexed(t, "shared", k.today())
		_, err := one.Repair.RemoveRecent(ctx, "f", nil)
		require.NoError(t, err)
		p := k.process()
		require.NoError(t, p.Notices.MayWrite(ctx))
		for _, o := range p.Boards.SubmitBatch(ctx, []game.Submission{k.play("shared", "g", 5), k.play("shared", "h", 5)}) {
			require.NoError(t, o.Err)
		}
		k.requireIndexed(t, "shared", k.today())

		// After a loss of Redis, no note of housekeeping is taken for true.
		k.empty()
		require.EqualValues(t, 2+2+1, cold("shared", "i"), "and it begins an epoch")
		k.requireIndexed(t, "shared", k.today())
	})
}

// Notes of housekeeping are deleted when their days are over: each process that writes a new
// one deletes the old ones with it.
func TestNoticesOfDaysGoWithTheDays(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		k.elapsed = func() time.Duration { return k.clock.Now().Sub(noon) }
		for day := range 5 {
			k.clock.Set(noon.AddDate(0, 0, day))
			p := k.process()
			for i := range 3 {
				_, err := p.Boards.Submit(ctx, k.play("shared", fmt.Sprint("p", i), 5))
				require.NoError(t, err)
			}
			var days []string
			for _, member := range k.redis.Do("SMEMBERS", game.BansKey).([]any) {
				if text := fmt.Sprint(member); len(text) > 4 && text[:4] == game.DayMember("") {
					days = append(days, text)
				}
			}
			require.Equal(t, []string{game.DayMember("shared " + k.today().String())}, days)
			k.requireIndexed(t, "shared", k.today())
		}
	})
}
