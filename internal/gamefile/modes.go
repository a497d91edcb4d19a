package gamefile

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// titlesKey are the names in other languages of what has a title.
var titlesKey = key{
	name: "titles", kind: table, otherwise: "`title` in every language", form: `^[a-z]{2,3}(-[A-Z]{2})?$`, max: "20", holds: "up to 20, by language: `{de: Tagesbild, pt-BR: Quadro do dia}`",
	text: "the name in other languages, which [the page](../build/web.md) shows to readers of them", of: &key{
		name: "language", want: "use what people read", min: "1", max: "100", holds: "1 to 100 bytes", text: "the name in this language",
	},
}

// titles reads names by language.
func titles(v value) map[string]string {
	languages, values := v.entries()
	if len(languages) == 0 {
		return nil
	}
	titles := make(map[string]string, len(languages))
	for i, language := range languages {
		titles[language] = values[i].text()
	}
	return titles
}

var modesKey = key{
	name: "modes", kind: table, need: "declare at least one mode", min: "1", form: nameForm,
	reserved: []string{"xp", "duels", "alltime", "week", "month", "last7", "last30"}, holds: "at least one",
	text: "the modes, by name: see [Keys of a mode](#keys-of-a-mode)", of: &key{name: "mode", kind: mapping, keys: []key{
		{name: "title", otherwise: "the name", min: "1", max: "100", holds: "1 to 100 bytes", text: "the name that people see"},
		titlesKey,
		{name: "policy", kind: choice, usual: "first", noun: "a policy", words: []string{"first", "best", "latest", "sum"},
			text: "which play of a day counts: the first, best or newest, or the sum of all"},
		{name: "order", kind: choice, usual: "desc", noun: "an order", words: []string{"desc", "asc"}, text: "whether high or low scores lead"},
		{name: "ties", kind: choice, usual: "earliest", noun: "a tie style", words: []string{"earliest", "shared"},
			text: "equal scores: the earlier one leads, or all share a rank (1, 2, 2, 4). Remaining ties are ordered by id, highest first (`asc`: lowest first)"},
		scoreKey,
		{name: "decimals", kind: number, usual: "0", min: "0", max: "6", text: "decimal places of a score. More are rejected, not rounded"},
		{name: "min", kind: score, usual: "0", text: "the lowest score of one play"},
		{name: "max", kind: score, need: "use the highest score of one play", without: "score", text: "the highest score of one play"},
		{name: "day_min", kind: score, otherwise: "`min`; required if that is below 0", text: "only with `policy: sum`: the lowest total of a player's day"},
		{name: "day_max", kind: score, otherwise: "required if `max` is above 0", text: "only with `policy: sum`: the highest total of a player's day"},
		{name: "aggregate", kind: choice, otherwise: "`sum`; with `policy: best` `max`, or `min` if `order` is `asc`", noun: "an aggregate", words: []string{"sum", "max", "min", "last"},
			text: "how a week, a month and all time combine the days. `max` does not go with `asc`, nor `min` with `desc`"},
		{name: "scopes", kind: list, usual: "[]", distinct: true, want: "use a list of country, region and group", of: &key{kind: choice, noun: "a scope to declare", words: []string{"country", "region", "group"}},
			text: "boards in addition to the global one: [countries and continents](#boards-of-countries-and-regions), [groups](#boards-of-groups)"},
		{name: "levels", kind: number, usual: "0", min: "0", max: "100",
			text: "[boards of levels](#boards-of-levels), up to this one. Needs policy `first` or `best`; not with `bands`"},
		{name: "teams", kind: mapping, usual: off, noun: "a way to rank groups", words: []string{off, "sum"},
			text: "ranks [groups](#boards-of-groups) by the scores of all members (`sum`) or the best ones. Needs scope `group`; not with `order: asc`", keys: []key{
				{name: "best", kind: number, need: "use how many of the best members count, such as 5", min: "1", max: "1000", text: "how many of the best members count"},
			}},
		{name: "rolling", kind: boolean, usual: "false", text: "boards of the [last 7 and 30 days](#rolling-days); needs `aggregate: sum`"},
		bandsKey,
		decayKey,
		{name: "details", kind: boolean, usual: "false", text: "keep `details` of a play, up to 2 KiB, and show them on the card"},
		{name: "authoritative", kind: boolean, usual: "false", text: "scores from game servers only"},
		xpKey,
		modePlayKey,
		modeProofKey,
		modeChallengeKey,
		{name: "renamed_from", otherwise: "none", want: "use the name that the mode had", form: nameForm, holds: "a mode's name",
			text: "the mode's [original name](#renamed-modes)"},
	}},
}

