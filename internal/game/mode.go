package game

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Policy says which of a player's scores of one day counts.
type Policy string

// Order says whether high or low scores lead.
type Order string

// TieStyle says how equal scores are ranked.
type TieStyle string

// Aggregate says how a week, a month and all time combine a player's days.
type Aggregate string

// The policies, together with [Sum].
const (
	First  Policy = "first"  // the first play counts, later ones are kept out
	Best   Policy = "best"   // the best play counts
	Latest Policy = "latest" // the newest play counts
)

// The aggregates, together with [Sum].
const (
	Max  Aggregate = "max"  // the highest day
	Min  Aggregate = "min"  // the lowest day
	Last Aggregate = "last" // the newest day played
)

// Sum is a policy (a day adds up its plays) and an aggregate (a period adds
// up its days), and untyped so that it is both.
const Sum = "sum"

// The orders.
const (
	Desc Order = "desc" // the highest score leads
	Asc  Order = "asc"  // the lowest score leads
)

// The tie styles.
const (
	Earliest TieStyle = "earliest" // who got there first leads; ranks are distinct
	Shared   TieStyle = "shared"   // standard competition ranks: 1, 2, 2, 4
)

// Mode is one kind of play with boards of its own. Modes of a [Game] that [New] made are
// complete, and their rules go together.
type Mode struct {
	// Name is what keys and rows are made of; see ValidMode. A mode that is renamed
	// keeps it, and callers know it by Renamed.
	Name    string
	Renamed string            // empty: never
	Title   string            // for people, 1 to 100 bytes
	Titles  map[string]string // by language, such as pt-BR; nil: Title is for all
	Policy  Policy
	Order   Order
	Ties    TieStyle

	// Min and Max bound one submission, DayMin and DayMax what a day's board
	// may hold for one player. They differ only if the policy is sum. All
	// are scaled: with 2 decimals, 12.34 is 1234.
	Min, Max       Score
	DayMin, DayMax Score
	Decimals       int // places of a score, 0 to 6

	// Values are what the mode ranks by if that is more than one number; the first value
	// decides first. The mode's scores are their packed form, whose bounds New gives the mode:
	// 0 to Max, with no decimals. Empty: one number.
	Values []Value

	Aggregate     Aggregate
	Scopes        []ScopeKind  // besides global
	Levels        int          // plays may name one of so many levels, each with boards of its own; 0: none
	Rolling       bool         // boards of the last 7 and 30 days are kept
	Bands         *BandsRule   // the board of all time is kept in bands when it is large; nil: never
	Decay         *DecayRule   // older days count less on the board of all time; nil: they do not
	Computed      bool         // a feature computes the scores, so that nobody submits any
	Ratings       *RatingDecay // the mode's scores are ratings that decay by this rule; nil: they are not
	Teams         TeamRule     // how groups are ranked against each other
	Details       bool         // opaque details of a play are kept
	Authoritative bool         // accepts scores from game servers only
	XP            XPRule       // what a day gives

	// NeedsPlay asks that a player's score comes with a play that was handed out before.
	NeedsPlay bool
	// Earns says that accepted plays earn something. Rules of features set it.
	Earns     bool
	Proof     string // the proof that the values follow from; empty: the players send the values
	Challenge ChallengeRule

	fractionBits int           // bits of a tie fraction, see encoding.go
	resolution   time.Duration // what one tick lasts
}

// Called is what callers know the mode by.
func (m *Mode) Called() string { return cmp.Or(m.Renamed, m.Name) }

// HasScope reports whether the mode keeps boards of that kind.
func (m *Mode) HasScope(k ScopeKind) bool {
	switch k {
	case Global:
		return true
	case Teams:
		return m.Teams != TeamRule{}
	case Level:
		return m.Levels > 0
	}
	for _, has := range m.Scopes {
		if has == k {
			return true
		}
	}
	return false
}

// WritesScopes reports whether plays may be written to boards other than the day's own.
func WritesScopes(m *Mode) bool { return m.HasScope(Group) || m.HasScope(Level) }

// Keeps reports whether the mode keeps boards of a scope.
func Keeps(m *Mode, s Scope) bool {
	if s.kind == Level {
		n, err := strconv.Atoi(s.id)
		return err == nil && n <= m.Levels
	}
	return m.HasScope(s.kind)
}

// DefaultAggregate is how periods combine days if a game does not say: sum with the
// policies first, latest and sum; with best the better end of the board, max for desc and min
// for asc.
func DefaultAggregate(p Policy, o Order) Aggregate {
	switch {
	case p != Best:
		return Sum
	case o == Asc:
		return Min
	}
	return Max
}

