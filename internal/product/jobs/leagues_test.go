package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const leagueGame = `
name: testing
modes: {daily: {max: 2000, xp: 1}, blitz: {max: 1000, xp: 0.8}}
leagues: {tiers: [Wood, Tin, Iron, Gold], pace: [600, 1500], rewards: [gold chest, silver chest]}
`

// leagueWorld is a game with leagues over both stores, run by several processes.
type leagueWorld struct {
	*testing.T
	redis     *testkit.Redis
	history   *archive.Archive
	processes []*leagueProcess
	mu        sync.Mutex
	now       time.Time
	chance    *rand.Rand
	xp        map[string]int64 // of the week
}

type leagueProcess struct {
	app     *app.App
	leagues league.Reader
	job     *jobs.Jobs
	redis   *upstash.Client
}

func newLeagueWorld(t *testing.T, address string, processes int) *leagueWorld {
	w := &leagueWorld{
		T: t, redis: testkit.NewRedis(t, address), history: testkit.Archive(t, archivetest.Database(t), jobs.Tables()...),
		now: time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC), chance: rand.New(rand.NewPCG(7, 23)), xp: map[string]int64{},
	}
	began := w.now
	for range processes {
		client := w.redis.Connect()
		a := app.New(app.Parts{
			Game: testkit.Game(t, leagueGame), Redis: client, Now: w.clock, Log: slog.New(slog.DiscardHandler),
			Elapsed: func() time.Duration { return w.clock().Sub(began) },
		})
		w.processes = append(w.processes, &leagueProcess{a, jobs.Leagues(a, w.history), jobs.New(a, w.history), client})
	}
	return w
}

func (w *leagueWorld) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *leagueWorld) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// until moves the clock to the next such time of a weekday, now or later; 0 is Monday.
func (w *leagueWorld) until(weekday int, at time.Duration) {
	day := game.Week.Of(game.DateOf(w.now)).First().AddDays(weekday)
	for day.Midnight().Add(at).Before(w.now) {
		day = day.AddDays(7)
	}
	w.pass(day.Midnight().Add(at).Sub(w.now))
}

// play lets players play a mode now.
func (w *leagueWorld) play(mode string, scores map[string]int64) {
	m, _ := w.processes[0].app.Game().Mode(mode)
	var subs []game.Submission
	flush := func() {
		for _, outcome := range w.processes[w.chance.IntN(len(w.processes))].app.Store().Boards.SubmitBatch(w.Context(), subs) {
			require.NoError(w, outcome.Err)
		}
		subs = nil
	}
	for player, score := range scores {
		subs = append(subs, game.Submission{Mode: m, Player: player, Date: game.DateOf(w.now), Score: game.Score(score), At: w.now})
		if mode == "blitz" {
			score = score * 8 / 10
		}
		w.xp[player] += score
		if len(subs) == 1000 {
			flush()
		}
	}
	flush()
}

func (w *leagueWorld) own(process int, player string) league.PlayerLeague {
	own, err := w.processes[process].leagues.PlayerLeague(w.Context(), player)
	require.NoError(w, err)
	return own
}

// close closes the days that are over, without settling weeks.
func (w *leagueWorld) close() {
	_, err := w.processes[0].job.Closing().Daily(w.Context())
	require.NoError(w, err)
}

func (w *leagueWorld) weekly() error {
	_, err := w.processes[len(w.processes)-1].job.Weekly(w.Context(), w.now)
	return err
}

// model makes the plain model for the world's game.
func (w *leagueWorld) model() *leagueModel {
	return &leagueModel{
		tiers: 4, size: 30, promote: 7, relegate: 5, paces: []int64{600, 1500}, rewards: []string{"gold chest", "silver chest"},
		tier: map[string]int{}, last: map[string]int64{},
	}
}

// Two thousand players over twenty weeks: one rollover is missed, one runs twice one after the
// other, one twice at once, one comes a week late, and Redis is lost in the middle of a week.
func TestTwentyWeeksOfLeaguesAreThoseOfAPlainModel(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		const weeks, players = 20, 2000
		w := newLeagueWorld(t, address, 3)
		var all []map[string]int64
		for week := range weeks {
			w.xp = map[string]int64{}
			w.playWeek(week, players)
			all = append(all, w.xp)
			settled := week != 6 && week != 13 // the run of week 6 is missed; week 13 is settled together with week 14
			w.until(6, 23*time.Hour)
			w.pass(2 * time.Hour) // Monday, 01:00
			w.close()
			if settled {
				w.settleWeek(week)
			}
		}
		w.compare(all)
	})
}

