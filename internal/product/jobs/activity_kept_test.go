package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/activity/activitystore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// onCampus runs a test over both kinds of Redis, with a database and the campus' rules.
func onCampus(t *testing.T, test func(w *world)) {
	text, err := games.FS.ReadFile("campus.yaml")
	require.NoError(t, err)
	onRepairs(t, string(text), func(w *world) {
		w.now = time.Date(2026, 11, 11, 4, 0, 0, 0, time.UTC) // evening of the tenth in Irvine
		test(w)
	})
}

func (w *world) message(id, from, to string) {
	taken, err := w.app.Activity().Take(w.Context(), []activity.Event{{ID: id, Type: "chat.message", At: w.now, Group: "irvine", From: from, To: to}})
	require.NoError(w, err)
	require.Empty(w, taken.Refused)
}

func (w *world) compute() []activity.Computed {
	computed, err := jobs.New(w.app, w.kept).Compute(w.Context(), w.now)
	require.NoError(w, err)
	return computed.([]activity.Computed)
}

// overall reads the stored board of the tenth.
func (w *world) overall() map[string]float64 {
	m, ok := w.app.Game().ModeCalled("overall")
	require.True(w, ok)
	current, err := w.app.Store().DB.ReadBoard(w.Context(), game.DayBoardKey(m.Name, game.NewDate(2026, 11, 10)))
	require.NoError(w, err)
	return current
}

func (w *world) acts(player string) (n int64) {
	days, err := activitystore.In(w.kept).Of(w.Context(), player)
	require.NoError(w, err)
	for _, day := range days {
		n += day.Acts
	}
	return n
}

// A compute that is cut off at any of its steps has archived the acts that its boards show.
func TestAComputeThatIsCutOffHasKeptWhatBoardsShow(t *testing.T) {
	onCampus(t, func(w *world) {
		for cut := range 8 {
			w.do("FLUSHALL")
			require.NoError(w, activitystore.In(w.kept).Prune(w.Context(), game.NewDate(2027, 1, 1)))
			w.restart()
			w.message(fmt.Sprint("m", cut), "a", "b")
			n := 0
			w.redis.Inject(func(upstashtest.Request) upstashtest.Fault {
				n++
				return upstashtest.Fault{CutBefore: n > cut}
			})
			_, err := jobs.New(w.app, w.kept).Compute(w.Context(), w.now)
			w.redis.Inject(nil)
			if err == nil {
				require.NotEmpty(w, w.overall())
			}
			shown := w.overall()
			if len(shown) > 0 {
				require.EqualValues(w, 1, w.acts("a"), "cut at %d", cut)
			}
			w.restart()
			w.compute()
			before := w.overall()
			require.Len(w, before, 2)
			w.do("FLUSHALL")
			w.restart()
			_, err = jobs.New(w.app, w.kept).Restore(w.Context(), closing.RestoreOptions{})
			require.NoError(w, err)
			require.Equal(w, before, w.overall(), "cut at %d", cut)
		}
	})
}

func TestBoardsAreComputedWithoutPostgresAndActsAreKeptLater(t *testing.T) {
	onCampus(t, func(w *world) {
		there := w.kept
		away, err := archive.Open(archive.Options{URL: "postgres://nobody@127.0.0.1:1/none"})
		require.NoError(w, err)
		w.message("m1", "a", "b")
		w.kept = away
		computed := w.compute()
		require.Len(w, computed, 1)
		require.NotEmpty(w, computed[0].Unkept)
		require.Len(w, w.overall(), 2)

		w.kept = there
		require.Zero(w, w.acts("a"))
		computed = w.compute()
		require.Len(w, computed, 1)
		require.Empty(w, computed[0].Unkept)
		require.EqualValues(w, 1, w.acts("a"))
		require.Empty(w, w.compute(), "nothing is left to do")
	})
}

func TestKeepingActsCostsNoCommands(t *testing.T) {
	onCampus(t, func(w *world) {
		days := w.app.Activity()
		spent := func(compute func(meter *upstash.Meter) error) int64 {
			var meter upstash.Meter
			require.NoError(w, compute(&meter))
			return meter.Usage().Commands
		}
		keeping := func(meter *upstash.Meter) error {
			_, err := activity.Keeping{Activity: days, Kept: activitystore.In(w.kept)}.Compute(upstash.WithMeter(w.Context(), meter))
			return err
		}
		w.message("m0", "a", "b")
		spent(keeping) // a new day, in a Redis without a name
		w.message("m1", "a", "b")
		without := spent(func(meter *upstash.Meter) error {
			_, err := days.Compute(upstash.WithMeter(w.Context(), meter))
			return err
		})
		w.message("m2", "a", "b")
		require.Equal(w, without, spent(keeping))
		require.EqualValues(w, 1, spent(keeping))
		require.EqualValues(w, 3, w.acts("a"))
	})
}

