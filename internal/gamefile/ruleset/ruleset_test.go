package ruleset_test

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

const before = `
name: words
day: local
lives: {day: 8d}
modes:
  word: {max: 6, min: 0, xp: 10, scopes: [country], details: true}
  coins: {policy: sum, max: 500, day_max: 20000}
`

var today = game.NewDate(2026, time.April, 15)

func parse(t testing.TB, text string) *game.Game {
	g, err := gamefile.Parse("game.yaml", []byte(text))
	require.NoError(t, err)
	return g
}

func TestWhatAChangeOfARuleDoes(t *testing.T) {
	for _, c := range []struct {
		name, old, now string
		path           string
		effect         ruleset.Effect
	}{
		{"a title", "max: 6, min", "title: Word, max: 6, min", "modes.word.title", ruleset.Safe},
		{"ties", "xp: 10", "ties: shared, xp: 10", "modes.word.ties", ruleset.Safe},
		{"limits", "modes:", "limits: {boards: {ip: 10/1m}}\nmodes:", "limits", ruleset.Safe},
		{"names of devices", "modes:", "anonymous: true\ndevices: {names: true}\nmodes:", "devices.names", ruleset.Safe},
		{"a new mode", "  coins:", "  pairs: {max: 5}\n  coins:", "modes.pairs", ruleset.Safe},
		{"a wider bound", "max: 6,", "max: 600,", "modes.word.max", ruleset.Forward},
		{"a weight", "xp: 10", "xp: 5", "modes.word.xp", ruleset.Forward},
		{"no streaks", "modes:", "streak: off\nmodes:", "streak", ruleset.Forward},
		{"XP for a play", "xp: 10", "xp: {play: 10}", "modes.word.xp", ruleset.Forward},
		{"XP for scores", "xp: 10", "xp: {scores: {5: 10}}", "modes.word.xp", ruleset.Forward},
		{"a scope", "[country]", "[country, group]", "modes.word.scopes", ruleset.Forward},
		{"a team rule", "policy: sum, max: 500", "teams: sum, scopes: [group], policy: sum, max: 500", "modes.coins.teams", ruleset.Forward},
		{"another single play", "max: 6,", "policy: best, aggregate: sum, max: 6,", "modes.word.policy", ruleset.Forward},
		{"adding up", "max: 6,", "policy: sum, day_max: 6, max: 6,", "modes.word.policy", ruleset.Refused},
		{"no more adding up", "policy: sum, max: 500, day_max: 20000", "policy: latest, max: 500", "modes.coins.policy", ruleset.Refused},
		{"the order", "xp: 10, ", "order: asc, ", "modes.word.order", ruleset.Refused},
		{"decimals", "max: 6,", "decimals: 1, max: 6,", "modes.word.decimals", ruleset.Refused},
		{"the aggregate", "max: 6,", "aggregate: last, max: 6,", "modes.word.aggregate", ruleset.Refused},
		{"a decay", "max: 6,", "decay: {factor: 0.95}, max: 6,", "modes.word.decay", ruleset.Refused},
		{"the day", "day: local", "day: utc", "day", ruleset.Refused},
		{"the life of a day", "{day: 8d}", "{day: 10d}", "lives.day", ruleset.Refused},
		{"the life of a week", "{day: 8d}", "{day: 8d, week: 60d}", "lives.week", ruleset.Forward},
		{"the game", "name: words", "name: letters", "name", ruleset.Refused},
		{"a mode that goes", "  coins: {policy: sum, max: 500, day_max: 20000}\n", "", "modes.coins", ruleset.Forward},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, before, c.old)
			old, now := ruleset.Of(parse(t, before)), ruleset.Of(parse(t, strings.Replace(before, c.old, c.now, 1)))
			found := map[string]ruleset.Change{}
			for _, change := range ruleset.Diff(old, now, today) {
				found[change.Path] = change
			}
			require.Contains(t, found, c.path)
			got := found[c.path]
			require.Equal(t, c.effect, got.Effect, got)
			if c.effect != ruleset.Safe {
				require.NotEmpty(t, got.Why)
			}
			if c.effect == ruleset.Refused {
				require.NotEmpty(t, got.Instead)
			}
		})
	}
}

