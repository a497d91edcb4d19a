package gamefile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

const withLimits = "name: g\nmodes: {a: {max: 5}}\nlimits:\n"

func TestLimitsAreReadOrHaveTheirDefaults(t *testing.T) {
	minute := func(n int) game.Rate { return game.Rate{Count: n, Window: time.Minute} }
	usual := game.Limits{
		Submit:    game.CallerLimits{Player: minute(20), RedisDown: game.LetPass},
		Purchases: game.CallerLimits{Player: minute(10), RedisDown: game.LetPass},
		Duels:     game.CallerLimits{Player: minute(120), RedisDown: game.LetPass},
		Boards:    minute(30), Own: minute(120), Auth: minute(5),
		Anonymous: minute(60), Devices: game.Rate{Count: 20, Window: time.Hour},
		Commands: game.CommandLimits{
			Player: game.Rate{Count: 2000, Window: 24 * time.Hour}, IP: minute(300),
			Unverified: game.Rate{Count: 50, Window: time.Second}, Burst: 1200,
		},
	}
	for name, c := range map[string]struct {
		text   string
		change func(*game.Limits)
	}{
		"left out":     {"  {}", func(*game.Limits) {}},
		"another rate": {"  submit: {player: 5/10s}", func(l *game.Limits) { l.Submit.Player = game.Rate{Count: 5, Window: 10 * time.Second} }},
		"off":          {"  submit: {player: off}\n  boards: {ip: off}", func(l *game.Limits) { l.Submit.Player, l.Boards = game.Rate{}, game.Rate{} }},
		"more kinds":   {"  submit: {key: 600/1m, ip: 60/1m}", func(l *game.Limits) { l.Submit.Key, l.Submit.IP = minute(600), minute(60) }},
		"a pause":      {"  submit: {every: 5s}", func(l *game.Limits) { l.Submit.Every = 5 * time.Second }},
		"of devices": {"  submit: {anonymous: off}\n  devices: {ip: 5/1d}", func(l *game.Limits) {
			l.Anonymous, l.Devices = game.Rate{}, game.Rate{Count: 5, Window: 24 * time.Hour}
		}},
		"no pause":          {"  submit: {every: off}", func(*game.Limits) {}},
		"fewer duels":       {"  duels: {player: 5/1m, every: 2s}", func(l *game.Limits) { l.Duels.Player, l.Duels.Every = minute(5), 2*time.Second }},
		"reads of a player": {"  boards: {player: 10/1m}", func(l *game.Limits) { l.Own = minute(10) }},
		"in commands": {"  commands: {player: 500/1h, ip: off, unverified: 10/1s, burst: 200}", func(l *game.Limits) {
			l.Commands = game.CommandLimits{
				Player: game.Rate{Count: 500, Window: time.Hour}, Unverified: game.Rate{Count: 10, Window: time.Second}, Burst: 200,
			}
		}},
		"closed without Redis": {"  purchases: {redis_down: closed}", func(l *game.Limits) { l.Purchases.RedisDown = game.Refuse }},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := parsed(t, "g.yaml", []byte(withLimits+c.text))
			require.NoError(t, err)
			want := usual
			c.change(&want)
			require.Equal(t, want, g.Limits)
		})
	}
}

func TestWrongLimitsSayWhatWouldBeRight(t *testing.T) {
	const rate = "; use requests in a time, such as 20/1m, or off"
	for text, want := range map[string]string{
		"  submit: {player: 20}":        "g.yaml:4: limits.submit.player: 20 is a number" + rate,
		"  submit: {player: 20/minute}": `g.yaml:4: limits.submit.player: "20/minute" is not a rate` + rate,
		"  submit: {player: /1m}":       `g.yaml:4: limits.submit.player: "/1m" is not a rate` + rate,
		"  boards: {ip: 0/1m}":          "g.yaml:4: limits.boards.ip: 0/1m is out of range; use 1 to 10000 in 1s to 1d, such as 20/1m, or off",
		"  boards: {key: 5/1m}":         "g.yaml:4: limits.boards.key: the key is unknown; use ip or player",
		"  chat: {ip: 5/1m}":            "g.yaml:4: limits.chat: the key is unknown; use submit, boards, auth, devices, duels, purchases or commands",
		"  commands: {burst: 10}":       "g.yaml:4: limits.commands.burst: 10 is out of range; use 100 to 100000",
		"  submit: {redis_down: maybe}": `g.yaml:4: limits.submit.redis_down: "maybe" is not a choice; use open or closed`,
	} {
		_, err := parsed(t, "g.yaml", []byte(withLimits+text))
		require.EqualError(t, err, want)
	}
}
