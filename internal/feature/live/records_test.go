package live_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// records gives a process what is watched as a whole.
func (k *kit) records(news live.News, timing live.Timing) *live.Records {
	r := live.NewRecords(live.RecordOptions{Now: k.now, News: news, Log: slog.New(slog.DiscardHandler), Timing: timing})
	k.t.Cleanup(r.Close)
	return r
}

// ofDuels are the notifications of duels, looked after so often that tests need not wait.
func ofDuels(p *process) live.Notifications {
	return live.Notifications{
		Redis: p.client, Log: slog.New(slog.DiscardHandler), Of: live.OfDuels,
		Probes: live.ProbeTiming{Look: 20 * time.Millisecond, Retry: 100 * time.Millisecond, Quiet: time.Second},
	}
}

// state reads a duel that is nothing but its state.
func state(p *process, id string) live.ReadRecord {
	return func(ctx context.Context) (live.Reading, error) {
		reply, err := p.client.Do(ctx, upstash.Cmd("HGET", game.DuelRecordKey(id), "state"))
		if err != nil {
			return live.Reading{}, err
		}
		text, _ := reply.Text()
		return live.Reading{Show: func(string) []byte { return []byte(text) }, Over: text == "decided"}, nil
	}
}

// watchRecord reads a record for a viewer, as package api does.
func (k *kit) watchRecord(r *live.Records, key string, read live.ReadRecord) *live.RecordStream {
	k.t.Helper()
	s, err := r.Watch(key, read)
	require.NoError(k.t, err)
	k.t.Cleanup(s.Close)
	now, err := read(k.t.Context())
	require.NoError(k.t, err)
	s.Begin(now)
	return s
}

// recordShows waits until a stream tells what is waited for.
func (k *kit) recordShows(s *live.RecordStream, shows func(live.RecordNews) bool) {
	k.t.Helper()
	over := time.NewTimer(eventually)
	defer over.Stop()
	for {
		news, more := s.Take()
		if shows(news) {
			return
		}
		require.False(k.t, news.Over, "the stream has ended")
		select {
		case <-more:
		case <-over.C:
			require.FailNow(k.t, "not told")
		}
	}
}

func is(want string) func(live.RecordNews) bool {
	return func(news live.RecordNews) bool { return news.Now != nil && string(news.Now.Show("")) == want }
}

func TestARecordIsToldWhenItChanges(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		p := k.process()
		records := k.records(ofDuels(p), live.Timing{Sure: time.Hour, Poll: time.Hour})
		k.redis.Do("HSET", "duel:one", "state", "waiting")
		one := k.watchRecord(records, "duel:one", state(p, "one"))
		k.recordShows(one, is("waiting"))
		k.redis.Do("HSET", "duel:one", "state", "ready")
		k.recordShows(one, is("ready"))

		two := k.watchRecord(records, "duel:one", state(p, "one"))
		k.recordShows(two, is("ready"))
		require.NoError(t, k.redis.Server.Refuse(true))
		k.recordShows(one, func(news live.RecordNews) bool { return news.Stale })
		require.NoError(t, k.redis.Server.Refuse(false))
		k.redis.Do("HSET", "duel:one", "state", "decided")
		for _, s := range []*live.RecordStream{one, two} {
			k.recordShows(s, is("decided"))
			k.recordShows(s, func(news live.RecordNews) bool { return news.Over })
		}
	})
}

// Viewers of duels are not sent the news of boards, nor viewers of boards that of duels.
func TestNewsIsOfWhatIsWatchedAlone(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		for subject, want := range map[live.Subject]string{live.OfDuels: "duel:x", live.OfBoards: "lb:x"} {
			p := k.process()
			news := ofDuels(p)
			news.Of = subject
			ctx, stop := context.WithCancel(t.Context())
			hears, heard, ended := make(chan bool, 10), make(chan string, 100), make(chan struct{})
			go func() {
				defer close(ended)
				news.Listen(ctx, func(key string) { heard <- key }, func(on bool) {
					if on {
						hears <- true
					}
				})
			}()
			<-hears
			require.Empty(t, <-heard, "whatever changed before")
			for n := range 20 {
				k.redis.Do("HSET", "duel:x", "n", fmt.Sprint(n))
				k.redis.Do("ZADD", "lb:x", fmt.Sprint(n), "ana")
			}
			for range 20 {
				require.Equal(t, want, <-heard)
			}
			stop()
			<-ended
			require.Empty(t, heard)
		}
	})
}