const values = `
name: words
modes:
  word:
    order: asc
    score: [{name: seconds, decimals: 1, max: 600}, {name: stars, max: 3, order: desc}]
    xp: {scores: {"60.5": 10}}
`

func TestWhatAChangeOfValuesDoes(t *testing.T) {
	for _, c := range []struct {
		name, old, now string
		path           string
		effect         ruleset.Effect
		was, is        string
	}{
		{"decimals", "decimals: 1", "decimals: 2", "modes.word.decimals", ruleset.Refused,
			"seconds asc with 1 decimals from 0, stars desc with 0 decimals 0 to 3", "seconds asc with 2 decimals from 0, stars desc with 0 decimals 0 to 3"},
		{"a name", "stars", "points", "modes.word.decimals", ruleset.Refused,
			"seconds asc with 1 decimals from 0, stars desc with 0 decimals 0 to 3", "seconds asc with 1 decimals from 0, points desc with 0 decimals 0 to 3"},
		{"the places", "[{name: seconds, decimals: 1, max: 600}, {name: stars, max: 3, order: desc}]\n    xp: {scores: {\"60.5\": 10}}", "[{name: stars, max: 3, order: desc}, {name: seconds, decimals: 1, max: 600}]", "modes.word.decimals", ruleset.Refused,
			"seconds asc with 1 decimals from 0, stars desc with 0 decimals 0 to 3", "stars desc with 0 decimals to 3, seconds asc with 1 decimals 0 to 600"},
		{"an order", "max: 3, order: desc", "max: 3, order: asc", "modes.word.decimals", ruleset.Refused,
			"seconds asc with 1 decimals from 0, stars desc with 0 decimals 0 to 3", "seconds asc with 1 decimals from 0, stars asc with 0 decimals 0 to 3"},
		{"a bound of the second", "max: 3", "max: 5", "modes.word.decimals", ruleset.Refused,
			"seconds asc with 1 decimals from 0, stars desc with 0 decimals 0 to 3", "seconds asc with 1 decimals from 0, stars desc with 0 decimals 0 to 5"},
		{"one number", "score: [{name: seconds, decimals: 1, max: 600}, {name: stars, max: 3, order: desc}]\n    xp: {scores: {\"60.5\": 10}}", "decimals: 0\n    aggregate: min\n    max: 24003", "modes.word.decimals", ruleset.Refused,
			"seconds asc with 1 decimals from 0, stars desc with 0 decimals 0 to 3", "0"},
		{"the far bound of the first", "max: 600", "max: 900", "modes.word.max", ruleset.Forward, "600 seconds, 0 stars", "900 seconds, 0 stars"},
		{"the table of XP", "60.5", "50", "modes.word.xp", ruleset.Forward, "play 0, 60.5: 10", "play 0, 50: 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, values, c.old)
			changes := ruleset.Diff(ruleset.Of(parse(t, values)), ruleset.Of(parse(t, strings.Replace(values, c.old, c.now, 1))), today)
			found := map[string]ruleset.Change{}
			for _, change := range changes {
				found[change.Path] = change
			}
			require.Contains(t, found, c.path)
			got := found[c.path]
			require.Equal(t, c.effect, got.Effect, got)
			require.Equal(t, c.effect, ruleset.Worst(changes))
			require.Equal(t, []string{c.was, c.is}, []string{got.Old, got.New})
		})
	}
}

