package limit_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

// However many devices there are at an address, they share its rate, and players who have
// signed in there do not count in it.
func TestDevicesOfOneAddressCountTogether(t *testing.T) {
	c := testkit.Still(noon)
	home, other := netip.MustParsePrefix("192.0.2.7/32"), netip.MustParsePrefix("192.0.2.8/32")
	limits := submits(game.CallerLimits{Player: aMinute(20)})
	limits.Anonymous = aMinute(6)
	l, m := local(limits, c)
	granted := 0
	for i := range 50 {
		granted += passed(t, l, limit.Caller{Player: fmt.Sprint("dev_", i), Address: home, Anonymous: true}, 2)
	}
	require.Equal(t, 6, granted)
	d := take(t, l, limit.Caller{Player: "dev_50", Address: home, Anonymous: true})
	require.Equal(t, "submit-anonymous", d.Rule.Name)
	require.Equal(t, 5, passed(t, l, limit.Caller{Player: "user_a", Address: home}, 5))
	require.Equal(t, 5, passed(t, l, limit.Caller{Player: "dev_51", Address: other, Anonymous: true}, 5))
	require.Zero(t, m.asked)
}
