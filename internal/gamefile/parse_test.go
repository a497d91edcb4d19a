package gamefile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

const day = 24 * time.Hour

func read(t testing.TB, name string) []byte {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return text
}

// parsed is gamefile.Parse, and compares what the schema says of the file.
func parsed(t require.TestingT, name string, text []byte) (*game.Game, error) {
	g, err := gamefile.Parse(name, text)
	agrees(t, text, err)
	return g, err
}

func parse(t testing.TB, name string) *game.Game {
	g, err := parsed(t, name, read(t, name))
	require.NoError(t, err)
	return g
}

func mode(t testing.TB, g *game.Game, name string) *game.Mode {
	m, ok := g.Mode(name)
	require.True(t, ok, name)
	return m
}

func TestFramedleIsTheGameOfItsFounders(t *testing.T) {
	text, err := games.FS.ReadFile("framedle.yaml")
	require.NoError(t, err)
	g, err := parsed(t, "games/framedle.yaml", text)
	require.NoError(t, err)

	require.Equal(t, "framedle", g.Name)
	require.Equal(t, game.UTC, g.Day)
	require.Equal(t, 15*time.Minute, g.Grace)
	require.Equal(t, 5*time.Second, g.Refresh)
	require.Equal(t, time.Minute, g.Cache)
	require.Equal(t, game.Lives{Day: 8 * day, Week: 30 * day, Month: 180 * day}, g.Lives)
	require.Equal(t, game.LevelCurve{Base: 50}, g.Level)

	facts := []struct {
		name  string
		title string
		max   game.Score
		xp    int64
	}{
		{"daily_frame", "Daily Frame", 1000, 1000},
		{"clip_guesser", "Clip Guesser", 500, 1000},
		{"channel_check", "Channel Check", 800, 1100},
		{"year_guesser", "Year Guesser", 1000, 900},
		{"view_count_blitz", "View Count Blitz", 1200, 800},
		{"timeline_sort", "Timeline Sort", 500, 1000},
		{"pixel_reveal", "Pixel Reveal", 1000, 1200},
		{"category_clash", "Category Clash", 1800, 800},
		{"streak", "Streak", 100_000, 1000},
		{"fragment_match", "Fragment Match", 400, 900},
		{"sound_only", "Sound Only", 500, 1200},
	}
	require.Len(t, g.Modes, len(facts))
	for i, fact := range facts {
		m := g.Modes[i]
		require.Equal(t, fact.name, m.Name)
		require.Equal(t, fact.title, m.Title)
		require.Equal(t, fact.max, m.Max, m.Name)
		require.Equal(t, fact.max, m.DayMax, m.Name)
		require.Zero(t, m.Min, m.Name)
		require.Equal(t, fact.xp, m.XP.Weight, m.Name)
		policy, aggregate := game.First, game.Aggregate(game.Sum)
		if m.Name == "streak" {
			policy, aggregate = game.Best, game.Max
		}
		require.Equal(t, policy, m.Policy, m.Name)
		require.Equal(t, aggregate, m.Aggregate, m.Name)
		require.Equal(t, game.Desc, m.Order, m.Name)
		require.Equal(t, game.Earliest, m.Ties, m.Name)
		require.Equal(t, []game.ScopeKind{game.Country, game.Group}, m.Scopes, m.Name)
		require.True(t, m.Details, m.Name)
		require.False(t, m.Authoritative, m.Name)
		require.Less(t, m.Resolution(), time.Millisecond, m.Name)
	}
}

func TestEveryGameThatComesWithTheProductIsSound(t *testing.T) {
	files, err := games.FS.ReadDir(".")
	require.NoError(t, err)
	for _, f := range files {
		text, err := games.FS.ReadFile(f.Name())
		require.NoError(t, err)
		g, err := parsed(t, f.Name(), text)
		require.NoError(t, err)
		require.Equal(t, strings.TrimSuffix(f.Name(), ".yaml"), g.Name)
	}
}

