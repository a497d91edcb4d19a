package gamefile

import (
	"cmp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// Section is a key of the whole file and how it is read.
type Section struct {
	Key
	Read func(Value, *game.Game)
}

// Register adds the section of a feature, whose package calls it when it is initialized: a program
// reads the sections of the features that it links.
func Register(s Section) {
	features = append(features, s)
	slices.SortFunc(features, func(a, b Section) int { return cmp.Compare(a.Name, b.Name) })
	file = whole()
}

var features []Section

// sections are the keys of a file but modes and features, in the order in which people see them.
var sections = []Section{
	{Key{
		Name: "name", Required: "use a name such as framedle", Advice: "use a name such as framedle", Pattern: NameForm,
		Text: "the game's name",
	}, func(v Value, g *game.Game) { g.Name = v.Text() }},
	{Key{
		Name: "day", Kind: Choice, Default: "utc", Noun: "a day rule", Words: []string{"utc", "local"},
		Text: "`utc`: a date is open from midnight to midnight UTC. `local`: it is open while it is that date anywhere on earth (UTC+14 to UTC−12), 50 hours",
	}, func(v Value, g *game.Game) { g.Day = game.DayRule(v.Text()) }},
	{Key{
		Name: "grace", Kind: Duration, Default: "15m", Min: "0s", Max: "1d",
		Text: "how long scores for a date are accepted after its end",
	}, func(v Value, g *game.Game) { g.Grace = v.Duration() }},
	{Key{
		Name: "refresh", Kind: Duration, Default: "5s", Min: "1s", Max: "1d",
		Text: "a derived board is rebuilt at most once in this time, XP at most every 10 s",
	}, func(v Value, g *game.Game) { g.Refresh = v.Duration() }},
	{Key{
		Name: "cache", Kind: Duration, Default: "60s", Min: "0s", Max: "1h",
		Text: "how old a public page may be, in a process and in a CDN; of closed periods an hour",
	}, func(v Value, g *game.Game) { g.Cache = v.Duration() }},
	{livesKey, readLives},
	{levelKey, func(v Value, g *game.Game) { g.Level.Base = v.Fields().Field("base").Number() }},
	{streakKey, readStreak},
	{limitsKey, readLimits},
	{budgetKey, readBudget},
	{Key{
		Name: "outbox", Kind: Boolean, Default: "false",
		Text: "archive each submission, for 3 commands more per write. Enables the [feed](../build/feed.md)",
	}, func(v Value, g *game.Game) { g.Outbox = v.Flag() }},
	{liveKey, readLive},
	{Key{
		Name: "anonymous", Kind: Boolean, Default: "false",
		Text: "[play without signing in](../build/anonymous.md)",
	}, func(v Value, g *game.Game) { g.Anonymous = v.Flag() }},
	{devicesKey, func(v Value, g *game.Game) { g.DeviceNames = v.Fields().Field("names").Flag() }},
	{Key{
		Name: "signatures", Kind: Choice, Default: "v1", Noun: "a scheme", Words: []string{"v1", "v2"},
		Text: "[signatures](../build/identity.md#signatures-of-game-servers) that are accepted: `v1` both versions, `v2` only the second. Choose `v2` as soon as every server sends it",
	}, func(v Value, g *game.Game) { g.BoundSignatures = v.Text() == "v2" }},
	{seasonsKey, readSeasons},
	{playKey, readPlay},
	{challengesKey, readChallenges},
}

// all are the sections of the kernel and of features.
func all() []Section { return slices.Concat(sections, features) }

// file has the keys of all sections, and the modes.
var file = whole()

func whole() *Key {
	file := Key{Kind: Mapping}
	for _, s := range all() {
		file.Keys = append(file.Keys, s.Key)
	}
	file.Keys = append(file.Keys, modesKey)
	return &file
}

// readGame reads the whole file, with a stand-in for whatever is wrong.
func (r *findings) readGame(root *yaml.Node) game.Game {
	f := Value{r, file, root, ""}.Fields()
	g := game.Game{Modes: readModes(f.Field("modes"))} // first: scores of badges have the decimals of modes
	for _, s := range all() {
		s.Read(f.Field(s.Name), &g)
	}
	return g
}

var livesKey = Key{Name: "lives", Kind: Mapping, Text: "how long boards stay in Redis after the end of their period", Keys: []Key{
	{Name: "day", Kind: Duration, Default: "8d", Min: "7d", Max: "30d", Holds: "`7d` + grace to `30d`",
		Text: "after the end of the day. For the first three quarters of it the operator may still [import scores](../operate/import.md)"},
	{Name: "week", Kind: Duration, Default: "30d", Min: "7d", Max: "3650d", Holds: "`7d` + grace to `3650d`", Text: "the same for a week"},
	{Name: "month", Kind: Duration, Default: "180d", Min: "31d", Max: "3650d", Holds: "`31d` + grace to `3650d`", Text: "the same for a month, and for a season"},
}}

func readLives(v Value, g *game.Game) {
	f := v.Fields()
	g.Lives = game.Lives{Day: f.Field("day").Duration(), Week: f.Field("week").Duration(), Month: f.Field("month").Duration()}
}

var levelKey = Key{Name: "level", Kind: Mapping, Text: "the levels that players reach with XP", Keys: []Key{
	{Name: "base", Kind: Number, Default: "50", Min: "1", Max: "1000000000", Text: "level n needs base × n² XP; `GET /v1/me` shows the level"},
}}

var streakKey = Key{Name: "streak", Kind: Mapping, Words: []string{Off}, Text: "how streaks forgive missed days. `off`: no streaks", Keys: []Key{
	{Name: "freezes", Kind: Number, Default: "0", Min: "0", Max: "30",
		Text: "most freezes of a player. Each missed day uses one; without one the streak ends"},
	{Name: "every", Kind: Number, Default: "7", Min: "1", Max: "366", Text: "days of a streak that earn a freeze"},
}}

func readStreak(v Value, g *game.Game) {
	if v.Is(Off) {
		g.Streak.Off = true
		return
	}
	f := v.Fields()
	g.Streak = game.StreakRule{Freezes: f.Field("freezes").Int(), Every: f.Field("every").Int()}
}

var liveKey = Key{
	Name: "live", Kind: Mapping, Default: "false", Also: &Key{Kind: Boolean},
	Text: "announce changes, so that [live boards](../build/live.md) are immediate also without Redis notifications", Keys: []Key{
		{Name: "channels", Kind: Boolean, Default: "false",
			Text: "publish [which modes' boards change](../build/live.md#channels-for-others) on channels of Redis, for other programs"},
	},
}

// readLive reads whether processes that write announce changes, and whether others hear of
// them over channels; keys alone say yes to the first.
func readLive(v Value, g *game.Game) {
	if v.Is("true") || v.Is("false") {
		g.Live = v.Flag()
		return
	}
	g.Live, g.LiveChannels = v.Given(), v.Fields().Field("channels").Flag()
}

var devicesKey = Key{Name: "devices", Kind: Mapping, Text: "rights of anonymous devices", Keys: []Key{
	{Name: "names", Kind: Boolean, Default: "false", Text: "they may set a [name](../build/anonymous.md#names); only with `anonymous`"},
}}

var budgetKey = Key{Name: "budget", Kind: Mapping, Default: Off, Words: []string{Off}, Text: "a [budget](../operate/budget.md) of commands, and when to degrade", Keys: []Key{
	{Name: "month", Kind: Number, Required: "use how many commands a month may cost, such as 500000, or budget: off", Min: "1000", Max: "1000000000000",
		Text: "billed commands of a calendar month, UTC"},
	{Name: "degrade", Kind: Mapping, Text: "at which pace, in percent of the budget, each measure begins", Keys: []Key{
		{Name: "caches", Kind: Percent, Default: "80%", Words: []string{Off}, Min: "1%", Max: "1000%", Text: "older public pages"},
		{Name: "refresh", Kind: Percent, Default: "90%", Words: []string{Off}, Min: "1%", Max: "1000%", Text: "derived boards rebuilt less often"},
		{Name: "features", Kind: Percent, Default: "100%", Words: []string{Off}, Min: "1%", Max: "1000%", Text: "less on cards"},
	}},
}}

func readBudget(v Value, g *game.Game) {
	if !v.Given() || v.Is(Off) {
		return
	}
	f := v.Fields()
	if v.bad[v.path] {
		return
	}
	degrade := f.Field("degrade").Fields()
	g.Budget = game.Budget{
		Month:    f.Field("month").Number(),
		Caches:   degrade.Field("caches").Percent(),
		Refresh:  degrade.Field("refresh").Percent(),
		Features: degrade.Field("features").Percent(),
	}
}

var seasonsKey = Key{
	Name: "seasons", Kind: List, Default: "[]", Max: "100", Advice: "use a list, each with name, first and last", Holds: "up to 100 seasons",
	Text: "[periods of your own](#seasons)", Of: &Key{Kind: Mapping, Keys: []Key{
		{Name: "name", Required: "use a name such as spring_2026", Advice: "use a name such as spring_2026", Pattern: NameForm, Text: "the season's name, which is never used again"},
		{Name: "first", Kind: Date, Required: "use the first day, such as 2026-03-01", Text: "its first day"},
		{Name: "last", Kind: Date, Required: "use the last day, such as 2026-05-31", Text: "its last day, of at most 366"},
	}},
}

func readSeasons(v Value, g *game.Game) {
	for _, item := range v.Items() {
		f := item.Fields()
		name, first, last := f.Field("name"), f.Field("first"), f.Field("last")
		if v.bad[item.path] {
			v.bad[name.path], v.bad[first.path], v.bad[last.path] = true, true, true
		}
		g.Seasons = append(g.Seasons, game.SeasonDays{Name: name.Text(), First: first.Date(), Last: last.Date()})
	}
}
