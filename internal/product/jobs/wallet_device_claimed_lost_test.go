package jobs_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const claimedLostGame = `
name: claimedlost
anonymous: true
currencies: {coins: {first: 1, coins: 2}}
modes:
  first: {max: 1000, xp: 1, scopes: [group], levels: 3, details: true}
  best: {policy: best, max: 1000, xp: 1, scopes: [group], levels: 3, details: true}
  low: {policy: best, order: asc, max: 1000, scopes: [group]}
  latest: {policy: latest, max: 1000, xp: 1, scopes: [group], details: true}
  coins: {policy: sum, max: 500, day_max: 5000, scopes: [group], xp: 1}
`

// pairs are devices with those who claim them, and what they have played.
type pairs struct {
	*world
	plays   map[string]map[string][]paired // by owner, then mode and date
	claimed int                            // how many claimNext has claimed
}

type paired struct {
	device bool
	score  game.Score
}

func newPairs(t *testing.T) *pairs {
	w := &pairs{world: newWorld(t, "", true), plays: map[string]map[string][]paired{}}
	w.game = claimedLostGame
	w.restart()
	return w
}

// day has devices play, each in one group and at a level, and most of their owners in another
// group, before or after them, more or less.
func (w *pairs) day(devices int) {
	for n := range devices {
		both := []bool{true, false}
		if n%2 == 0 {
			slices.Reverse(both)
		}
		for _, is := range both {
			if !is && (n+w.now.Day())%3 == 0 {
				continue
			}
			for _, m := range w.app.Game().Modes {
				score := game.Score(100 + n%4*50)
				player, group := owner(n), "blue"
				if is {
					player, group, score = device(n), "red", score%100+130
				}
				w.now = w.now.Add(time.Second)
				sub := game.Submission{
					Mode: m, Player: player, Date: game.DateOf(w.now), Score: score, At: w.now, Scopes: []game.Scope{groupOf(w.world, group)},
					Idempotency: game.IdempotencyRecord{ID: fmt.Sprint(player, w.now), Fingerprint: "f"},
				}
				if m.Levels > 0 {
					level, err := game.LevelScope(1)
					require.NoError(w, err)
					sub.Scopes = append(sub.Scopes, level)
				}
				if m.Details {
					sub.Details = json.RawMessage(fmt.Sprintf(`{"of":%q}`, group))
				}
				_, err := w.app.Store().Boards.Submit(w.Context(), sub)
				require.NoError(w, err)
				if w.plays[owner(n)] == nil {
					w.plays[owner(n)] = map[string][]paired{}
				}
				day := game.DayBoardKey(m.Name, game.DateOf(w.now))
				w.plays[owner(n)][day] = append(w.plays[owner(n)][day], paired{is, score})
			}
		}
	}
}

// two makes a closed day, and an open one that is saved.
func (w *pairs) two(devices int) {
	w.day(devices)
	require.NoError(w, w.save())
	w.now = w.now.Truncate(24*time.Hour).AddDate(0, 0, 1).Add(14 * time.Hour)
	w.daily()
	w.day(devices)
	require.NoError(w, w.save())
}

func (w *pairs) claim(n int) {
	w.elsewhere(func() {
		_, err := jobs.Claims(w.app, w.kept).Claim(w.Context(), device(n), owner(n))
		require.NoError(w, err)
	})
}

// claimNext claims the next of some devices, if there is one.
func (w *pairs) claimNext(devices int) {
	if w.claimed < devices {
		w.claimed++
		w.claim(w.claimed - 1)
	}
}

// loses has Redis lost, and made again by the next schedule.
func (w *pairs) loses() {
	w.lost(false)
	require.NoError(w, w.save())
}

// merged is what the rules of claims make of the plays of a day.
func merged(m *game.Mode, plays []paired) (score game.Score, taken bool) {
	for i, p := range plays {
		better := p.score > score
		if m.Order == game.Asc {
			better = p.score < score
		}
		if m.Policy == game.Sum {
			score += p.score
		} else if i == 0 || m.Policy == game.Latest || m.Policy == game.Best && better {
			score, taken = p.score, p.device
		}
	}
	return score, taken
}

