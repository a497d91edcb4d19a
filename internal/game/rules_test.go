package game_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestNewKeepsTheDescriptionAndTheCallersModes(t *testing.T) {
	mode := plainMode()
	mode.Scopes = []game.ScopeKind{game.Country}
	d := description(mode)
	g := newGame(t, d)

	m, ok := g.Mode("daily_frame")
	require.True(t, ok)
	require.EqualValues(t, 1000, m.DayMax)
	require.True(t, m.HasScope(game.Global))
	require.True(t, m.HasScope(game.Country))
	require.False(t, m.HasScope(game.Group))
	require.Zero(t, d.Modes[0].DayMax)
	d.Modes[0].Scopes[0] = game.Group
	require.True(t, m.HasScope(game.Country))

	_, ok = g.Mode("other")
	require.False(t, ok)
}

func TestDefaultAggregates(t *testing.T) {
	for _, c := range []struct {
		policy game.Policy
		order  game.Order
		want   game.Aggregate
	}{
		{game.First, game.Desc, game.Sum},
		{game.First, game.Asc, game.Sum},
		{game.Latest, game.Desc, game.Sum},
		{game.Sum, game.Asc, game.Sum},
		{game.Best, game.Desc, game.Max},
		{game.Best, game.Asc, game.Min},
	} {
		require.Equal(t, c.want, game.DefaultAggregate(c.policy, c.order), "%s %s", c.policy, c.order)
	}
}

