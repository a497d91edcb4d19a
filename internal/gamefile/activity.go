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

var eventType = key{name: "event", want: typeWant, form: eventForm, text: "the type of entries that say this"}

var activityKey = key{name: "activity", kind: mapping, otherwise: "none", text: "[points for other activity](../build/activity.md)", keys: []key{
	{name: "groups", kind: list, distinct: true, otherwise: "any", want: "use a list of groups", of: &key{want: "use a list of groups", form: groupForm}, holds: "names of groups", text: "the groups that events may come from"},
	{name: "zones", kind: table, otherwise: "UTC", form: groupForm, text: "time zones of groups; only with `day: local`", of: &key{
		name: "group", want: "use a name of the IANA time zone database, such as America/Los_Angeles", form: "^[A-Z][A-Za-z0-9_+/-]*$", holds: "a name of the IANA time zone database", text: "the time zone of the group",
	}},
	{name: "burst", kind: mapping, usual: off, words: []string{off}, text: "messages of one sender beyond a rate do not count", keys: []key{
		{name: "most", kind: number, usual: "50", min: "1", max: "1000", text: "how many messages count"},
		{name: "within", kind: duration, usual: "10s", min: "1s", max: "1m", text: "in which time"},
	}},
	{name: "events", kind: table, need: "declare what each type of event adds", form: eventForm, min: "1", max: "100", holds: "1 to 100 types of events", text: "what each type of event adds, by its name", of: &key{
		name: "type", kind: mapping, keys: []key{
			{name: "who", kind: list, need: whoWant, want: whoWant, min: "1", max: "2", holds: "`[from, to]`, `[user]` or `[users]`", text: "the players of an event",
				of: &key{kind: choice, want: whoWant, words: []string{"from", "to", "user", "users"}}},
			{name: "count", kind: table, otherwise: "none", form: nameForm, text: "counters that it adds to", of: &key{
				name: "counter", kind: choice, noun: "a player of an event", words: []string{"from", "to", "user", "users", "winner"}, text: "for which of the players",
			}},
			{name: "distinct", kind: table, otherwise: "none", form: nameForm, text: "counters of different players", of: &key{
				name: "counter", kind: mapping, keys: []key{
					{name: "of", kind: choice, noun: "a side of an event", words: []string{"from", "to"}, text: "whose counter it is"},
					{name: "by", kind: choice, noun: "a side of an event", words: []string{"from", "to"}, text: "of whom different players are counted"},
				},
			}},
			{name: "message", kind: boolean, usual: "false", text: "it is a message of a sender, for `burst`"},
		},
	}},
	{name: "streams", kind: table, otherwise: "none", form: streamForm, max: "20", holds: "up to 20 keys of streams", text: "streams of the same Redis to read events from", of: &key{
		name: "stream", kind: table, also: &eventType, of: &eventType, holds: "a type of event, or types by what an entry has in its field `event`", text: "what the entries of a stream are",
	}},
	{name: "pillars", kind: table, need: "declare at least one formula, by the name of its mode", form: nameForm, min: "1", text: "formulas by the names of their modes", of: &key{
		name: "mode", kind: table, form: nameForm, min: "1", max: "50", holds: "1 to 50 counters", text: "what its counters are worth", of: &key{
			name: "counter", kind: mapping, also: &key{kind: number, decimals: weightDecimals, min: "0.000001", max: "10000"}, holds: "a weight, or the keys below", text: "what one is worth", keys: []key{
				{name: "weight", kind: number, decimals: weightDecimals, need: "use what one is worth, such as 0.5", min: "0.000001", max: "10000", text: "what one is worth"},
				{name: "cap", kind: number, otherwise: "no cap", min: "1", max: "1000000", text: "how many of a day count"},
				{name: "title", otherwise: "the name, in words", min: "1", max: "100", holds: "1 to 100 bytes", text: "the name that people see"},
				titlesKey,
			},
		},
	}},
	{name: "overall", kind: mapping, otherwise: "none", text: "the mode of the sum of all pillars", keys: []key{
		{name: "mode", need: "use the name of the mode that all pillars add up to", want: modeName, form: nameForm, holds: "a mode's name", text: "its name"},
		{name: "streak", kind: mapping, otherwise: "none", text: "what a streak multiplies the sum by", keys: []key{
			{name: "days", kind: number, usual: "30", min: "2", max: "366", text: "day of a streak on which the full multiplier is reached, linearly from 1"},
			{name: "times", kind: number, decimals: weightDecimals, usual: "1.5", min: "1", max: "10", text: "the multiplier"},
		}},
	}},
}}