// CountsPlays reports whether each accepted play is counted in [PlaysKey], since it earns by
// itself: with a token of its own, no play can be sent twice. In other modes a player's entry of a
// day earns once.
func (m *Mode) CountsPlays() bool { return m.NeedsPlay && m.Earns }

// ModePath is the path of a key of a mode, as problems name it.
func ModePath(m *Mode, key string) string {
	path := "modes." + m.Called()
	if key != "" {
		path += "." + key
	}
	return path
}

// modeChecker collects what is wrong with one mode.
type modeChecker struct {
	*Checker
	m *Mode
}

func (c *modeChecker) path(key string) string { return ModePath(c.m, key) }

// check checks the mode, which is one of g.
func (c *modeChecker) check(g *Game) {
	c.modeName(c.path(""), c.m.Called())
	if c.m.Renamed != "" {
		c.modeName(c.path("renamed_from"), c.m.Name)
	}
	if !ValidTitle(c.m.Title) {
		c.Add(c.path("title"), fmt.Sprintf("%.50q is not a title", c.m.Title),
			fmt.Sprintf("use 1 to %d bytes of printable text", MaxTitle))
	}
	c.Titles(c.path("titles"), c.m.Titles)
	oneOf(c, "policy", c.m.Policy, First, Best, Latest, Sum)
	oneOf(c, "order", c.m.Order, Desc, Asc)
	oneOf(c, "ties", c.m.Ties, Earliest, Shared)
	oneOf(c, "aggregate", c.m.Aggregate, Sum, Max, Min, Last)
	c.scopes()
	c.levels()
	if c.m.Rolling && c.m.Aggregate != Sum {
		c.Add(c.path("rolling"), "boards of the last 7 and 30 days add days up", "use aggregate: sum, or leave rolling out")
	}
	c.teams()
	c.bands()
	c.decay()
	c.xp()
	c.play(g)
	c.combination()
	if c.m.Decimals < 0 || c.m.Decimals > MaxDecimals {
		c.Add(c.path("decimals"), fmt.Sprintf("%d is out of range", c.m.Decimals),
			fmt.Sprintf("use 0 to %d", MaxDecimals))
		return // bounds cannot be written down without decimals
	}
	c.values(g)
	c.bounds(g)
	c.xpScores()
}

func (c *Checker) modeName(path, name string) {
	if !ValidName(name) {
		c.Add(path, "it is not a mode name", NameForm)
	} else if why := reserved(name); why != "" {
		c.Add(path, fmt.Sprintf("%q is reserved: %s", name, why), "use another name")
	}
}

func oneOf[T ~string](c *modeChecker, key string, value T, allowed ...T) {
	if slices.Contains(allowed, value) {
		return
	}
	words := make([]string, len(allowed))
	for i, a := range allowed {
		words[i] = string(a)
	}
	last := len(words) - 1
	c.Add(c.path(key), fmt.Sprintf("%.50q is not one of the choices", string(value)),
		"use "+strings.Join(words[:last], ", ")+" or "+words[last])
}

const mostTitles = 20 // languages

// checkTitles checks titles by language.
// Titles checks titles by language.
func (c *Checker) Titles(path string, titles map[string]string) {
	if len(titles) > mostTitles {
		c.Add(path, fmt.Sprintf("%d languages are too many", len(titles)), fmt.Sprintf("use up to %d", mostTitles))
	}
	for _, language := range slices.Sorted(maps.Keys(titles)) {
		if !validLanguage(language) {
			c.Add(path, fmt.Sprintf("%.20q is not a language", language), "use two or three lower-case letters, such as de, and optionally a country, such as pt-BR")
		}
		if !ValidTitle(titles[language]) {
			c.Add(path+"."+language, fmt.Sprintf("%.50q is not a title", titles[language]), fmt.Sprintf("use 1 to %d bytes of printable text", MaxTitle))
		}
	}
}

// validLanguage reports whether a text is a language, as in de, or one of a country, as in pt-BR.
func validLanguage(text string) bool {
	language, country, has := strings.Cut(text, "-")
	letters := func(text string, first, last rune) bool {
		return !strings.ContainsFunc(text, func(r rune) bool { return r < first || r > last })
	}
	return (len(language) == 2 || len(language) == 3) && letters(language, 'a', 'z') &&
		(!has || len(country) == 2 && letters(country, 'A', 'Z'))
}

// ValidTitle reports whether a text is a title: 1 to [MaxTitle] bytes of printable text.
func ValidTitle(title string) bool {
	return title != "" && len(title) <= MaxTitle && utf8.ValidString(title) &&
		!strings.ContainsFunc(title, func(r rune) bool { return !unicode.IsPrint(r) })
}