func readModes(v value) []*game.Mode {
	names, values := v.entries()
	modes := make([]*game.Mode, len(names))
	for i, name := range names {
		modes[i] = readMode(values[i], name)
	}
	return modes
}

func readMode(v value, name string) *game.Mode {
	f := v.fields()
	m := &game.Mode{
		Name:          f.field("renamed_from").textOr(name),
		Title:         f.field("title").textOr(name),
		Titles:        titles(f.field("titles")),
		Policy:        game.Policy(f.field("policy").text()),
		Order:         game.Order(f.field("order").text()),
		Ties:          game.TieStyle(f.field("ties").text()),
		Decimals:      f.field("decimals").int(),
		Scopes:        readScopes(f.field("scopes")),
		Levels:        f.field("levels").int(),
		Teams:         readTeams(f.field("teams")),
		Rolling:       f.field("rolling").flag(),
		Bands:         readBands(f.field("bands")),
		Details:       f.field("details").flag(),
		Authoritative: f.field("authoritative").flag(),
	}
	if f.field("renamed_from").given() {
		m.Renamed = name
	}
	readPlays(f, m)
	m.Values = readValues(f, m.Order)
	m.Decay = readDecay(f.field("decay"), m.Decimals)
	aggregate := game.DefaultAggregate(m.Policy, m.Order)
	if f.field("score").given() {
		aggregate = game.DefaultAggregate(game.Best, m.Order) // packed scores are never added up
	}
	m.Aggregate = game.Aggregate(f.field("aggregate").textOr(string(aggregate)))
	if len(m.Values) > 0 {
		m.XP = readXP(f.field("xp"), f.field("score"), m.Values[0].Decimals)
		return m
	}
	readBounds(f, m)
	m.XP = readXP(f.field("xp"), f.field("decimals"), m.Decimals)
	return m
}

// readBounds reads min and max, and day_min and day_max if the policy adds up
// the plays of a day.
func readBounds(f fields, m *game.Mode) {
	lowest, highest, dayLowest, dayHighest := f.field("min"), f.field("max"), f.field("day_min"), f.field("day_max")
	if decimals := f.field("decimals"); decimals.bad[decimals.path] || m.Decimals < 0 || m.Decimals > game.MaxDecimals {
		// Without decimals no bound can be understood.
		for _, v := range []value{lowest, highest, dayLowest, dayHighest} {
			v.bad[v.path] = true
		}
		return
	}
	m.Min, m.Max = lowest.score(m.Decimals), highest.score(m.Decimals)
	m.DayMin, m.DayMax = m.Min, m.Max
	if dayLowest.given() {
		m.DayMin = dayLowest.score(m.Decimals)
	}
	if dayHighest.given() {
		m.DayMax = dayHighest.score(m.Decimals)
	}
	if policy := f.field("policy"); policy.bad[policy.path] {
		return
	}
	for _, day := range []struct {
		value
		needed bool
	}{{dayLowest, m.Min < 0}, {dayHighest, m.Max > 0}} {
		switch {
		case m.Policy != game.Sum && day.given():
			day.add(day.lines[day.path], day.path, fmt.Sprintf("it has no meaning with policy %s", m.Policy), "leave it out, or use policy sum")
		case m.Policy == game.Sum && !day.given() && day.needed:
			day.missing("use the bound of a day's total, which policy sum needs")
		}
	}
}

// score reads a score of a mode.
func (v value) score(decimals int) game.Score { return game.Score(v.scaled(decimals)) }

func readScopes(v value) []game.ScopeKind {
	return each(v, func(item value) game.ScopeKind {
		switch item.text() {
		case "region":
			return game.Region
		case "group":
			return game.Group
		}
		return game.Country
	})
}