func TestWhoIsErasedLeavesWhatIsKept(t *testing.T) {
	onCampus(t, func(w *world) {
		w.message("m1", "a", "b")
		w.message("m2", "b", "c")
		w.message("m3", "c", "b")
		w.compute()
		d := game.KeptDay{Group: "irvine", Date: game.NewDate(2026, 11, 10)}
		begun, err := activitystore.In(w.kept).Begin(w.Context(), []game.KeptDay{d})
		require.NoError(w, err)
		require.Equal(w, []listed{{Group: "irvine", Date: d.Date.String(), Acts: 1}}, part[[]listed](w, w.read("a"), "activity"))
		_, lines, _, err := activitystore.In(w.kept).Read(w.Context(), d)
		require.NoError(w, err)
		require.Len(w, lines.Acts, 3)
		require.Len(w, lines.Streaks, 3)

		_, err = jobs.Removals(w.app, w.kept).Erase(w.Context(), "a", lifecycle.Act{ID: "act", Actor: "operator", At: w.now})
		require.NoError(w, err)
		_, after, _, err := activitystore.In(w.kept).Read(w.Context(), d)
		require.NoError(w, err)
		require.Equal(w, lines.Acts[1:], after.Acts)
		require.Equal(w, lines.Streaks[1:], after.Streaks)
		require.ErrorIs(w, activitystore.In(w.kept).Put(w.Context(), begun[0], lines), archive.ErrSuperseded, "what was read before is not kept")

		w.do("FLUSHALL")
		w.restart()
		_, err = jobs.New(w.app, w.kept).Restore(w.Context(), closing.RestoreOptions{})
		require.NoError(w, err)
		require.Len(w, w.overall(), 2)
		require.Zero(w, w.acts("a"))
		require.Empty(w, part[[]listed](w, w.read("a"), "activity"))
		require.EqualValues(w, 2, w.acts("b"))
	})
}

func TestActsOfALostRedisStayWhereNobodyIsToPutThemBack(t *testing.T) {
	onCampus(t, func(w *world) {
		w.message("m1", "a", "b")
		w.compute()
		w.do("FLUSHALL")
		w.restart()
		w.message("m2", "c", "b")
		j := jobs.New(w.app, w.kept)
		j.Repairs(false)
		computed, err := j.Compute(w.Context(), w.now)
		require.NoError(w, err)
		require.Contains(w, computed.([]activity.Computed)[0].Unkept, "lbctl restore")
		require.Len(w, w.overall(), 2)
		require.EqualValues(w, 1, w.acts("a"))
		_, err = j.Restore(w.Context(), closing.RestoreOptions{})
		require.NoError(w, err)
		require.Len(w, w.overall(), 3)
		require.EqualValues(w, 1, w.acts("c"), "what came since is kept too")
	})
}

// A day with fewer acts than the archive has is not written, and an older run does not
// overwrite a newer one.
func TestActsAreNotWrittenOverByLess(t *testing.T) {
	onCampus(t, func(w *world) {
		ctx, d := w.Context(), game.KeptDay{Group: "irvine", Date: game.NewDate(2026, 11, 10), Source: "s"}
		begin := func() game.KeptDay {
			kept, err := activitystore.In(w.kept).Begin(ctx, []game.KeptDay{d})
			require.NoError(w, err)
			require.Len(w, kept, 1)
			return kept[0]
		}
		lines := func(n int) (l game.DayLines) {
			for i := range n {
				l.Acts = append(l.Acts, fmt.Sprintf("%d e%d chat.message a b", 1_000_000+i, i))
			}
			return l
		}
		older := begin()
		require.NoError(w, activitystore.In(w.kept).Put(ctx, begin(), lines(10_001)))
		require.ErrorIs(w, activitystore.In(w.kept).Put(ctx, older, lines(10_002)), archive.ErrSuperseded)
		require.ErrorIs(w, activitystore.In(w.kept).Put(ctx, begin(), lines(10_000)), activitystore.ErrFewerActs)
		same := begin()
		require.NoError(w, activitystore.In(w.kept).Put(ctx, same, lines(10_001)))
		require.Equal(w, same, begin(), "nothing has changed")
		require.NoError(w, activitystore.In(w.kept).Put(ctx, same, lines(10_003)))
		_, read, there, err := activitystore.In(w.kept).Read(ctx, d)
		require.NoError(w, err)
		require.True(w, there)
		require.Equal(w, lines(10_003), read)

		w.now = w.now.Add(30 * 24 * time.Hour)
		require.NoError(w, activity.Keeping{Activity: w.app.Activity(), Kept: activitystore.In(w.kept)}.Prune(ctx))
		days, err := activitystore.In(w.kept).Days(ctx)
		require.NoError(w, err)
		require.Empty(w, days)
	})
}

// If Redis has lost its boards but not the record that says what was written to them, putting
// acts back writes the boards all the same.
func TestActsThatArePutBackHaveTheirBoardsWritten(t *testing.T) {
	onCampus(t, func(w *world) {
		w.message("m1", "a", "b")
		w.compute()
		before := w.overall()
		require.Len(w, before, 2)
		m, _ := w.app.Game().ModeCalled("overall")
		d := game.NewDate(2026, 11, 10)
		w.do("DEL", game.DayBoardKey(m.Name, d))
		w.do("DEL", activity.ActsKey("irvine", d))
		w.restart()
		require.Empty(w, w.overall())
		_, err := jobs.New(w.app, w.kept).Restore(w.Context(), closing.RestoreOptions{Force: true})
		require.NoError(w, err)
		require.Equal(w, before, w.overall())
	})
}