func TestWhatIsLeftOutHasItsDefault(t *testing.T) {
	require.Equal(t, parse(t, "spelled_out.yaml"), parse(t, "minimal.yaml"))
}

func TestAModeCanBeRenamed(t *testing.T) {
	g, err := parsed(t, "g.yaml", []byte("name: g\nmodes:\n  letters: {max: 5, renamed_from: word}\n  other: {max: 5}\n"))
	require.NoError(t, err)
	m := mode(t, g, "word")
	require.Equal(t, "word", m.Name)
	require.Equal(t, "letters", m.Called())
	require.Equal(t, "letters", m.Title)
	require.Equal(t, "other", mode(t, g, "other").Called())
	_, found := g.Mode("letters")
	require.False(t, found, "rows of another mode may have that name")
	for _, name := range []string{"word", "letters"} {
		called, found := g.ModeCalled(name)
		require.True(t, found)
		require.Same(t, m, called)
	}
	require.Equal(t, []string{"letters", "other", "gone"}, []string{g.Called("word"), g.Called("other"), g.Called("gone")})
}

func TestStreaksCanBeOff(t *testing.T) {
	for text, want := range map[string]game.StreakRule{
		"":                                  {Every: 7},
		"streak: off\n":                     {Off: true},
		"streak: {freezes: 2, every: 10}\n": {Freezes: 2, Every: 10},
	} {
		g, err := parsed(t, "g.yaml", []byte(text+"name: g\nmodes:\n  a: {max: 5}\n"))
		require.NoError(t, err)
		require.Equal(t, want, g.Streak)
	}
}

func TestEveryKindOfModeCanBeDeclared(t *testing.T) {
	g := parse(t, "arcade.yaml")
	require.Equal(t, game.Local, g.Day)
	require.Equal(t, 90*time.Minute, g.Grace)
	require.Zero(t, g.Cache)
	require.Equal(t, 365*day, g.Lives.Month)

	laps := mode(t, g, "laps")
	require.Equal(t, game.XPRule{Play: 10, Scores: []game.XPScore{{Score: 9000, XP: 20}, {Score: 6050, XP: 100}}}, laps.XP)
	require.Equal(t, game.Best, laps.Policy)
	require.Equal(t, game.Asc, laps.Order)
	require.Equal(t, game.Min, laps.Aggregate)
	require.Equal(t, 2, laps.Decimals)
	require.EqualValues(t, 550, laps.Min)
	require.EqualValues(t, 360_000, laps.DayMax)

	typing := mode(t, g, "typing")
	require.Equal(t, game.Latest, typing.Policy)
	require.Equal(t, game.Shared, typing.Ties)
	require.Equal(t, game.Last, typing.Aggregate)
	require.True(t, typing.Authoritative)
	require.True(t, typing.HasScope(game.Group))
	require.False(t, typing.HasScope(game.Country))

	coins := mode(t, g, "coins")
	require.EqualValues(t, game.Sum, coins.Policy)
	require.EqualValues(t, game.Sum, coins.Aggregate)
	require.EqualValues(t, -20, coins.Min)
	require.EqualValues(t, -1000, coins.DayMin)
	require.EqualValues(t, 100_000, coins.DayMax)
	require.EqualValues(t, 125, coins.XP.Weight)

	steps := mode(t, g, "steps")
	require.Zero(t, steps.DayMin)
	require.EqualValues(t, 20_000, steps.DayMax)
	require.Equal(t, game.Max, steps.Aggregate)
}

func TestAWrongFileReportsEveryProblemInLineOrder(t *testing.T) {
	_, err := parsed(t, "games/wrong.yaml", read(t, "wrong.yaml"))
	require.Error(t, err)
	require.Equal(t, string(read(t, "wrong.golden")), err.Error()+"\n")
}

