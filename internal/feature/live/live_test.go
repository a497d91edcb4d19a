package live_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "60", "20")) }

const testGame = `
name: testing
refresh: 1s
modes:
  best: {policy: best, max: 100000, scopes: [country, group]}
  shared: {policy: best, max: 20, ties: shared}
`

const (
	eventually = time.Minute
	tick       = 5 * time.Millisecond
)

// process is one with memories and a connection of its own.
type process struct {
	*lifecycle.Parts
	client *upstash.Client
}

// kit is a Redis, and what processes in front of it have in common.
type kit struct {
	t     *testing.T
	redis *testkit.Redis
	game  *game.Game
	began time.Time
	asked int64 // commands that the test itself has sent
}

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		test(t, &kit{t, testkit.NewRedis(t, address), testkit.Game(t, testGame), time.Now(), 0})
	})
}

// now is the product's clock: that of the machine, on a day that does not end.
func (k *kit) now() time.Time { return noon.Add(time.Since(k.began)) }

func (k *kit) process() *process {
	client := k.redis.Connect()
	ageless := func() time.Duration { return 0 } // however slow the machine is
	return &process{lifecycle.New(lifecycle.Options{Redis: client, Game: k.game, Now: k.now, Elapsed: ageless}), client}
}

// hub gives a process the boards that are watched. Its notifications are looked after
// more often than a deployed one's, so that tests need not wait.
func (k *kit) hub(p *process) *live.Hub {
	k.t.Helper()
	log := slog.New(slog.DiscardHandler)
	h := live.NewHub(live.Options{
		Game: k.game, Now: k.now, Reader: leaderboard.Current{Boards: p.Boards}, Log: log,
		News: live.Notifications{Redis: p.client, Log: log, Probes: live.ProbeTiming{Look: 20 * time.Millisecond, Retry: 100 * time.Millisecond, Quiet: time.Second}},
	})
	k.t.Cleanup(h.Close)
	return h
}

func (k *kit) day(mode string) game.Board {
	return game.BoardOf(testkit.Mode(k.t, k.game, mode), game.Day.Of(k.game.Today(k.now())), game.Scope{})
}

func (k *kit) submit(p *process, mode, player string, score game.Score) {
	k.t.Helper()
	now := k.now()
	_, err := p.Boards.Submit(k.t.Context(), game.Submission{Mode: testkit.Mode(k.t, k.game, mode), Player: player, Date: k.game.Today(now), Score: score, At: now})
	require.NoError(k.t, err)
}

// ran is how many commands Redis has counted that are billed.
func (k *kit) ran() int64 {
	k.t.Helper()
	stats, err := k.redis.Server.Redis().CommandStats(k.t.Context())
	require.NoError(k.t, err)
	return k.redis.Ran() - stats["config"] - stats["config|get"] - stats["config|set"]
}

// viewer is who watches a board, and what it has come to.
type viewer struct {
	k      *kit
	stream *live.Stream
	woken  chan struct{}
	rows   []game.Entry
	total  int64
	kinds  []live.Kind
	last   int64
}

func (k *kit) watch(h *live.Hub, b game.Board) *viewer {
	k.t.Helper()
	woken := make(chan struct{}, 1)
	stream, err := h.Watch(b, 100, live.Viewer{Wake: func() {
		select {
		case woken <- struct{}{}:
		default:
		}
	}})
	require.NoError(k.t, err)
	k.t.Cleanup(stream.Close)
	return &viewer{k: k, stream: stream, woken: woken}
}

// until takes in what is told until it shows what is waited for.
func (v *viewer) until(shows func() bool) {
	v.k.t.Helper()
	over := time.NewTimer(eventually)
	defer over.Stop()
	for {
		events, ended := v.stream.Take()
		for _, e := range events {
			v.take(e)
		}
		if shows() {
			return
		}
		require.False(v.k.t, ended, "the stream has ended")
		select {
		case <-v.woken:
		case <-over.C:
			require.FailNow(v.k.t, "not told", "%v, total %d", v.rows, v.total)
		}
	}
}

func (v *viewer) take(e *live.Event) {
	v.kinds = append(v.kinds, e.Kind)
	switch e.Kind {
	case live.Stale:
		return
	case live.Moved:
		require.Equal(v.k.t, v.last+1, e.Version, "no change is left out")
		other := func(row game.Entry) bool {
			return slices.Contains(e.Gone, row.Player) || slices.ContainsFunc(e.Changed, func(c game.Entry) bool { return c.Player == row.Player })
		}
		v.rows = append(slices.DeleteFunc(slices.Clone(v.rows), other), e.Changed...)
		slices.SortStableFunc(v.rows, func(a, b game.Entry) int { return int(a.Rank - b.Rank) })
		v.total = e.Total
	default:
		v.rows, v.total = slices.Clone(e.Page.Entries), e.Page.Total
	}
	v.last = e.Version
}

func (v *viewer) players() (names []string) {
	for _, row := range v.rows {
		names = append(names, row.Player)
	}
	return names
}

func (v *viewer) shows(players ...string) {
	v.k.t.Helper()
	v.until(func() bool { return slices.Equal(v.players(), players) })
}

// hears waits until a hub's process is told of changes: the probe has been heard.
func (k *kit) hears(p *process) {
	k.t.Helper()
	require.Eventually(k.t, func() bool {
		if p.client.Meter().Commands() == 0 {
			return false
		}
		k.asked++
		return k.redis.Do("ZSCORE", game.LiveProbeKey, "probe") != nil
	}, eventually, tick)
}

