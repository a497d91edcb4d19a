package gamefile

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// TitlesKey has the names in other languages of what has a title.
var TitlesKey = Key{
	Name: "titles", Kind: Table, Absent: "`title` in every language", Pattern: `^[a-z]{2,3}(-[A-Z]{2})?$`, Max: "20", Holds: "up to 20, by language: `{de: Tagesbild, pt-BR: Quadro do dia}`",
	Text: "the name in other languages, which [the page](../build/web.md) shows to readers of them", Of: &Key{
		Name: "language", Advice: "use what people read", Min: "1", Max: "100", Holds: "1 to 100 bytes", Text: "the name in this language",
	},
}

// Titles reads names by language.
func Titles(v Value) map[string]string {
	languages, values := v.Entries()
	if len(languages) == 0 {
		return nil
	}
	titles := make(map[string]string, len(languages))
	for i, language := range languages {
		titles[language] = values[i].Text()
	}
	return titles
}

var modesKey = Key{
	Name: "modes", Kind: Table, Required: "declare at least one mode", Min: "1", Pattern: NameForm,
	Reserved: []string{"xp", "duels", "alltime", "week", "month", "last7", "last30"}, Holds: "at least one",
	Text: "the modes, by name: see [Keys of a mode](#keys-of-a-mode)", Of: &Key{Name: "mode", Kind: Mapping, Keys: []Key{
		{Name: "title", Absent: "the name", Min: "1", Max: "100", Holds: "1 to 100 bytes", Text: "the name that people see"},
		TitlesKey,
		{Name: "policy", Kind: Choice, Default: "first", Noun: "a policy", Words: []string{"first", "best", "latest", "sum"},
			Text: "which play of a day counts: the first, best or newest, or the sum of all"},
		{Name: "order", Kind: Choice, Default: "desc", Noun: "an order", Words: []string{"desc", "asc"}, Text: "whether high or low scores lead"},
		{Name: "ties", Kind: Choice, Default: "earliest", Noun: "a tie style", Words: []string{"earliest", "shared"},
			Text: "equal scores: the earlier one leads, or all share a rank (1, 2, 2, 4). Remaining ties are ordered by id, highest first (`asc`: lowest first)"},
		scoreKey,
		{Name: "decimals", Kind: Number, Default: "0", Min: "0", Max: "6", Text: "decimal places of a score. More are rejected, not rounded"},
		{Name: "min", Kind: ModeScore, Default: "0", Text: "the lowest score of one play"},
		{Name: "max", Kind: ModeScore, Required: "use the highest score of one play", Unless: "score", Text: "the highest score of one play"},
		{Name: "day_min", Kind: ModeScore, Absent: "`min`; required if that is below 0", Text: "only with `policy: sum`: the lowest total of a player's day"},
		{Name: "day_max", Kind: ModeScore, Absent: "required if `max` is above 0", Text: "only with `policy: sum`: the highest total of a player's day"},
		{Name: "aggregate", Kind: Choice, Absent: "`sum`; with `policy: best` `max`, or `min` if `order` is `asc`", Noun: "an aggregate", Words: []string{"sum", "max", "min", "last"},
			Text: "how a week, a month and all time combine the days. `max` does not go with `asc`, nor `min` with `desc`"},
		{Name: "scopes", Kind: List, Default: "[]", Distinct: true, Advice: "use a list of country, region and group", Of: &Key{Kind: Choice, Noun: "a scope to declare", Words: []string{"country", "region", "group"}},
			Text: "boards in addition to the global one: [countries and continents](#boards-of-countries-and-regions), [groups](#boards-of-groups)"},
		{Name: "levels", Kind: Number, Default: "0", Min: "0", Max: "100",
			Text: "[boards of levels](#boards-of-levels), up to this one. Needs policy `first` or `best`; not with `bands`"},
		{Name: "teams", Kind: Mapping, Default: Off, Noun: "a way to rank groups", Words: []string{Off, "sum"},
			Text: "ranks [groups](#boards-of-groups) by the scores of all members (`sum`) or the best ones. Needs scope `group`; not with `order: asc`", Keys: []Key{
				{Name: "best", Kind: Number, Required: "use how many of the best members count, such as 5", Min: "1", Max: "1000", Text: "how many of the best members count"},
			}},
		{Name: "rolling", Kind: Boolean, Default: "false", Text: "boards of the [last 7 and 30 days](#rolling-days); needs `aggregate: sum`"},
		bandsKey,
		decayKey,
		{Name: "details", Kind: Boolean, Default: "false", Text: "keep `details` of a play, up to 2 KiB, and show them on the card"},
		{Name: "authoritative", Kind: Boolean, Default: "false", Text: "scores from game servers only"},
		xpKey,
		modePlayKey,
		modeProofKey,
		modeChallengeKey,
		{Name: "renamed_from", Absent: "none", Advice: "use the name that the mode had", Pattern: NameForm, Holds: "a mode's name",
			Text: "the mode's [original name](#renamed-modes)"},
	}},
}

