package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// stage is a board in memory, what reads it, and what tells of it. It runs on the
// clock of a synctest bubble.
type stage struct {
	mu     sync.Mutex
	page   []game.Entry
	total  int64
	broken error
	reads  []time.Time
	counts []time.Time // and when a board that is large was counted, with them or alone
	every  time.Duration

	heard func(string)
	hears func(bool)
	deaf  bool // nobody tells of changes
	ended int  // listenings that have ended

	now func() time.Time
	hub *Hub
}

func (s *stage) Listen(ctx context.Context, heard func(string), hears func(bool)) {
	s.mu.Lock()
	s.heard, s.hears = heard, hears
	deaf := s.deaf
	s.mu.Unlock()
	hears(!deaf)
	<-ctx.Done()
	s.mu.Lock()
	s.ended++
	s.mu.Unlock()
}

func (s *stage) Top(_ context.Context, b game.Board, limit, last int64, count bool) (game.Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads = append(s.reads, time.Now())
	total := max(s.total, int64(len(s.page)))
	if count && total > limit {
		s.counts = append(s.counts, time.Now())
	}
	if !count {
		total = last
	}
	page := game.Page{Board: b, Total: total, UpdatedAt: s.now(), Entries: append([]game.Entry(nil), s.page...)}
	page.Cut(limit)
	return page, s.broken
}

func (s *stage) Count(context.Context, game.Board) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts = append(s.counts, time.Now())
	return max(s.total, int64(len(s.page))), s.broken
}

func (s *stage) Every(game.Board) time.Duration { return s.every }

// set puts players on the board, the first leading, and tells of it.
func (s *stage) set(tell string, players ...string) {
	s.mu.Lock()
	s.page = nil
	for i, player := range players {
		s.page = append(s.page, game.Entry{Player: player, Rank: int64(i + 1), Score: game.Score(1000 - i)})
	}
	heard := s.heard
	s.mu.Unlock()
	if tell != "" {
		heard(tell)
	}
}

func (s *stage) read() int { s.mu.Lock(); defer s.mu.Unlock(); return len(s.reads) }

var daily = &game.Mode{Name: "daily", Policy: game.First, Order: game.Desc, Ties: game.Earliest}

// start makes a hub in a bubble, at a moment of its clock.
func start(t *testing.T) (*stage, game.Board) {
	t.Helper()
	s := &stage{now: time.Now}
	g := &game.Game{Day: game.UTC, Modes: []*game.Mode{daily}}
	s.hub = NewHub(Options{Game: g, Now: func() time.Time { return s.now() }, Reader: s, News: s, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(s.hub.Close)
	return s, game.BoardOf(daily, game.Day.Of(game.DateOf(time.Now())), game.Scope{})
}

// viewer applies what a stream tells, as a client does.
type viewer struct {
	*Stream
	page   []game.Entry
	kinds  []Kind
	events []*Event
}

func (s *stage) watch(t *testing.T, b game.Board, from string) *viewer {
	t.Helper()
	stream, err := s.hub.Watch(b, 100, Viewer{From: from, Wake: func() {}})
	require.NoError(t, err)
	t.Cleanup(stream.Close)
	return &viewer{Stream: stream}
}

// look takes in what there is once everything has come to rest.
func (v *viewer) look() (over bool) {
	synctest.Wait()
	events, over := v.Take()
	for _, e := range events {
		v.events, v.kinds = append(v.events, e), append(v.kinds, e.Kind)
		switch e.Kind {
		case Board, Closed:
			v.page = e.Page.Entries
		case Moved:
			v.page = apply(v.page, e.Changed, e.Gone)
		}
	}
	return over
}

func (v *viewer) players() (names []string) {
	for _, row := range v.page {
		names = append(names, row.Player)
	}
	return names
}

func TestABoardIsReadAtOnceThenTwiceASecondAndOnceAfterTheLastChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.set("", "ana")
		v := s.watch(t, b, "")
		v.look()
		require.Equal(t, []string{"ana"}, v.players())
		time.Sleep(10 * time.Second)
		before := s.read()

		s.set(b.Key, "ben", "ana")
		time.Sleep(100 * time.Millisecond)
		v.look()
		require.Equal(t, []string{"ben", "ana"}, v.players(), "the first change is seen at once")
		require.Equal(t, before+1, s.read())
		for n := range 1000 { // in 10 s
			s.set(b.Key, fmt.Sprint("user_", n), "ana")
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		v.look()
		require.Equal(t, []string{"user_999", "ana"}, v.players())
		require.LessOrEqual(t, s.read()-before, 22, "two reads a second, and the one after")
		for i := before + 1; i < len(s.reads); i++ {
			require.GreaterOrEqual(t, s.reads[i].Sub(s.reads[i-1]), 500*time.Millisecond)
		}
		after := s.read()
		time.Sleep(time.Hour)
		require.LessOrEqual(t, s.read()-after, 60, "a board that does not change is read once a minute")
	})
}

func TestManyViewersCostAsMuchAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.set("", "ana")
		var all []*viewer
		for range 500 {
			all = append(all, s.watch(t, b, ""))
		}
		all[0].look()
		time.Sleep(time.Second)
		before := s.read()
		s.set(b.Key, "ben", "ana")
		time.Sleep(200 * time.Millisecond)
		for _, v := range all {
			v.look()
			require.Equal(t, []string{"ben", "ana"}, v.players())
		}
		time.Sleep(time.Second)
		require.LessOrEqual(t, s.read()-before, 2)
	})
}

func TestNobodyWatchesNothingIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.deaf = true
		require.Zero(t, s.read())
		v := s.watch(t, b, "")
		v.look()
		v.Close()
		v.Close()
		synctest.Wait()
		before := s.read()
		s.set(b.Key, "ben")
		time.Sleep(time.Hour)
		require.Equal(t, before, s.read())
		require.Equal(t, 1, s.ended, "and nobody listens")
	})
}

func TestABoardIsReadByTheClockWhileNobodyTellsOfChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.deaf = true
		v := s.watch(t, b, "")
		v.look()
		before := s.read()
		for n := range 20 {
			s.set("", fmt.Sprint("user_", n))
			time.Sleep(time.Second)
			v.look()
			require.Equal(t, []string{fmt.Sprint("user_", n)}, v.players(), "within a second")
		}
		require.LessOrEqual(t, s.read()-before, 25)
		s.hears(true)
		synctest.Wait()
		after := s.read()
		time.Sleep(50 * time.Second)
		require.LessOrEqual(t, s.read()-after, 1, "once they are told again, only what changes is read")
		s.set("", "last")
		s.hears(false)
		s.hears(true)
		time.Sleep(time.Second)
		v.look()
		require.Equal(t, []string{"last"}, v.players(), "what changed meanwhile is found")
	})
}

func TestAViewerGoesOnWhereItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.set("", "ana")
		v := s.watch(t, b, "")
		v.look()
		s.set(b.Key, "ben", "ana")
		time.Sleep(time.Second)
		v.look()
		id := v.events[len(v.events)-1].ID()
		v.Close()
		for n := range 3 {
			time.Sleep(time.Second)
			s.set(b.Key, fmt.Sprint("user_", n), "ben", "ana")
			synctest.Wait()
		}
		again := s.watch(t, b, id)
		again.page = v.page
		time.Sleep(time.Second)
		again.look()
		require.NotContains(t, again.kinds, Board)
		require.Equal(t, []string{"user_2", "ben", "ana"}, again.players())

		for _, forged := range []string{"", "x", "-1", again.view.epoch, again.view.epoch + "--1", again.view.epoch + "-999999999999999999999", again.view.epoch + "-99", "other-2", again.view.epoch + "-0"} {
			other := s.watch(t, b, forged)
			other.look()
			require.Equal(t, []Kind{Board}, other.kinds, forged)
			require.Equal(t, again.players(), other.players())
		}
		same := s.watch(t, b, again.events[len(again.events)-1].ID())
		same.look()
		require.Empty(t, same.kinds, "who is up to date is told nothing")

		for n := range 2 * keptEvents {
			s.set(b.Key, fmt.Sprint("late_", n))
			time.Sleep(time.Second)
		}
		late := s.watch(t, b, id)
		late.look()
		require.Equal(t, []Kind{Board}, late.kinds, "who was away for long gets the board")
		slow := again
		slow.look()
		require.Equal(t, late.players(), slow.players(), "so does who does not read")
	})
}