func (w *leagueWorld) playWeek(week, players int) {
	eager := func(player int) bool { return w.chance.IntN(8) > player%7 || player < 40 }
	scores := func(most int) map[string]int64 {
		all := map[string]int64{}
		for player := range players {
			if eager(player) {
				all[fmt.Sprintf("user_%04d", player)] = int64(1 + w.chance.IntN(most)/25*25)
			}
		}
		return all
	}
	w.until(1, 9*time.Hour)
	w.play("daily", scores(2000))
	w.pass(time.Minute)
	for range 20 { // somebody looks
		own := w.own(w.chance.IntN(3), fmt.Sprintf("user_%04d", w.chance.IntN(players)))
		if week == 7 || week == 14 {
			require.Equal(w, league.Settling, own.State, "the week before is not settled")
		}
	}
	w.until(2, time.Hour)
	w.close()
	if week == 16 {
		w.loseRedis()
	}
	w.until(4, 20*time.Hour)
	w.play("blitz", scores(1000))
	w.pass(time.Minute)
	w.own(0, "user_0001")
	w.until(5, time.Hour)
	w.close()
}

// loseRedis empties Redis and restores it: each member of a cohort is in the same cohort
// again.
func (w *leagueWorld) loseRedis() {
	before := map[string]league.Seat{}
	for i := range 40 {
		player := fmt.Sprintf("user_%04d", i)
		own := w.own(0, player)
		require.Equal(w, league.Playing, own.State, player)
		before[player] = *own.Cohort
	}
	_, err := w.processes[0].job.Save(w.Context(), w.now)
	require.NoError(w, err)
	w.redis.Do("FLUSHALL")
	_, err = w.processes[0].job.Restore(w.Context(), closing.RestoreOptions{})
	require.NoError(w, err)
	w.pass(time.Hour)
	for player, seat := range before {
		for process := range w.processes {
			w.own(process, player)
			w.pass(time.Minute)
			own := w.own(process, player)
			require.Equal(w, league.Playing, own.State, player)
			require.Equal(w, seat, *own.Cohort)
		}
	}
}

func (w *leagueWorld) settleWeek(week int) {
	if week != 10 {
		require.NoError(w, w.weekly())
		return
	}
	var wait sync.WaitGroup
	for _, p := range w.processes {
		wait.Add(1)
		go func() {
			defer wait.Done()
			_, err := p.job.Weekly(w.Context(), w.clock())
			if err != nil {
				w.Error(err)
			}
		}()
	}
	wait.Wait()
	require.NoError(w, w.weekly())
}

// compare compares the archive's weeks with the plain model.
func (w *leagueWorld) compare(weeks []map[string]int64) {
	first := game.Week.Of(game.NewDate(2026, 1, 5)).First()
	cohorts, got := make([]map[string]int, len(weeks)), make([]map[string]leagueEnd, len(weeks))
	for i := range weeks {
		cohorts[i], got[i] = map[string]int{}, map[string]leagueEnd{}
	}
	players := map[string]bool{}
	for _, xp := range weeks {
		for player := range xp {
			players[player] = true
		}
	}
	for player := range players {
		rows, err := leaguestore.In(w.history).Of(w.Context(), player, first.AddDays(7*len(weeks)), 1000)
		require.NoError(w, err)
		for _, r := range rows {
			i := r.Week.DaysSince(first) / 7
			cohorts[i][player] = r.Cohort
			got[i][player] = leagueEnd{r.Tier, r.Pace, r.Cohort, r.XP, r.Place, r.Of, string(r.Zone), r.After, r.Reward}
		}
	}
	m := w.model()
	zones := map[string]int{}
	for i, xp := range weeks {
		require.NoError(w, m.week(xp, cohorts[i]), "week %d", i)
		require.Equal(w, m.weeks[i], got[i], "week %d", i)
		for _, end := range got[i] {
			zones[fmt.Sprint(end.Zone, end.Tier, end.Pace)]++
		}
	}
	require.Greater(w, len(zones), 20, "all tiers, paces and zones happen: %v", zones)
	for player, tier := range m.tier {
		own := w.own(2, player)
		require.Equal(w, tier, own.Tier, player)
	}
}