func TestARecordOfWhichNobodyTellsIsReadByTheClock(t *testing.T) {
	k := &kit{t: t}
	var reads atomic.Int64
	read := func(context.Context) (live.Reading, error) {
		text := fmt.Sprint(reads.Add(1))
		return live.Reading{Show: func(string) []byte { return []byte(text) }}, nil
	}
	records := k.records(silence{}, live.Timing{Poll: time.Millisecond, Gap: time.Millisecond})
	s := k.watchRecord(records, "duel:one", read)
	k.recordShows(s, is("1"))
	k.recordShows(s, func(news live.RecordNews) bool { return news.Now != nil && reads.Load() > 3 })
}

// Redis does not notify when a record's time is over.
func TestARecordIsReadWhenItsTimeIsOver(t *testing.T) {
	k := &kit{t: t, began: time.Now()}
	until := k.now().Add(20 * time.Millisecond)
	read := func(context.Context) (live.Reading, error) {
		over := k.now().After(until)
		return live.Reading{Show: func(string) []byte { return []byte(fmt.Sprint(over)) }, Until: until, Over: over}, nil
	}
	s := k.watchRecord(k.records(silence{}, live.Timing{Poll: time.Hour, Gap: time.Millisecond}), "duel:one", read)
	k.recordShows(s, is("true"))
}

// A change during the first viewer's read is not missed, and an older reading does not
// replace a newer one.
func TestNoChangeIsMissedWhileTheFirstViewerReads(t *testing.T) {
	k := &kit{t: t}
	news := &told{listens: make(chan struct{})}
	records := k.records(news, live.Timing{Sure: time.Hour, Poll: time.Hour, Gap: time.Millisecond})
	var now atomic.Value
	now.Store("old")
	read := func(context.Context) (live.Reading, error) {
		text := now.Load().(string)
		return live.Reading{Show: func(string) []byte { return []byte(text) }}, nil
	}
	other := k.watchRecord(records, "duel:other", read)
	defer other.Close()
	<-news.listens
	news.hears(true)
	s, err := records.Watch("duel:one", read)
	require.NoError(t, err)
	defer s.Close()
	before, err := read(t.Context())
	require.NoError(t, err)
	now.Store("new")
	news.heard("duel:one")
	s.Begin(before)
	k.recordShows(s, is("new"))
}

// told is News that a test tells.
type told struct {
	heard   func(string)
	hears   func(bool)
	listens chan struct{}
}

func (n *told) Listen(ctx context.Context, heard func(string), hears func(bool)) {
	n.heard, n.hears = heard, hears
	close(n.listens)
	<-ctx.Done()
}

func TestWhatIsNotThereIsNotWatched(t *testing.T) {
	k := &kit{t: t}
	records := k.records(silence{}, live.Timing{})
	never := func(context.Context) (live.Reading, error) { return live.Reading{}, errors.New("not to be read") }
	for n := range 5000 { // more than are watched at once
		s, err := records.Watch(fmt.Sprint("duel:", n), never)
		require.NoError(t, err)
		s.Close()
		s.Close()
	}
	held := []*live.RecordStream{}
	for n := range 2000 {
		s, err := records.Watch(fmt.Sprint("duel:", n), never)
		if err != nil {
			require.ErrorIs(t, err, live.ErrFull)
			break
		}
		held = append(held, s)
	}
	require.Len(t, held, 1000)
	held[0].Close()
	_, err := records.Watch("duel:another", never)
	require.NoError(t, err)
}
