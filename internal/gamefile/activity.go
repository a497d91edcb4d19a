package gamefile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	groupForm  = `^[A-Za-z0-9_-]{1,64}$`
	eventForm  = `^[a-z][a-z0-9_.]{0,59}$`
	streamForm = `^[A-Za-z0-9_.:@-]{1,80}$`
	whoWant    = "use [from, to], [user] or [users]"
	typeWant   = "use a type of event, or types by what an entry says in its field event"

	// weightDecimals are the places that weights and multipliers are read with.
	weightDecimals = 6
)

var eventType = Key{Name: "event", Advice: typeWant, Pattern: eventForm, Text: "the type of entries that say this"}

var activityKey = Key{Name: "activity", Kind: Mapping, Absent: "none", Text: "[points for other activity](../build/activity.md)", Keys: []Key{
	{Name: "groups", Kind: List, Distinct: true, Absent: "any", Advice: "use a list of groups", Of: &Key{Advice: "use a list of groups", Pattern: groupForm}, Holds: "names of groups", Text: "the groups that events may come from"},
	{Name: "zones", Kind: Table, Absent: "UTC", Pattern: groupForm, Text: "time zones of groups; only with `day: local`", Of: &Key{
		Name: "group", Advice: "use a name of the IANA time zone database, such as America/Los_Angeles", Pattern: "^[A-Z][A-Za-z0-9_+/-]*$", Holds: "a name of the IANA time zone database", Text: "the time zone of the group",
	}},
	{Name: "burst", Kind: Mapping, Default: Off, Words: []string{Off}, Text: "messages of one sender beyond a rate do not count", Keys: []Key{
		{Name: "most", Kind: Number, Default: "50", Min: "1", Max: "1000", Text: "how many messages count"},
		{Name: "within", Kind: Duration, Default: "10s", Min: "1s", Max: "1m", Text: "in which time"},
	}},
	{Name: "events", Kind: Table, Required: "declare what each type of event adds", Pattern: eventForm, Min: "1", Max: "100", Holds: "1 to 100 types of events", Text: "what each type of event adds, by its name", Of: &Key{
		Name: "type", Kind: Mapping, Keys: []Key{
			{Name: "who", Kind: List, Required: whoWant, Advice: whoWant, Min: "1", Max: "2", Holds: "`[from, to]`, `[user]` or `[users]`", Text: "the players of an event",
				Of: &Key{Kind: Choice, Advice: whoWant, Words: []string{"from", "to", "user", "users"}}},
			{Name: "count", Kind: Table, Absent: "none", Pattern: NameForm, Text: "counters that it adds to", Of: &Key{
				Name: "counter", Kind: Choice, Noun: "a player of an event", Words: []string{"from", "to", "user", "users", "winner"}, Text: "for which of the players",
			}},
			{Name: "distinct", Kind: Table, Absent: "none", Pattern: NameForm, Text: "counters of different players", Of: &Key{
				Name: "counter", Kind: Mapping, Keys: []Key{
					{Name: "of", Kind: Choice, Noun: "a side of an event", Words: []string{"from", "to"}, Text: "whose counter it is"},
					{Name: "by", Kind: Choice, Noun: "a side of an event", Words: []string{"from", "to"}, Text: "of whom different players are counted"},
				},
			}},
			{Name: "message", Kind: Boolean, Default: "false", Text: "it is a message of a sender, for `burst`"},
		},
	}},
	{Name: "streams", Kind: Table, Absent: "none", Pattern: streamForm, Max: "20", Holds: "up to 20 keys of streams", Text: "streams of the same Redis to read events from", Of: &Key{
		Name: "stream", Kind: Table, Also: &eventType, Of: &eventType, Holds: "a type of event, or types by what an entry has in its field `event`", Text: "what the entries of a stream are",
	}},
	{Name: "pillars", Kind: Table, Required: "declare at least one formula, by the name of its mode", Pattern: NameForm, Min: "1", Text: "formulas by the names of their modes", Of: &Key{
		Name: "mode", Kind: Table, Pattern: NameForm, Min: "1", Max: "50", Holds: "1 to 50 counters", Text: "what its counters are worth", Of: &Key{
			Name: "counter", Kind: Mapping, Also: &Key{Kind: Number, Decimals: weightDecimals, Min: "0.000001", Max: "10000"}, Holds: "a weight, or the keys below", Text: "what one is worth", Keys: []Key{
				{Name: "weight", Kind: Number, Decimals: weightDecimals, Required: "use what one is worth, such as 0.5", Min: "0.000001", Max: "10000", Text: "what one is worth"},
				{Name: "cap", Kind: Number, Absent: "no cap", Min: "1", Max: "1000000", Text: "how many of a day count"},
				{Name: "title", Absent: "the name, in words", Min: "1", Max: "100", Holds: "1 to 100 bytes", Text: "the name that people see"},
				TitlesKey,
			},
		},
	}},
	{Name: "overall", Kind: Mapping, Absent: "none", Text: "the mode of the sum of all pillars", Keys: []Key{
		{Name: "mode", Required: "use the name of the mode that all pillars add up to", Advice: UseMode, Pattern: NameForm, Holds: "a mode's name", Text: "its name"},
		{Name: "streak", Kind: Mapping, Absent: "none", Text: "what a streak multiplies the sum by", Keys: []Key{
			{Name: "days", Kind: Number, Default: "30", Min: "2", Max: "366", Text: "day of a streak on which the full multiplier is reached, linearly from 1"},
			{Name: "times", Kind: Number, Decimals: weightDecimals, Default: "1.5", Min: "1", Max: "10", Text: "the multiplier"},
		}},
	}},
}}