// Levels may come, and more or fewer of them. They may not go altogether, since nothing would
// look after the boards that are there.
func TestLevelsMayComeAndNotGo(t *testing.T) {
	of := func(levels string) ruleset.Rules {
		return ruleset.Of(parse(t, "name: words\nmodes:\n  word: {max: 6"+levels+"}\n"))
	}
	for _, c := range []struct {
		old, now string
		effect   ruleset.Effect
	}{{"", ", levels: 3", ruleset.Forward}, {", levels: 3", ", levels: 5", ruleset.Forward}, {", levels: 5", ", levels: 3", ruleset.Forward}, {", levels: 3", "", ruleset.Refused}} {
		require.Equal(t, c.effect, ruleset.Worst(ruleset.Diff(of(c.old), of(c.now), today)), c)
		stored, err := ruleset.Parse(of(c.old).Stored())
		require.NoError(t, err)
		require.Equal(t, c.effect == ruleset.Refused, ruleset.Check([]ruleset.Rules{stored}, of(c.now), today) != nil, c)
	}
}

// Rules that were stored by an older build must not read as changed.
func TestXPForPointsIsStoredAsEver(t *testing.T) {
	require.Equal(t, "10000 thousandths", ruleset.Of(parse(t, before))["modes.word.xp"])
	table := ruleset.Of(parse(t, strings.Replace(before, "xp: 10", "xp: {play: 2, scores: {5: 10, 3: 4}}", 1)))
	require.Equal(t, "play 2, 3: 4, 5: 10", table["modes.word.xp"])
}

// A decay weighs what was rolled up, whichever build has accepted the boards; its floor
// changes only how it is shown.
func TestWhatAChangeOfADecayDoes(t *testing.T) {
	of := func(decay string) ruleset.Rules {
		return ruleset.Of(parse(t, strings.Replace(before, "min: 0", "min: 0.5, decimals: 1, decay: "+decay, 1)))
	}
	plain, old := of("off"), of("off")
	require.Empty(t, ruleset.Diff(old, plain, today))
	delete(old, "modes.word.decay") // as an older build has stored it
	delete(old, "modes.word.decay.floor")
	require.Empty(t, ruleset.Diff(old, plain, today))
	for _, c := range []struct {
		from, to ruleset.Rules
		was, is  string
	}{
		{plain, of("{factor: 0.95}"), "off", "0.95 every 1d"},
		{old, of("{factor: 0.95}"), "off", "0.95 every 1d"},
		{of("{factor: 0.95}"), of("{factor: 0.9}"), "0.95 every 1d", "0.9 every 1d"},
		{of("{factor: 0.95}"), of("{factor: 0.95, every: 7d}"), "0.95 every 1d", "0.95 every 7d"},
		{of("{factor: 0.95}"), plain, "0.95 every 1d", "off"},
	} {
		kept, err := ruleset.Parse(c.from.Stored())
		require.NoError(t, err)
		changes := ruleset.Diff(kept, c.to, today)
		require.Len(t, changes, 1)
		require.Equal(t, []string{"modes.word.decay", c.was, c.is}, []string{changes[0].Path, changes[0].Old, changes[0].New})
		require.Equal(t, ruleset.Refused, changes[0].Effect)
		require.Contains(t, changes[0].Instead, "lbctl restore")
	}
	floor := ruleset.Diff(of("{factor: 0.95}"), of("{factor: 0.95, floor: 0.2}"), today)
	require.Len(t, floor, 1)
	require.Equal(t, ruleset.Safe, floor[0].Effect)
	added := ruleset.Diff(of("off"), ruleset.Of(parse(t, strings.Replace(before, "  coins:", "  new: {max: 5, decay: {factor: 0.95}}\n  coins:", 1))), today)
	for _, c := range added {
		require.NotEqual(t, "modes.new.decay", c.Path)
	}
}

func TestARenameIsGuessed(t *testing.T) {
	changes := ruleset.Diff(ruleset.Of(parse(t, before)), ruleset.Of(parse(t, strings.Replace(before, "  word:", "  letters:", 1))), today)
	require.Len(t, changes, 2)
	require.Equal(t, "modes.letters", changes[0].Path)
	require.Contains(t, changes[1].Instead, "rename to letters: give letters renamed_from: word")
}

