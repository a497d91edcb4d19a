package lifecycle_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestABanIsKnownHereAtOnceAndEverywhereInAQuarterOfAnHour(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		var age time.Duration
		k.elapsed = func() time.Duration { return age }
		here, there := k.process(), k.process()
		submit := func(p *process, player string) error {
			_, err := p.Boards.Submit(ctx, k.play("first", player, 5))
			return err
		}
		require.NoError(t, submit(there, "p1"))
		require.NoError(t, here.Notices.Ban(ctx, "p1"))
		_, err := here.Repair.RemoveRecent(ctx, "p1", nil)
		require.NoError(t, err)
		require.ErrorIs(t, submit(here, "p1"), control.ErrBanned)
		require.ErrorIs(t, here.Boards.SubmitBatch(ctx, []game.Submission{k.play("first", "p1", 5)})[0].Err, control.ErrBanned)
		require.NoError(t, submit(there, "p1"), "another process has not read the list again")
		age = 15 * time.Minute
		require.ErrorIs(t, submit(there, "p1"), control.ErrBanned)
		require.NoError(t, submit(there, "p2"))

		// What the player has played meanwhile is removed when the daily job looks after the
		// ban.
		k.clock.Set(noon.Add(time.Hour))
		done, err := k.process().Repair.LookAfterRemovals(ctx, nil, neverErased)
		require.NoError(t, err)
		require.Equal(t, 1, done)
		_, err = there.Boards.Card(ctx, k.dayBoard(there, "first"), "p1")
		require.ErrorIs(t, err, leaderboard.ErrNotOnBoard)

		require.NoError(t, here.Notices.Unban(ctx, "p1"))
		require.NoError(t, submit(here, "p1"))
		require.ErrorIs(t, submit(there, "p1"), control.ErrBanned)
		age = 30 * time.Minute
		require.NoError(t, submit(there, "p1"))
	})
}

func TestABanTakesOutWhatMayStillChangeAndKeepsWhatIsOlder(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		shelf := newShelf()
		k.playDays(t, 10, shelf, func(int, string, string) bool { return false })
		p := k.process()
		require.NoError(t, p.Notices.Ban(ctx, "p1"))
		removed, err := p.Repair.RemoveRecent(ctx, "p1", shelf.of("p1"))
		require.NoError(t, err)
		require.Empty(t, removed.Left)
		require.Len(t, removed.Days, 2*6, "the days of two modes that are not folded")
		entries, err := p.Boards.Lookup(ctx, game.BoardOf(k.mode("first"), game.AllTime.Of(game.DateOf(noon)), game.Scope{}), []string{"p1", "p2"})
		require.NoError(t, err)
		require.Equal(t, game.Score(0+10+20+30), entries[1].Score)
		require.Equal(t, game.Score(10*45+10), entries[0].Score)
	})
}

func TestTheListOfBansThatWasReadLastCountsWhileRedisIsAway(t *testing.T) {
	k := newKit(t, "")
	ctx := context.Background()
	var age time.Duration
	k.elapsed = func() time.Duration { return age }
	p := k.process()
	require.NoError(t, p.Notices.Ban(ctx, "p1"))
	_, err := p.Boards.Submit(ctx, k.play("first", "p1", 5))
	require.ErrorIs(t, err, control.ErrBanned)
	age = time.Hour
	k.server.Inject(func(upstashtest.Request) upstashtest.Fault {
		return upstashtest.Fault{Status: 401, Body: `{"error":"WRONGPASS"}`}
	})
	_, err = p.Boards.Submit(ctx, k.play("first", "p1", 5))
	require.ErrorIs(t, err, control.ErrBanned)
	_, err = k.process().Boards.Submit(ctx, k.play("first", "p1", 5))
	require.ErrorContains(t, err, "read who is banned", "a process that knows no list lets nobody in")
}