func TestAProblemHasItsParts(t *testing.T) {
	_, err := parsed(t, "games/g.yaml", []byte("name: g\nmodes:\n  daily_frame:\n    policy: frist\n    max: 5\n"))
	var problem *gamefile.Error
	require.ErrorAs(t, err, &problem)
	require.Equal(t, gamefile.Error{
		File: "games/g.yaml", Line: 4, Path: "modes.daily_frame.policy",
		Problem: `"frist" is not a policy`, Want: "use first, best, latest or sum",
	}, *problem)
	require.EqualError(t, err,
		`games/g.yaml:4: modes.daily_frame.policy: "frist" is not a policy; use first, best, latest or sum`)
}

func TestOneMistakeIsReportedOnce(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"decimals hide the bounds": {
			"name: g\nmodes:\n  a: {decimals: two, min: 0.5, max: -0.5}\n",
			`g.yaml:3: modes.a.decimals: "two" is text; use a whole number`,
		},
		"decimals out of range": {
			"name: g\nmodes:\n  a: {decimals: 7, min: 0.5, max: -0.5}\n",
			"g.yaml:3: modes.a.decimals: 7 is out of range; use 0 to 6",
		},
		"policy hides what rests on it": {
			"name: g\nmodes:\n  a: {policy: add, max: 99999999999, day_max: 5, order: asc}\n",
			`g.yaml:3: modes.a.policy: "add" is not a policy; use first, best, latest or sum`,
		},
		"order hides the aggregate": {
			"name: g\nmodes:\n  a: {order: up, aggregate: min, max: 5}\n",
			`g.yaml:3: modes.a.order: "up" is not an order; use desc or asc`,
		},
		"grace hides the window": {
			"name: g\ngrace: 25h\nmodes:\n  a: {max: 99999999999}\n",
			"g.yaml:2: grace: 1d1h is out of range; use 0s to 1d",
		},
		"scopes are a list": {
			"name: g\nmodes:\n  a: {scopes: country, max: 5}\n",
			`g.yaml:3: modes.a.scopes: "country" is text; use a list of country, region and group`,
		},
		"a section of one key": {
			"name: g\nlevel: {bass: 50}\nmodes:\n  a: {max: 5}\n",
			"g.yaml:2: level.bass: the key is unknown; use base",
		},
		"modes are missing": {"name: g\n", "g.yaml:1: modes: it is missing; declare at least one mode"},
		"modes are empty":   {"name: g\nmodes: {}\n", "g.yaml:2: modes: there are none; declare at least one mode"},
		"name is missing":   {"modes:\n  a: {max: 5}\n", "g.yaml:1: name: it is missing; use a name such as framedle"},
		"a rule about a default": {
			"name: g\nmodes:\n  a:\n    order: asc\n    xp: 2\n    max: 5\n",
			"g.yaml:5: modes.a.xp: XP grows with the score, and here the lowest score leads; use a table of scores or XP for each play with order asc, as in xp: {play: 10, scores: {\"60\": 100}}",
		},
		"renamed to a name that is taken": {
			"name: g\nmodes:\n  a: {max: 5}\n  b: {max: 5, renamed_from: a}\n",
			`g.yaml:4: modes.b: the boards of a go by "a"; use another name`,
		},
		"a name that a renamed mode had": {
			"name: g\nmodes:\n  b: {max: 5, renamed_from: a}\n  a: {max: 5}\n",
			`g.yaml:4: modes.a: the boards of b go by "a"; use another name`,
		},
		"renamed twice": {
			"name: g\nmodes:\n  b: {max: 5, renamed_from: a}\n  c: {max: 5, renamed_from: a}\n",
			`g.yaml:4: modes.c: the boards of b go by "a"; use another name`,
		},
		"renamed to itself": {
			"name: g\nmodes:\n  a:\n    max: 5\n    renamed_from: a\n",
			"g.yaml:5: modes.a.renamed_from: it is the mode's own name; use the name before, or leave it out",
		},
		"renamed from no name": {
			"name: g\nmodes:\n  a:\n    max: 5\n    renamed_from: B\n",
			"g.yaml:5: modes.a.renamed_from: it is not a mode name; use a letter a-z and up to 39 more of a-z, 0-9 and _",
		},
		"renamed from a board of the game": {
			"name: g\nmodes:\n  a:\n    max: 5\n    renamed_from: xp\n",
			`g.yaml:5: modes.a.renamed_from: "xp" is reserved: the XP board goes by it; use another name`,
		},
		"XP of two kinds": {
			"name: g\nmodes:\n  a:\n    max: 5\n    xp: {point: 1}\n",
			"g.yaml:5: modes.a.xp.point: the key is unknown; use play or scores",
		},
		"XP of no kind": {
			"name: g\nmodes:\n  a:\n    max: 5\n    xp: {}\n",
			"g.yaml:5: modes.a.xp: there is nothing in it; use a number, or play and scores, as in {play: 10, scores: {\"60\": 100}}",
		},
		"XP for no score": {
			"name: g\nmodes:\n  a: {max: 5, xp: {scores: {}}}\n",
			"g.yaml:3: modes.a.xp.scores: there are none; use scores and what they give, as in {\"60\": 100}",
		},
		"XP for a finer score": {
			"name: g\nmodes:\n  a:\n    max: 5\n    decimals: 1\n    xp:\n      scores:\n        2: 1\n        2.55: 2\n",
			`g.yaml:9: modes.a.xp.scores.2.55: "2.55" is not a score of this mode; use a number with at most 1 decimals within 2^53`,
		},
		"XP that is no number, and rules that rest on it": {
			"name: g\nmodes:\n  a:\n    max: 5\n    xp:\n      scores:\n        1: 5\n        2: many\n        3: 6\n",
			`g.yaml:8: modes.a.xp.scores.2: "many" is text; use a whole number`,
		},
		"XP for a score out of reach": {
			"name: g\nmodes:\n  a:\n    max: 5\n    decimals: 2\n    xp:\n      scores:\n        6: 5\n        6.00: 6\n        5.50: 3\n",
			"g.yaml:8: modes.a.xp.scores.6: no day can come to it; use 0 to 5\n" +
				"g.yaml:9: modes.a.xp.scores.6.00: the score is in line 8 already; keep one of them\n" +
				"g.yaml:10: modes.a.xp.scores.5.5: no day can come to it; use 0 to 5",
		},
		"bounds hide what scores rest on": {
			"name: g\nmodes:\n  a: {max: many, xp: {scores: {1: 5}}}\n",
			`g.yaml:3: modes.a.max: "many" is text; use a whole number`,
		},
		"decimals out of range hide scores": {
			"name: g\nmodes:\n  a: {max: 5, decimals: 900719925474099, xp: {scores: {1.5: 5}}}\n",
			"g.yaml:3: modes.a.decimals: 900719925474099 is out of range; use 0 to 6",
		},
		"decimals hide scores": {
			"name: g\nmodes:\n  a: {max: 5, decimals: two, xp: {scores: {1.5: 5}}}\n",
			`g.yaml:3: modes.a.decimals: "two" is text; use a whole number`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parsed(t, "g.yaml", []byte(c.text))
			require.EqualError(t, err, c.want)
		})
	}
	_, err := parsed(t, "g.yaml", []byte("name: g\n<<: {day: utc}\nmodes:\n  a: {max: 5}\n"))
	require.Len(t, problems(t, err), 1)
	require.ErrorContains(t, err, "g.yaml:2: <<: the key is unknown; use name, day, ")
}