// Thirty-two processes seat players at once: nobody is in two cohorts, and no cohort has more
// than thirty members.
func TestThirtyTwoProcessesJoinAtOnce(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newLeagueWorld(t, address, 32)
		scores := map[string]int64{}
		for i := range 500 {
			scores[fmt.Sprintf("user_%03d", i)] = int64(i + 1)
		}
		var looks sync.WaitGroup
		for round := range 4 { // some have joined, others come
			some := map[string]int64{}
			for player, score := range scores {
				if int(score)%4 == round {
					some[player] = score
				}
			}
			w.play("daily", some)
			w.pass(time.Minute)
			for i, p := range w.processes {
				looks.Add(1)
				go func() {
					defer looks.Done()
					if _, err := p.leagues.PlayerLeague(w.Context(), fmt.Sprintf("user_%03d", i)); err != nil {
						w.Error(err)
					}
				}()
			}
			looks.Wait()
		}
		seats, err := w.joinAll(scores)
		require.NoError(w, err)
		require.Len(w, seats, 500)
		cohorts, of := map[int]int{}, map[string]bool{}
		for _, seat := range seats {
			require.False(w, of[seat.Player])
			of[seat.Player] = true
			cohorts[seat.Cohort]++
			require.Equal(w, float64(seat.Code()), w.score(league.Key(game.DateOf(w.now)), seat.Player), "Redis says the same")
		}
		require.Len(w, cohorts, 17)
		for cohort, n := range cohorts {
			require.LessOrEqual(w, n, 30)
			require.True(w, n == 30 || cohort == 16)
		}
	})
}

// If very many players have XP, those to be seated are read in pages of 10,000, and the result
// is the same: the lowest players who are in no cohort, and no players without XP.
func TestManyPlayersJoinWithoutHoldingRedisUp(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		const players = 110_000
		w := newLeagueWorld(t, address, 1)
		w.until(2, 10*time.Hour)
		yesterday := game.DateOf(w.now).AddDays(-1)
		for i := 0; i < players; i += 10_000 {
			day := []string{"ZADD", game.XPDayKey(yesterday)}
			for j := range 10_000 {
				day = append(day, fmt.Sprint(max(0, i+j-2)), fmt.Sprintf("user_%06d", i+j)) // three have none
			}
			w.redis.Do(day...)
		}
		w.redis.Do("HSET", game.ClosedKey, game.XPMode, yesterday.String())
		w.redis.Server.Inject(func(r upstashtest.Request) (none upstashtest.Fault) {
			for _, command := range r.Commands {
				require.NotContains(w, []string{"ZDIFFSTORE", "ZUNIONSTORE"}, command[0], "Redis would be held up")
			}
			return none
		})
		defer w.redis.Server.Inject(nil)
		key := league.Key(game.Week.Of(yesterday).First())
		for round := range 3 {
			w.own(0, fmt.Sprintf("user_%06d", 12+round*10_000))
			require.EqualValues(w, (round+1)*10_000, w.redis.Do("ZCARD", key))
			for _, i := range []int{2, 3, 10_002, 10_003, 20_002, 20_003, 30_002, 30_003} {
				require.Equal(w, i > 2 && i < 3+(round+1)*10_000, w.redis.Do("ZSCORE", key, fmt.Sprintf("user_%06d", i)) != nil, i)
			}
			w.pass(10 * time.Minute)
		}
	})
}

func (w *leagueWorld) joinAll(players map[string]int64) ([]league.Seat, error) {
	var names []string
	for player := range players {
		names = append(names, player)
	}
	return leaguestore.In(w.history).Join(w.Context(), game.Week.Of(game.DateOf(w.now)).First(), names, w.now,
		func(players []string, _ leaguestore.LeagueRoom) []league.Seat {
			w.Errorf("%d players are in no cohort", len(players))
			return nil
		})
}

func (w *leagueWorld) score(key, player string) float64 {
	reply, err := w.redis.Client.Do(w.Context(), upstash.Cmd("ZSCORE", key, player))
	require.NoError(w, err)
	score, err := reply.Float64()
	require.NoError(w, err)
	return score
}