func TestARenameThatIsDeclaredIsSafe(t *testing.T) {
	old := ruleset.Of(parse(t, before))
	now := ruleset.Of(parse(t, strings.Replace(before, "  word: {", "  letters: {renamed_from: word, ", 1)))
	var paths []string
	for _, c := range ruleset.Diff(old, now, today) {
		require.Equal(t, ruleset.Safe, c.Effect, c)
		paths = append(paths, c.Path)
	}
	require.Equal(t, []string{"modes.word.name", "modes.word.title"}, paths)
	require.Equal(t, old.Stored(), now.Stored(), "what is stored goes by the name that the mode began with")
}

func TestTheStoredPartFindsWhatTheWholeFinds(t *testing.T) {
	files := []string{
		before,
		strings.Replace(before, "day: local", "day: utc", 1),
		strings.Replace(before, "xp: 10, ", "order: asc, ", 1),
		strings.Replace(before, "max: 6,", "title: Word, decimals: 1, max: 60,", 1),
		strings.Replace(before, "  word:", "  letters:", 1),
		before + "seasons: [{name: spring, first: 2026-04-01, last: 2026-05-31}]",
		before + "seasons: [{name: spring, first: 2026-04-01, last: 2026-06-30}]",
		before + "seasons: [{name: winter, first: 2026-01-01, last: 2026-02-28}]",
	}
	rapid.Check(t, func(rt *rapid.T) {
		old := ruleset.Of(parse(t, rapid.SampledFrom(files).Draw(rt, "old")))
		now := ruleset.Of(parse(t, rapid.SampledFrom(files).Draw(rt, "now")))
		stored, err := ruleset.Parse(old.Stored())
		require.NoError(t, err)
		var whole, part []ruleset.Change
		for _, c := range ruleset.Diff(old, now, today) {
			if c.Effect != ruleset.Safe {
				whole = append(whole, c)
			}
		}
		for _, c := range ruleset.Diff(stored, now, today) {
			if c.Effect != ruleset.Safe {
				part = append(part, c)
			}
		}
		require.Equal(t, whole, part)
		require.Equal(t, ruleset.Worst(whole), ruleset.Worst(part))
		if old.Stored() == now.Stored() {
			require.Empty(t, whole)
		}
	})
}

func TestARealGameIsStoredBriefly(t *testing.T) {
	file, err := os.ReadFile("../../../games/framedle.yaml")
	require.NoError(t, err)
	rules := ruleset.Of(parse(t, string(file)))
	require.Empty(t, ruleset.Diff(rules, rules, today))
	require.Less(t, len(rules.Stored()), 8<<10)
}

// A field that is added to a game or a mode would change unnoticed unless it is compared: add
// its rule, then its name here.
func TestEveryFieldIsCompared(t *testing.T) {
	fields := func(of any) (names []string) {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
			if f.IsExported() {
				names = append(names, f.Name)
			}
		}
		return names
	}
	require.Equal(t, []string{
		"Name", "Day", "Grace", "Refresh", "Cache", "Lives", "Level", "Streak", "Limits", "Budget",
		"Outbox", "Live", "LiveChannels", "Anonymous", "DeviceNames", "BoundSignatures", "Seasons", "Play", "Challenges", "Modes", "Features", "DuelXP", "RatingDecay", "Credentials", "SeveralSites",
	}, fields(game.Game{}))
	require.Equal(t, []string{
		"Name", "Renamed", "Title", "Titles", "Policy", "Order", "Ties", "Min", "Max", "DayMin", "DayMax", "Decimals", "Values", "Aggregate",
		"Scopes", "Levels", "Rolling", "Bands", "Decay", "Computed", "Ratings", "Teams", "Details", "Authoritative", "XP", "NeedsPlay", "Earns", "Proof", "Challenge",
	}, fields(game.Mode{}))
}
