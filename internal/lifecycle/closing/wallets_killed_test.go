package closing_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// killed kills a run's process before its n-th request to Redis. It reports whether the run came
// that far. Locks are deleted, as if they had expired.
func (k *kit) killed(n int, run func(ctx context.Context)) bool {
	ctx, kill := context.WithCancel(context.Background())
	defer kill()
	calls := 0
	run(upstash.WithGate(ctx, func(context.Context) error {
		if calls++; calls < n {
			return nil
		}
		kill()
		return context.Canceled
	}))
	for _, job := range []string{"save", "daily"} {
		k.redisDo("DEL", game.LockKey(job))
	}
	return calls >= n
}

func (k *kit) redisDo(words ...string) any {
	k.t.Helper()
	reply, err := k.server.Redis().Do(context.Background(), words...)
	require.NoError(k.t, err)
	return reply
}

// A run that takes purchases to the history is killed before any of its requests: a restore over
// the same Redis counts each purchase once, wherever it is kept, and so does a restore after a
// loss.
func TestPurchasesOfAKilledSaveCountOnceWhenRestored(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, redis string) {
		k := newEarningKit(t, redis)
		k.at(monday, 12, 0)
		for range 30 {
			k.earn("short", "user_a", monday)
		}
		k.save()
		spent := int64(0)
		for n, more := 1, true; more; n++ {
			k.spend("user_a", 1)
			spent++
			more = k.killed(n, func(ctx context.Context) { _, _ = k.process().Save(ctx) })
			k.restore()
			require.Equal(t, wallet.Balance{Currency: "coins", Earned: 30, Spent: spent}, k.has("user_a")[0], fmt.Sprintf("killed before request %d", n))
		}
		k.save()
		k.lose()
		k.restore()
		require.Equal(t, wallet.Balance{Currency: "coins", Earned: 30, Spent: spent}, k.has("user_a")[0])
		k.agree()
	})
}

const backupOf = "backup~"

// backup copies everything in Redis; back puts Redis back to that.
func (k *kit) backup() (back func()) {
	k.t.Helper()
	keys := func() (all []string) {
		for _, key := range k.redisDo("KEYS", "*").([]any) {
			all = append(all, key.(string))
		}
		return all
	}
	for _, key := range keys() {
		k.redisDo("COPY", key, backupOf+key)
	}
	return func() {
		k.t.Helper()
		for _, key := range keys() {
			if !strings.HasPrefix(key, backupOf) {
				k.redisDo("DEL", key)
			}
		}
		for _, key := range keys() {
			k.redisDo("RENAME", key, strings.TrimPrefix(key, backupOf))
		}
	}
}

// Redis is put back to a backup that has a purchase on its way to the history, which the history
// has by now, and lacks a later one: a restore counts both, once.
func TestPurchasesOfABackupCountOnceWhenRestored(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, redis string) {
		k := newEarningKit(t, redis)
		k.at(monday, 12, 0)
		for range 30 {
			k.earn("short", "user_a", monday)
		}
		k.save()
		k.spend("user_a", 3)
		back := k.backup()
		k.save()
		k.spend("user_a", 4)
		k.save()
		back()
		k.restore()
		require.Equal(t, wallet.Balance{Currency: "coins", Earned: 30, Spent: 7}, k.has("user_a")[0])
		k.save()
		require.Equal(t, wallet.Balance{Currency: "coins", Earned: 30, Spent: 7}, k.has("user_a")[0])
		k.agree()
	})
}

// Single keys of wallets are deleted: a restore makes each total what the history says.
func TestDeletedKeysOfWalletsComeBack(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, redis string) {
		k := newEarningKit(t, redis)
		for n := range 3 {
			d := monday.AddDays(n)
			k.at(d, 12, 0)
			for range 5 {
				k.earn("short", "user_a", d)
			}
			k.earn("daily", "user_b", d)
			k.at(d.AddDays(1), 0, 30)
			k.daily()
		}
		k.spend("user_a", 4)
		k.save()
		want := [][]wallet.Balance{k.has("user_a"), k.has("user_b")}
		require.EqualValues(t, 15, want[0][0].Earned)
		require.EqualValues(t, 60, want[1][0].Earned)
		for _, key := range []string{
			wallet.EarnedKey("coins"), wallet.EarnedDayKey("coins", monday), wallet.EarnedDayKey("coins", monday.AddDays(2)), wallet.SpentKey("coins"), game.PlaysKey("short", monday), game.ClosedKey,
		} {
			k.redisDo("DEL", key)
			k.restore()
			require.Equal(t, want, [][]wallet.Balance{k.has("user_a"), k.has("user_b")}, key)
			k.agree()
		}
	})
}

// A restore runs over midnight, when the part of the oldest day expires: before whichever of its
// requests for what was earned that is, no total loses the day or has it twice.
func TestARestoreOverMidnightTakesNoCoinsAway(t *testing.T) {
	k := newEarningKit(t, "")
	const days = 12
	for n := range days { // the parts of the first two expire at that midnight or before
		d := monday.AddDays(n)
		k.at(d, 12, 0)
		k.earn("daily", "user_a", d)
		if n < 2 {
			k.earn("daily", "user_b", d)
		}
		k.at(d.AddDays(1), 0, 30)
		k.daily()
		expireDays(k)
	}
	for n, more := 1, true; more; n++ {
		k.lose()
		k.at(monday.AddDays(days-2), 23, 58)
		requests := 0
		k.server.Inject(func(r upstashtest.Request) (none upstashtest.Fault) {
			if !strings.Contains(fmt.Sprint(r.Commands), " "+wallet.EarnedKey("")) {
				return none
			}
			if requests++; requests == n {
				k.at(monday.AddDays(days-1), 0, 2)
				expireDays(k)
			}
			return none
		})
		k.restore()
		k.server.Inject(nil)
		more = requests >= n
		for player, plays := range map[string]int64{"user_a": days, "user_b": 2} {
			want := []wallet.Balance{{Currency: "coins", Earned: 20 * plays}, {Currency: "gems", Earned: 2 * plays}}
			require.Equal(t, want, k.has(player), "%s, midnight before request %d", player, n)
		}
	}
}