// oneOf requires that the owners of the first devices have all of it, and that nothing knows
// these devices.
func (w *pairs) oneOf(devices int, torn bool, when string) {
	w.restart()
	places := w.words()
	for n := range devices {
		for place, words := range places {
			// The owner's claim names the device, until the owner is erased.
			require.False(w, words[device(n)] && !slices.Contains(stays, place) && place != "table claims", "%s has %s, %s", place, device(n), when)
		}
		of, err := w.app.Store().Boards.Me(w.Context(), device(n), nil)
		require.NoError(w, err)
		require.Zero(w, of.XP, "%s, %s", device(n), when)
		require.Zero(w, of.Streak.Best, "%s, %s", device(n), when)
		me, err := w.app.Store().Boards.Me(w.Context(), owner(n), nil)
		require.NoError(w, err)
		rows, err := w.kept.Results.Of(w.Context(), owner(n), game.NewDate(1, 1, 1), game.NewDate(9999, 12, 31))
		require.NoError(w, err)
		all, coins, dates := game.Score(0), int64(0), map[game.Date]bool{}
		for _, m := range w.app.Game().Modes {
			for d := game.NewDate(2026, 11, 10); !d.After(game.DateOf(w.now)); d = d.AddDays(1) {
				key := game.DayBoardKey(m.Name, d)
				plays := w.plays[owner(n)][key]
				if len(plays) == 0 {
					continue
				}
				score, taken := merged(m, plays)
				what := fmt.Sprintf("%s on %s, who has played %v, %s", owner(n), key, plays, when)
				if dates[d] = true; m.GivesXP() {
					all += score
				}
				coins += map[string]int64{"first": 1, "coins": 2}[m.Name]
				at := slices.IndexFunc(rows, func(r game.DayResult) bool { return r.Mode == m.Name && r.Date == d })
				require.GreaterOrEqual(w, at, 0, what)
				require.Equal(w, score, m.Decode(rows[at].Stored), "archived of %s", what)
				boards := []game.Scope{{}}
				if d == game.NewDate(2026, 11, 10) { // of an open day no groups are saved
					for _, scope := range rows[at].Scopes {
						boards = append(boards, scope.Scope)
					}
					groups := 1
					if len(plays) > 1 {
						groups = 2
					}
					if m.Levels > 0 {
						groups++
					}
					if !torn {
						require.Len(w, boards, 1+groups, what)
					}
				}
				for _, scope := range boards {
					entries, err := w.app.Store().Boards.Lookup(w.Context(), game.BoardOf(m, game.Day.Of(d), scope), []string{owner(n)})
					require.NoError(w, err)
					require.Len(w, entries, 1, "%s: %s", scope, what)
					require.Equal(w, score, entries[0].Score, "%s: %s", scope, what)
				}
				if m.Details && !torn {
					whose := "blue"
					if taken {
						whose = "red"
					}
					require.JSONEq(w, fmt.Sprintf(`{"of":%q}`, whose), string(rows[at].Details), what)
				}
			}
		}
		require.EqualValues(w, all, me.XP, "%s, %s", owner(n), when)
		require.Equal(w, len(dates), me.Streak.Best, "%s, %s", owner(n), when)
		for player, want := range map[string]int64{device(n): 0, owner(n): coins} {
			wallets := part[map[string]map[string]int64](w.world, w.read(player), "wallets")
			require.Equal(w, want, wallets["coins"]["earned"], "%s, %s", player, when)
		}
	}
}

// outlives requires oneOf after the next schedules, and again after one more loss.
func (w *pairs) outlives(devices int, torn bool, when string) {
	w.later()
	w.oneOf(devices, torn, when)
	w.loses()
	w.later()
	w.oneOf(devices, torn, when+", and lost")
}

// Devices whose days are archived are claimed, and Redis is lost before or after the next
// schedules: all that the devices have played is the owners', in both stores, and nothing else
// knows the devices.
func TestAClaimOfArchivedDaysOutlivesALoss(t *testing.T) {
	for _, then := range []string{"", "save", "daily", "save, loss, save", "loss, loss", "claim, save"} {
		t.Run(then, func(t *testing.T) {
			const devices = 12
			w := newPairs(t)
			w.two(devices)
			for n := range devices {
				w.claim(n)
			}
			switch then {
			case "save":
				require.NoError(t, w.save())
			case "daily":
				w.now = w.now.Add(time.Hour)
				w.daily()
			case "save, loss, save":
				require.NoError(t, w.save())
				w.loses()
			case "loss, loss":
				w.loses()
			case "claim, save":
				for n := range devices {
					w.claim(n)
				}
				require.NoError(t, w.save())
			}
			w.loses()
			w.later()
			w.oneOf(devices, false, "claimed, "+then)
		})
	}
}

// The same holds for devices that are claimed during a run, one before each of its queries or
// requests, whether Redis is lost once more or not.
func TestAClaimDuringARunOutlivesALoss(t *testing.T) {
	for _, job := range []string{"cron-save", "cron-daily", "a repair"} {
		// Devices differ by their numbers: each is claimed at other places of the run, too.
		for _, kind := range []string{"request", "request but one", "request but two", "query"} {
			t.Run(job+", "+kind, func(t *testing.T) {
				const devices = 60
				w := newPairs(t)
				w.two(devices)
				run := func(kept *archive.Archive) error {
					_, err := jobs.New(w.app, kept).Save(w.Context(), w.now)
					return err
				}
				w.now = w.now.Add(time.Second)
				switch job {
				case "a repair":
					w.do("FLUSHALL")
				case "cron-daily":
					w.now = w.now.Truncate(24 * time.Hour).Add(26 * time.Hour)
					run = func(kept *archive.Archive) error {
						_, err := jobs.New(w.app, kept).Daily(w.Context(), w.now)
						return err
					}
				}
				w.restart()
				late := map[string]int{"request but one": 1, "request but two": 2}[kind]
				next := func() {
					if late--; late < 0 {
						w.claimNext(devices)
					}
				}
				if kind != "query" {
					w.before(named("p", devices), func(string) { next() }, func() error { return run(w.kept) })
				} else {
					relay := testkit.NewRelay(w, w.database)
					relayed := testkit.Archive(w, relay.URL, jobs.Tables()...)
					end := relay.BeforeEach(next)
					for n := 0; run(relayed) != nil && n < 9; n++ {
						continue
					}
					end()
				}
				require.Greater(w, w.claimed, 20)
				if job != "a repair" { // what is claimed before its board has come back is merged by the next night
					w.loses()
				}
				w.outlives(w.claimed, true, "claimed during "+job)
			})
		}
	}
}
