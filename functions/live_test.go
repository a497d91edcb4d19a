package functions_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const (
	liveFrame  = "/v1/live/daily_frame"
	eventually = time.Minute
)

// shown is what a viewer has received so far.
type shown struct {
	seen  map[string]bool // players who have been on the page
	rows  map[string]bool // players who are on it now
	kinds []string
	lines []string // lines that belong to no event
	id    string
	clean bool // the stream ended as it should
}

// watcher is a viewer of a process.
type watcher struct {
	mu sync.Mutex
	shown
	ended chan struct{}
}

// watch opens a stream that continues after the event from.
func (s *service) watch(from string) *watcher {
	s.Helper()
	w := &watcher{shown: shown{seen: map[string]bool{}, rows: map[string]bool{}}, ended: make(chan struct{})}
	res := s.send("GET", liveFrame, "", map[string]string{"Last-Event-ID": from})
	require.NotNil(s, res)
	require.Equal(s, http.StatusOK, res.StatusCode)
	s.Cleanup(func() { _ = res.Body.Close() })
	go func() {
		defer close(w.ended)
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20)
		kind := ""
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			w.mu.Lock()
			switch field {
			case "event":
				kind = value
				w.kinds = append(w.kinds, value)
			case "id":
				w.id = value
			case "data":
				w.take(kind, value)
			default:
				w.lines = append(w.lines, lines.Text())
			}
			w.mu.Unlock()
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.clean = lines.Err() == nil
	}()
	return w
}

// take adds an event to the state. The caller holds the lock.
func (w *watcher) take(kind, text string) {
	var data struct {
		Entries []struct{ Player string }
		Gone    []string
	}
	if json.Unmarshal([]byte(text), &data) != nil {
		return
	}
	if kind == "board" {
		clear(w.rows)
	}
	for _, player := range data.Gone {
		delete(w.rows, player)
	}
	for _, row := range data.Entries {
		w.seen[row.Player], w.rows[row.Player] = true, true
	}
}

// now returns the state of the viewer.
func (w *watcher) now() shown {
	w.mu.Lock()
	defer w.mu.Unlock()
	copied := w.shown
	copied.seen, copied.rows = maps.Clone(w.seen), maps.Clone(w.rows)
	return copied
}

// waitFor waits until the state of a watcher satisfies is.
func (w *watcher) waitFor(t *testing.T, what string, is func(shown) bool) {
	t.Helper()
	require.Eventually(t, func() bool { return is(w.now()) }, eventually, 5*time.Millisecond, what)
}

func (s *service) play(player string, score int) {
	s.Helper()
	body := fmt.Sprintf(`{"mode":"daily_frame","player":%q,"score":%d}`, player, score)
	require.Equal(s, 201, s.status(s.T, "POST", "/v1/scores", body, map[string]string{"Framedle-Signature": auth.Sign(signingKey, time.Now(), []byte(body))}))
}

// Two processes stream what a third one receives, on both kinds of Redis. Each change
// appears at both and costs the third nothing. The viewers of a process that dies
// continue at the other. The notifications of Redis may be switched off meanwhile, and
// banned players disappear.
func TestTwoProcessesShowWhatAThirdIsSent(t *testing.T) {
	const players, batch = 1000, 50
	liveBinary, allBinary := forAnyHost(t, "live"), forAnyHost(t, "all")
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis := upstashtest.Start(t, upstashtest.Options{Redis: address})
		stats := func() map[string]int64 {
			all, err := redis.Redis().CommandStats(t.Context())
			require.NoError(t, err)
			return all
		}
		env := []string{
			"UPSTASH_REDIS_REST_URL=" + redis.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Token(),
			"SIGNING_KEYS=" + signingKey, "OPS_TOKEN=" + operatorToken, "DATABASE_URL=" + archivetest.Database(t),
		}
		hubs := []*service{startBinary(t, liveBinary, env...), startBinary(t, liveBinary, env...)}
		third := startBinary(t, allBinary, env...)
		third.play("user_first", 0)
		var viewers []*watcher
		for _, hub := range hubs {
			v := hub.watch("")
			v.waitFor(t, "the board", func(now shown) bool { return now.rows["user_first"] })
			viewers = append(viewers, v)
		}
		set := func() string {
			flags, err := redis.Redis().Do(t.Context(), "CONFIG", "GET", "notify-keyspace-events")
			require.NoError(t, err)
			return flags.([]any)[1].(string)
		}
		require.Eventually(t, func() bool { return set() != "" }, eventually, 5*time.Millisecond)

		began, before := time.Now(), stats()
		for n := range players {
			third.play(fmt.Sprint("user_", n), 1+n)
			if n%batch != batch-1 {
				continue
			}
			for _, v := range viewers {
				v.waitFor(t, "the newest", func(now shown) bool { return now.seen[fmt.Sprint("user_", n)] })
			}
		}
		for _, v := range viewers {
			require.Len(t, v.now().seen, players+1, "each change is seen at both")
			require.Equal(t, 1, strings.Count(strings.Join(v.now().kinds, " "), "board"), "and none is left out")
		}
		passed, after := time.Since(began), stats()
		require.Zero(t, after["publish"], "nobody who writes tells of it")
		reads := after["zrange"] + after["zrevrange"] - before["zrange"] - before["zrevrange"]
		require.LessOrEqual(t, reads, 2*int64(2*passed/time.Second+2), "two a second and process")

		// One process dies: its viewers continue at the other, with the right board.
		require.NoError(t, hubs[0].process.Process.Signal(syscall.SIGKILL))
		<-viewers[0].ended
		require.False(t, viewers[0].now().clean, "it was cut off")
		third.play("user_meanwhile", 1000)
		again := hubs[1].watch(viewers[0].now().id)
		again.waitFor(t, "the whole board", func(now shown) bool { return now.rows["user_meanwhile"] })
		require.Equal(t, "board", again.now().kinds[0])
		viewers[1].waitFor(t, "the same", func(now shown) bool { return now.rows["user_meanwhile"] })
		require.Equal(t, viewers[1].now().rows, again.now().rows)

		// Somebody else switches off the notifications that tell of changes.
		_, err := redis.Redis().Do(t.Context(), "CONFIG", "SET", "notify-keyspace-events", "")
		require.NoError(t, err)
		third.play("user_untold", 1000)
		again.waitFor(t, "a change that nobody told", func(now shown) bool { return now.rows["user_untold"] })
		require.Eventually(t, func() bool { return set() != "" }, eventually, 5*time.Millisecond)
		third.play("user_told", 1000)
		again.waitFor(t, "a change that was told", func(now shown) bool { return now.rows["user_told"] })

		require.Equal(t, 200, third.status(t, "PUT", "/v1/ops/bans/user_told", `{"reason":"plays with a script"}`, map[string]string{"Authorization": "Bearer " + operatorToken}))
		again.waitFor(t, "the ban", func(now shown) bool { return !now.rows["user_told"] })

		// A process that is told to end tells its viewers when to come back.
		hubs[1].stop()
		for _, v := range []*watcher{again, viewers[1]} {
			<-v.ended
			now := v.now()
			require.True(t, now.clean, "the stream ends as it should")
			retries := 0
			for _, line := range now.lines {
				if strings.HasPrefix(line, "retry: ") {
					retries++
				}
			}
			require.Equal(t, 2, retries, now.lines)
		}
	})
}