func TestARedisThatDoesNotAnswerIsToldOnceAndItsReturnToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.set("", "ana")
		v := s.watch(t, b, "")
		v.look()
		s.broken = errors.New("away")
		s.heard(b.Key)
		time.Sleep(time.Second)
		v.look()
		time.Sleep(time.Minute)
		v.look()
		require.Equal(t, []Kind{Board, Stale}, v.kinds)
		other := s.watch(t, b, "")
		other.look()
		require.Equal(t, []Kind{Board, Stale}, other.kinds)
		require.LessOrEqual(t, s.read(), 20)
		s.mu.Lock()
		s.broken = nil
		s.mu.Unlock()
		time.Sleep(10 * time.Second)
		v.look()
		require.Equal(t, []Kind{Board, Stale, Moved}, v.kinds, "though nothing has changed")
		require.Equal(t, []string{"ana"}, v.players())
	})
}

func TestTheEndOfADayIsToldWithTheFinalBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.set("", "ana")
		v := s.watch(t, b, "")
		require.False(t, v.look())
		s.set("", "ben", "ana") // nobody tells of it
		time.Sleep(time.Until(s.hub.Game.Ends(b.Period)) + time.Second)
		require.True(t, v.look())
		require.Equal(t, []Kind{Board, Closed}, v.kinds)
		require.Equal(t, []string{"ben", "ana"}, v.players())
		require.True(t, v.events[1].Page.Closed)
		synctest.Wait()
		require.Empty(t, s.hub.boards)
	})
}

func TestABoardThatFollowsIsReadOnceInItsInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, day := start(t)
		defer s.hub.Close()
		s.every = 5 * time.Second
		week := game.BoardOf(daily, game.Week.Of(day.Period.First()), game.Scope{})
		v := s.watch(t, week, "")
		v.look()
		time.Sleep(30 * time.Second)
		before := s.read()
		s.heard(day.Key)
		time.Sleep(30 * time.Second)
		require.Equal(t, before+2, s.read(), "at once, and when it must have been made anew")
		for range 60 {
			s.heard(day.Key)
			time.Sleep(time.Second)
		}
		time.Sleep(30 * time.Second)
		require.LessOrEqual(t, s.read()-before-2, 60/5+3)
		before = s.read()
		s.heard(game.BoardOf(daily, game.Day.Of(week.Period.First().AddDays(-1)), game.Scope{}).Key)
		s.heard("lb:other:" + day.Period.First().String())
		s.heard("lb:")
		time.Sleep(15 * time.Second)
		require.Equal(t, before, s.read(), "what it is not made of is nothing to it")
	})
}

func TestABoardThatFollowsIsLookedAtTwiceAfterChangesThatNobodyTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, day := start(t)
		defer s.hub.Close()
		s.every = 5 * time.Second
		v := s.watch(t, game.BoardOf(daily, game.Week.Of(day.Period.First()), game.Scope{}), "")
		time.Sleep(30 * time.Second)
		before := s.read()
		s.hears(false)
		s.hears(true)
		time.Sleep(20 * time.Second)
		v.look()
		require.Equal(t, before+2, s.read(), "at once, and when it must have been made anew")
	})
}

func TestAHubThatClosesEndsItsStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		v := s.watch(t, b, "")
		s.hub.Close()
		require.True(t, v.look(), "its streams end")
		_, err := s.hub.Watch(b, 100, Viewer{Wake: func() {}})
		require.ErrorIs(t, err, ErrFull)
		s.hub.Close()
	})
}

func TestSoManyBoardsAreWatchedAndNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		at := func(n int) game.Board {
			return game.BoardOf(daily, game.Day.Of(b.Period.First().AddDays(n)), game.Scope{})
		}
		for n := range mostBoards {
			s.watch(t, at(n), "")
		}
		_, err := s.hub.Watch(at(mostBoards), 100, Viewer{Wake: func() {}})
		require.ErrorIs(t, err, ErrFull)
		left := s.watch(t, at(0), "")
		left.Close()
		_, err = s.hub.Watch(at(mostBoards), 100, Viewer{Wake: func() {}})
		require.ErrorIs(t, err, ErrFull, "another still watches it")
	})
}

func TestAReaderThatBreaksEndsItsStreamsAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.now = func() time.Time { panic("no clock") }
		v := s.watch(t, b, "")
		require.True(t, v.look())
		require.Empty(t, v.kinds)
	})
}