func TestTextThatIsNoGameFile(t *testing.T) {
	bomb := "a: &a [x, x]\n"
	for c := 'b'; c <= 'z'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c, *%c]\n", c, c, c-1, c-1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":         {"", "g.yaml: the file is empty; use keys and values, beginning with name"},
		"comments only":   {"# nothing\n", "g.yaml: the file is empty; use keys and values, beginning with name"},
		"a list":          {"\n- a\n- b\n", "g.yaml:2: the file is not a mapping; use keys and values, beginning with name"},
		"null":            {"null", "g.yaml:1: the file is not a mapping; use keys and values, beginning with name"},
		"first line":      {"a: b: c\n", "g.yaml:1: it is not YAML: mapping values are not allowed in this context; correct the syntax near this line"},
		"tab":             {"name: g\n\tday: utc\n", "g.yaml:2: it is not YAML: found a tab character that violates indentation; correct the syntax near this line"},
		"open quote":      {"name: \"g\n", "g.yaml:2: it is not YAML: found unexpected end of stream; correct the syntax near this line"},
		"two documents":   {"name: g\n---\nname: h\n", "g.yaml:2: there is more after the document; use one document per file"},
		"trailing rubble": {"name: g\n...\n]\n", "g.yaml: there is more after the document; use one document per file"},
		"tag":             {"name: !!str g\n", `g.yaml:1: the tag "!!str" is not allowed; write the value without it`},
		"anchor":          {"name: &n g\n", "g.yaml:1: anchors and aliases are not allowed; write the value out"},
		"unknown alias":   {"name: g\nday: *d\n", "g.yaml:2: anchors and aliases are not allowed; write the value out"},
		"control":         {"name: g\nday: \x00\n", "g.yaml:2: there is a byte that is not UTF-8 text; use UTF-8 without control characters"},
		"not UTF-8":       {"name: g\n\nday: \xff\n", "g.yaml:3: there is a byte that is not UTF-8 text; use UTF-8 without control characters"},
		"too large":       {strings.Repeat("#", gamefile.MaxSize+1), "g.yaml: the file has 1048577 bytes; use at most 1048576"},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := parsed(t, "g.yaml", []byte(c.text))
			require.Nil(t, g)
			require.EqualError(t, err, c.want)
		})
	}
	_, err := parsed(t, "g.yaml", []byte(bomb))
	require.ErrorContains(t, err, "anchors and aliases are not allowed")
}