// Submissions are not in the table: they know nothing of leagues, and so cost nothing more.
func TestLeaguesStayWithinTheirBudget(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newLeagueWorld(t, address, 2)
		scores := map[string]int64{}
		for i := range 40 {
			scores[fmt.Sprintf("user_%02d", i)] = int64(i + 1)
		}
		w.play("daily", scores)
		w.pass(time.Minute)
		p := w.processes[0]
		spent := func(player string) (commands int64) {
			commands, _ = testkit.Spent(p.redis.Meter(), func() { w.own(0, player) })
			return commands
		}
		// Seat, lock, XP of two modes on today and tomorrow, seats, cohort.
		require.LessOrEqual(w, spent("user_01"), int64(25), "the first look has forty players join")
		require.Zero(w, spent("user_01"), "cached")
		require.LessOrEqual(w, spent("user_02"), int64(1), "who is in which cohort, of another player")
		w.pass(29 * time.Second)
		require.Zero(w, spent("user_01"))
		w.pass(2 * time.Second)
		w.own(1, "user_01") // another process finds that the week's XP is due
		require.EqualValues(w, 3, spent("user_01"), "two commands, and one that finds XP made")
		w.pass(31 * time.Second)
		w.own(0, "user_39") // due again, for a player of another cohort
		require.EqualValues(w, 2, spent("user_01"), "the standings of a cohort are two commands")

		before, _ := testkit.Spent(p.redis.Meter(), func() { w.pass(31 * time.Second); w.own(0, "user_01") })
		w.play("daily", map[string]int64{"user_new": 100})
		after, _ := testkit.Spent(p.redis.Meter(), func() { w.pass(31 * time.Second); w.own(0, "user_01") })
		require.LessOrEqual(w, after-before, int64(2), "a player joins for two commands")
	})
}

func TestARolloverCostsNoMoreThanItsModes(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newLeagueWorld(t, address, 1)
		w.play("daily", map[string]int64{"user_a": 10, "user_b": 20})
		w.until(6, 23*time.Hour)
		w.pass(2 * time.Hour)
		w.close()
		_, err := w.processes[0].job.Closing().Weekly(w.Context(), w.now)
		require.NoError(w, err)
		first, _ := testkit.Spent(w.processes[0].redis.Meter(), func() {
			_, err = w.processes[0].job.Closing().Weekly(w.Context(), w.now)
		})
		require.NoError(w, err)
		with, _ := testkit.Spent(w.processes[0].redis.Meter(), func() { err = w.processes[0].settle(w.Context(), w) })
		require.NoError(w, err)
		require.LessOrEqual(w, with-first, int64(2+3), "two modes, and what is noted of a run")
		again, _ := testkit.Spent(w.processes[0].redis.Meter(), func() { err = w.processes[0].settle(w.Context(), w) })
		require.NoError(w, err)
		require.LessOrEqual(w, again-first, int64(3), "nothing is due")
		rows, err := leaguestore.In(w.history).Of(w.Context(), "user_b", game.DateOf(w.now), 10)
		require.NoError(w, err)
		require.Len(w, rows, 1)
		require.Equal(w, league.Promotion, rows[0].Zone)
	})
}

func (p *leagueProcess) settle(ctx context.Context, w *leagueWorld) error {
	_, err := p.job.Weekly(ctx, w.now)
	return err
}

// A week is not settled before the archive has all of its days.
func TestAWeekIsNotSettledBeforeItsDaysAreIn(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newLeagueWorld(t, address, 2)
		w.play("daily", map[string]int64{"user_a": 10, "user_b": 20})
		w.own(0, "user_a")
		w.until(6, 23*time.Hour)
		w.play("daily", map[string]int64{"user_a": 30})
		w.pass(2 * time.Hour)
		require.ErrorIs(w, w.weekly(), league.ErrOpen)
		w.play("daily", map[string]int64{"user_a": 5})
		require.Equal(w, league.Settling, w.own(0, "user_a").State)
		w.close()
		require.NoError(w, w.weekly())
		w.pass(time.Minute)
		own := w.own(0, "user_a")
		require.Equal(w, league.Playing, own.State)
		require.Equal(w, 1, own.Tier)
		require.EqualValues(w, 40, own.Results[0].XP)
		require.Equal(w, 1, own.Results[0].Place)
	})
}

