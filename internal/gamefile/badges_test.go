package gamefile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/game"
)

const beforeBadges = `name: g
seasons: [{name: spring, first: 2026-03-01, last: 2026-05-31}]
modes:
  a: {max: 5, decimals: 1, xp: 1, scopes: [group]}
  b: {max: 500, order: asc}
  c: {order: desc, policy: best, score: [{name: wpm, decimals: 2, max: 350}, {name: accuracy, max: 100}]}
`

func TestBadgesSayWhatTheyAreGivenFor(t *testing.T) {
	g, err := parsed(t, "g.yaml", []byte(beforeBadges+`badges:
  week: {title: A week, streak: 7}
  loyal: {title: Loyal, days: 100}
  rich: {title: Rich, xp: 10000}
  fighter: {title: Fighter, wins: 100}
  perfect: {title: Perfect, score: best, mode: a}
  quick: {title: Quick, score: best, mode: b}
  good: {title: Good, score: 4.5, mode: a}
  fast: {title: Fast, score: 100.25, mode: c}
  fastest: {title: Fastest, score: best, mode: c}
  first: {title: First, rank: 1, period: day, once: true}
  top: {title: Top, rank: 10, period: season, mode: a, scope: group}
`))
	require.NoError(t, err)
	require.Equal(t, badge.Rules{
		{ID: "week", Title: "A week", Fact: badge.OfStreak, Bound: 7},
		{ID: "loyal", Title: "Loyal", Fact: badge.OfDays, Bound: 100},
		{ID: "rich", Title: "Rich", Fact: badge.OfXP, Bound: 10000},
		{ID: "fighter", Title: "Fighter", Fact: badge.OfWins, Bound: 100},
		{ID: "perfect", Title: "Perfect", Fact: badge.OfScore, Bound: 50, Best: true, Mode: "a"},
		{ID: "quick", Title: "Quick", Fact: badge.OfScore, Bound: 0, Best: true, Mode: "b"},
		{ID: "good", Title: "Good", Fact: badge.OfScore, Bound: 45, Mode: "a"},
		{ID: "fast", Title: "Fast", Fact: badge.OfScore, Bound: 10025, Mode: "c"},
		{ID: "fastest", Title: "Fastest", Fact: badge.OfScore, Bound: 35000, Best: true, Mode: "c"},
		{ID: "first", Title: "First", Fact: badge.OfRank, Bound: 1, Once: true},
		{ID: "top", Title: "Top", Fact: badge.OfRank, Bound: 10, Mode: "a", Period: game.Season, Scope: game.Group},
	}, badge.RulesOf(g))
	c, _ := g.Mode("c")
	reached := func(id string, wpm game.Score) bool {
		score, err := c.Pack([]game.Score{wpm, 50})
		require.NoError(t, err)
		rule, ok := badge.RulesOf(g).Rule(id)
		require.True(t, ok)
		return rule.Scores(c, score)
	}
	require.True(t, reached("fast", 10025))
	require.False(t, reached("fast", 10024))
	require.False(t, reached("fastest", 34999))
	b, _ := g.Mode("b")
	quick, _ := badge.RulesOf(g).Rule("quick")
	require.True(t, quick.Scores(b, 0))
	require.False(t, quick.Scores(b, 1))
}