// readActivity reads how events become points.
func readActivity(v Value, g *game.Game) {
	if !v.Given() {
		return
	}
	f := v.Fields()
	if v.bad[v.path] {
		return
	}
	g.Activity = &game.Activity{
		Groups:  Each(f.Field("groups"), Value.Text),
		Zones:   zones(f.Field("zones")),
		Burst:   burst(f.Field("burst")),
		Events:  eventRules(f.Field("events")),
		Streams: streamRules(f.Field("streams")),
		Pillars: pillars(f.Field("pillars")),
		Overall: overall(f.Field("overall")),
	}
}

// zones reads the time zones of groups. A machine without a list of zones takes any name that
// may be one: a program that needs the zone itself then fails when it starts.
func zones(v Value) map[string]string {
	groups, values := v.Entries()
	if len(groups) == 0 {
		return nil
	}
	zones := make(map[string]string, len(groups))
	for i, group := range groups {
		zone := values[i].Text()
		if v.bad[values[i].path] {
			continue
		}
		if !knownZone(zone) {
			values[i].Report(fmt.Sprintf("%.60q is not a time zone", zone), values[i].key.Advice)
			continue
		}
		zones[group] = zone
	}
	return zones
}

func knownZone(name string) bool {
	if name == "" || name == "Local" {
		return false
	}
	if _, err := time.LoadLocation(name); err == nil {
		return true
	}
	_, err := time.LoadLocation("Europe/London")
	return err != nil
}

func burst(v Value) game.Burst {
	if !v.Given() || v.Is(Off) {
		return game.Burst{}
	}
	f := v.Fields()
	return game.Burst{Most: f.Field("most").Int(), Within: f.Field("within").Duration()}
}

func eventRules(v Value) []game.EventRule {
	names, values := v.Entries()
	rules := make([]game.EventRule, len(names))
	for i, name := range names {
		f := values[i].Fields()
		rules[i] = game.EventRule{
			Name:     name,
			Who:      Each(f.Field("who"), func(item Value) game.Role { return game.Role(item.Text()) }),
			Counts:   countRules(f.Field("count")),
			Distinct: distinctRules(f.Field("distinct")),
			Message:  f.Field("message").Flag(),
		}
	}
	slices.SortStableFunc(rules, func(a, b game.EventRule) int { return strings.Compare(a.Name, b.Name) })
	return rules
}

// streamRules reads, for each stream, the type of all its entries, or of those that name
// an event.
func streamRules(v Value) []game.StreamRule {
	keys, values := v.Entries()
	rules := make([]game.StreamRule, len(keys))
	for i, key := range keys {
		rules[i] = game.StreamRule{Key: key, Types: map[string]string{}}
		if values[i].node.Kind != yaml.MappingNode {
			if name := values[i].Text(); name != "" {
				rules[i].Types[""] = name
			}
			continue
		}
		events, types := values[i].Entries()
		for j, event := range events {
			if name := types[j].Text(); name != "" {
				rules[i].Types[event] = name
			}
		}
	}
	return rules
}

func countRules(v Value) []game.CountRule {
	names, values := v.Entries()
	rules := make([]game.CountRule, len(names))
	for i, name := range names {
		rules[i] = game.CountRule{Counter: name, Role: game.Role(values[i].Text())}
	}
	return rules
}

func distinctRules(v Value) []game.DistinctRule {
	names, values := v.Entries()
	rules := make([]game.DistinctRule, len(names))
	for i, name := range names {
		f := values[i].Fields()
		rules[i] = game.DistinctRule{Counter: name, Of: game.Role(f.Field("of").Text()), By: game.Role(f.Field("by").Text())}
	}
	return rules
}

// pillars reads formulas: for each counter what one of it is worth, or that with more.
func pillars(v Value) []game.Pillar {
	modes, values := v.Entries()
	pillars := make([]game.Pillar, len(modes))
	for i, mode := range modes {
		pillars[i].Mode = mode
		counters, terms := values[i].Entries()
		for j, counter := range counters {
			pillars[i].Terms = append(pillars[i].Terms, readTerm(terms[j], counter))
		}
	}
	return pillars
}

func readTerm(v Value, counter string) game.Term {
	if !v.isMapping() {
		weight := v.Number()
		v.lines[v.path+".weight"] = v.node.Line
		v.bad[v.path+".weight"] = v.bad[v.path]
		return game.Term{Counter: counter, Weight: weight}
	}
	f := v.Fields()
	most, title := f.Field("cap"), f.Field("title")
	term := game.Term{Counter: counter, Weight: f.Field("weight").Number(), Cap: most.Number(), Title: title.Text(), Titles: Titles(f.Field("titles"))}
	if title.Given() && term.Title == "" && !v.bad[title.path] { // in a game, none is the name
		title.Report(`"" is not a title`, "use 1 to 100 bytes of printable text")
	}
	if most.Given() && term.Cap == 0 && !v.bad[most.path] { // in a game, 0 means no cap
		most.Report("0 is out of range", "use 1 or more")
	}
	return term
}

func overall(v Value) game.Overall {
	if !v.Given() {
		return game.Overall{}
	}
	f := v.Fields()
	o := game.Overall{Mode: f.Field("mode").Text()}
	if s := f.Field("streak"); s.Given() {
		streak := s.Fields()
		o.Days, o.Times = streak.Field("days").Int(), streak.Field("times").Number()
	}
	return o
}