// A day whose board has left Redis before it was archived never comes: its week is settled from
// what was saved of it, and the next one goes on. If it comes back all the same, the operator
// settles the week again.
func TestDaysThatAreLostDoNotKeepAWeekOpen(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newLeagueWorld(t, address, 1)
		w.play("daily", map[string]int64{"user_a": 10, "user_b": 20})
		w.own(0, "user_a")
		w.until(2, 10*time.Hour)
		w.close()
		w.play("daily", map[string]int64{"user_a": 100, "user_b": 5, "user_c": 7})
		lost := game.DateOf(w.now)
		_, err := w.processes[0].job.Save(w.Context(), w.now)
		require.NoError(w, err)
		w.play("blitz", map[string]int64{"user_b": 1000}) // and no run until their time is over
		w.pass(24 * time.Hour)
		require.NoError(w, w.processes[0].app.Store().Rollup.Calendar.ListDays(w.Context()))
		for _, mode := range []string{"daily", "blitz"} {
			w.redis.Do("DEL", game.DayBoardKey(mode, lost))
		}
		w.pass(13 * 24 * time.Hour)
		p := w.processes[0]
		_, err = p.job.Daily(w.Context(), w.now)
		require.NoError(w, err)
		require.NoError(w, w.weekly())
		w.play("daily", map[string]int64{"user_a": 1})
		w.pass(time.Minute)
		own := w.own(0, "user_a")
		require.Equal(w, league.Playing, own.State)
		require.EqualValues(w, 110, own.Results[0].XP)

		m, _ := p.app.Game().Mode("blitz")
		settler := jobs.Settler(p.job.Closing())
		week := game.Week.Of(lost)
		day, err := w.history.Days.Begin(w.Context(), "blitz", lost, "")
		require.NoError(w, err)
		require.NoError(w, day.Put(w.Context(), []game.Result{{Player: "user_b", Stored: m.Encode(1000, 0)}}))
		did, _, err := settler.Resettle(w.Context(), week, league.ResettleOptions{DryRun: true})
		require.NoError(w, err)
		require.Equal(w, []league.LeftOut{{Mode: "blitz", Date: lost.String()}}, did.LeftOut, "the other mode's day came back as it was saved last")
		_, err = day.Finish(w.Context(), w.now)
		require.NoError(w, err)
		for _, dry := range []bool{true, false} {
			did, changed, err := settler.Resettle(w.Context(), week, league.ResettleOptions{DryRun: dry})
			require.NoError(w, err)
			require.Equal(w, league.SettleReport{Week: week.Key(), Players: 3}, did)
			require.Equal(w, 2, changed)
			rows, err := leaguestore.In(w.history).Of(w.Context(), "user_b", game.DateOf(w.now), 10)
			require.NoError(w, err)
			if dry {
				require.EqualValues(w, 25, rows[0].XP, "a dry run changes nothing")
			} else {
				require.EqualValues(w, 825, rows[0].XP)
				require.Equal(w, 1, rows[0].Place)
			}
		}
		_, changed, err := settler.Resettle(w.Context(), week, league.ResettleOptions{})
		require.NoError(w, err)
		require.Zero(w, changed)
		before, _ := week.Previous()
		_, _, err = settler.Resettle(w.Context(), before, league.ResettleOptions{})
		require.ErrorIs(w, err, league.ErrUnbegun)
	})
}

