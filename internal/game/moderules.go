package game

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

func modePath(m *Mode, key string) string {
	path := "modes." + m.Called()
	if key != "" {
		path += "." + key
	}
	return path
}

// mode checks one mode of g.
func (c *checker) mode(g *Game, m *Mode) {
	c.modeName(modePath(m, ""), m.Called())
	if m.Renamed != "" {
		c.modeName(modePath(m, "renamed_from"), m.Name)
	}
	if !validTitle(m.Title) {
		c.add(modePath(m, "title"), fmt.Sprintf("%.50q is not a title", m.Title),
			fmt.Sprintf("use 1 to %d bytes of printable text", maxTitle))
	}
	oneOf(c, m, "policy", m.Policy, First, Best, Latest, Sum)
	oneOf(c, m, "order", m.Order, Desc, Asc)
	oneOf(c, m, "ties", m.Ties, Earliest, Shared)
	oneOf(c, m, "aggregate", m.Aggregate, Sum, Max, Min, Last)
	c.scopes(m)
	c.teams(m)
	c.xp(m)
	c.combination(m)
	if m.Decimals < 0 || m.Decimals > MaxDecimals {
		c.add(modePath(m, "decimals"), fmt.Sprintf("%d is out of range", m.Decimals),
			fmt.Sprintf("use 0 to %d", MaxDecimals))
		return // no bound can be written down
	}
	c.bounds(g, m)
	c.xpScores(m)
}

func (c *checker) modeName(path, name string) {
	if !validName(name) {
		c.add(path, "it is not a mode name", nameForm)
	} else if why := reserved(name); why != "" {
		c.add(path, fmt.Sprintf("%q is reserved: %s", name, why), "use another name")
	}
}

func oneOf[T ~string](c *checker, m *Mode, key string, value T, allowed ...T) {
	if slices.Contains(allowed, value) {
		return
	}
	words := make([]string, len(allowed))
	for i, a := range allowed {
		words[i] = string(a)
	}
	last := len(words) - 1
	c.add(modePath(m, key), fmt.Sprintf("%.50q is not one of the choices", string(value)),
		"use "+strings.Join(words[:last], ", ")+" or "+words[last])
}

func validTitle(title string) bool {
	return title != "" && len(title) <= maxTitle && utf8.ValidString(title) &&
		!strings.ContainsFunc(title, func(r rune) bool { return !unicode.IsPrint(r) })
}

func (c *checker) scopes(m *Mode) {
	for i, k := range m.Scopes {
		unknown := k != Country && k != Group
		if !unknown && !slices.Contains(m.Scopes[:i], k) {
			continue
		}
		list := modePath(m, "scopes")
		path := fmt.Sprintf("%s[%d]", list, i)
		if unknown {
			c.add(path, fmt.Sprintf("%q is not a scope to declare", k), "use country or group; global is always there", list)
		} else {
			c.add(path, fmt.Sprintf("%q is declared twice", k), "keep one of them", list)
		}
	}
}

// combination refuses what each is possible alone and makes no sense together.
func (c *checker) combination(m *Mode) {
	switch {
	case m.Order == Asc && m.Aggregate == Max:
		c.add(modePath(m, "aggregate"), "max keeps a player's worst day where the lowest score leads",
			"use min, last or sum with order asc", modePath(m, "order"), modePath(m, "policy"))
	case m.Order == Desc && m.Aggregate == Min:
		c.add(modePath(m, "aggregate"), "min keeps a player's worst day where the highest score leads",
			"use max, last or sum with order desc", modePath(m, "order"), modePath(m, "policy"))
	}
}

func (c *checker) bounds(g *Game, m *Mode) {
	with := func(keys ...string) []string {
		paths := make([]string, len(keys))
		for i, key := range keys {
			paths[i] = modePath(m, key)
		}
		return paths
	}
	format := m.FormatScore
	switch {
	case m.Min > m.Max:
		c.add(modePath(m, "max"), fmt.Sprintf("%s is less than min, %s", format(m.Max), format(m.Min)),
			"use a larger one", with("min", "decimals")...)
		return
	case m.DayMin > m.Min:
		c.add(modePath(m, "day_min"), fmt.Sprintf("%s is more than min, %s, so one play could leave it", format(m.DayMin), format(m.Min)),
			"use "+format(m.Min)+" or less", with("min", "decimals", "policy")...)
		return
	case m.DayMax < m.Max:
		c.add(modePath(m, "day_max"), fmt.Sprintf("%s is less than max, %s, so one play could leave it", format(m.DayMax), format(m.Max)),
			"use "+format(m.Max)+" or more", with("max", "decimals", "policy")...)
		return
	}
	graceOK := g.Grace >= 0 && g.Grace <= maxGrace
	if !graceOK || m.fractionBits > 0 && m.resolution <= coarsestTick {
		return
	}
	key := "max"
	if m.Policy == Sum {
		key = "day_max"
	}
	if magnitudeOf(m.DayMin) > magnitudeOf(m.DayMax) {
		key = strings.Replace(key, "max", "min", 1)
	}
	limit := format(m.largestBound(g.window()))
	ticks := "no ticks"
	if m.fractionBits > 0 {
		ticks = "ticks of " + m.resolution.Round(10*time.Millisecond).String()
	}
	c.add(modePath(m, key), "scores as large as this leave "+ticks+" to tell equal ones apart by time, where 1s is needed",
		fmt.Sprintf("use bounds within -%s and %s", limit, limit),
		append(with("min", "max", "day_min", "day_max", "decimals", "policy", "order", "aggregate"), "grace", "day")...)
}