func TestDeepNestingIsRefusedWithoutHarm(t *testing.T) {
	for _, text := range []string{
		"name: " + strings.Repeat("[", 100_000),
		"name: " + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000),
		strings.Repeat("{a: ", 5_000) + strings.Repeat("}", 5_000),
		strings.Repeat("? ", 20_000),
	} {
		_, err := parsed(t, "g.yaml", []byte(text))
		var problem *gamefile.Error
		require.ErrorAs(t, err, &problem)
	}
}

// problems takes a joined error apart.
func problems(t require.TestingT, err error) []*gamefile.Error {
	var joined interface{ Unwrap() []error }
	require.True(t, errors.As(err, &joined))
	var all []*gamefile.Error
	for _, e := range joined.Unwrap() {
		var problem *gamefile.Error
		require.ErrorAs(t, e, &problem)
		all = append(all, problem)
	}
	return all
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"minimal.yaml", "spelled_out.yaml", "arcade.yaml", "wrong.yaml"} {
		f.Add(read(f, name))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := parsed(t, "g.yaml", text)
		if err != nil {
			require.Nil(t, g)
			last := 0
			for _, problem := range problems(t, err) {
				require.GreaterOrEqual(t, problem.Line, last)
				require.NotEmpty(t, problem.Problem)
				require.NotEmpty(t, problem.Want)
				last = problem.Line
			}
			return
		}
		// What is accepted is sound, and stays so when it is checked again.
		again, err := game.New(*g)
		require.NoError(t, err)
		require.Equal(t, g, again)
		for _, m := range g.Modes {
			for _, s := range []game.Score{m.Min, m.Max} {
				back, err := m.ParseScore(m.FormatScore(s))
				require.NoError(t, err)
				require.Equal(t, s, back)
				require.Equal(t, s, m.Decode(m.Encode(s, 1)))
			}
		}
	})
}

func BenchmarkParseFramedle(b *testing.B) {
	text, err := games.FS.ReadFile("framedle.yaml")
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gamefile.Parse("games/framedle.yaml", text); err != nil {
			b.Fatal(err)
		}
	}
}