// A Postgres that is lost in the middle of a week gets the week's cohorts back from Redis: nobody
// has another tier or cohort, and the week ends as it would have.
func TestALostArchiveGetsTheWeeksCohortsBack(t *testing.T) {
	for name, first := range map[string]func(w *leagueWorld, p *leagueProcess){
		"somebody new looks first": func(w *leagueWorld, p *leagueProcess) {
			w.play("daily", map[string]int64{"user_new": 3})
			w.pass(time.Minute)
			own, err := p.leagues.PlayerLeague(w.Context(), "user_new")
			require.NoError(w, err)
			require.Equal(w, league.Playing, own.State)
			require.Zero(w, own.Tier)
		},
		"a schedule runs first": func(w *leagueWorld, p *leagueProcess) {
			_, err := p.job.Daily(w.Context(), w.now)
			require.NoError(w, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newLeagueWorld(t, "", 1)
			scores := map[string]int64{"user_a": 10, "user_b": 20, "user_c": 30}
			w.play("daily", scores)
			w.until(6, 23*time.Hour)
			w.pass(2 * time.Hour)
			w.close()
			require.NoError(w, w.weekly())
			w.until(1, 10*time.Hour)
			w.play("daily", scores)
			w.pass(time.Minute)
			before := w.own(0, "user_c")
			require.Equal(w, 1, before.Tier)

			w.history = testkit.Archive(t, archivetest.Database(t), jobs.Tables()...)
			a := w.processes[0].app
			p := &leagueProcess{a, jobs.Leagues(a, w.history), jobs.New(a, w.history), w.processes[0].redis}
			w.processes[0] = p
			first(w, p)
			w.pass(time.Minute)
			after := w.own(0, "user_c")
			require.Equal(w, before.Cohort, after.Cohort)
			require.Equal(w, cohortOf(before), cohortOf(after))

			w.until(6, 23*time.Hour)
			w.pass(2 * time.Hour)
			_, err := p.job.Daily(w.Context(), w.now)
			require.NoError(w, err)
			require.NoError(w, w.weekly())
			rows, err := leaguestore.In(w.history).Of(w.Context(), "user_c", game.DateOf(w.now), 10)
			require.NoError(w, err)
			require.Len(w, rows, 1, "the weeks before are lost")
			require.Equal(w, *before.Cohort, league.Seat{Player: "user_c", Tier: rows[0].Tier, Pace: rows[0].Pace, Cohort: rows[0].Cohort})
			require.Equal(w, 1, rows[0].Place)
			require.Equal(w, 2, rows[0].After)
		})
	}
}

func TestWhoIsErasedOrBannedLeavesTheCohort(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newLeagueWorld(t, address, 1)
		w.play("daily", map[string]int64{"user_a": 10, "user_b": 20, "user_c": 30, "user_d": 30, "user_e": 30})
		w.until(6, 23*time.Hour)
		w.pass(2 * time.Hour)
		w.close()
		require.NoError(w, w.weekly())
		w.play("daily", map[string]int64{"user_a": 10, "user_b": 20, "user_c": 30, "user_d": 30, "user_e": 30})
		w.pass(time.Minute)
		own := w.own(0, "user_a")
		require.Equal(w, []string{"user_c", "user_b", "user_a"}, cohortOf(own), "the others went up: of equal XP, the highest ids")

		removals := jobs.Removals(w.processes[0].app, w.history)
		_, err := removals.Ban(w.Context(), "user_b", "cheating", lifecycle.Act{ID: "1", Actor: "operator", At: w.now})
		require.NoError(w, err)
		require.Equal(w, []string{"user_c", "user_a"}, cohortOf(w.own(0, "user_a")), "at once")
		_, err = removals.Erase(w.Context(), "user_c", lifecycle.Act{ID: "2", Actor: "user_c", At: w.now})
		require.NoError(w, err)
		require.Equal(w, []string{"user_a"}, cohortOf(w.own(0, "user_a")), "at once")
		require.Nil(w, w.redis.Do("ZSCORE", league.Key(game.DateOf(w.now)), "user_c"))
		require.Nil(w, w.redis.Do("ZSCORE", league.XPKey(game.DateOf(w.now)), "user_c"))
		rows, err := leaguestore.In(w.history).Of(w.Context(), "user_c", game.DateOf(w.now).AddDays(7), 10)
		require.NoError(w, err)
		require.Empty(w, rows)
		w.pass(time.Minute)
		require.Equal(w, []string{"user_a"}, cohortOf(w.own(0, "user_a")))
		w.until(6, 23*time.Hour)
		w.pass(2 * time.Hour)
		w.close()
		require.NoError(w, w.weekly())
		rows, err = leaguestore.In(w.history).Of(w.Context(), "user_a", game.DateOf(w.now), 1)
		require.NoError(w, err)
		require.Equal(w, 1, rows[0].Place)
		require.Equal(w, 1, rows[0].Of)
	})
}

func cohortOf(own league.PlayerLeague) (players []string) {
	for _, e := range own.Entries {
		players = append(players, e.Player)
	}
	return players
}
