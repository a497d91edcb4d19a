package gamefile

import (
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// section is a key of the whole file and how it is read.
type section struct {
	key
	read func(value, *game.Game)
}

// sections are all keys of a file but modes, in the order in which people see them. A feature
// that has rules adds one, in a file of its own.
var sections = []section{
	{key{
		name: "name", need: "use a name such as framedle", want: "use a name such as framedle", form: nameForm,
		text: "the game's name",
	}, func(v value, g *game.Game) { g.Name = v.text() }},
	{key{
		name: "day", kind: choice, usual: "utc", noun: "a day rule", words: []string{"utc", "local"},
		text: "`utc`: a date is open from midnight to midnight UTC. `local`: it is open while it is that date anywhere on earth (UTC+14 to UTC−12), 50 hours",
	}, func(v value, g *game.Game) { g.Day = game.DayRule(v.text()) }},
	{key{
		name: "grace", kind: duration, usual: "15m", min: "0s", max: "1d",
		text: "how long scores for a date are accepted after its end",
	}, func(v value, g *game.Game) { g.Grace = v.duration() }},
	{key{
		name: "refresh", kind: duration, usual: "5s", min: "1s", max: "1d",
		text: "a derived board is rebuilt at most once in this time, XP at most every 10 s",
	}, func(v value, g *game.Game) { g.Refresh = v.duration() }},
	{key{
		name: "cache", kind: duration, usual: "60s", min: "0s", max: "1h",
		text: "how old a public page may be, in a process and in a CDN; of closed periods an hour",
	}, func(v value, g *game.Game) { g.Cache = v.duration() }},
	{livesKey, readLives},
	{levelKey, func(v value, g *game.Game) { g.Level.Base = v.fields().field("base").number() }},
	{streakKey, readStreak},
	{duelsKey, readDuels},
	{racesKey, readRaces},
	{leaguesKey, readLeagues},
	{limitsKey, readLimits},
	{budgetKey, readBudget},
	{key{
		name: "outbox", kind: boolean, usual: "false",
		text: "archive each submission, for 3 commands more per write. Enables the [feed](../build/feed.md)",
	}, func(v value, g *game.Game) { g.Outbox = v.flag() }},
	{liveKey, readLive},
	{key{
		name: "anonymous", kind: boolean, usual: "false",
		text: "[play without signing in](../build/anonymous.md)",
	}, func(v value, g *game.Game) { g.Anonymous = v.flag() }},
	{devicesKey, func(v value, g *game.Game) { g.DeviceNames = v.fields().field("names").flag() }},
	{key{
		name: "signatures", kind: choice, usual: "v1", noun: "a scheme", words: []string{"v1", "v2"},
		text: "[signatures](../build/identity.md#signatures-of-game-servers) that are accepted: `v1` both versions, `v2` only the second. Choose `v2` as soon as every server sends it",
	}, func(v value, g *game.Game) { g.BoundSignatures = v.text() == "v2" }},
	{seasonsKey, readSeasons},
	{playKey, readPlay},
	{challengesKey, readChallenges},
	{currenciesKey, readCurrencies},
	{key{
		name: "presence", kind: boolean, usual: "false",
		text: "counts players who are online: see [Presence](../build/presence.md)",
	}, func(v value, g *game.Game) { g.Presence = v.flag() }},
	{activityKey, readActivity},
	{badgesKey, readBadges},
	{webhooksKey, readWebhooks},
	{auditKey, readAudit},
	{worldKey, readWorld},
}

// file has the keys of all sections, and the modes.
var file = func() key {
	all := key{kind: mapping}
	for _, s := range sections {
		all.keys = append(all.keys, s.key)
	}
	all.keys = append(all.keys, modesKey)
	return all
}()

// readGame reads the whole file, with a stand-in for whatever is wrong.
func (r *findings) readGame(root *yaml.Node) game.Game {
	f := value{r, &file, root, ""}.fields()
	g := game.Game{Modes: readModes(f.field("modes"))} // first: scores of badges have the decimals of modes
	for _, s := range sections {
		s.read(f.field(s.name), &g)
	}
	return g
}

var livesKey = key{name: "lives", kind: mapping, text: "how long boards stay in Redis after the end of their period", keys: []key{
	{name: "day", kind: duration, usual: "8d", min: "7d", max: "30d", holds: "`7d` + grace to `30d`",
		text: "after the end of the day. For the first three quarters of it the operator may still [import scores](../operate/import.md)"},
	{name: "week", kind: duration, usual: "30d", min: "7d", max: "3650d", holds: "`7d` + grace to `3650d`", text: "the same for a week"},
	{name: "month", kind: duration, usual: "180d", min: "31d", max: "3650d", holds: "`31d` + grace to `3650d`", text: "the same for a month, and for a season"},
}}

func readLives(v value, g *game.Game) {
	f := v.fields()
	g.Lives = game.Lives{Day: f.field("day").duration(), Week: f.field("week").duration(), Month: f.field("month").duration()}
}

var levelKey = key{name: "level", kind: mapping, text: "the levels that players reach with XP", keys: []key{
	{name: "base", kind: number, usual: "50", min: "1", max: "1000000000", text: "level n needs base × n² XP; `GET /v1/me` shows the level"},
}}

var streakKey = key{name: "streak", kind: mapping, words: []string{off}, text: "how streaks forgive missed days. `off`: no streaks", keys: []key{
	{name: "freezes", kind: number, usual: "0", min: "0", max: "30",
		text: "most freezes of a player. Each missed day uses one; without one the streak ends"},
	{name: "every", kind: number, usual: "7", min: "1", max: "366", text: "days of a streak that earn a freeze"},
}}

func readStreak(v value, g *game.Game) {
	if v.is(off) {
		g.Streak.Off = true
		return
	}
	f := v.fields()
	g.Streak = game.StreakRule{Freezes: f.field("freezes").int(), Every: f.field("every").int()}
}

var liveKey = key{
	name: "live", kind: mapping, usual: "false", also: &key{kind: boolean},
	text: "announce changes, so that [live boards](../build/live.md) are immediate also without Redis notifications", keys: []key{
		{name: "channels", kind: boolean, usual: "false",
			text: "publish [which modes' boards change](../build/live.md#channels-for-others) on channels of Redis, for other programs"},
	},
}

// readLive reads whether processes that write announce changes, and whether others hear of
// them over channels; keys alone say yes to the first.
func readLive(v value, g *game.Game) {
	if v.is("true") || v.is("false") {
		g.Live = v.flag()
		return
	}
	g.Live, g.LiveChannels = v.given(), v.fields().field("channels").flag()
}

var devicesKey = key{name: "devices", kind: mapping, text: "rights of anonymous devices", keys: []key{
	{name: "names", kind: boolean, usual: "false", text: "they may set a [name](../build/anonymous.md#names); only with `anonymous`"},
}}

var auditKey = key{name: "audit", kind: mapping, otherwise: "no record", text: "[records](../operate/audit.md) the effect of each submission; needs `outbox: true`", keys: []key{
	{name: "since", kind: date, need: "use the first date to be recorded whole, one that has not begun when the game is deployed, such as 2026-12-01",
		text: "the date from which it is recorded"},
	{name: "months", kind: number, usual: "24", min: "3", max: "120", text: "how long the record is kept"},
}}

func readAudit(v value, g *game.Game) {
	if f := v.fields(); v.given() && !v.bad[v.path] {
		g.Audit = game.Audit{Since: f.field("since").date(), Months: f.field("months").int()}
	}
}

var budgetKey = key{name: "budget", kind: mapping, usual: off, words: []string{off}, text: "a [budget](../operate/budget.md) of commands, and when to degrade", keys: []key{
	{name: "month", kind: number, need: "use how many commands a month may cost, such as 500000, or budget: off", min: "1000", max: "1000000000000",
		text: "billed commands of a calendar month, UTC"},
	{name: "degrade", kind: mapping, text: "at which pace, in percent of the budget, each measure begins", keys: []key{
		{name: "caches", kind: percent, usual: "80%", words: []string{off}, min: "1%", max: "1000%", text: "older public pages"},
		{name: "refresh", kind: percent, usual: "90%", words: []string{off}, min: "1%", max: "1000%", text: "derived boards rebuilt less often"},
		{name: "features", kind: percent, usual: "100%", words: []string{off}, min: "1%", max: "1000%", text: "less on cards"},
	}},
}}

func readBudget(v value, g *game.Game) {
	if !v.given() || v.is(off) {
		return
	}
	f := v.fields()
	if v.bad[v.path] {
		return
	}
	degrade := f.field("degrade").fields()
	g.Budget = game.Budget{
		Month:    f.field("month").number(),
		Caches:   degrade.field("caches").percent(),
		Refresh:  degrade.field("refresh").percent(),
		Features: degrade.field("features").percent(),
	}
}

var seasonsKey = key{
	name: "seasons", kind: list, usual: "[]", max: "100", want: "use a list, each with name, first and last", holds: "up to 100 seasons",
	text: "[periods of your own](#seasons)", of: &key{kind: mapping, keys: []key{
		{name: "name", need: "use a name such as spring_2026", want: "use a name such as spring_2026", form: nameForm, text: "the season's name, which is never used again"},
		{name: "first", kind: date, need: "use the first day, such as 2026-03-01", text: "its first day"},
		{name: "last", kind: date, need: "use the last day, such as 2026-05-31", text: "its last day, of at most 366"},
	}},
}

func readSeasons(v value, g *game.Game) {
	for _, item := range v.items() {
		f := item.fields()
		name, first, last := f.field("name"), f.field("first"), f.field("last")
		if v.bad[item.path] {
			v.bad[name.path], v.bad[first.path], v.bad[last.path] = true, true, true
		}
		g.Seasons = append(g.Seasons, game.SeasonDays{Name: name.text(), First: first.date(), Last: last.date()})
	}
}