// readActivity reads how events become points.
func readActivity(v value, g *game.Game) {
	if !v.given() {
		return
	}
	f := v.fields()
	if v.bad[v.path] {
		return
	}
	g.Activity = &game.Activity{
		Groups:  each(f.field("groups"), value.text),
		Zones:   zones(f.field("zones")),
		Burst:   burst(f.field("burst")),
		Events:  eventRules(f.field("events")),
		Streams: streamRules(f.field("streams")),
		Pillars: pillars(f.field("pillars")),
		Overall: overall(f.field("overall")),
	}
}

// zones reads the time zones of groups. A machine without a list of zones takes any name that
// may be one: a program that needs the zone itself then fails when it starts.
func zones(v value) map[string]string {
	groups, values := v.entries()
	if len(groups) == 0 {
		return nil
	}
	zones := make(map[string]string, len(groups))
	for i, group := range groups {
		zone := values[i].text()
		if v.bad[values[i].path] {
			continue
		}
		if !knownZone(zone) {
			values[i].report(fmt.Sprintf("%.60q is not a time zone", zone), values[i].key.want)
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

func burst(v value) game.Burst {
	if !v.given() || v.is(off) {
		return game.Burst{}
	}
	f := v.fields()
	return game.Burst{Most: f.field("most").int(), Within: f.field("within").duration()}
}

func eventRules(v value) []game.EventRule {
	names, values := v.entries()
	rules := make([]game.EventRule, len(names))
	for i, name := range names {
		f := values[i].fields()
		rules[i] = game.EventRule{
			Name:     name,
			Who:      each(f.field("who"), func(item value) game.Role { return game.Role(item.text()) }),
			Counts:   countRules(f.field("count")),
			Distinct: distinctRules(f.field("distinct")),
			Message:  f.field("message").flag(),
		}
	}
	slices.SortStableFunc(rules, func(a, b game.EventRule) int { return strings.Compare(a.Name, b.Name) })
	return rules
}

// streamRules reads, for each stream, the type of all its entries, or of those that name
// an event.
func streamRules(v value) []game.StreamRule {
	keys, values := v.entries()
	rules := make([]game.StreamRule, len(keys))
	for i, key := range keys {
		rules[i] = game.StreamRule{Key: key, Types: map[string]string{}}
		if values[i].node.Kind != yaml.MappingNode {
			if name := values[i].text(); name != "" {
				rules[i].Types[""] = name
			}
			continue
		}
		events, types := values[i].entries()
		for j, event := range events {
			if name := types[j].text(); name != "" {
				rules[i].Types[event] = name
			}
		}
	}
	return rules
}

func countRules(v value) []game.CountRule {
	names, values := v.entries()
	rules := make([]game.CountRule, len(names))
	for i, name := range names {
		rules[i] = game.CountRule{Counter: name, Role: game.Role(values[i].text())}
	}
	return rules
}

func distinctRules(v value) []game.DistinctRule {
	names, values := v.entries()
	rules := make([]game.DistinctRule, len(names))
	for i, name := range names {
		f := values[i].fields()
		rules[i] = game.DistinctRule{Counter: name, Of: game.Role(f.field("of").text()), By: game.Role(f.field("by").text())}
	}
	return rules
}

// pillars reads formulas: for each counter what one of it is worth, or that with more.
func pillars(v value) []game.Pillar {
	modes, values := v.entries()
	pillars := make([]game.Pillar, len(modes))
	for i, mode := range modes {
		pillars[i].Mode = mode
		counters, terms := values[i].entries()
		for j, counter := range counters {
			pillars[i].Terms = append(pillars[i].Terms, readTerm(terms[j], counter))
		}
	}
	return pillars
}

func readTerm(v value, counter string) game.Term {
	if !v.isMapping() {
		weight := v.number()
		v.lines[v.path+".weight"] = v.node.Line
		v.bad[v.path+".weight"] = v.bad[v.path]
		return game.Term{Counter: counter, Weight: weight}
	}
	f := v.fields()
	most, title := f.field("cap"), f.field("title")
	term := game.Term{Counter: counter, Weight: f.field("weight").number(), Cap: most.number(), Title: title.text(), Titles: titles(f.field("titles"))}
	if title.given() && term.Title == "" && !v.bad[title.path] { // in a game, none is the name
		title.report(`"" is not a title`, "use 1 to 100 bytes of printable text")
	}
	if most.given() && term.Cap == 0 && !v.bad[most.path] { // in a game, 0 means no cap
		most.report("0 is out of range", "use 1 or more")
	}
	return term
}

func overall(v value) game.Overall {
	if !v.given() {
		return game.Overall{}
	}
	f := v.fields()
	o := game.Overall{Mode: f.field("mode").text()}
	if s := f.field("streak"); s.given() {
		streak := s.fields()
		o.Days, o.Times = streak.field("days").int(), streak.field("times").number()
	}
	return o
}
