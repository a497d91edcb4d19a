package lifecycle_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// A board is made while a day is rolled up, which takes several pages for a large day: the
// board counts each day once. It is so for the global board and a group's, of all time and XP.
func TestADayThatIsBeingRolledUpCountsOnce(t *testing.T) {
	const players = 7500 // two pages
	k := newKit(t, "")
	k.game = testkit.Game(t, "name: t\nmodes:\n  sum: {max: 100, xp: 1, scopes: [group]}\n")
	group, err := game.GroupScope("all")
	require.NoError(t, err)
	p := k.process()
	k.clock.Set(noon)
	for first := 0; first < players; first += 500 {
		var subs []game.Submission
		for i := range 500 {
			sub := k.play("sum", fmt.Sprintf("p%d", first+i), 7)
			sub.Scopes = []game.Scope{group}
			subs = append(subs, sub)
		}
		for _, o := range p.Boards.SubmitBatch(t.Context(), subs) {
			require.NoError(t, o.Err)
		}
	}
	k.clock.Set(noon.AddDate(0, 0, 7))
	boards := []game.Board{
		game.BoardOf(k.mode("sum"), game.AllTime.Of(k.today()), game.Scope{}),
		game.BoardOf(k.mode("sum"), game.AllTime.Of(k.today()), group),
		game.BoardOf(&game.ModeOfXP, game.AllTime.Of(k.today()), game.Scope{}),
	}
	look := func(when string) {
		k.clock.Pass(time.Minute) // every refresh is due
		other := k.process()
		for _, b := range boards {
			page, err := other.Boards.Page(t.Context(), b, game.PageRequest{Limit: 1})
			require.NoError(t, err)
			require.EqualValues(t, players, page.Total, "%s %s", b.Key, when)
			require.EqualValues(t, 7, page.Entries[0].Score, "%s %s", b.Key, when)
		}
	}
	var mu sync.Mutex
	looking, requests := false, 0
	k.server.Inject(func(upstashtest.Request) upstashtest.Fault {
		mu.Lock()
		mine := !looking
		if mine {
			looking = true
			requests++
		}
		mu.Unlock()
		if mine {
			look(fmt.Sprintf("before request %d of the run", requests))
			mu.Lock()
			looking = false
			mu.Unlock()
		}
		return upstashtest.Fault{}
	})
	_, err = runDaily(t.Context(), k.process(), nil)
	require.NoError(t, err)
	k.server.Inject(nil)
	require.Greater(t, requests, 10)
	look("at the end")
}

// A board whose sources take several round trips to read is right, even if a day is rolled up
// between any two of them.
func TestADayThatIsRolledUpWhileABoardIsReadCountsOnce(t *testing.T) {
	k := newKit(t, "")
	k.game = testkit.Game(t, "name: t\nmodes:\n  fading: {max: 100, decay: {factor: 0.9, every: 30d}}\n")
	for at := 1; ; at++ {
		k.redis.Do("FLUSHALL")
		k.clock.Set(noon)
		_, err := k.process().Boards.Submit(t.Context(), k.play("fading", "p", 10))
		require.NoError(t, err)
		k.clock.Set(noon.AddDate(0, 0, 7))
		requests, ran := 0, false
		k.server.Inject(func(upstashtest.Request) upstashtest.Fault {
			if requests++; requests == at {
				ran = true
				_, err := runDaily(t.Context(), k.process(), nil)
				require.NoError(t, err)
			}
			return upstashtest.Fault{}
		})
		b := game.BoardOf(k.mode("fading"), game.AllTime.Of(k.today()), game.Scope{})
		page, err := k.process().Boards.Page(t.Context(), b, game.PageRequest{Limit: 1})
		require.NoError(t, err)
		k.server.Inject(nil)
		require.EqualValues(t, 10, page.Entries[0].Score, "the day was rolled up before request %d", at)
		if !ran {
			require.Greater(t, at, 4)
			return
		}
	}
}
