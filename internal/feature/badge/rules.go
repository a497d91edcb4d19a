package badge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// Fact is what a badge is given for.
type Fact string

// The facts. All except a rank concern one player alone, who reaches each of them once.
const (
	OfRank   Fact = "rank"   // a place on the board of a period that is over
	OfScore  Fact = "score"  // a day's score of a mode
	OfStreak Fact = "streak" // days in a row
	OfDays   Fact = "days"   // days with a score in any mode
	OfXP     Fact = "xp"
	OfWins   Fact = "wins"  // duels
	OfPeers  Fact = "peers" // different players whom a player met in days in a row
)

// Facts are all of them.
var Facts = []Fact{OfRank, OfScore, OfStreak, OfDays, OfXP, OfWins, OfPeers}

// Rule says what a badge is given for.
type Rule struct {
	ID     string            // see ValidMode for the form
	Title  string            // for people
	Titles map[string]string // by language, as of a mode
	Fact   Fact
	// Bound is the lowest place that counts, or what has to be reached; for scores a number of
	// [Leading], scaled.
	Bound int64
	Best  bool // for scores: Bound is the best score there is
	// Once gives only one badge for a rank: for the first period in which the player has it.
	Once   bool
	Mode   string          // for ranks and scores, as callers know it; for ranks empty: any
	Period game.PeriodKind // for ranks
	Scope  game.ScopeKind  // for ranks: Global or Group
	Within int             // for peers: days
}

// Badge is what a player was given.
type Badge struct {
	Rule   string    // a [Rule]'s ID
	Key    string    // the period that it was given for; empty: it is given once
	Earned game.Date // the day on which it was reached; for a longer period its last day
	Since  game.Date // the first day of that period; else the same as Earned
	// Mode, by its name in keys and rows, and Scope name the board on which it was earned, for
	// ranks and scores. Period is the kind of the board's period, for ranks.
	Mode, Scope, Period string
	Taken               bool // an operator has taken it: it is shown nowhere, and not given again
}

// Rarity is how many of all players have a badge.
type Rarity struct{ Holders, Players int64 }

// Share is the share of players who have the badge, in steps of a thousandth, and never 0 for a
// badge that somebody has; false if it is not known yet.
func (r Rarity) Share() (float64, bool) {
	if r.Players <= 0 || r.Holders <= 0 {
		return 0, false
	}
	thousandths := (2000*r.Holders + r.Players) / (2 * r.Players)
	return float64(min(max(thousandths, 1), 1000)) / 1000, true
}

// Rules are those of a game, in the order of its file.
type Rules []Rule

