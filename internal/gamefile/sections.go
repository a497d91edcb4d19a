package gamefile

import (
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// game reads the whole file, with a stand-in for whatever is wrong.
func (r *reader) game(root *yaml.Node) game.Game {
	const day = 24 * time.Hour
	f := r.section(value{root, ""}, "name", "day", "grace", "refresh", "cache", "lives", "level", "streak", "duels", "races", "leagues", "limits", "budget", "outbox", "live", "anonymous", "devices", "signatures", "seasons", "play", "challenges", "currencies", "presence", "activity", "badges", "webhooks", "audit", "world", "modes")
	if f.field("name").node == nil {
		r.missing(f.field("name"), "use a name such as framedle")
	}
	lives := r.section(f.field("lives"), "day", "week", "month")
	level := r.section(f.field("level"), "base")
	modes := r.modes(f.field("modes"))
	announced, channels := r.live(f.field("live"))
	return game.Game{
		Name:    r.text(f.field("name"), "", "use a name such as framedle"),
		Day:     choice(r, f.field("day"), "a day rule", game.UTC, game.UTC, game.Local),
		Grace:   r.duration(f.field("grace"), 15*time.Minute),
		Refresh: r.duration(f.field("refresh"), 5*time.Second),
		Cache:   r.duration(f.field("cache"), time.Minute),
		Lives: game.Lives{
			Day:   r.duration(lives.field("day"), 8*day),
			Week:  r.duration(lives.field("week"), 30*day),
			Month: r.duration(lives.field("month"), 180*day),
		},
		Level:   game.LevelCurve{Base: r.number(level.field("base"), 0, 50)},
		Streak:  r.streak(f.field("streak")),
		Duels:   r.duels(f.field("duels")),
		Races:   readRaces(r, f.field("races")),
		Leagues: readLeagues(r, f.field("leagues")),
		Limits:  r.limits(f.field("limits")),
		Budget:  r.budget(f.field("budget")),
		Outbox:  r.flag(f.field("outbox")),
		Seasons: r.seasons(f.field("seasons")),
		Modes:   modes,

		Play:         r.play(f.field("play")),
		Challenges:   r.pools(f.field("challenges")),
		Currencies:   r.currencies(f.field("currencies")),
		Presence:     r.flag(f.field("presence")),
		Activity:     r.activity(f.field("activity")),
		Badges:       badgeReader{r, modes}.read(f.field("badges")),
		Webhooks:     readWebhooks(r, f.field("webhooks")),
		Audit:        readAudit(r, f.field("audit")),
		World:        readWorld(r, f.field("world")),
		Live:         announced,
		LiveChannels: channels,

		Anonymous:       r.flag(f.field("anonymous")),
		DeviceNames:     r.flag(r.section(f.field("devices"), "names").field("names")),
		BoundSignatures: choice(r, f.field("signatures"), "a scheme", "v1", "v1", "v2") == "v2",
	}
}

// live reads whether processes that write announce changes, and whether others hear of
// them over channels; keys alone say yes to the first.
func (r *reader) live(v value) (announced, channels bool) {
	if v.node != nil && (v.node.Value == "true" || v.node.Value == "false") {
		return r.flag(v), false
	}
	return v.node != nil, r.flag(r.section(v, "channels").field("channels"))
}

// streak reads how streaks forgive, or off.
func (r *reader) streak(v value) game.StreakRule {
	if v.node != nil && v.node.Value == off {
		return game.StreakRule{Off: true}
	}
	f := r.section(v, "freezes", "every")
	return game.StreakRule{
		Freezes: int(r.number(f.field("freezes"), 0, 0)),
		Every:   int(r.number(f.field("every"), 0, 7)),
	}
}

func (r *reader) modes(v value) []*game.Mode {
	if v.node == nil {
		r.missing(v, "declare at least one mode")
		return nil
	}
	names, values := r.entries(v)
	modes := make([]*game.Mode, len(names))
	for i, name := range names {
		modes[i] = modeReader{r}.mode(name, values[i])
	}
	return modes
}

// modeReader reads one mode.
type modeReader struct{ *reader }

func (r modeReader) mode(name string, v value) *game.Mode {
	f := r.section(v, "title", "policy", "order", "ties", "score", "decimals", "min", "max", "day_min", "day_max",
		"aggregate", "scopes", "levels", "teams", "rolling", "bands", "decay", "details", "authoritative", "xp", "play", "proof", "challenge", "renamed_from")
	m := &game.Mode{
		Name:  r.text(f.field("renamed_from"), name, "use the name that the mode had"),
		Title: r.text(f.field("title"), name, "use text"),
		Policy: choice(r.reader, f.field("policy"), "a policy", game.First,
			game.First, game.Best, game.Latest, game.Sum),
		Order:         choice(r.reader, f.field("order"), "an order", game.Desc, game.Desc, game.Asc),
		Ties:          choice(r.reader, f.field("ties"), "a tie style", game.Earliest, game.Earliest, game.Shared),
		Decimals:      int(r.number(f.field("decimals"), 0, 0)),
		Scopes:        r.scopes(f.field("scopes")),
		Levels:        int(r.number(f.field("levels"), 0, 0)),
		Teams:         r.teams(f.field("teams")),
		Rolling:       r.flag(f.field("rolling")),
		Bands:         readBands(r.reader, f.field("bands")),
		Details:       r.flag(f.field("details")),
		Authoritative: r.flag(f.field("authoritative")),
	}
	if f.field("renamed_from").node != nil {
		m.Renamed = name
	}
	r.plays(m, f)
	m.Values = r.values(f, m.Order)
	aggregate := game.DefaultAggregate(m.Policy, m.Order)
	if f.field("score").node != nil {
		aggregate = game.DefaultAggregate(game.Best, m.Order) // packed scores are never added up
	}
	m.Decay = readDecay(r.reader, f.field("decay"), m.Decimals)
	m.Aggregate = choice(r.reader, f.field("aggregate"), "an aggregate", aggregate,
		game.Sum, game.Max, game.Min, game.Last)
	if len(m.Values) > 0 {
		m.XP = r.xp(f, f.field("score"), m.Values[0].Decimals)
		return m
	}
	r.bounds(m, f)
	m.XP = r.xp(f, f.field("decimals"), m.Decimals)
	return m
}

// bounds reads min and max, and day_min and day_max if the policy adds up
// the plays of a day.
func (r modeReader) bounds(m *game.Mode, f section) {
	if f.field("max").node == nil && f.field("score").node == nil {
		r.missing(f.field("max"), "use the highest score of one play")
	}
	if decimals := f.field("decimals"); r.bad[decimals.path] || m.Decimals < 0 || m.Decimals > game.MaxDecimals {
		// Without decimals no bound can be understood.
		for _, key := range []string{"min", "max", "day_min", "day_max"} {
			r.bad[f.field(key).path] = true
		}
		return
	}
	bound := func(key string, otherwise game.Score) game.Score {
		return game.Score(r.number(f.field(key), m.Decimals, int64(otherwise)))
	}
	m.Min, m.Max = bound("min", 0), bound("max", 0)
	m.DayMin, m.DayMax = bound("day_min", m.Min), bound("day_max", m.Max)
	if r.bad[f.field("policy").path] {
		return
	}
	needed := map[string]bool{"day_min": m.Min < 0, "day_max": m.Max > 0}
	for _, key := range []string{"day_min", "day_max"} {
		switch v := f.field(key); {
		case m.Policy != game.Sum && v.node != nil:
			r.add(r.lines[v.path], v.path, fmt.Sprintf("it has no meaning with policy %s", m.Policy), "leave it out, or use policy sum")
		case m.Policy == game.Sum && v.node == nil && needed[key]:
			r.missing(v, "use the bound of a day's total, which policy sum needs")
		}
	}
}

func (r modeReader) scopes(v value) []game.ScopeKind {
	const want = "use a list of country, region and group"
	if v.node == nil {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		r.wrongType(v, want)
		return nil
	}
	var kinds []game.ScopeKind
	for i, node := range v.node.Content {
		item := value{node, fmt.Sprintf("%s[%d]", v.path, i)}
		r.lines[item.path] = node.Line
		switch word := choice(r.reader, item, "a scope to declare", "", "country", "region", "group"); word {
		case "country":
			kinds = append(kinds, game.Country)
		case "region":
			kinds = append(kinds, game.Region)
		case "group":
			kinds = append(kinds, game.Group)
		default:
			r.bad[v.path] = true // the list is not whole
		}
	}
	return kinds
}
