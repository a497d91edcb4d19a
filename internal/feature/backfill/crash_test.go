package backfill_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/backfill"
	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/upstash"
)

// childOf is the environment variable with the errand of a child process.
const childOf = "PAST_CHILD"

// errand is an import in a process of its own. The process kills itself when it asks for the
// time for the Calls-th time; it asks with every write to Redis and every day.
type errand struct {
	Redis, Token, Postgres, File, Temp string
	Now                                time.Time
	Calls                              int64 // 0: it lives
}

// child runs an errand, and says how often it asked for the time.
func child() int {
	var e errand
	if err := json.Unmarshal([]byte(os.Getenv(childOf)), &e); err != nil {
		return failed(err)
	}
	var calls atomic.Int64
	now := func() time.Time {
		if calls.Add(1) == e.Calls {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return e.Now
	}
	g, err := gamefile.Parse("test.yaml", []byte(testGame))
	if err != nil {
		return failed(err)
	}
	client, err := upstash.New(upstash.Config{URL: e.Redis, Token: e.Token, Timeout: time.Minute})
	if err != nil {
		return failed(err)
	}
	a, err := archive.Open(archive.Options{URL: e.Postgres, Connections: 2})
	if err != nil {
		return failed(err)
	}
	_, err = backfill.Run(context.Background(), backfill.Small(backfill.Options{
		Files: []string{e.File}, Layout: importer.PastLayout(), Game: g, Now: now, Merge: true, Temp: e.Temp,
		Closing: &closing.Closing{Game: g, Archive: a, Now: now, Store: lifecycle.New(lifecycle.Options{Redis: client, Game: g, Now: now})},
	}))
	if err != nil {
		return failed(err)
	}
	fmt.Print(calls.Load())
	return 0
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// send imports a file in a process of its own; false if the process was killed.
func (k *kit) send(file string, calls int64) (asked int64, lived bool) {
	k.t.Helper()
	text, err := json.Marshal(errand{k.redis.Server.URL(), k.redis.Server.Token(), k.url, file, k.t.TempDir(), k.now, calls})
	require.NoError(k.t, err)
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), childOf+"="+string(text))
	command.Stderr = k.t.Output()
	out, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled() {
		_, err := k.redis.Server.Redis().Do(context.Background(), "DEL", game.LockKey("import"), game.LockKey("daily"), game.LockKey("weekly"))
		require.NoError(k.t, err) // they would go by themselves in some seconds
		return 0, false
	}
	require.NoError(k.t, err)
	_, err = fmt.Sscan(string(out), &asked)
	require.NoError(k.t, err)
	return asked, true
}

// prepared is a product with some days of its own, which differ from the file below: each
// total must be added up once.
func prepared(t *testing.T, redis string) (k *kit, file string) {
	k = newKit(t, redis, noon)
	k.empty()
	own, text := "player,mode,date,score,groups\n", "player,mode,date,score,groups,name\n"
	first := game.DateOf(noon).AddDays(-70)
	for n := range 69 {
		if n%10 != 3 && n < 58 {
			continue
		}
		for i := range 7 {
			for _, m := range []string{"coins", "first", "best"} {
				line := fmt.Sprintf("p%d,%s,%s,%d,red", i, m, first.AddDays(n), 3+(n*i)%7)
				if n < 40 && (n+i)%2 == 0 {
					own += line + "\n"
				}
				text += line + fmt.Sprintf(",N p%d\n", i)
			}
		}
	}
	k.bringIn(k.options(own))
	return k, k.options(text).Files[0]
}

// Wherever an import is killed, running it again gives the same end as an import that was not
// killed.
func TestAnImportThatIsKilledIsFinishedByRunningItAgain(t *testing.T) {
	onEngines(t, func(t *testing.T, redis func() string) {
		url := redis()
		whole, file := prepared(t, url)
		asked, lived := whole.send(file, 0)
		require.True(t, lived)
		whole.agree()
		history, boards, people := whole.history(), whole.boards(), whole.people()
		require.NotEmpty(t, history["snapshots"])

		killed, file := prepared(t, url)
		points := rand.New(rand.NewPCG(1, uint64(asked)))
		kills := 0
		for range 12 {
			if _, lived := killed.send(file, 1+points.Int64N(asked)); !lived {
				kills++
			}
		}
		require.Positive(t, kills)
		_, lived = killed.send(file, 0)
		require.True(t, lived)
		killed.agree()
		require.Equal(t, history, killed.history())
		require.Equal(t, boards, killed.boards())
		require.Equal(t, people, killed.people())
	})
}