func readModes(v Value) []*game.Mode {
	names, values := v.Entries()
	modes := make([]*game.Mode, len(names))
	for i, name := range names {
		modes[i] = readMode(values[i], name)
	}
	return modes
}

func readMode(v Value, name string) *game.Mode {
	f := v.Fields()
	m := &game.Mode{
		Name:          f.Field("renamed_from").TextOr(name),
		Title:         f.Field("title").TextOr(name),
		Titles:        Titles(f.Field("titles")),
		Policy:        game.Policy(f.Field("policy").Text()),
		Order:         game.Order(f.Field("order").Text()),
		Ties:          game.TieStyle(f.Field("ties").Text()),
		Decimals:      f.Field("decimals").Int(),
		Scopes:        readScopes(f.Field("scopes")),
		Levels:        f.Field("levels").Int(),
		Teams:         readTeams(f.Field("teams")),
		Rolling:       f.Field("rolling").Flag(),
		Bands:         readBands(f.Field("bands")),
		Details:       f.Field("details").Flag(),
		Authoritative: f.Field("authoritative").Flag(),
	}
	if f.Field("renamed_from").Given() {
		m.Renamed = name
	}
	readPlays(f, m)
	m.Values = readValues(f, m.Order)
	m.Decay = readDecay(f.Field("decay"), m.Decimals)
	aggregate := game.DefaultAggregate(m.Policy, m.Order)
	if f.Field("score").Given() {
		aggregate = game.DefaultAggregate(game.Best, m.Order) // packed scores are never added up
	}
	m.Aggregate = game.Aggregate(f.Field("aggregate").TextOr(string(aggregate)))
	if len(m.Values) > 0 {
		m.XP = readXP(f.Field("xp"), f.Field("score"), m.Values[0].Decimals)
		return m
	}
	readBounds(f, m)
	m.XP = readXP(f.Field("xp"), f.Field("decimals"), m.Decimals)
	return m
}

// readBounds reads min and max, and day_min and day_max if the policy adds up
// the plays of a day.
func readBounds(f Fields, m *game.Mode) {
	lowest, highest, dayLowest, dayHighest := f.Field("min"), f.Field("max"), f.Field("day_min"), f.Field("day_max")
	if decimals := f.Field("decimals"); decimals.bad[decimals.path] || m.Decimals < 0 || m.Decimals > game.MaxDecimals {
		// Without decimals no bound can be understood.
		for _, v := range []Value{lowest, highest, dayLowest, dayHighest} {
			v.bad[v.path] = true
		}
		return
	}
	m.Min, m.Max = lowest.Score(m.Decimals), highest.Score(m.Decimals)
	m.DayMin, m.DayMax = m.Min, m.Max
	if dayLowest.Given() {
		m.DayMin = dayLowest.Score(m.Decimals)
	}
	if dayHighest.Given() {
		m.DayMax = dayHighest.Score(m.Decimals)
	}
	if policy := f.Field("policy"); policy.bad[policy.path] {
		return
	}
	for _, day := range []struct {
		Value
		needed bool
	}{{dayLowest, m.Min < 0}, {dayHighest, m.Max > 0}} {
		switch {
		case m.Policy != game.Sum && day.Given():
			day.add(day.lines[day.path], day.path, fmt.Sprintf("it has no meaning with policy %s", m.Policy), "leave it out, or use policy sum")
		case m.Policy == game.Sum && !day.Given() && day.needed:
			day.Missing("use the bound of a day's total, which policy sum needs")
		}
	}
}