// readTeams reads sum, off, or how many of the best members make a team.
func readTeams(v value) game.TeamRule {
	if !v.isMapping() {
		return game.TeamRule{Sum: v.text() == "sum"}
	}
	best := v.fields().field("best")
	n := best.int()
	if n == 0 && !v.bad[best.path] { // in a game, 0 means off
		best.report("0 is out of range", "use 1 or more")
	}
	return game.TeamRule{Best: n}
}

var bandsKey = key{name: "bands", kind: mapping, usual: off, noun: "when there are bands", words: []string{off, "on"},
	text: "the all-time board is [kept in several sorted sets](../operate/scale.md#configuration-of-bands). Needs policy `first` or `best`, aggregate `max` (`asc`: `min`), `ties: earliest`, and neither scopes nor teams", keys: []key{
		{name: "from", kind: number, usual: "400000", min: "100", max: "900000", text: "players from which on it is split"},
		{name: "most", kind: number, usual: "400000", min: "100", max: "900000", text: "most players of each set"},
	}}

// readBands reads on, off, or how many players a board must have to get bands and how large
// these become.
func readBands(v value) *game.BandsRule {
	if !v.isMapping() && v.text() != "on" {
		return nil
	}
	if v.is("on") {
		return &game.BandsRule{From: game.DefaultBand, Most: game.DefaultBand}
	}
	f := v.fields()
	return &game.BandsRule{From: f.field("from").number(), Most: f.field("most").number()}
}

var decayKey = key{name: "decay", kind: mapping, usual: off, noun: "a decay", words: []string{off},
	text: "on the all-time board [older days count less](../build/decay.md). Needs `aggregate: sum`, `order: desc`, bounds from 0 on, one score and no teams", keys: []key{
		{name: "factor", kind: number, decimals: 6, need: "use what is left of a score each time, as 0.95", min: "0.5", max: "0.999999",
			holds: "`0.5` to `0.999999`, and 0.9 for a day at the least", text: "the factor by which a score is multiplied each time"},
		{name: "every", kind: duration, usual: "1d", min: "1d", max: "30d", text: "how often, counted from Monday, 1 January 2024: `7d` are ISO weeks"},
		{name: "floor", kind: score, usual: "0", holds: "`0` to `min`", text: "a total is never shown as less than this"},
		{name: "keep", kind: choice, usual: "base", noun: "what is kept", words: []string{"base"}, text: "scores are kept as they were played; there is no other way"},
	}}

// readDecay reads off, or how much less older days count on the board of all time.
func readDecay(v value, decimals int) *game.DecayRule {
	if !v.isMapping() {
		v.text()
		return nil
	}
	f := v.fields()
	f.field("keep").text()
	rule := &game.DecayRule{Factor: f.field("factor").number()}
	const day = 24 * time.Hour
	every := f.field("every").duration()
	if every%day != 0 {
		f.field("every").report(every.String()+" are no whole days", "use whole days, as 1d or 7d")
		every = day
	}
	rule.Every = int(every / day)
	if decimals >= 0 && decimals <= game.MaxDecimals {
		rule.Floor = f.field("floor").score(decimals)
	}
	return rule
}

var scoreKey = key{
	name: "score", kind: list, otherwise: "one number", min: "1", max: "8", holds: "a list of 1 to 8 values",
	want: "use a list of values, as in [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]",
	text: "[several values](#several-values) to rank by", of: &key{kind: mapping, keys: []key{
		{name: "name", need: "use a name such as wpm", want: "use a name such as wpm", form: nameForm, text: "what the value is called in requests and answers"},
		{name: "decimals", kind: number, usual: "0", min: "0", max: "6", text: "decimal places of the value. More are rejected, not rounded"},
		{name: "min", kind: score, usual: "0", text: "the least that the value can be"},
		{name: "max", kind: score, need: "use the highest that it can be", text: "the most that the value can be"},
		{name: "order", kind: choice, otherwise: "the mode's", noun: "an order", words: []string{"desc", "asc"}, text: "whether high or low values lead"},
	}},
}

