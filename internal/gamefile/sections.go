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
		text: "`utc`: a date is open from midnight to midnight UTC. `local`: everybody's own midnight, so a date is open from the first place on earth where it begins (UTC+14) to the last where it ends (UTC−12), 50 hours",
	}, func(v value, g *game.Game) { g.Day = game.DayRule(v.text()) }},
	{key{
		name: "grace", kind: duration, usual: "15m", min: "0s", max: "1d",
		text: "scores for a date are taken this long after it ended",
	}, func(v value, g *game.Game) { g.Grace = v.duration() }},
	{key{
		name: "refresh", kind: duration, usual: "5s", min: "1s", max: "1d",
		text: "a derived board is rebuilt at most once in this time, and XP at most every 10 s. A week that few players look at is rebuilt [at most once in 30 s more by each process](../decisions/0046-a-quiet-week-is-made-without-its-lock.md). [A card of a small week](../decisions/0078-a-small-week-is-read-as-its-days-are-united.md) needs no rebuilding",
	}, func(v value, g *game.Game) { g.Refresh = v.duration() }},
	{key{
		name: "cache", kind: duration, usual: "60s", min: "0s", max: "1h",
		text: "how old a public page may be, in a process and in a CDN. Pages of closed periods may be an hour old",
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
		text: "also keep each single submission in the archive; `cron-save` brings them there. Each write costs 3 commands more. Gives the game a [feed](../build/feed.md)",
	}, func(v value, g *game.Game) { g.Outbox = v.flag() }},
	{liveKey, readLive},
	{key{
		name: "anonymous", kind: boolean, usual: "false",
		text: "players may play on devices without signing in, see [Anonymous play](../build/anonymous.md)",
	}, func(v value, g *game.Game) { g.Anonymous = v.flag() }},
	{devicesKey, func(v value, g *game.Game) { g.DeviceNames = v.fields().field("names").flag() }},
	{key{
		name: "signatures", kind: choice, usual: "v1", noun: "a scheme", words: []string{"v1", "v2"},
		text: "which signatures of game servers are accepted: with `v1` both kinds, with `v2` only those that also cover method and path, see [Identity](../build/identity.md#signatures-of-game-servers). Choose `v2` as soon as every server sends it",
	}, func(v value, g *game.Game) { g.BoundSignatures = v.text() == "v2" }},
	{seasonsKey, readSeasons},
	{playKey, readPlay},
	{challengesKey, readChallenges},
	{currenciesKey, readCurrencies},
	{key{
		name: "presence", kind: boolean, usual: "false",
		text: "whether the players who are there are counted: see [Presence](../build/presence.md)",
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
		text: "how long a day board stays after the end of its day. For the first three quarters of that time the operator may still add scores, see [Imports](../operate/import.md)"},
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

var streakKey = key{name: "streak", kind: mapping, words: []string{off}, text: "how streaks forgive missed days. `off`: no streaks are counted or shown", keys: []key{
	{name: "freezes", kind: number, usual: "0", min: "0", max: "30",
		text: "how many freezes a player can hold. Each missed day uses one up as it passes, also if more days are missed than the player has freezes: then the streak ends and the freezes are gone"},
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
	text: "`true`, or keys: processes that write announce changes, so that [live boards](../internals/features.md#sources-of-changes) show them at once also where Redis sends no notifications", keys: []key{
		{name: "channels", kind: boolean, usual: "false",
			text: "the processes that stream boards publish [which modes' boards change](../build/live.md#channels-for-others) on channels of Redis, for other programs"},
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

var devicesKey = key{name: "devices", kind: mapping, text: "what devices may do on which nobody has signed in", keys: []key{
	{name: "names", kind: boolean, usual: "false", text: "these devices may take a [name](../build/anonymous.md#names); only with `anonymous`"},
}}
