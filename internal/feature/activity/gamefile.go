package activity

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

const (
	groupForm  = `^[A-Za-z0-9_-]{1,64}$`
	eventForm  = `^[a-z][a-z0-9_.]{0,59}$`
	streamForm = `^[A-Za-z0-9_.:@-]{1,80}$`
	zoneWant   = "use a name of the IANA time zone database, such as America/Los_Angeles"
	whoWant    = "use [from, to], [user] or [users]"
	typeWant   = "use a type of event, or types by what an entry says in its field event"
)

func init() {
	gamefile.Register(gamefile.Section{Key: key, Read: read})
	computed := ruleset.Consequence{Effect: ruleset.Safe, Why: "days use it from their next computation; earlier results stay"} // a day keeps its acts, not their points
	ruleset.Register(ruleset.Rule{Key: "activity.groups, zones, burst, events, streams", Value: collected, Consequence: computed})
	ruleset.Register(ruleset.Rule{Key: "activity.pillars, overall", Value: counted, Consequence: computed})
	ruleset.Register(ruleset.Rule{Key: "activity.pillars titles", Value: titled, Consequence: ruleset.Consequence{Effect: ruleset.Safe}})
}

var eventType = gamefile.Key{Name: "event", Advice: typeWant, Pattern: eventForm, Text: "the type of entries that say this"}

var key = gamefile.Key{Name: "activity", Kind: gamefile.Mapping, Absent: "none", Text: "[points for other activity](../build/activity.md)", Keys: []gamefile.Key{
	{Name: "groups", Kind: gamefile.List, Distinct: true, Absent: "any", Advice: "use a list of groups", Of: &gamefile.Key{Advice: "use a list of groups", Pattern: groupForm}, Holds: "names of groups", Text: "the groups that events may come from"},
	{Name: "zones", Kind: gamefile.Table, Absent: "UTC", Pattern: groupForm, Text: "time zones of groups; only with `day: local`", Of: &gamefile.Key{
		Name: "group", Advice: zoneWant, Pattern: "^[A-Z][A-Za-z0-9_+/-]*$", Holds: "a name of the IANA time zone database", Text: "the time zone of the group",
	}},
	{Name: "burst", Kind: gamefile.Mapping, Default: gamefile.Off, Words: []string{gamefile.Off}, Text: "messages of one sender beyond a rate do not count", Keys: []gamefile.Key{
		{Name: "most", Kind: gamefile.Number, Default: "50", Min: "1", Max: "1000", Text: "how many messages count"},
		{Name: "within", Kind: gamefile.Duration, Default: "10s", Min: "1s", Max: "1m", Text: "in which time"},
	}},
	{Name: "events", Kind: gamefile.Table, Required: "declare what each type of event adds", Pattern: eventForm, Min: "1", Max: "100", Holds: "1 to 100 types of events", Text: "what each type of event adds, by its name", Of: &gamefile.Key{
		Name: "type", Kind: gamefile.Mapping, Keys: []gamefile.Key{
			{Name: "who", Kind: gamefile.List, Required: whoWant, Advice: whoWant, Min: "1", Max: "2", Holds: "`[from, to]`, `[user]` or `[users]`", Text: "the players of an event",
				Of: &gamefile.Key{Kind: gamefile.Choice, Advice: whoWant, Words: []string{"from", "to", "user", "users"}}},
			{Name: "count", Kind: gamefile.Table, Absent: "none", Pattern: gamefile.NameForm, Text: "counters that it adds to", Of: &gamefile.Key{
				Name: "counter", Kind: gamefile.Choice, Noun: "a player of an event", Words: []string{"from", "to", "user", "users", "winner"}, Text: "for which of the players",
			}},
			{Name: "distinct", Kind: gamefile.Table, Absent: "none", Pattern: gamefile.NameForm, Text: "counters of different players", Of: &gamefile.Key{
				Name: "counter", Kind: gamefile.Mapping, Keys: []gamefile.Key{
					{Name: "of", Kind: gamefile.Choice, Noun: "a side of an event", Words: []string{"from", "to"}, Text: "whose counter it is"},
					{Name: "by", Kind: gamefile.Choice, Noun: "a side of an event", Words: []string{"from", "to"}, Text: "of whom different players are counted"},
				},
			}},
			{Name: "message", Kind: gamefile.Boolean, Default: "false", Text: "it is a message of a sender, for `burst`"},
		},
	}},
	{Name: "streams", Kind: gamefile.Table, Absent: "none", Pattern: streamForm, Max: "20", Holds: "up to 20 keys of streams", Text: "streams of the same Redis to read events from", Of: &gamefile.Key{
		Name: "stream", Kind: gamefile.Table, Also: &eventType, Of: &eventType, Holds: "a type of event, or types by what an entry has in its field `event`", Text: "what the entries of a stream are",
	}},
	{Name: "pillars", Kind: gamefile.Table, Required: "declare at least one formula, by the name of its mode", Pattern: gamefile.NameForm, Min: "1", Text: "formulas by the names of their modes", Of: &gamefile.Key{
		Name: "mode", Kind: gamefile.Table, Pattern: gamefile.NameForm, Min: "1", Max: "50", Holds: "1 to 50 counters", Text: "what its counters are worth", Of: &gamefile.Key{
			Name: "counter", Kind: gamefile.Mapping, Also: &gamefile.Key{Kind: gamefile.Number, Decimals: weightDecimals, Min: "0.000001", Max: "10000"}, Holds: "a weight, or the keys below", Text: "what one is worth", Keys: []gamefile.Key{
				{Name: "weight", Kind: gamefile.Number, Decimals: weightDecimals, Required: "use what one is worth, such as 0.5", Min: "0.000001", Max: "10000", Text: "what one is worth"},
				{Name: "cap", Kind: gamefile.Number, Absent: "no cap", Min: "1", Max: "1000000", Text: "how many of a day count"},
				{Name: "title", Absent: "the name, in words", Min: "1", Max: "100", Holds: "1 to 100 bytes", Text: "the name that people see"},
				gamefile.TitlesKey,
			},
		},
	}},
	{Name: "overall", Kind: gamefile.Mapping, Absent: "none", Text: "the mode of the sum of all pillars", Keys: []gamefile.Key{
		{Name: "mode", Required: "use the name of the mode that all pillars add up to", Advice: gamefile.UseMode, Pattern: gamefile.NameForm, Holds: "a mode's name", Text: "its name"},
		{Name: "streak", Kind: gamefile.Mapping, Absent: "none", Text: "what a streak multiplies the sum by", Keys: []gamefile.Key{
			{Name: "days", Kind: gamefile.Number, Default: "30", Min: "2", Max: "366", Text: "day of a streak on which the full multiplier is reached, linearly from 1"},
			{Name: "times", Kind: gamefile.Number, Decimals: weightDecimals, Default: "1.5", Min: "1", Max: "10", Text: "the multiplier"},
		}},
	}},
}}