// Score reads a score of a mode.
func (v Value) Score(decimals int) game.Score { return game.Score(v.scaled(decimals)) }

func readScopes(v Value) []game.ScopeKind {
	return Each(v, func(item Value) game.ScopeKind {
		switch item.Text() {
		case "region":
			return game.Region
		case "group":
			return game.Group
		}
		return game.Country
	})
}

// readTeams reads sum, off, or how many of the best members make a team.
func readTeams(v Value) game.TeamRule {
	if !v.IsMapping() {
		return game.TeamRule{Sum: v.Text() == "sum"}
	}
	best := v.Fields().Field("best")
	n := best.Int()
	if n == 0 && !v.bad[best.path] { // in a game, 0 means off
		best.Report("0 is out of range", "use 1 or more")
	}
	return game.TeamRule{Best: n}
}

var bandsKey = Key{Name: "bands", Kind: Mapping, Default: Off, Noun: "when there are bands", Words: []string{Off, "on"},
	Text: "the all-time board is [kept in several sorted sets](../operate/scale.md#configuration-of-bands). Needs policy `first` or `best`, aggregate `max` (`asc`: `min`), `ties: earliest`, and neither scopes nor teams", Keys: []Key{
		{Name: "from", Kind: Number, Default: "400000", Min: "100", Max: "900000", Text: "players from which on it is split"},
		{Name: "most", Kind: Number, Default: "400000", Min: "100", Max: "900000", Text: "most players of each set"},
	}}

// readBands reads on, off, or how many players a board must have to get bands and how large
// these become.
func readBands(v Value) *game.BandsRule {
	if !v.IsMapping() && v.Text() != "on" {
		return nil
	}
	if v.Is("on") {
		return &game.BandsRule{From: game.DefaultBand, Most: game.DefaultBand}
	}
	f := v.Fields()
	return &game.BandsRule{From: f.Field("from").Number(), Most: f.Field("most").Number()}
}

var decayKey = Key{Name: "decay", Kind: Mapping, Default: Off, Noun: "a decay", Words: []string{Off},
	Text: "on the all-time board [older days count less](../build/decay.md). Needs `aggregate: sum`, `order: desc`, bounds from 0 on, one score and no teams", Keys: []Key{
		{Name: "factor", Kind: Number, Decimals: 6, Required: "use what is left of a score each time, as 0.95", Min: "0.5", Max: "0.999999",
			Holds: "`0.5` to `0.999999`, and 0.9 for a day at the least", Text: "the factor by which a score is multiplied each time"},
		{Name: "every", Kind: Duration, Default: "1d", Min: "1d", Max: "30d", Text: "how often, counted from Monday, 1 January 2024: `7d` are ISO weeks"},
		{Name: "floor", Kind: ModeScore, Default: "0", Holds: "`0` to `min`", Text: "a total is never shown as less than this"},
		{Name: "keep", Kind: Choice, Default: "base", Noun: "what is kept", Words: []string{"base"}, Text: "scores are kept as they were played; there is no other way"},
	}}

// readDecay reads off, or how much less older days count on the board of all time.
func readDecay(v Value, decimals int) *game.DecayRule {
	if !v.IsMapping() {
		v.Text()
		return nil
	}
	f := v.Fields()
	f.Field("keep").Text()
	rule := &game.DecayRule{Factor: f.Field("factor").Number()}
	const day = 24 * time.Hour
	every := f.Field("every").Duration()
	if every%day != 0 {
		f.Field("every").Report(every.String()+" are no whole days", "use whole days, as 1d or 7d")
		every = day
	}
	rule.Every = int(every / day)
	if decimals >= 0 && decimals <= game.MaxDecimals {
		rule.Floor = f.Field("floor").Score(decimals)
	}
	return rule
}