func TestTwoHubsShowWhatAThirdProcessSubmits(t *testing.T) {
	const changes = 1000
	onEngines(t, func(t *testing.T, k *kit) {
		one, two, third := k.process(), k.process(), k.process()
		before := k.ran()
		first, second := k.watch(k.hub(one), k.day("best")), k.watch(k.hub(two), k.day("best"))
		k.hears(one)
		k.hears(two)
		for n := range changes {
			k.submit(third, "best", fmt.Sprintf("user_%d", n%400), game.Score(1000+n))
			for _, v := range []*viewer{first, second} {
				if n%100 != 0 {
					continue
				}
				v.until(func() bool { return len(v.rows) > 0 && v.rows[0].Score == game.Score(1000+n) })
			}
		}
		for _, v := range []*viewer{first, second} {
			v.until(func() bool { return v.rows[0].Score == game.Score(1000+changes-1) && v.total == 400 })
		}
		ours := third.client.Meter().Commands()
		require.Eventually(t, func() bool { // whatever is on its way arrives
			return ours+one.client.Meter().Commands()+two.client.Meter().Commands()+k.asked == k.ran()-before
		}, eventually, tick, "Redis has run what the meters say")
		require.Equal(t, k.alone(changes), ours, "a submission costs what it costs where nobody watches")
		page, err := k.process().Boards.Page(t.Context(), k.day("best"), game.PageRequest{Limit: 100})
		require.NoError(t, err)
		require.Equal(t, page.Entries, first.rows)
		require.Equal(t, page.Entries, second.rows)
	})
}

// alone is what as many submissions cost in a Redis that nobody watches.
func (k *kit) alone(changes int) int64 {
	other := &kit{k.t, testkit.NewRedis(k.t, ""), k.game, time.Now(), 0}
	p := other.process()
	for n := range changes {
		other.submit(p, "best", fmt.Sprintf("user_%d", n%400), game.Score(1000+n))
	}
	return p.client.Meter().Commands()
}

func TestNotificationsThatAreSwitchedOffAreSwitchedOnAgain(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		p, third := k.process(), k.process()
		k.redis.Do("CONFIG", "SET", "notify-keyspace-events", "Ex")
		v := k.watch(k.hub(p), k.day("best"))
		k.submit(third, "best", "ana", 100)
		v.shows("ana")
		k.hears(p)
		set := func() string { return k.redis.Do("CONFIG", "GET", "notify-keyspace-events").([]any)[1].(string) }
		require.Equal(t, "gzxKE", set(), "what others had set is kept")
		k.redis.Do("CONFIG", "SET", "notify-keyspace-events", "")
		k.submit(third, "best", "ben", 200)
		v.shows("ben", "ana")
		require.Eventually(t, func() bool { return set() == "gzK" }, eventually, tick)
		k.submit(third, "best", "cid", 300)
		v.shows("cid", "ben", "ana")
	})
}

// If Redis does not notify, boards are read by the clock.
func TestWhereNothingIsToldBoardsAreReadByTheClock(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		p, third := k.process(), k.process()
		log := slog.New(slog.DiscardHandler)
		h := live.NewHub(live.Options{
			Game: k.game, Now: k.now, Reader: leaderboard.Current{Boards: p.Boards}, Log: log, News: silence{},
		})
		t.Cleanup(h.Close)
		v := k.watch(h, k.day("best"))
		k.submit(third, "best", "ana", 100)
		v.shows("ana")
		k.submit(third, "best", "ben", 200)
		v.shows("ben", "ana")
	})
}

// silence is News that never tells anything.
type silence struct{}

func (silence) Listen(ctx context.Context, _ func(string), _ func(bool)) { <-ctx.Done() }

func TestBoardsThatFollowShowWhatTheyAreMadeOf(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		p, third := k.process(), k.process()
		h, day := k.hub(p), k.day("best")
		week := game.BoardOf(day.Mode, game.Week.Of(day.Period.First()), game.Scope{})
		v := k.watch(h, week)
		k.hears(p)
		k.submit(third, "best", "ana", 100)
		v.shows("ana")
		k.submit(third, "best", "ben", 200)
		v.shows("ben", "ana")
	})
}

func TestABannedPlayersRowGoes(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		p, third := k.process(), k.process()
		v := k.watch(k.hub(p), k.day("best"))
		k.submit(third, "best", "ana", 100)
		k.submit(third, "best", "ben", 200)
		v.shows("ben", "ana")
		_, err := third.Repair.RemoveRecent(t.Context(), "ben", nil)
		require.NoError(t, err)
		v.shows("ana")
	})
}

func TestARedisThatIsEmptiedAndRestoredIsShown(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		p, third := k.process(), k.process()
		v := k.watch(k.hub(p), k.day("best"))
		k.submit(third, "best", "ana", 100)
		v.shows("ana")
		k.hears(p)
		require.NoError(t, k.redis.Server.Refuse(true))
		v.until(func() bool { return slices.Contains(v.kinds, live.Stale) })
		k.redis.Do("FLUSHALL")
		require.NoError(t, k.redis.Server.Refuse(false))
		v.shows()
		k.submit(third, "best", "cid", 300)
		v.shows("cid")
	})
}