// read reads how events become points.
func read(v gamefile.Value, g *game.Game) {
	if !v.Given() {
		return
	}
	f := v.Fields()
	if v.Bad() {
		return
	}
	g.Features = append(g.Features, &Rules{
		Groups:  gamefile.Each(f.Field("groups"), gamefile.Value.Text),
		Zones:   zones(f.Field("zones")),
		Burst:   burst(f.Field("burst")),
		Events:  eventRules(f.Field("events")),
		Streams: streamRules(f.Field("streams")),
		Pillars: pillars(f.Field("pillars")),
		Overall: overall(f.Field("overall")),
	})
}

// zones reads the time zones of groups. A machine without a list of zones takes any name that
// may be one: a program that needs the zone itself then fails when it starts.
func zones(v gamefile.Value) map[string]string {
	groups, values := v.Entries()
	if len(groups) == 0 {
		return nil
	}
	zones := make(map[string]string, len(groups))
	for i, group := range groups {
		zone := values[i].Text()
		if values[i].Bad() {
			continue
		}
		if !knownZone(zone) {
			values[i].Report(fmt.Sprintf("%.60q is not a time zone", zone), zoneWant)
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

func burst(v gamefile.Value) Burst {
	if !v.Given() || v.Is(gamefile.Off) {
		return Burst{}
	}
	f := v.Fields()
	return Burst{Most: f.Field("most").Int(), Within: f.Field("within").Duration()}
}

func eventRules(v gamefile.Value) []EventRule {
	names, values := v.Entries()
	rules := make([]EventRule, len(names))
	for i, name := range names {
		f := values[i].Fields()
		rules[i] = EventRule{
			Name:     name,
			Who:      gamefile.Each(f.Field("who"), func(item gamefile.Value) Role { return Role(item.Text()) }),
			Counts:   countRules(f.Field("count")),
			Distinct: distinctRules(f.Field("distinct")),
			Message:  f.Field("message").Flag(),
		}
	}
	slices.SortStableFunc(rules, func(a, b EventRule) int { return strings.Compare(a.Name, b.Name) })
	return rules
}

// streamRules reads, for each stream, the type of all its entries, or of those that name
// an event.
func streamRules(v gamefile.Value) []StreamRule {
	keys, values := v.Entries()
	rules := make([]StreamRule, len(keys))
	for i, key := range keys {
		rules[i] = StreamRule{Key: key, Types: map[string]string{}}
		if !values[i].IsMapping() {
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

func countRules(v gamefile.Value) []CountRule {
	names, values := v.Entries()
	rules := make([]CountRule, len(names))
	for i, name := range names {
		rules[i] = CountRule{Counter: name, Role: Role(values[i].Text())}
	}
	return rules
}

func distinctRules(v gamefile.Value) []DistinctRule {
	names, values := v.Entries()
	rules := make([]DistinctRule, len(names))
	for i, name := range names {
		f := values[i].Fields()
		rules[i] = DistinctRule{Counter: name, Of: Role(f.Field("of").Text()), By: Role(f.Field("by").Text())}
	}
	return rules
}

// pillars reads formulas: for each counter what one of it is worth, or that with more.
func pillars(v gamefile.Value) []Pillar {
	modes, values := v.Entries()
	pillars := make([]Pillar, len(modes))
	for i, mode := range modes {
		pillars[i].Mode = mode
		counters, terms := values[i].Entries()
		for j, counter := range counters {
			pillars[i].Terms = append(pillars[i].Terms, readTerm(terms[j], counter))
		}
	}
	return pillars
}

func readTerm(v gamefile.Value, counter string) Term {
	if !v.IsMapping() {
		weight := v.Number()
		v.ShortFor("weight")
		return Term{Counter: counter, Weight: weight}
	}
	f := v.Fields()
	most, title := f.Field("cap"), f.Field("title")
	term := Term{Counter: counter, Weight: f.Field("weight").Number(), Cap: most.Number(), Title: title.Text(), Titles: gamefile.Titles(f.Field("titles"))}
	if title.Given() && term.Title == "" && !title.Bad() { // in a game, none is the name
		title.Report(`"" is not a title`, "use 1 to 100 bytes of printable text")
	}
	if most.Given() && term.Cap == 0 && !most.Bad() { // in a game, 0 means no cap
		most.Report("0 is out of range", "use 1 or more")
	}
	return term
}

func overall(v gamefile.Value) Overall {
	if !v.Given() {
		return Overall{}
	}
	f := v.Fields()
	o := Overall{Mode: f.Field("mode").Text()}
	if s := f.Field("streak"); s.Given() {
		streak := s.Fields()
		o.Days, o.Times = streak.Field("days").Int(), streak.Field("times").Number()
	}
	return o
}

// collected, counted and titled are the texts by which two versions of the rules are compared.
func collected(g *game.Game) string {
	a := RulesOf(g)
	if a == nil {
		return gamefile.Off
	}
	return fmt.Sprintf("%v %v %v %v %v", a.Groups, a.Zones, a.Burst, a.Events, a.Streams)
}

func counted(g *game.Game) string {
	a := RulesOf(g)
	if a == nil {
		return gamefile.Off
	}
	return fmt.Sprintf("%v %v", formulas(a.Pillars), a.Overall)
}

func titled(g *game.Game) string {
	var titled []string
	if a := RulesOf(g); a != nil {
		for _, p := range a.Pillars {
			for _, t := range p.Terms {
				if t.Title != "" || len(t.Titles) > 0 {
					titled = append(titled, p.Mode+"."+t.Counter+" "+t.Title+" "+ruleset.ByLanguage(t.Titles))
				}
			}
		}
	}
	return strings.Join(titled, ", ") // "" as for games that were accepted before the keys existed
}

// formulas are what pillars make points of, without titles, which are only shown.
func formulas(pillars []Pillar) string {
	type term struct {
		counter     string
		weight, cap int64
	}
	type formula struct {
		mode  string
		terms []term
	}
	made := make([]formula, len(pillars))
	for i, p := range pillars {
		made[i].mode = p.Mode
		for _, t := range p.Terms {
			made[i].terms = append(made[i].terms, term{t.Counter, t.Weight, t.Cap})
		}
	}
	return fmt.Sprint(made)
}
