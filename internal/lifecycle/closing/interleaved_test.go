package closing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// asItIs is a mode's day as one store has it: stored scores by player and group.
type asItIs map[string]map[game.Scope]float64

func (all asItIs) put(player string, stored float64, scopes []game.ScopedResult) {
	all[player] = map[game.Scope]float64{{}: stored}
	for _, scoped := range scopes {
		all[player][scoped.Scope] = scoped.Stored
	}
}

// inRedis and inPostgres each read a mode's day.
func (k *kit) inRedis(m *game.Mode, d game.Date) asItIs {
	k.t.Helper()
	all := asItIs{}
	require.NoError(k.t, k.process().Store.Restore.ReadDay(context.Background(), m, d, func(page []game.Result) error {
		for _, r := range page {
			all.put(r.Player, r.Stored, r.Scopes)
		}
		return nil
	}))
	return all
}

func (k *kit) inPostgres(m *game.Mode, d game.Date) asItIs {
	k.t.Helper()
	all := asItIs{}
	require.NoError(k.t, k.archive().Results.OfDay(context.Background(), m.Name, d, func(page []game.Result) error {
		for _, row := range page {
			var scopes []game.ScopedResult
			for _, scoped := range row.Scopes {
				scopes = append(scopes, game.ScopedResult(scoped))
			}
			all.put(row.Player, row.Stored, scopes)
		}
		return nil
	}))
	return all
}

// A run stops anywhere while another whole run, of either kind, happens: the archive has the
// day as it closed, groups included, as soon as a closing has ended. The test does not rely on
// the lock, since a lock expires.
func TestTheArchiveHasADayAsItClosedWhateverRunsMeanwhile(t *testing.T) {
	ctx := context.Background()
	save := func(c *closing.Closing) error { _, err := c.Save(ctx); return err }
	closes := func(c *closing.Closing) error { _, err := c.Daily(ctx); return err }
	for _, c := range []struct {
		name         string
		outer, inner func(*closing.Closing) error
		outerMayFail bool // since the inner run supersedes it
	}{
		{"a closing during a saving", save, closes, false},
		{"a saving during a closing", closes, save, false},
		{"a closing during a closing", closes, closes, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEngines(t, func(k *kit) {
				m := k.mode("first")
				for n, more := 1, true; more; n++ {
					d := monday.AddDays(n)
					k.at(d, 12, 0)
					for i := range 3 {
						k.play(m.Name, fmt.Sprintf("player%0*d", i, i), d, game.Score(10+i))
					}
					k.at(d.AddDays(1), 0, 20)
					end := testkit.Before(k.server, n, func() {
						_, err := k.server.Redis().Do(ctx, "DEL", game.LockKey("daily"), game.LockKey("save"))
						require.NoError(k.t, err)
						require.NoError(k.t, c.inner(k.process()), "before request %d", n)
					})
					err := c.outer(k.process())
					require.True(k.t, err == nil || c.outerMayFail, "before request %d: %v", n, err)
					closed := k.inRedis(m, d)
					require.Len(k.t, closed, 3)
					if more = end(); more {
						require.Equal(k.t, closed, k.inPostgres(m, d), "before request %d", n)
					}
					require.NoError(k.t, closes(k.process()), "before request %d", n)
					require.Equal(k.t, closed, k.inPostgres(m, d), "before request %d", n)
				}
			})
		})
	}
}

// A player who is erased while a run stops stays erased, whatever the run has read before.
func TestARunBringsNobodyBackWhoIsErasedMeanwhile(t *testing.T) {
	ctx := context.Background()
	for name, run := range map[string]func(*closing.Closing) error{
		"saving":  func(c *closing.Closing) error { _, err := c.Save(ctx); return err },
		"closing": func(c *closing.Closing) error { _, err := c.Daily(ctx); return err },
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			for n, more := 1, true; more; n++ {
				d := monday.AddDays(n)
				k.at(d, 12, 0)
				ana, ben := fmt.Sprint("ana", n), "ben"
				k.play("first", ana, d, 10)
				k.play("first", ben, d, 20)
				k.at(d.AddDays(1), 0, 20)
				end := testkit.Before(k.server, n, func() {
					_, err := k.server.Redis().Do(ctx, "DEL", game.LockKey("daily"), game.LockKey("save"))
					require.NoError(t, err)
					k.now = k.now.Add(time.Minute)
					_, err = k.process().Store.Repair.Erase(ctx, ana, lifecycle.Erasure{})
					require.NoError(t, err)
					_, err = k.archive().ErasePlayer(ctx, ana, game.Act{ID: ana, Actor: "operator", At: k.now})
					require.NoError(t, err)
					k.now = k.now.Add(time.Minute)
				})
				_ = run(k.process()) // the run may have to begin again: the next run does
				more = end()
				_, err := k.process().Daily(ctx)
				require.NoError(t, err)
				if !more {
					break
				}
				results, err := k.archive().Results.Of(ctx, ana, d, d)
				require.NoError(t, err)
				require.Empty(t, results, "before request %d", n)
				profiles, err := k.archive().Profiles.Of(ctx, []string{ana})
				require.NoError(t, err)
				require.Empty(t, profiles, "before request %d", n)
			}
		})
	}
}