// Rule finds a rule; false for one that the game no longer has.
func (b Rules) Rule(id string) (Rule, bool) {
	i := slices.IndexFunc(b, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return b[i], true
}

// Title finds a rule's title; false for a rule that the game no longer has.
func (b Rules) Title(id string) (title string, ok bool) {
	rule, ok := b.Rule(id)
	return rule.Title, ok
}

// IDs are the names of all rules.
func (b Rules) IDs() []string {
	ids := make([]string, len(b))
	for i, r := range b {
		ids[i] = r.ID
	}
	return ids
}

// Announces says that awarded badges are events.
func (b Rules) Announces() game.Happening { return game.BadgeGiven }

// Of are the rules for any of some facts.
func (b Rules) Of(facts ...Fact) Rules {
	var some Rules
	for _, r := range b {
		if slices.Contains(facts, r.Fact) {
			some = append(some, r)
		}
	}
	return some
}

// Ranks reports whether the rule is about places on a board.
func (r Rule) Ranks(b game.Board) bool {
	return r.Fact == OfRank && b.Period.Kind() == r.Period && b.Scope.Kind() == r.Scope && (r.Mode == "" || b.Mode.Called() == r.Mode)
}

// Placed is the badge for a place on a board that the rule is about.
func (r Rule) Placed(b game.Board) Badge {
	badge := Badge{Rule: r.ID, Key: b.Period.Key(), Earned: b.Period.Last(), Since: b.Period.First(), Mode: b.Mode.Name, Scope: b.Scope.String(), Period: r.Period.String()}
	if r.Once {
		badge.Key = ""
	}
	return badge
}

// Reached is the badge for what was reached on a day.
func (r Rule) Reached(d game.Date) Badge { return Badge{Rule: r.ID, Earned: d, Since: d} }

// ByHand is the badge that an operator gives for a day: for a rank that of the period of the
// day, without a board, since the player has no place on one.
func (r Rule) ByHand(d game.Date) Badge {
	if r.Fact != OfRank || r.Once {
		return r.Reached(d)
	}
	p := r.Period.Of(d)
	return Badge{Rule: r.ID, Key: p.Key(), Earned: p.Last(), Since: p.First(), Period: r.Period.String()}
}

// Scores reports whether a day's score of a mode is good enough.
func (r Rule) Scores(m *game.Mode, s game.Score) bool {
	if r.Fact != OfScore || m.Called() != r.Mode {
		return false
	}
	if m.Order == game.Asc {
		return s <= game.Reaching(m, game.Score(r.Bound))
	}
	return s >= game.Reaching(m, game.Score(r.Bound))
}

// RulesOf returns those of a game.
func RulesOf(g *game.Game) Rules { return game.RulesOf[Rules](g) }

// LeastStreak is the shortest streak, in days, that a badge is for; false if none is.
func (b Rules) LeastStreak() (days int64, ok bool) {
	for _, r := range b.Of(OfStreak) {
		if !ok || r.Bound < days {
			days, ok = r.Bound, true
		}
	}
	return days, ok
}

// FollowActs reports whether badges follow from a group's day once it is over.
func FollowActs(g *game.Game) bool {
	return slices.ContainsFunc(RulesOf(g), func(r Rule) bool {
		return r.Fact == OfStreak || r.Fact == OfRank && r.Period == game.Day && r.Scope == game.Group
	})
}

// Complete fills in the best score in rules for it.
func (b Rules) Complete(g *game.Game) game.FeatureRules {
	b = slices.Clone(b)
	for i, r := range b {
		m, ok := g.ModeCalled(r.Mode)
		if !r.Best || !ok {
			continue
		}
		leading := game.Leading(m)
		b[i].Bound = int64(leading.Max)
		if leading.Order == game.Asc {
			b[i].Bound = int64(leading.Min)
		}
	}
	return b
}

// Limits of the rules of badges.
const (
	mostBadges   = 100
	mostRank     = 100 // as many as the top of a closed period keeps
	mostDays     = 36_600
	mostWins     = 1_000_000
	mostXP       = 1_000_000_000_000
	mostPeers    = 10_000
	mostPeerDays = 31
	pathStart    = "badges."
)

// checker collects what is wrong with the rules of badges.
type checker struct{ *game.Checker }

// Check reports what is wrong with the rules.
func (b Rules) Check(g *game.Game, to *game.Checker) {
	c := checker{to}
	if len(b) > mostBadges {
		c.Add("badges", fmt.Sprintf("%d are too many", len(b)), fmt.Sprintf("use up to %d", mostBadges))
	}
	for i, r := range b {
		path := pathStart + r.ID
		if !game.ValidName(r.ID) {
			c.Add(path, fmt.Sprintf("%.50q is not a name", r.ID), game.NameForm)
			continue
		}
		if _, twice := b[:i].Rule(r.ID); twice {
			c.Add(path, "it is declared twice", "keep one of them")
		}
		if r.Title == "" || len(r.Title) > game.MaxTitle {
			c.Add(path+".title", "it is empty or too long", fmt.Sprintf("use 1 to %d bytes", game.MaxTitle))
		}
		c.Titles(path+".titles", r.Titles)
		c.rule(g, r, path)
	}
}

func (c checker) rule(g *game.Game, r Rule, path string) {
	bound := func(most float64) { c.Within(path+"."+string(r.Fact), float64(r.Bound), 1, most) }
	switch r.Fact {
	case OfRank:
		bound(mostRank)
		c.rank(g, r, path)
	case OfScore:
		c.score(g, r, path)
	case OfStreak:
		bound(mostDays)
		if g.Streak.Off {
			c.Add(path+".streak", "the game counts no streaks", "remove streak: off, or this badge", "streak")
		}
	case OfDays:
		bound(mostDays)
	case OfXP:
		bound(mostXP)
		if !g.GivesXP() {
			c.Add(path+".xp", "the game gives no XP", "give a mode xp, or leave this badge out")
		}
	case OfWins:
		bound(mostWins)
	case OfPeers:
		bound(mostPeers)
		c.Within(path+".days", float64(r.Within), 1, mostPeerDays)
		if !slices.ContainsFunc(g.Modes, func(m *game.Mode) bool { return m.Computed }) {
			c.Add(path+".peers", "the game has no activity, which peers are counted from", "declare activity, or leave this badge out")
		}
	default:
		c.Add(path, "it is given for nothing", "say one of rank, score, streak, days, xp, wins and peers")
	}
}

func (c checker) mode(g *game.Game, r Rule, path string) *game.Mode {
	for _, m := range g.Modes {
		if m.Called() == r.Mode {
			return m
		}
	}
	names := make([]string, len(g.Modes))
	for i, m := range g.Modes {
		names[i] = m.Called()
	}
	c.Add(path+".mode", fmt.Sprintf("%.50q is not a mode of this game", r.Mode), "use one of "+strings.Join(names, ", "))
	return nil
}

func (c checker) rank(g *game.Game, r Rule, path string) {
	switch r.Period {
	case game.Day, game.Week, game.Month:
	case game.Season:
		if len(g.Seasons) == 0 {
			c.Add(path+".period", "the game has no seasons", "declare some, or use day, week or month", "seasons")
		}
	default:
		c.Add(path+".period", fmt.Sprintf("%s never ends", r.Period), "use day, week, month or season")
	}
	grouped := slices.ContainsFunc(g.Modes, func(m *game.Mode) bool { return m.HasScope(game.Group) })
	if r.Mode != "" {
		m := c.mode(g, r, path)
		if m == nil {
			return
		}
		grouped = m.HasScope(game.Group)
	}
	switch {
	case r.Scope == game.Group && !grouped:
		c.Add(path+".scope", "there are no boards of groups", "give the mode scopes: [group], or use all")
	case r.Scope != game.Group && r.Scope != game.Global:
		c.Add(path+".scope", fmt.Sprintf("%s has no badges", r.Scope), "use all or group")
	}
}

func (c checker) score(g *game.Game, r Rule, path string) {
	if r.Mode == "" {
		c.Add(path+".mode", "a score requires a mode", "say which mode's")
		return
	}
	m := c.mode(g, r, path)
	if m == nil {
		return
	}
	if v := game.Leading(m); game.Score(r.Bound) < v.Min || game.Score(r.Bound) > v.Max {
		c.Add(path+".score", fmt.Sprintf("%s is out of range", v.Format(game.Score(r.Bound))),
			fmt.Sprintf("use %s to %s, which scores of %s may be, or best", v.Format(v.Min), v.Format(v.Max), r.Mode))
	}
}
