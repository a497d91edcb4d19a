package queue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/platform/host"
)

// taker notes what it is given, and when.
type taker struct {
	mu      sync.Mutex
	began   time.Time
	batches [][]string
	at      []time.Duration
	fails   func(m host.QueueMessage) bool
	err     error
}

func (t *taker) take(_ context.Context, messages []host.QueueMessage) (failed []string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var bodies []string
	for _, m := range messages {
		bodies = append(bodies, fmt.Sprintf("%s/%d", m.Body, m.Receives))
		if t.fails != nil && t.fails(m) {
			failed = append(failed, m.ID)
		}
	}
	t.batches = append(t.batches, bodies)
	t.at = append(t.at, time.Since(t.began))
	return failed, t.err
}

// given is what has been given so far.
func (t *taker) given() [][]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.batches)
}

// running starts a queue in a bubble with its own time; the window is 10 s, the
// visibility a minute, a batch 3 messages, and a message is given 3 times.
func running(t *testing.T, tk *taker, use func(q *queue.Queue)) (left int) {
	synctest.Test(t, func(t *testing.T) {
		tk.began = time.Now()
		q := queue.New(queue.Options{Batch: 3, Window: 10 * time.Second, Visibility: time.Minute, MaxReceives: 3, Capacity: 5, Take: tk.take})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { left = q.Run(ctx); close(done) }()
		synctest.Wait()
		use(q)
		stop()
		<-done
	})
	return left
}

func send(t *testing.T, q *queue.Queue, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		require.NoError(t, q.Send(t.Context(), body))
	}
}

func TestABatchGathersForTheWindow(t *testing.T) {
	tk := &taker{}
	left := running(t, tk, func(q *queue.Queue) {
		send(t, q, "a")
		time.Sleep(9 * time.Second)
		send(t, q, "b")
		time.Sleep(2 * time.Second)
		require.Zero(t, q.Waiting())
	})
	require.Equal(t, [][]string{{"a/1", "b/1"}}, tk.batches)
	require.Equal(t, []time.Duration{10 * time.Second}, tk.at)
	require.Zero(t, left)
}

func TestAFullBatchDoesNotWait(t *testing.T) {
	tk := &taker{}
	running(t, tk, func(q *queue.Queue) {
		send(t, q, "a", "b", "c", "d")
		synctest.Wait()
		require.Equal(t, [][]string{{"a/1", "b/1", "c/1"}}, tk.given())
		time.Sleep(11 * time.Second)
	})
	require.Equal(t, [][]string{{"a/1", "b/1", "c/1"}, {"d/1"}}, tk.batches)
}

func TestOnlyWhatFailedComesAgainAndInTheEndItIsDead(t *testing.T) {
	tk := &taker{fails: func(m host.QueueMessage) bool { return m.Body == "bad" || m.Body == "late" && m.Receives < 2 }}
	var dead []host.QueueMessage
	running(t, tk, func(q *queue.Queue) {
		send(t, q, "good", "late", "bad")
		time.Sleep(10 * time.Minute)
		dead = q.Dead()
		require.Zero(t, q.Waiting())
	})
	require.Equal(t, [][]string{{"good/1", "late/1", "bad/1"}, {"late/2", "bad/2"}, {"bad/3"}}, tk.batches)
	require.Len(t, dead, 1)
	require.Equal(t, "bad", dead[0].Body)
	require.Equal(t, 3, dead[0].Receives)
	require.Equal(t, []time.Duration{0, 70 * time.Second, 140 * time.Second}, tk.at, "the visibility and the window after each other")
}

func TestDeadLettersThatAreSentBackBeginAnew(t *testing.T) {
	tk := &taker{fails: func(host.QueueMessage) bool { return true }}
	running(t, tk, func(q *queue.Queue) {
		require.Zero(t, q.Redrive())
		send(t, q, "a")
		time.Sleep(10 * time.Minute)
		require.Len(t, q.Dead(), 1)
		tk.mu.Lock()
		tk.fails = nil
		tk.mu.Unlock()
		require.Equal(t, 1, q.Redrive())
		time.Sleep(time.Minute)
		require.Empty(t, q.Dead())
		require.Zero(t, q.Waiting())
	})
	require.Equal(t, [][]string{{"a/1"}, {"a/2"}, {"a/3"}, {"a/1"}}, tk.batches)
}

func TestABatchThatFailsAsAWholeComesAgain(t *testing.T) {
	tk := &taker{err: errors.New("crashed")}
	running(t, tk, func(q *queue.Queue) {
		send(t, q, "a", "b", "c")
		synctest.Wait()
		tk.mu.Lock()
		tk.err = nil
		tk.mu.Unlock()
		time.Sleep(2 * time.Minute)
		require.Empty(t, q.Dead())
	})
	require.Equal(t, [][]string{{"a/1", "b/1", "c/1"}, {"a/2", "b/2", "c/2"}}, tk.batches)
}

func TestAtTheEndWhatIsThereIsTakenAtOnce(t *testing.T) {
	tk := &taker{fails: func(m host.QueueMessage) bool { return m.Body == "bad" }}
	left := running(t, tk, func(q *queue.Queue) { send(t, q, "a", "bad") })
	require.Equal(t, [][]string{{"a/1", "bad/1"}}, tk.batches)
	require.Equal(t, []time.Duration{0}, tk.at)
	require.Equal(t, 1, left)
}

func TestAFullQueueTakesNoMore(t *testing.T) {
	tk := &taker{fails: func(host.QueueMessage) bool { return true }}
	running(t, tk, func(q *queue.Queue) {
		send(t, q, "a", "b", "c", "d", "e")
		require.ErrorIs(t, q.Send(t.Context(), "f"), queue.ErrFull)
	})
}

func TestSendersAtOnceLoseNothing(t *testing.T) {
	var mu sync.Mutex
	var got []string
	q := queue.New(queue.Options{Batch: 10, Window: time.Millisecond, Visibility: time.Minute, MaxReceives: 1, Capacity: 1000,
		Take: func(_ context.Context, messages []host.QueueMessage) ([]string, error) {
			mu.Lock()
			defer mu.Unlock()
			for _, m := range messages {
				got = append(got, m.Body)
			}
			return nil, nil
		}})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { q.Run(ctx); close(done) }()
	var want []string
	var wait sync.WaitGroup
	for s := range 8 {
		for n := range 50 {
			want = append(want, fmt.Sprintf("%d-%d", s, n))
		}
		wait.Go(func() {
			for n := range 50 {
				if err := q.Send(ctx, fmt.Sprintf("%d-%d", s, n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	stop()
	<-done
	slices.Sort(got)
	slices.Sort(want)
	require.Equal(t, want, got)
}
