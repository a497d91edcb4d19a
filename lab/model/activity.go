package model

import (
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
)

// Event is something that players did, as a sender tells it.
type Event struct {
	ID, Type, Group string
	At              time.Time
	Who             []string // from and to, or one user, or two users
	Winner          string
}

// Active is what the events of one day are worth to a player.
type Active struct {
	Group  string                // of the player's first event of the day; the player's day belongs to this group
	Streak int                   // length in days, including this one
	Scores map[string]game.Score // by mode
}

// Activity computes every player's days from all events at once. The order of the events
// does not matter, nor do repeated ones. A date is one of the group's time zone. A
// player's day belongs to the group of the player's first event on that date: events in
// other groups give the player nothing on that date.
func Activity(g *game.Game, events []Event) map[game.Date]map[string]Active {
	rules := activity.RulesOf(g)
	seen := map[string]bool{}
	var once []Event
	for _, e := range events {
		if !seen[e.ID] {
			seen[e.ID] = true
			once = append(once, e)
		}
	}
	type sender struct{ group, player string }
	sent := map[sender][]time.Time{}
	for _, e := range once {
		if rule, _ := eventRule(rules, e.Type); rule.Message {
			by := sender{e.Group, e.Who[0]}
			sent[by] = append(sent[by], e.At)
		}
	}
	type row struct {
		date   game.Date
		player string
	}
	homes := map[row]Event{} // the first event of each player and date
	for _, e := range once {
		for _, player := range e.Who {
			r := row{dateIn(rules.Zones[e.Group], e.At), player}
			first, there := homes[r]
			if before := e.At.Compare(first.At); !there || before < 0 || before == 0 && e.Group < first.Group {
				homes[r] = e
			}
		}
	}
	visits := func(d game.Date, player, group string) bool { return homes[row{d, player}].Group != group }
	counts := map[row]map[string]int64{}
	peers := map[row]map[string]map[string]bool{}
	at := func(d game.Date, player string) map[string]int64 {
		r := row{d, player}
		if counts[r] == nil {
			counts[r], peers[r] = map[string]int64{}, map[string]map[string]bool{}
		}
		return counts[r]
	}
	for _, e := range once {
		rule, declared := eventRule(rules, e.Type)
		if !declared {
			continue // the product refuses it
		}
		d := dateIn(rules.Zones[e.Group], e.At)
		for _, player := range e.Who {
			at(d, player)
		}
		if rule.Message && tooMany(rules.Burst, sent[sender{e.Group, e.Who[0]}], e.At) {
			continue
		}
		roles := map[activity.Role][]string{activity.Winner: nil}
		switch rule.Who[0] {
		case activity.From:
			roles[activity.From], roles[activity.To] = e.Who[:1], e.Who[1:]
		case activity.User:
			roles[activity.User] = e.Who
		default:
			roles[activity.Users] = e.Who
		}
		if e.Winner != "" {
			roles[activity.Winner] = []string{e.Winner}
		}
		for _, c := range rule.Counts {
			for _, player := range roles[c.Role] {
				if !visits(d, player, e.Group) {
					at(d, player)[c.Counter]++
				}
			}
		}
		for _, c := range rule.Distinct {
			of, by := roles[c.Of][0], roles[c.By][0]
			if visits(d, of, e.Group) {
				continue
			}
			met := peers[row{d, of}]
			if met[c.Counter] == nil {
				met[c.Counter] = map[string]bool{}
			}
			met[c.Counter][by] = true
		}
	}
	days := map[game.Date]map[string]Active{}
	for r, counters := range counts {
		for counter, met := range peers[r] {
			counters[counter] += int64(len(met))
		}
		streak := 1
		for counts[row{r.date.AddDays(-streak), r.player}] != nil {
			streak++
		}
		if days[r.date] == nil {
			days[r.date] = map[string]Active{}
		}
		days[r.date][r.player] = Active{homes[r].Group, streak, pointsOf(g, counters, streak)}
	}
	return days
}

// eventRule returns the game file's rule for a type of event; declared is false if the
// file has none.
func eventRule(rules *activity.Rules, name string) (rule activity.EventRule, declared bool) {
	for _, r := range rules.Events {
		if r.Name == name {
			return r, true
		}
	}
	return activity.EventRule{}, false
}

func dateIn(zone string, at time.Time) game.Date {
	where, err := time.LoadLocation(zone) // "" is UTC
	if err != nil {
		panic(err)
	}
	y, m, d := at.In(where).Date()
	return game.NewDate(y, m, d)
}

// tooMany reports whether the sender sent more messages within the burst's time than
// count.
func tooMany(b activity.Burst, sent []time.Time, at time.Time) bool {
	n := 0
	for _, t := range sent {
		if !t.After(at) && at.Sub(t) < b.Within {
			n++
		}
	}
	return b.Most > 0 && n > b.Most
}

// pointsOf computes with fractions and rounds only at the end.
func pointsOf(g *game.Game, counters map[string]int64, streak int) map[string]game.Score {
	scores := map[string]game.Score{}
	sum := new(big.Rat)
	for _, p := range activity.RulesOf(g).Pillars {
		points := new(big.Rat)
		for _, t := range p.Terms {
			n := counters[t.Counter]
			if t.Cap > 0 && n > t.Cap {
				n = t.Cap
			}
			points.Add(points, new(big.Rat).Mul(big.NewRat(t.Weight, 1_000_000), big.NewRat(n, 1)))
		}
		m := modeNamed(g, p.Mode)
		if most := scaled(int64(m.Max), m.Decimals); points.Cmp(most) > 0 {
			points = most
		}
		scores[p.Mode] = units(points, m.Decimals)
		sum.Add(sum, points)
	}
	o := activity.RulesOf(g).Overall
	if o.Mode == "" {
		return scores
	}
	if o.Days > 1 {
		along := big.NewRat(int64(min(streak, o.Days)-1), int64(o.Days-1))
		more := new(big.Rat).Mul(along, big.NewRat(o.Times-1_000_000, 1_000_000))
		sum.Mul(sum, more.Add(more, big.NewRat(1, 1)))
	}
	scores[o.Mode] = units(sum, modeNamed(g, o.Mode).Decimals)
	return scores
}

func modeNamed(g *game.Game, name string) *game.Mode {
	i := slices.IndexFunc(g.Modes, func(m *game.Mode) bool { return m.Name == name })
	return g.Modes[i]
}

func scaled(n int64, decimals int) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(n), power(decimals))
}

// units rounds a value, which is not negative, to the nearest unit, and halves up.
func units(value *big.Rat, decimals int) game.Score {
	twice := new(big.Rat).Mul(value, new(big.Rat).SetInt(power(decimals)))
	twice.Mul(twice, big.NewRat(2, 1)).Add(twice, big.NewRat(1, 1))
	whole := new(big.Int).Quo(twice.Num(), new(big.Int).Mul(twice.Denom(), big.NewInt(2)))
	return game.Score(whole.Int64())
}

func power(decimals int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
}

// ActiveDates lists the dates of the result of [Activity], ascending.
func ActiveDates(days map[game.Date]map[string]Active) []game.Date {
	return slices.SortedFunc(maps.Keys(days), game.Date.Compare)
}