func TestAWrongBadgeSaysWhatWouldBeRight(t *testing.T) {
	for text, want := range map[string]string{
		"badges: week":                                                          `g.yaml:7: badges: "week" is text; use keys and values`,
		"badges: {}":                                                            "g.yaml:7: badges: there are none; declare one, as in week: {title: A week, streak: 7}, or leave badges out",
		"badges:\n  x: 7":                                                       "g.yaml:8: badges.x: 7 is a number; use keys and values",
		"badges:\n  x: {title: X}":                                              "g.yaml:8: badges.x: it is given for nothing; say one of rank, score, streak, days, xp, wins and peers",
		"badges:\n  x: {streak: 7}":                                             "g.yaml:8: badges.x.title: it is missing; use what people read",
		"badges:\n  x: {title: '', streak: 7}":                                  "g.yaml:8: badges.x.title: it is empty or too long; use 1 to 100 bytes",
		"badges:\n  X: {title: X, streak: 7}":                                   `g.yaml:8: badges.X: "X" is not a name; use a letter a-z and up to 39 more of a-z, 0-9 and _`,
		"badges:\n  x: {title: X, steak: 7}":                                    "g.yaml:8: badges.x.steak: the key is unknown (did you mean streak?); use title, titles, period, mode, scope, once, rank, score, streak, days, xp, wins or peers\ng.yaml:8: badges.x: it is given for nothing; say one of rank, score, streak, days, xp, wins and peers",
		"badges:\n  x: {title: X, streak: 0}":                                   "g.yaml:8: badges.x.streak: 0 is out of range; use 1 to 36600",
		"badges:\n  x: {title: X, streak: 1.5}":                                 `g.yaml:8: badges.x.streak: "1.5" is not a number of this kind; use a whole number within 2^53`,
		"badges:\n  x: {title: X, wins: -1}":                                    "g.yaml:8: badges.x.wins: -1 is out of range; use 1 to 1000000",
		"badges:\n  x: {title: X, streak: 7, wins: 3}":                          "g.yaml:8: badges.x.wins: the badge is given for streak already; keep one of them, and make the other a badge of its own",
		"badges:\n  x: {title: X, streak: 7, mode: a}":                          "g.yaml:8: badges.x.mode: it has no meaning next to streak; leave it out, or make it a badge of its own",
		"badges:\n  x: {title: X, titles: {DE: Y}, xp: 7}":                      "g.yaml:8: badges.x.titles: \"DE\" is not a language; use two or three lower-case letters, such as de, and optionally a country, such as pt-BR",
		"badges:\n  x: {title: X, titles: {de: ''}, xp: 7}":                     "g.yaml:8: badges.x.titles.de: \"\" is not a title; use 1 to 100 bytes of printable text",
		"badges:\n  x: {title: X, rank: 3}":                                     "g.yaml:8: badges.x.period: it is missing; use day, week, month or season",
		"badges:\n  x: {title: X, rank: 3, period: alltime}":                    `g.yaml:8: badges.x.period: "alltime" is not a period that ends; use day, week, month or season`,
		"badges:\n  x: {title: X, rank: 101, period: day}":                      "g.yaml:8: badges.x.rank: 101 is out of range; use 1 to 100",
		"badges:\n  x: {title: X, rank: 1, period: day, mode: z}":               `g.yaml:8: badges.x.mode: "z" is not a mode of this game; use one of a, b, c`,
		"badges:\n  x: {title: X, rank: 1, period: day, mode: b, scope: group}": "g.yaml:8: badges.x.scope: there are no boards of groups; give the mode scopes: [group], or use all",
		"badges:\n  x: {title: X, rank: 1, period: day, scope: country}":        `g.yaml:8: badges.x.scope: "country" is not a scope of badges; use all or group`,
		"badges:\n  x: {title: X, score: best}":                                 "g.yaml:8: badges.x.mode: a score requires a mode; say which mode's",
		"badges:\n  x: {title: X, score: most, mode: a}":                        `g.yaml:8: badges.x.score: "most" is text; use best, or a score`,
		"badges:\n  x: {title: X, score: 5.1, mode: a}":                         "g.yaml:8: badges.x.score: 5.1 is out of range; use 0 to 5, which scores of a may be, or best",
		"badges:\n  x: {title: X, score: 4.55, mode: a}":                        `g.yaml:8: badges.x.score: "4.55" is not a number of this kind; use a number with at most 1 decimals within 2^53`,
		"badges:\n  x: {title: X, peers: 15, days: 7}":                          "g.yaml:8: badges.x.peers: the game has no activity, which peers are counted from; declare activity, or leave this badge out",
		"streak: off\nbadges:\n  x: {title: X, streak: 7}":                      "g.yaml:9: badges.x.streak: the game counts no streaks; remove streak: off, or this badge",
	} {
		_, err := parsed(t, "g.yaml", []byte(beforeBadges+text))
		require.EqualError(t, err, want, text)
	}
	_, err := parsed(t, "g.yaml", []byte("name: g\nmodes: {a: {max: 5}}\nbadges:\n  x: {title: X, xp: 7}\n  y: {title: Y, rank: 1, period: season}\n"))
	require.EqualError(t, err, "g.yaml:4: badges.x.xp: the game gives no XP; give a mode xp, or leave this badge out\n"+
		"g.yaml:5: badges.y.period: the game has no seasons; declare some, or use day, week or month")
	activity := "name: g\nactivity:\n  events: {chat: {who: [from, to], count: {sent: from}}}\n  pillars: {a: {sent: 1}}\nmodes: {a: {policy: latest, max: 5}}\nbadges:\n"
	_, err = parsed(t, "g.yaml", []byte(activity+"  y: {title: Y, peers: 3}\n  z: {title: Z, peers: 3, days: 32}\n"))
	require.EqualError(t, err, "g.yaml:7: badges.y.days: it is missing; use within how many days in a row\n"+
		"g.yaml:8: badges.z.days: 32 is out of range; use 1 to 31")
	g, err := parsed(t, "g.yaml", []byte(activity+"  x: {title: X, peers: 15, days: 7}\n"))
	require.NoError(t, err)
	require.Equal(t, badge.Rules{{ID: "x", Title: "X", Fact: badge.OfPeers, Bound: 15, Within: 7}}, badge.RulesOf(g))
}

func TestTitlesOfBadgesAreReadByLanguage(t *testing.T) {
	g, err := parsed(t, "g.yaml", []byte("name: g\nmodes:\n  a: {max: 9, xp: 1}\nbadges:\n  x: {title: X, titles: {ja: 一週間}, xp: 7}\n"))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"ja": "一週間"}, badge.RulesOf(g)[0].Titles)
}

func TestDecimalsOutOfRangeHideABadgesScore(t *testing.T) {
	_, err := parsed(t, "g.yaml", []byte("name: g\nmodes:\n  a: {max: 5, decimals: -1}\nbadges:\n  x: {title: X, score: 5, mode: a}\n"))
	require.EqualError(t, err, "g.yaml:3: modes.a.decimals: -1 is out of range; use 0 to 6")
}
