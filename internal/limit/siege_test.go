package limit_test

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/limit"
)

// gate is one process with no limits of its own but what a siege refuses.
type gate struct {
	*testing.T
	*limit.Limiter
	now time.Time
}

func newGate(t *testing.T) *gate {
	g := &gate{T: t, now: time.Unix(1_790_000_000, 0)}
	g.Limiter = limit.New(limit.Options{Limits: game.Limits{}, Now: func() time.Time { return g.now }})
	return g
}

func (g *gate) passes(class limit.Class, who limit.Caller) bool {
	g.Helper()
	d, err := g.Take(context.Background(), class, who)
	require.NoError(g, err)
	if !d.Allowed {
		require.Equal(g, "siege", d.Rule.Name)
		require.Positive(g, d.Wait)
	}
	return d.Allowed
}

func (g *gate) after(d time.Duration) { g.now = g.now.Add(d) }

func from(i int) limit.Caller {
	return limit.Caller{Address: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 32)}
}

func scoreOf(player string, i int, first bool) limit.Caller {
	c := from(i)
	c.Player, c.First = player, first
	return c
}

// besiege has so many callers refused once each.
func (g *gate) besiege(callers int) {
	for i := range callers {
		g.Refused(from(i))
	}
}

func TestAFewBadCallersAreNoSiege(t *testing.T) {
	g := newGate(t)
	for range 10_000 {
		g.Refused(from(1))
	}
	g.besiege(49)
	require.True(t, g.passes(limit.Boards, from(1)))
	require.True(t, g.passes(limit.Boards, from(1)))
}

func TestABusyProcessIsNotBesieged(t *testing.T) {
	g := newGate(t)
	for i := range 1000 {
		require.True(t, g.passes(limit.Boards, from(1000+i)))
	}
	g.besiege(100)
	require.True(t, g.passes(limit.Boards, from(1)))
}

func TestASiegeEndsByItself(t *testing.T) {
	g := newGate(t)
	g.besiege(60)
	require.False(t, g.passes(limit.Boards, from(1)))
	g.after(6 * time.Second)
	require.True(t, g.passes(limit.Boards, from(1)))
}

func TestInASiegeScoresOfPlayersAreServed(t *testing.T) {
	g := newGate(t)
	g.besiege(60)
	require.True(t, g.passes(limit.Submit, scoreOf("user_a", 500, true)))
	require.True(t, g.passes(limit.Submit, scoreOf("user_a", 500, false)), "sent again")
	require.True(t, g.passes(limit.Submit, scoreOf("user_a", 500, true)), "of another mode")
	require.True(t, g.passes(limit.Submit, scoreOf("user_b", 1, false)), "though somebody at the address was refused")
	for range 10 {
		g.Refused(from(2))
	}
	require.True(t, g.passes(limit.Submit, scoreOf("user_c", 2, true)), "though somebody there does nothing else")
	require.False(t, g.passes(limit.Submit, scoreOf("user_c", 2, false)))
	server := limit.Caller{Key: "01234567"}
	for range 50 {
		require.True(t, g.passes(limit.Submit, server))
	}
}

func TestInASiegeWhoeverGoesOnIsServedNothing(t *testing.T) {
	g := newGate(t)
	g.besiege(60)
	served := 0
	for i := range 100 {
		if g.passes(limit.Submit, scoreOf("hostile", 500, i%50 == 0)) {
			served++
		}
	}
	require.Equal(t, 3, served, "the first, and two more")
	require.False(t, g.passes(limit.Submit, scoreOf("hostile", 501, true)), "from another address")
	for range 12 { // the siege goes on
		g.after(4 * time.Second)
		g.besiege(60)
	}
	require.False(t, g.passes(limit.Submit, scoreOf("hostile", 501, true)))
}

func TestInASiegeLooksWaitTheirTurn(t *testing.T) {
	g := newGate(t)
	g.besiege(60)
	require.False(t, g.passes(limit.Boards, from(500)), "nobody knows the caller")
	g.after(3 * time.Second)
	require.True(t, g.passes(limit.Boards, from(500)), "who has waited")
	require.False(t, g.passes(limit.Boards, from(500)), "who has not")
	g.after(3 * time.Second)
	g.besiege(60)
	for i := range 10 {
		require.False(t, g.passes(limit.Boards, from(600+i)))
	}
	g.after(3 * time.Second)
	served := 0
	for i := range 10 {
		if g.passes(limit.Boards, from(600+i)) {
			served++
		}
	}
	require.Equal(t, 2, served, "in one second")
}

func TestASiegeRefusesAThousandCallersNearlyEverything(t *testing.T) {
	g := newGate(t)
	served := 0
	for round := range 100 { // of 100 ms
		for i := range 1000 {
			if i%4 == 0 {
				g.Refused(from(i))
			} else if g.passes(limit.Boards, from(i)) {
				served++
			}
		}
		if round == 0 {
			require.Less(t, served, 300, "until it is one")
		}
		g.after(100 * time.Millisecond)
	}
	require.Less(t, served, 300+2*10)
}

func ExampleLimiter_Refused() {
	l := limit.New(limit.Options{Now: func() time.Time { return time.Unix(1_790_000_000, 0) }})
	for i := range 60 {
		l.Refused(from(i))
	}
	d, _ := l.Take(context.Background(), limit.Boards, from(7))
	fmt.Println(d.Allowed, d.Rule.Name, d.Wait)
	// Output: false siege 1m0s
}
