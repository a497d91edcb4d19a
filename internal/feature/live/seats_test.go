package live_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/live"
)

func TestSeatsAreBoundedInAllAndForEachAddress(t *testing.T) {
	one, two, three := netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("192.0.2.2/32"), netip.MustParsePrefix("2001:db8::/64")
	seats := live.NewSeats(3, 2)
	take := func(from netip.Prefix) func() {
		leave, ok := seats.Take(from)
		require.Equal(t, ok, leave != nil)
		return leave
	}
	first := take(one)
	require.NotNil(t, first)
	require.NotNil(t, take(one))
	require.Nil(t, take(one), "the address has its two")
	require.NotNil(t, take(two))
	require.Nil(t, take(three), "all three are taken")
	first()
	first()
	require.NotNil(t, take(three))
	require.Nil(t, take(three), "a seat is given back once")
}