func (c *modeChecker) scopes() {
	for i, k := range c.m.Scopes {
		unknown := k != Country && k != Region && k != Group
		if !unknown && !slices.Contains(c.m.Scopes[:i], k) {
			continue
		}
		list := c.path("scopes")
		path := fmt.Sprintf("%s[%d]", list, i)
		if unknown {
			c.Add(path, fmt.Sprintf("%q is not a scope to declare", k), "use country, region or group; global is always there", list)
		} else {
			c.Add(path, fmt.Sprintf("%q is declared twice", k), "keep one of them", list)
		}
	}
}

// levels refuses rules that do not go with boards of levels.
func (c *modeChecker) levels() {
	path := c.path("levels")
	switch {
	case c.m.Levels == 0:
	case c.m.Levels < 1 || c.m.Levels > MaxLevels:
		c.Add(path, fmt.Sprintf("%d is out of range", c.m.Levels), fmt.Sprintf("use 1 to %d, or leave it out", MaxLevels))
	case c.m.Policy != First && c.m.Policy != Best:
		c.Add(path, fmt.Sprintf("with policy %s an entry may become worse, or be added to, which boards of levels do not support", c.m.Policy), "use policy first or best, or leave levels out", c.path("policy"))
	}
}

// combination refuses rules that are possible alone but make no sense together.
func (c *modeChecker) combination() {
	switch {
	case c.m.Order == Asc && c.m.Aggregate == Max:
		c.Add(c.path("aggregate"), "max keeps a player's worst day where the lowest score leads",
			"use min, last or sum with order asc", c.path("order"), c.path("policy"))
	case c.m.Order == Desc && c.m.Aggregate == Min:
		c.Add(c.path("aggregate"), "min keeps a player's worst day where the highest score leads",
			"use max, last or sum with order desc", c.path("order"), c.path("policy"))
	}
}

func (c *modeChecker) bounds(g *Game) {
	if c.m.Composite() {
		return // each value has its own
	}
	with := func(keys ...string) []string {
		paths := make([]string, len(keys))
		for i, key := range keys {
			paths[i] = c.path(key)
		}
		return paths
	}
	format := c.m.FormatScore
	switch {
	case c.m.Min > c.m.Max:
		c.Add(c.path("max"), fmt.Sprintf("%s is less than min, %s", format(c.m.Max), format(c.m.Min)),
			"use a larger one", with("min", "decimals")...)
		return
	case c.m.DayMin > c.m.Min:
		c.Add(c.path("day_min"), fmt.Sprintf("%s is more than min, %s, so one play could leave it", format(c.m.DayMin), format(c.m.Min)),
			"use "+format(c.m.Min)+" or less", with("min", "decimals", "policy")...)
		return
	case c.m.DayMax < c.m.Max:
		c.Add(c.path("day_max"), fmt.Sprintf("%s is less than max, %s, so one play could leave it", format(c.m.DayMax), format(c.m.Max)),
			"use "+format(c.m.Max)+" or more", with("max", "decimals", "policy")...)
		return
	}
	graceOK := g.Grace >= 0 && g.Grace <= maxGrace
	if !graceOK || c.m.fractionBits > 0 && c.m.resolution <= coarsestTick {
		return
	}
	key := "max"
	if c.m.Policy == Sum {
		key = "day_max"
	}
	if magnitudeOf(c.m.DayMin) > magnitudeOf(c.m.DayMax) {
		key = strings.Replace(key, "max", "min", 1)
	}
	limit := format(largestBound(c.m, g.Day.window(g.Grace)))
	ticks := "no ticks"
	if c.m.fractionBits > 0 {
		ticks = "ticks of " + c.m.resolution.Round(10*time.Millisecond).String()
	}
	c.Add(c.path(key), "scores as large as this leave "+ticks+" to tell equal ones apart by time, where 1s is needed",
		fmt.Sprintf("use bounds within -%s and %s", limit, limit),
		append(with("min", "max", "day_min", "day_max", "decimals", "policy", "order", "aggregate"), "grace", "day")...)
}

// LevelCurve turns XP into levels: level n needs Base*n*n XP.
type LevelCurve struct {
	Base int64 // XP of level 1; at least 1
}

// XP is the XP at which a level begins, or the largest number there is, if the level begins
// beyond that.
func (c LevelCurve) XP(level int64) int64 {
	if c.Base < 1 || level < 1 {
		return 0
	}
	if level > math.MaxInt64/c.Base/level {
		return math.MaxInt64
	}
	return c.Base * level * level
}

// Level is the largest n with Base*n*n <= xp, and 0 for XP below Base.
func (c LevelCurve) Level(xp int64) int64 {
	if c.Base < 1 || xp < c.Base {
		return 0
	}
	quotient := xp / c.Base
	n := int64(math.Sqrt(float64(quotient)))
	// A quotient beyond 2^53 may have been rounded up to the next square.
	if n > quotient/n {
		n--
	}
	return n
}
