package live

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A board with more players than rows that are read also costs two commands a second, however
// often it changes; its players are counted once more after the last change.
func TestALargeBoardIsCountedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.total = 1000
		v := s.watch(t, b, "")
		v.look()
		began, reads, counts := time.Now(), s.read(), len(s.counts)
		for n := range 600 {
			s.mu.Lock()
			s.total++
			s.mu.Unlock()
			s.set(b.Key, fmt.Sprint("user_", n))
			time.Sleep(100 * time.Millisecond)
		}
		passed := time.Since(began)
		s.mu.Lock()
		spent := len(s.reads) - reads + len(s.counts) - counts
		s.mu.Unlock()
		require.LessOrEqual(t, spent, 2*int(passed/time.Second)+2)
		time.Sleep(5 * time.Second)
		v.look()
		last := v.events[len(v.events)-1]
		require.Equal(t, int64(1600), max(last.Total, last.Page.Total))
		s.hub.mu.Lock()
		defer s.hub.mu.Unlock()
		require.False(t, s.hub.boards[b.Key].owed)
	})
}

// A board's players are counted after the last change, and a change right after the count is
// sent as soon as any other.
func TestNoChangeWaitsForACount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.total = 1000
		v := s.watch(t, b, "")
		v.look()
		time.Sleep(5 * time.Second) // whether Redis was heard of before the first read or after it
		for n := range 60 {
			time.Sleep(700*time.Millisecond + time.Duration(n)*37*time.Millisecond%time.Second)
			changed := time.Now()
			player := fmt.Sprint("user_", n)
			s.set(b.Key, player)
			time.Sleep(s.hub.Timing.Settle)
			v.look()
			require.Equal(t, []string{player}, v.players(), "change %d, %v", n, time.Since(changed))
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		require.Greater(t, len(s.counts), 10)
	})
}

// A board that shrinks to the rows that are read is read again when its count shows that.
func TestACountThatShowsASmallBoardHasItRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := start(t)
		defer s.hub.Close()
		s.total = 1000
		v := s.watch(t, b, "")
		v.look()
		s.set(b.Key, "ana", "ben") // read, and not counted
		time.Sleep(time.Second)
		s.mu.Lock()
		s.total = 0
		s.mu.Unlock()
		time.Sleep(5 * time.Second)
		v.look()
		last := v.events[len(v.events)-1]
		require.Equal(t, int64(2), max(last.Total, last.Page.Total))
		require.Equal(t, []string{"ana", "ben"}, v.players())
	})
}
