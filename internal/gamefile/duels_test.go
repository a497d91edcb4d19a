package gamefile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/feature/duel"
)

func TestTheRulesOfDuelsAreReadOrHaveTheirDefaults(t *testing.T) {
	const modes = "name: g\nmodes: {a: {max: 5}}\n"
	g, err := parsed(t, "g.yaml", []byte(modes))
	require.NoError(t, err)
	require.Equal(t, duel.DefaultRules(), duel.RulesOf(g))
	g, err = parsed(t, "g.yaml", []byte(modes+`duels:
  k: 24
  start: 1500
  scale: 200
  xp: 1.5
  provisional: {duels: 20, k: 64}
  invite: 2h
  timeout: 30m
  keep: 8d
  points: {round: 1, win: 2, sweep: 3}
  rounds: 7
  queue: {window: 50, growth: 5, cap: 400, away: 1m}
  open: 5
`))
	require.NoError(t, err)
	require.Equal(t, duel.Rules{
		K: 24, Start: 1500, Scale: 200, XPWeight: 1500, Provisional: duel.Provisional{Duels: 20, K: 64},
		Invite: 2 * time.Hour, Timeout: 30 * time.Minute, Keep: 8 * 24 * time.Hour,
		Points: duel.Points{Round: 1, Win: 2, Sweep: 3}, Rounds: 7,
		Queue: duel.QueueRules{Window: 50, Growth: 5, Cap: 400, Away: time.Minute},
		Open:  5,
	}, duel.RulesOf(g))
	_, err = parsed(t, "g.yaml", []byte(modes+"duels: {queue: {window: 500, cap: 400}}"))
	require.EqualError(t, err, "g.yaml:3: duels.queue.cap: 400 is out of range; use 500 (the window) to 100000")
	_, err = parsed(t, "g.yaml", []byte(modes+"duels: {rounds: 0}"))
	require.EqualError(t, err, "g.yaml:3: duels.rounds: 0 is out of range; use 1 to 1000000")
}

func TestDuelsOfFramedleGiveXP(t *testing.T) {
	text, err := games.FS.ReadFile("framedle.yaml")
	require.NoError(t, err)
	g, err := parsed(t, "games/framedle.yaml", text)
	require.NoError(t, err)
	want := duel.DefaultRules()
	want.XPWeight = 1100
	require.Equal(t, want, duel.RulesOf(g))
}