func TestNewRefusesWhatMakesNoSense(t *testing.T) {
	type change func(g *game.Game, m *game.Mode)
	for name, c := range map[string]struct {
		change change
		want   string
	}{
		"game name": {func(g *game.Game, _ *game.Mode) { g.Name = "Framedle" },
			`name: "Framedle" is not a name; use a letter a-z and up to 39 more of a-z, 0-9 and _`},
		"day rule": {func(g *game.Game, _ *game.Mode) { g.Day = "" },
			`day: "" is not a day rule; use utc or local`},
		"negative grace": {func(g *game.Game, _ *game.Mode) { g.Grace = -time.Second },
			`grace: -1s is out of range; use 0s to 1d`},
		"long grace": {func(g *game.Game, _ *game.Mode) { g.Grace = math.MaxInt64 },
			`grace: 2562047h47m16.854775807s is out of range; use 0s to 1d`},
		"short refresh": {func(g *game.Game, _ *game.Mode) { g.Refresh = 0 },
			`refresh: 0s is out of range; use 1s to 1d`},
		"long cache": {func(g *game.Game, _ *game.Mode) { g.Cache = 90 * time.Minute },
			`cache: 1h30m is out of range; use 0s to 1h`},
		"short life of days": {func(g *game.Game, _ *game.Mode) { g.Lives.Day = 7 * day },
			`lives.day: 7d is out of range: a week is made from its days when it has closed, and all time adds days up while Redis has them; use 7d15m (with the grace) to 30d`},
		"short life of months": {func(g *game.Game, _ *game.Mode) { g.Lives.Month = day },
			`lives.month: 1d is out of range: a month is compared with the one before it; use 31d15m (with the grace) to 3650d`},
		"long life of weeks": {func(g *game.Game, _ *game.Mode) { g.Lives.Week = 4000 * day },
			`lives.week: 4000d is out of range: a week is compared with the one before it; use 7d15m (with the grace) to 3650d`},
		"level base": {func(g *game.Game, _ *game.Mode) { g.Level.Base = 0 },
			`level.base: 0 is out of range; use 1 to 1000000000`},
		"streak freezes": {func(g *game.Game, _ *game.Mode) { g.Streak = game.StreakRule{Freezes: 31, Every: 7} },
			`streak.freezes: 31 is out of range; use 0 to 30`},
		"streak every": {func(g *game.Game, _ *game.Mode) { g.Streak = game.StreakRule{Freezes: 1} },
			`streak.every: 0 is out of range; use 1 to 366`},
		"no modes": {func(g *game.Game, _ *game.Mode) { g.Modes = nil },
			`modes: there are none; declare at least one mode`},
		"mode twice": {func(g *game.Game, m *game.Mode) { g.Modes = append(g.Modes, m) },
			`modes.daily_frame: the mode is declared twice; keep one of them`},
		"mode name": {func(_ *game.Game, m *game.Mode) { m.Name = "a-b" },
			`modes.a-b: it is not a mode name; use a letter a-z and up to 39 more of a-z, 0-9 and _`},
		"reserved xp": {func(_ *game.Game, m *game.Mode) { m.Name = "xp" },
			`modes.xp: "xp" is reserved: the XP board goes by it; use another name`},
		"reserved duels": {func(_ *game.Game, m *game.Mode) { m.Name = "duels" },
			`modes.duels: "duels" is reserved: the duel ratings go by it; use another name`},
		"reserved period": {func(_ *game.Game, m *game.Mode) { m.Name = "month" },
			`modes.month: "month" is reserved: it names a period; use another name`},
		"title": {func(_ *game.Game, m *game.Mode) { m.Title = "a\nb" },
			`modes.daily_frame.title: "a\nb" is not a title; use 1 to 100 bytes of printable text`},
		"policy": {func(_ *game.Game, m *game.Mode) { m.Policy = "frist" },
			`modes.daily_frame.policy: "frist" is not one of the choices; use first, best, latest or sum`},
		"order": {func(_ *game.Game, m *game.Mode) { m.Order = "" },
			`modes.daily_frame.order: "" is not one of the choices; use desc or asc`},
		"ties": {func(_ *game.Game, m *game.Mode) { m.Ties = "later" },
			`modes.daily_frame.ties: "later" is not one of the choices; use earliest or shared`},
		"aggregate": {func(_ *game.Game, m *game.Mode) { m.Aggregate = "mean" },
			`modes.daily_frame.aggregate: "mean" is not one of the choices; use sum, max, min or last`},
		"global scope": {func(_ *game.Game, m *game.Mode) { m.Scopes = []game.ScopeKind{game.Global} },
			`modes.daily_frame.scopes[0]: "global" is not a scope to declare; use country, region or group; global is always there`},
		"unknown scope": {func(_ *game.Game, m *game.Mode) { m.Scopes = []game.ScopeKind{9} },
			`modes.daily_frame.scopes[0]: "scope(9)" is not a scope to declare; use country, region or group; global is always there`},
		"scope twice": {func(_ *game.Game, m *game.Mode) { m.Scopes = []game.ScopeKind{game.Group, game.Group} },
			`modes.daily_frame.scopes[1]: "group" is declared twice; keep one of them`},
		"XP weight": {func(_ *game.Game, m *game.Mode) { m.XP.Weight = 1_000_001 },
			`modes.daily_frame.xp: 1000.001 is out of range; use 0 (no XP) to 1000`},
		"XP for low scores": {func(_ *game.Game, m *game.Mode) { m.Order = game.Asc },
			`modes.daily_frame.xp: XP grows with the score, and here the lowest score leads; use a table of scores or XP for each play with order asc, as in xp: {play: 10, scores: {"60": 100}}`},
		"XP for a play": {func(_ *game.Game, m *game.Mode) { m.XP.Play = 1_000_001 },
			`modes.daily_frame.xp.play: 1000001 is out of range; use 0 to 1000000`},
		"XP for a score that no day comes to": {func(_ *game.Game, m *game.Mode) {
			m.Decimals, m.XP.Scores = 1, []game.XPScore{{Score: 1001, XP: 5}}
		}, `modes.daily_frame.xp.scores.100.1: no day can come to it; use 0 to 100`},
		"no XP for a score": {func(_ *game.Game, m *game.Mode) { m.XP.Scores = []game.XPScore{{Score: 5}} },
			`modes.daily_frame.xp.scores.5: 0 is out of range; use 1 to 1000000`},
		"XP for a score twice": {func(_ *game.Game, m *game.Mode) {
			m.XP.Scores = []game.XPScore{{Score: 5, XP: 1}, {Score: 5, XP: 2}}
		}, `modes.daily_frame.xp.scores.5: the score is there twice; keep one of them`},
		"less XP for a better score": {func(_ *game.Game, m *game.Mode) {
			m.XP.Scores = []game.XPScore{{Score: 9, XP: 7}, {Score: 5, XP: 7}}
		}, `modes.daily_frame.xp.scores.9: it gives 7 XP, and 5 gives 7, which is easier to reach; use 8 or more, or leave it out`},
		"less XP for a lower score": {func(_ *game.Game, m *game.Mode) {
			m.Order, m.XP = game.Asc, game.XPRule{Scores: []game.XPScore{{Score: 5, XP: 6}, {Score: 9, XP: 7}}}
		}, `modes.daily_frame.xp.scores.5: it gives 6 XP, and 9 gives 7, which is easier to reach; use 8 or more, or leave it out`},
		"a long table": {func(_ *game.Game, m *game.Mode) {
			for i := range 101 {
				m.XP.Scores = append(m.XP.Scores, game.XPScore{Score: game.Score(i), XP: int64(i + 1)})
			}
		}, `modes.daily_frame.xp.scores: there are 101; use at most 100`},
		"worst day desc": {func(_ *game.Game, m *game.Mode) { m.Aggregate = game.Min },
			`modes.daily_frame.aggregate: min keeps a player's worst day where the highest score leads; use max, last or sum with order desc`},
		"worst day asc": {func(_ *game.Game, m *game.Mode) { m.Order, m.XP, m.Aggregate = game.Asc, game.XPRule{}, game.Max },
			`modes.daily_frame.aggregate: max keeps a player's worst day where the lowest score leads; use min, last or sum with order asc`},
		"decimals": {func(_ *game.Game, m *game.Mode) { m.Decimals = 7 },
			`modes.daily_frame.decimals: 7 is out of range; use 0 to 6`},
		"bounds upside down": {func(_ *game.Game, m *game.Mode) { m.Decimals, m.Min, m.Max = 2, 101, 50 },
			`modes.daily_frame.max: 0.5 is less than min, 1.01; use a larger one`},
		"day below a play": {func(_ *game.Game, m *game.Mode) { m.Policy, m.DayMax = game.Sum, 999 },
			`modes.daily_frame.day_max: 999 is less than max, 1000, so one play could leave it; use 1000 or more`},
		"day above a play": {func(_ *game.Game, m *game.Mode) { m.Policy, m.DayMin, m.DayMax = game.Sum, 1, 5000 },
			`modes.daily_frame.day_min: 1 is more than min, 0, so one play could leave it; use 0 or less`},
		"coarse ticks": {func(_ *game.Game, m *game.Mode) { m.Max = 5_000_000_000 },
			`modes.daily_frame.max: scores as large as this leave ticks of 1m25.34s to tell equal ones apart by time, where 1s is needed; use bounds within -69273666 and 69273666`},
		"coarse ticks below zero": {func(_ *game.Game, m *game.Mode) { m.Aggregate, m.Min = game.Max, -1<<31 },
			`modes.daily_frame.min: scores as large as this leave ticks of 1.33s to tell equal ones apart by time, where 1s is needed; use bounds within -2147483647 and 2147483647`},
		"coarse ticks in a day's total": {func(_ *game.Game, m *game.Mode) {
			m.Policy, m.DayMax, m.Decimals = game.Sum, 1<<50, 2
		}, `modes.daily_frame.day_max: scores as large as this leave no ticks to tell equal ones apart by time, where 1s is needed; use bounds within -692736.66 and 692736.66`},
		"beyond integers": {func(_ *game.Game, m *game.Mode) { m.Max = math.MaxInt64 },
			`modes.daily_frame.max: scores as large as this leave no ticks to tell equal ones apart by time, where 1s is needed; use bounds within -69273666 and 69273666`},
	} {
		t.Run(name, func(t *testing.T) {
			d := description(plainMode())
			c.change(&d, d.Modes[0])
			g, err := game.New(d)
			require.Nil(t, g)
			require.EqualError(t, err, c.want)
		})
	}
}

func TestTheLargestBoundNamedIsTheLargestAccepted(t *testing.T) {
	for _, c := range []struct {
		aggregate game.Aggregate
		largest   game.Score
	}{{game.Sum, 69_273_666}, {game.Max, 2_147_483_647}} {
		m := plainMode()
		m.Aggregate, m.Max = c.aggregate, c.largest
		_, err := game.New(description(m))
		require.NoError(t, err)
		m.Max++
		_, err = game.New(description(m))
		require.Error(t, err)
	}
}

func TestNewReportsAllProblemsAtOnce(t *testing.T) {
	d := description(plainMode())
	d.Name, d.Refresh, d.Modes[0].Policy = "", 0, ""
	_, err := game.New(d)
	var problems game.Problems
	require.ErrorAs(t, err, &problems)
	require.Len(t, problems, 3)
	require.Equal(t, "refresh", problems[1].Path)
}
