package game_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func scope(t require.TestingT, s string) game.Scope {
	got, err := game.ParseScope(s)
	require.NoError(t, err)
	return got
}

func TestBoardKeysAreTheContract(t *testing.T) {
	d := date(t, "2025-02-22")
	for _, c := range []struct {
		kind  game.PeriodKind
		scope string
		key   string
	}{
		{game.Day, "global", "lb:daily_frame:2025-02-22"},
		{game.Day, "country:BR", "lb:daily_frame:2025-02-22:country:BR"},
		{game.Day, "group:team-7_x", "lb:daily_frame:2025-02-22:group:team-7_x"},
		{game.Week, "global", "lb:daily_frame:week:2025-W08"},
		{game.Week, "country:BR", "lb:daily_frame:week:2025-W08:country:BR"},
		{game.Month, "global", "lb:daily_frame:month:2025-02"},
		{game.Month, "group:x", "lb:daily_frame:month:2025-02:group:x"},
		{game.AllTime, "global", "lb:daily_frame:alltime"},
		{game.AllTime, "country:BR", "lb:daily_frame:alltime:country:BR"},
		{game.AllTime, "groups", "lb:daily_frame:alltime:groups"},
		{game.Day, "groups", "lb:daily_frame:2025-02-22:groups"},
		{game.Week, "region:EU", "lb:daily_frame:week:2025-W08:region:EU"},
	} {
		require.Equal(t, c.key, game.BoardKey("daily_frame", c.kind.Of(d), scope(t, c.scope)))
	}
	require.Equal(t, "lb:alltime:xp", game.XPKey)
	require.Equal(t, "lb:duels:elo", game.DuelKey)
}

func TestParseBoardKeyIsTheInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.StringMatching(`[a-z][a-z0-9_]{0,39}`).
			Filter(func(s string) bool { return !isReserved(s) }).Draw(t, "mode")
		p := rapid.SampledFrom([]game.PeriodKind{game.Day, game.Week, game.Month, game.AllTime}).
			Draw(t, "kind").Of(anyDate().Draw(t, "date"))
		s := anyScope().Draw(t, "scope")

		gotMode, gotPeriod, gotScope, err := game.ParseBoardKey(game.BoardKey(mode, p, s))
		require.NoError(t, err)
		require.Equal(t, mode, gotMode)
		require.Equal(t, p, gotPeriod)
		require.Equal(t, s, gotScope)
	})
}

func isReserved(mode string) bool {
	switch mode {
	case "xp", "duels", "alltime", "week", "month":
		return true
	}
	return false
}

func anyScope() *rapid.Generator[game.Scope] {
	return rapid.Custom(func(t *rapid.T) game.Scope {
		return scope(t, rapid.OneOf(
			rapid.Just("global"),
			rapid.SampledFrom([]string{"country:BR", "country:AX", "country:ZW", "region:AF", "region:SA"}),
			rapid.StringMatching(`group:[A-Za-z0-9_-]{1,64}`),
		).Draw(t, "scope"))
	})
}

func TestParseBoardKeyRefusesAllElse(t *testing.T) {
	for _, key := range []string{
		"", "lb:", "lb:daily_frame", "lb:daily_frame:", "daily_frame:2025-02-22", "LB:daily_frame:2025-02-22",
		game.XPKey, game.DuelKey, "lb:xp:alltime", "lb:week:2025-W08", "lb:week:week:2025-W08",
		"lb:Daily:2025-02-22", "lb:1st:2025-02-22", "lb:" + strings.Repeat("a", 41) + ":alltime",
		"lb:daily_frame:2025-02-30", "lb:daily_frame:2025-02-22:", "lb:daily_frame:2025-02-22:global",
		"lb:daily_frame:2025-02-22:country:br", "lb:daily_frame:2025-02-22:country:XX", "lb:daily_frame:2025-02-22:group:",
		"lb:daily_frame:2025-02-22:group:a:b", "lb:daily_frame:2025-02-22:group:a\n", "lb:daily_frame:week",
		"lb:daily_frame:week:2025-W00", "lb:daily_frame:week:2025-W53", "lb:daily_frame:week:2025-W8", "lb:daily_frame:week:0000-W01",
		"lb:daily_frame:week:2025-02-22", "lb:daily_frame:month:2025-13", "lb:daily_frame:month:2025-02-22",
		"lb:daily_frame:day:2025-02-22", "lb:daily_frame:alltime:", "lb:daily_frame:alltime:2025",
	} {
		_, _, _, err := game.ParseBoardKey(key)
		require.ErrorContains(t, err, "is not a board key", "%q", key)
	}
}

func TestParseBoardKeyKnowsYearsOf53Weeks(t *testing.T) {
	_, p, _, err := game.ParseBoardKey("lb:daily_frame:week:2026-W53")
	require.NoError(t, err)
	require.Equal(t, "2027-01-03", p.Last().String())
}

func FuzzParseBoardKey(f *testing.F) {
	for _, key := range []string{
		"lb:daily_frame:2025-02-22", "lb:daily_frame:2025-02-22:country:BR", "lb:a:week:2026-W53:group:x",
		"lb:a:month:2025-02", "lb:a:alltime", game.XPKey, "lb:a:week:9999-W53",
	} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		mode, p, s, err := game.ParseBoardKey(key)
		if err != nil {
			require.Zero(t, mode)
			require.Zero(t, p)
			require.Zero(t, s)
			return
		}
		require.Equal(t, key, game.BoardKey(mode, p, s))
	})
}

func TestNoPlayerHasAnIdThatIsSomebodysOwnProfile(t *testing.T) {
	for _, player := range []string{"a", "user_a", "~"} {
		require.Error(t, game.ValidPlayer(game.OwnProfile(player)))
	}
}

func TestClaimsAreFoundByTheDigestsOfTheirIndex(t *testing.T) {
	require.Equal(t, "claimed", game.ClaimIndexKey)
	require.Equal(t, "claim:"+game.BanMember("dev_a"), game.ClaimKey("dev_a"))
	require.Equal(t, game.ClaimKey("dev_a"), game.ClaimDigestKey(game.BanMember("dev_a")))
	require.NotEqual(t, game.ClaimsKey, game.ClaimIndexKey)
	require.False(t, strings.HasPrefix(game.ClaimIndexKey, game.ClaimDigestKey("")))
}

func TestNewsIsOfTheKeyThatItsChannelEndsWith(t *testing.T) {
	for channel, want := range map[string]string{
		"__keyspace@0__:lb:daily:2026-11-21":          "lb:daily:2026-11-21",
		"__keyspace@12__:lb:daily:alltime:country:BR": "lb:daily:alltime:country:BR",
		"__keyspace@0__:" + game.LiveProbeKey:         game.LiveProbeKey,
		"__keyspace@0__:":                             "",
	} {
		key, ok := game.KeyOfNews(channel)
		require.True(t, ok, channel)
		require.Equal(t, want, key)
	}
	for _, other := range []string{"", "lb:daily", "__keyevent@0__:zadd", "__keyspace@0"} {
		_, ok := game.KeyOfNews(other)
		require.False(t, ok, other)
	}
}
