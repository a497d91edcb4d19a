package live

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/game"
)

var (
	attacker = netip.MustParsePrefix("203.0.113.7/32")
	reader   = netip.MustParsePrefix("198.51.100.9/32")
)

// purse charges addresses for reads, as the gate does: each read costs the same.
type purse struct {
	limits *limit.Limiter
	price  int
	mu     sync.Mutex
	spent  map[netip.Prefix]int
}

func newPurse(price int) *purse {
	return &purse{price: price, spent: map[netip.Prefix]int{}, limits: limit.New(limit.Options{
		Limits: game.Limits{Commands: game.CommandLimits{
			IP: game.Rate{Count: 300, Window: time.Minute}, Unverified: game.Rate{Count: 50, Window: time.Second}, Burst: 1200,
		}},
		Now: time.Now,
	})}
}

// at is a viewer at an address.
func (p *purse) at(from netip.Prefix) Viewer {
	return Viewer{Address: from, Wake: func() {}, Pay: func(ctx context.Context) (context.Context, func(), time.Duration) {
		d, err := p.limits.Spend(ctx, limit.Caller{Address: from, Viewers: true}, p.price)
		if err != nil || !d.Allowed {
			return nil, nil, d.Wait
		}
		return ctx, func() {
			d.Settle(p.price)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.spent[from] += p.price
		}, 0
	}}
}

func (p *purse) spentBy(from netip.Prefix) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent[from]
}

// groupBoard is the n-th of any number of boards that a caller can name.
func groupBoard(t *testing.T, of game.Board, n int) game.Board {
	t.Helper()
	scope, err := game.ParseScope(fmt.Sprintf("group:g%d", n))
	require.NoError(t, err)
	return game.BoardOf(daily, of.Period, scope)
}

// An address that opens 200 streams of 200 boards which change all the time costs no more than
// any address may. Others get seats, and see each change at once.
func TestOneAddressWithManyStreamsCostsWhatAnAddressMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, day := start(t)
		defer s.hub.Close()
		s.set("", "user_a")
		purse, seats := newPurse(10), 0
		for n := range 200 {
			if stream, err := s.hub.Watch(groupBoard(t, day, n), 100, purse.at(attacker)); err == nil {
				defer stream.Close()
				seats++
			}
		}
		require.Equal(t, mostOfAddress, seats)
		for n := range 100 { // streams of a board that the address already watches
			stream, err := s.hub.Watch(groupBoard(t, day, n%mostOfAddress), 100, purse.at(attacker))
			require.NoError(t, err)
			defer stream.Close()
		}
		stream, err := s.hub.Watch(day, 100, purse.at(reader))
		require.NoError(t, err)
		v := &viewer{Stream: stream}
		defer v.Close()
		for n := range 30 { // a minute
			time.Sleep(2 * time.Second)
			s.set("", fmt.Sprintf("user_%d", n))
			s.heard("")
			time.Sleep(time.Second)
			v.look()
			if n < 8 { // until it has used up its own 300
				require.Equal(t, []string{fmt.Sprintf("user_%d", n)}, v.players())
			}
			if n == 18 { // just within a minute
				require.LessOrEqual(t, purse.spentBy(attacker), 300)
				require.Greater(t, purse.spentBy(attacker), 200, "the boards are still read")
			}
		}
		require.LessOrEqual(t, purse.spentBy(attacker), 2*300)
	})
}

// Who pays for a board is one of those who watch it: another viewer goes on where the first
// can no longer pay.
func TestViewersShareTheCostOfTheirBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, day := start(t)
		defer s.hub.Close()
		purse := newPurse(1)
		for n := range 10 {
			from := netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(n)}), 32)
			stream, err := s.hub.Watch(day, 100, purse.at(from))
			require.NoError(t, err)
			defer stream.Close()
		}
		for range 100 {
			time.Sleep(time.Second)
			s.heard(day.Key)
		}
		most := 0
		for n := range 10 {
			most = max(most, purse.spentBy(netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(n)}), 32)))
		}
		require.Less(t, most, 50)
		require.Greater(t, s.read(), 90)
	})
}

// A board for which nobody can pay is read again as soon as somebody can.
func TestABoardWaitsUntilSomebodyPays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, day := start(t)
		defer s.hub.Close()
		purse := newPurse(300)
		stream, err := s.hub.Watch(day, 100, purse.at(attacker))
		require.NoError(t, err)
		v := &viewer{Stream: stream}
		defer v.Close()
		v.look()
		s.set(day.Key, "user_a")
		time.Sleep(30 * time.Second)
		v.look()
		require.Empty(t, v.players())
		stream, err = s.hub.Watch(day, 100, purse.at(reader))
		require.NoError(t, err)
		defer stream.Close()
		v.look()
		require.Equal(t, []string{"user_a"}, v.players())
		s.set(day.Key, "user_b")
		time.Sleep(time.Minute)
		v.look()
		require.Equal(t, []string{"user_b"}, v.players(), "a minute later it may spend again")
	})
}

// Whoever takes all seats of boards that anybody can name, boards of everybody have theirs. A
// board on which nobody is makes room.
func TestBoardsOfEverybodyAlwaysHaveRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, day := start(t)
		defer s.hub.Close()
		purse := newPurse(1)
		from := func(n int) Viewer {
			return purse.at(netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(n / mostOfAddress)}), 32))
		}
		s.set("", "user_a")
		for n := range mostParts {
			stream, err := s.hub.Watch(groupBoard(t, day, n), 100, from(n))
			require.NoError(t, err, n)
			defer stream.Close()
		}
		synctest.Wait()
		_, err := s.hub.Watch(groupBoard(t, day, 999), 100, purse.at(reader))
		require.ErrorIs(t, err, ErrFull)
		stream, err := s.hub.Watch(day, 100, purse.at(reader))
		require.NoError(t, err)
		defer stream.Close()

		s.set("") // nobody is on any board
		s.heard("")
		time.Sleep(10 * time.Second)
		stream, err = s.hub.Watch(groupBoard(t, day, 999), 100, purse.at(reader))
		require.NoError(t, err)
		defer stream.Close()
	})
}
