package game_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestLimitsAreChecked(t *testing.T) {
	minute := func(n int) game.Rate { return game.Rate{Count: n, Window: time.Minute} }
	for name, c := range map[string]struct {
		limits game.Limits
		want   string // empty: sound
	}{
		"none":                     {game.Limits{}, ""},
		"the usual ones":           {game.Limits{Submit: game.CallerLimits{Player: minute(20), RedisDown: game.LetPass}, Boards: minute(30)}, ""},
		"the widest":               {game.Limits{Boards: game.Rate{Count: 10_000, Window: day}}, ""},
		"no requests at all":       {game.Limits{Boards: minute(0)}, "limits.boards.ip: 0/1m is out of range; use 1 to 10000 in 1s to 1d, such as 20/1m, or off"},
		"too many":                 {game.Limits{Auth: minute(10_001)}, "limits.auth.ip: 10001/1m is out of range; use 1 to 10000 in 1s to 1d, such as 20/1m, or off"},
		"too short":                {game.Limits{Submit: game.CallerLimits{Key: game.Rate{Count: 1, Window: time.Millisecond}, RedisDown: game.Refuse}}, "limits.submit.key: 1/1ms is out of range; use 1 to 10000 in 1s to 1d, such as 20/1m, or off"},
		"too long":                 {game.Limits{Purchases: game.CallerLimits{IP: game.Rate{Count: 1, Window: 2 * day}, RedisDown: game.Refuse}}, "limits.purchases.ip: 1/2d is out of range; use 1 to 10000 in 1s to 1d, such as 20/1m, or off"},
		"too long a pause":         {game.Limits{Submit: game.CallerLimits{Every: 2 * day, RedisDown: game.LetPass}}, "limits.submit.every: 2d is out of range; use 1s to 1d"},
		"nothing said of outages":  {game.Limits{Submit: game.CallerLimits{Player: minute(1)}}, `limits.submit.redis_down: "" is not one of the choices; use open or closed`},
		"a word that is no outage": {game.Limits{Submit: game.CallerLimits{RedisDown: "ajar"}}, `limits.submit.redis_down: "ajar" is not one of the choices; use open or closed`},
	} {
		t.Run(name, func(t *testing.T) {
			d := description(plainMode())
			d.Limits = c.limits
			_, err := game.New(d)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.want)
		})
	}
}

func TestLimitKeysKeepCallersApart(t *testing.T) {
	require.Equal(t, "limit:{submit-player:user_a}:7", game.LimitKey("submit-player", "user_a", 7))
	require.Equal(t, "limit:{submit-every:user_a}", game.PauseKey("submit-every", "user_a"))
}