var scoreKey = Key{
	Name: "score", Kind: List, Absent: "one number", Min: "1", Max: "8", Holds: "a list of 1 to 8 values",
	Advice: "use a list of values, as in [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]",
	Text:   "[several values](#several-values) to rank by", Of: &Key{Kind: Mapping, Keys: []Key{
		{Name: "name", Required: "use a name such as wpm", Advice: "use a name such as wpm", Pattern: NameForm, Text: "what the value is called in requests and answers"},
		{Name: "decimals", Kind: Number, Default: "0", Min: "0", Max: "6", Text: "decimal places of the value. More are rejected, not rounded"},
		{Name: "min", Kind: ModeScore, Default: "0", Text: "the least that the value can be"},
		{Name: "max", Kind: ModeScore, Required: "use the highest that it can be", Text: "the most that the value can be"},
		{Name: "order", Kind: Choice, Absent: "the mode's", Noun: "an order", Words: []string{"desc", "asc"}, Text: "whether high or low values lead"},
	}},
}

// readValues reads the list of what a mode ranks by if that is several numbers.
func readValues(mode Fields, order game.Order) []game.Value {
	v := mode.Field("score")
	items := v.Items()
	if len(items) == 0 {
		if v.Given() && !v.bad[v.path] {
			v.Report("there is nothing in it", v.key.Advice)
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
		if own := mode.Field(name); own.Given() {
			v.add(v.lines[own.path], own.path, "the mode ranks by several values, and each has its own", "leave it out, and write it to the values of score")
		}
	}
	return values
}

func readValue(v Value, order game.Order) game.Value {
	f := v.Fields()
	name, decimals, lowest, highest := f.Field("name"), f.Field("decimals"), f.Field("min"), f.Field("max")
	read := game.Value{Name: name.Text(), Decimals: decimals.Int(), Order: game.Order(f.Field("order").TextOr(string(order)))}
	if !v.IsMapping() {
		v.bad[name.path] = true
		return read
	}
	if v.bad[decimals.path] || read.Decimals < 0 || read.Decimals > game.MaxDecimals {
		v.bad[lowest.path], v.bad[highest.path] = true, true // without decimals no bound can be understood
		return read
	}
	read.Min, read.Max = lowest.Score(read.Decimals), highest.Score(read.Decimals)
	return read
}

var xpKey = Key{
	Name: "xp", Kind: Mapping, Also: &Key{Kind: Number, Decimals: 3, Min: "0", Max: "1000"}, Default: "0", Holds: "`0` to `1000`, up to 3 decimals, or the keys below",
	Text: "XP for each point above 0, rounded down for each day and mode. Not with `order: asc`", Min: "1", Keys: []Key{
		{Name: "play", Kind: Number, Default: "0", Min: "0", Max: "1000000", Text: "XP for each day played, whatever the score"},
		{Name: "scores", Kind: Table, Min: "1", Max: "100", Pattern: `^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`, Holds: "up to 100 scores within the bounds of a day, and `1` to `1000000` for each",
			Text: "XP for the hardest of these scores that the day's score has reached. A harder score must give more",
			Of:   &Key{Name: "score", Kind: Number, Min: "1", Max: "1000000", Text: "XP for the score"}},
	},
}

// readXP reads what a mode gives: a number for each point, or a mapping of what it gives for a
// play and for scores; another key has the decimals of these.
func readXP(v, says Value, decimals int) game.XPRule {
	if !v.IsMapping() {
		return game.XPRule{Weight: v.Number()}
	}
	f := v.Fields()
	if len(v.node.Content) == 0 {
		v.Report("there is nothing in it", `use a number, or play and scores, as in {play: 10, scores: {"60": 100}}`)
	}
	rule := game.XPRule{Play: f.Field("play").Number()}
	readable := decimals >= 0 && decimals <= game.MaxDecimals && !v.bad[says.path]
	if scores := f.Field("scores"); scores.Given() && readable {
		rule.Scores = xpScores(scores, decimals)
	}
	return rule
}

// xpScores reads a table whose keys are scores.
func xpScores(v Value, decimals int) []game.XPScore {
	keys, values := v.Entries()
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
		if xp := values[i].Number(); !v.bad[values[i].path] {
			scores = append(scores, game.XPScore{Score: score, XP: xp})
		}
	}
	if v.IsMapping() && len(v.node.Content) == 0 {
		v.Report("there are none", `use scores and what they give, as in {"60": 100}`)
	}
	return scores
}
