package game

import "fmt"

// BandsRule says when a mode's board of all time is kept in bands, and how large these become.
type BandsRule struct {
	From int64 // how many players a board must have
	Most int64 // how many players a band may have
}

// The bounds of a [BandsRule]. A record of Upstash's holds some 900,000 players.
const (
	DefaultBand = 400_000
	leastBand   = 100
	mostBand    = 900_000
)

// MayHaveBands reports whether a board is kept in bands when it is large.
func (b Board) MayHaveBands() bool {
	return b.Mode != nil && b.Mode.Bands != nil && b.Period.Kind() == AllTime && b.Scope == (Scope{})
}

// bands refuses rules that do not go with bands. A score comes into bands by one conditional
// write, so all time has to be the best of the days. No other board may be made from the board
// of all time, since it is no longer one sorted set. And ties may not be shared, since the edge
// of a band would separate scores that tie.
func (c *modeChecker) bands() {
	rule := c.m.Bands
	if rule == nil {
		return
	}
	path := c.path("bands")
	refuse := func(key, why, instead string) { c.add(path, why, instead, c.path(key)) }
	switch {
	case c.m.Policy != First && c.m.Policy != Best:
		refuse("policy", fmt.Sprintf("with policy %s an entry may become worse, which bands cannot take", c.m.Policy), "use policy first or best, or leave bands out")
	case (c.m.Order == Asc) != (c.m.Aggregate == Min) || (c.m.Order == Desc) != (c.m.Aggregate == Max):
		best := Max
		if c.m.Order == Asc {
			best = Min
		}
		refuse("aggregate", fmt.Sprintf("bands keep a player's best day, which aggregate %s is not", c.m.Aggregate), fmt.Sprintf("use aggregate: %s, or leave bands out", best))
	case c.m.Ties == Shared:
		refuse("ties", "bands tell players of one score apart, so they share no rank", "use ties: earliest, or leave bands out")
	case len(c.m.Scopes) > 0:
		refuse("scopes", "boards of countries and groups are made from one sorted set of all time, which bands are not", "leave scopes out, or bands")
	case c.m.Levels != 0:
		refuse("levels", "boards of levels are made from one sorted set of all time, which bands are not", "leave levels out, or bands")
	case c.m.Teams != TeamRule{}:
		refuse("teams", "groups are ranked by boards of theirs, which bands are not made for", "leave teams out, or bands")
	}
	for _, bound := range []struct {
		key string
		n   int64
	}{{"from", rule.From}, {"most", rule.Most}} {
		if bound.n < leastBand || bound.n > mostBand {
			c.add(path+"."+bound.key, fmt.Sprintf("%d is out of range", bound.n), fmt.Sprintf("use %d to %d players", leastBand, mostBand), path)
		}
	}
}