// readValues reads the list of what a mode ranks by if that is several numbers.
func readValues(mode fields, order game.Order) []game.Value {
	v := mode.field("score")
	items := v.items()
	if len(items) == 0 {
		if v.given() && !v.bad[v.path] {
			v.report("there is nothing in it", v.key.want)
		}
		return nil
	}
	values := make([]game.Value, len(items))
	for i, item := range items {
		before := len(v.found)
		values[i] = readValue(item, order)
		if len(v.found) > before {
			v.bad[v.path] = true // the values cannot be combined
		}
	}
	for _, name := range []string{"decimals", "min", "max", "day_min", "day_max"} {
		if own := mode.field(name); own.given() {
			v.add(v.lines[own.path], own.path, "the mode ranks by several values, and each has its own", "leave it out, and write it to the values of score")
		}
	}
	return values
}

func readValue(v value, order game.Order) game.Value {
	f := v.fields()
	name, decimals, lowest, highest := f.field("name"), f.field("decimals"), f.field("min"), f.field("max")
	read := game.Value{Name: name.text(), Decimals: decimals.int(), Order: game.Order(f.field("order").textOr(string(order)))}
	if !v.isMapping() {
		v.bad[name.path] = true
		return read
	}
	if v.bad[decimals.path] || read.Decimals < 0 || read.Decimals > game.MaxDecimals {
		v.bad[lowest.path], v.bad[highest.path] = true, true // without decimals no bound can be understood
		return read
	}
	read.Min, read.Max = lowest.score(read.Decimals), highest.score(read.Decimals)
	return read
}

var xpKey = key{
	name: "xp", kind: mapping, also: &key{kind: number, decimals: 3, min: "0", max: "1000"}, usual: "0", holds: "`0` to `1000`, up to 3 decimals, or the keys below",
	text: "XP for each point above 0, rounded down for each day and mode. Not with `order: asc`", min: "1", keys: []key{
		{name: "play", kind: number, usual: "0", min: "0", max: "1000000", text: "XP for each day played, whatever the score"},
		{name: "scores", kind: table, min: "1", max: "100", form: `^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`, holds: "up to 100 scores within the bounds of a day, and `1` to `1000000` for each",
			text: "XP for the hardest of these scores that the day's score has reached. A harder score must give more",
			of:   &key{name: "score", kind: number, min: "1", max: "1000000", text: "XP for the score"}},
	},
}

// readXP reads what a mode gives: a number for each point, or a mapping of what it gives for a
// play and for scores; another key has the decimals of these.
func readXP(v, says value, decimals int) game.XPRule {
	if !v.isMapping() {
		return game.XPRule{Weight: v.number()}
	}
	f := v.fields()
	if len(v.node.Content) == 0 {
		v.report("there is nothing in it", `use a number, or play and scores, as in {play: 10, scores: {"60": 100}}`)
	}
	rule := game.XPRule{Play: f.field("play").number()}
	readable := decimals >= 0 && decimals <= game.MaxDecimals && !v.bad[says.path]
	if scores := f.field("scores"); scores.given() && readable {
		rule.Scores = xpScores(scores, decimals)
	}
	return rule
}

// xpScores reads a table whose keys are scores.
func xpScores(v value, decimals int) []game.XPScore {
	keys, values := v.entries()
	var scores []game.XPScore
	lines := map[game.Score]int{}
	for i, key := range keys {
		line := v.lines[values[i].path]
		score, err := game.ParseScaled(key, decimals)
		if err != nil {
			v.add(line, values[i].path, fmt.Sprintf("%.40q is not a score of this mode", key),
				wantNumber(decimals)+" within 2^53")
			continue
		}
		if first, twice := lines[score]; twice {
			v.add(line, values[i].path, fmt.Sprintf("the score is in line %d already", first), "keep one of them")
			continue
		}
		lines[score] = line
		v.lines[v.at(game.FormatScaled(score, decimals))] = line // rules name a score by its shortest form
		if xp := values[i].number(); !v.bad[values[i].path] {
			scores = append(scores, game.XPScore{Score: score, XP: xp})
		}
	}
	if v.isMapping() && len(v.node.Content) == 0 {
		v.report("there are none", `use scores and what they give, as in {"60": 100}`)
	}
	return scores
}
