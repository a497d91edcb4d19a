package game

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Follows reports whether entries of the board change with the day's board, without being
// written here.
func (b Board) Follows() bool {
	return b.Period.Kind() == Day && b.Scope.Kind() == Group && b.Mode.Policy != First
}

// HasDetails reports whether cards of the board may show what a play was sent with.
func (b Board) HasDetails() bool { return b.Mode.Details && b.Period.Kind() == Day }

// Sort sorts entries as Redis does: by stored score, equal ones by member,
// both in the board's reading direction.
func (b Board) Sort(entries []Entry) {
	slices.SortFunc(entries, func(a, c Entry) int {
		up := cmp.Compare(a.Stored, c.Stored)
		if up == 0 {
			up = strings.Compare(a.Player, c.Player)
		}
		if b.Mode.Order == Asc {
			return up
		}
		return -up
	})
}

// RankAmongThemselves numbers entries, in board order, as if they were the whole board.
func (b Board) RankAmongThemselves(entries []Entry) { b.Rank(entries, 0, 0) }

// Rank numbers entries, in board order, that begin at the zero-based position first; so many
// entries as better says have a better true score than the first of them.
func (b Board) Rank(entries []Entry, first, better int64) {
	for i := range entries {
		switch {
		case b.Mode.Ties != Shared || i > 0 && entries[i].Score != entries[i-1].Score:
			entries[i].Rank = first + int64(i) + 1
		case i == 0:
			entries[i].Rank = better + 1
		default:
			entries[i].Rank = entries[i-1].Rank
		}
	}
}

// Board names one leaderboard.
type Board struct {
	Mode   *Mode
	Period Period
	Scope  Scope
	Key    string
}

// BoardOf names the board of a mode, period and scope.
func BoardOf(m *Mode, p Period, scope Scope) Board {
	switch m.Name {
	case XPMode:
		return Board{Mode: m, Period: p, Key: XPKey}
	case DuelMode:
		return Board{Mode: m, Period: p, Key: DuelKey}
	}
	return Board{Mode: m, Period: p, Scope: scope, Key: BoardKey(m.Name, p, scope)}
}

// Derived reports whether the board is derived from others and not written.
func (b Board) Derived() bool {
	switch {
	case b.Mode.Name == XPMode, b.Scope.ByCountry(), b.OfTeams(), b.Follows():
		return true
	case b.Scope.Kind() == Worldwide:
		return false // a schedule writes them
	}
	return b.Mode.Name != DuelMode && b.Period.Kind() != Day
}

// OfTeams reports whether a board's players are groups.
func (b Board) OfTeams() bool { return b.Scope.Kind() == Teams }

// ModeOfXP is the mode of the XP board.
var ModeOfXP = Mode{Name: XPMode, Title: "XP", Order: Desc, Ties: Earliest, Aggregate: Sum}

// ModeNamed finds a mode by what callers call it, or the mode of a board that belongs to the
// game as a whole: xp and duels, which have all time only.
func (g *Game) ModeNamed(name string) (*Mode, bool) {
	switch name {
	case XPMode:
		return &ModeOfXP, true
	case DuelMode:
		return &Mode{Name: name, Title: "Duel rating", Order: Desc, Ties: Earliest, Aggregate: Last, Ratings: g.RatingDecay}, true
	}
	return g.ModeCalled(name)
}

// Standing is a player's entry on a board, and the player's rank in the period before.
type Standing struct {
	Entry
	Total        int64
	Position     int64 // zero-based, not Rank - 1 if ranks are shared; set by an archive
	PreviousRank int64 // 0: not on the board of the period before
	Details      []byte
	UpdatedAt    time.Time
	CountsAt     time.Time // when the players ahead were counted, for a board in bands; zero: now
	Stale        error     // why Redis refuses: the card is as it was at UpdatedAt; nil: it is not stale
}

// Entry is one row of a board.
type Entry struct {
	Rank    int64
	Player  string
	Score   Score
	Profile Profile

	Stored float64
}

// Page is a run of entries in board order.
type Page struct {
	Board     Board
	Total     int64 // players on the board
	UpdatedAt time.Time
	CountsAt  time.Time // when the players ahead were counted, for a board in bands; zero: now
	Closed    bool
	Stale     error // why Redis refuses: the page is as it was at UpdatedAt; nil: it is not stale
	Entries   []Entry
	Next      string // cursor of the next page; "" at the end

	Position int64   // of the first entry, zero-based
	Before   []Entry // read right before the first, to rank it by
	Tied     int64   // entries seen right before the first that tie with it
	TieRank  int64   // the rank that the first entry shares with them; 0 if it is not known
	More     bool    // the board has entries after the last one
}

// PageRequest asks for entries from the top, from an offset, or after a cursor.
type PageRequest struct {
	Limit  int64  // 1 to 200
	Offset int64  // positions to pass over; unused with Cursor
	Cursor string // from the page before
}

// IsTop reports whether the page is the first one of its board.
func (r PageRequest) IsTop() bool { return r.Cursor == "" && r.Offset == 0 }

// Cut keeps the first limit entries. Pages are read one entry further than asked, to know
// whether there are more.
func (p *Page) Cut(limit int64) {
	if p.More = int64(len(p.Entries)) > limit; p.More {
		p.Entries = p.Entries[:limit:limit]
	}
}

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
	refuse := func(key, why, instead string) { c.Add(path, why, instead, c.path(key)) }
	switch {
	case c.m.Policy != First && c.m.Policy != Best:
		refuse("policy", fmt.Sprintf("with policy %s an entry may become worse, which bands do not support", c.m.Policy), "use policy first or best, or leave bands out")
	case (c.m.Order == Asc) != (c.m.Aggregate == Min) || (c.m.Order == Desc) != (c.m.Aggregate == Max):
		best := Max
		if c.m.Order == Asc {
			best = Min
		}
		refuse("aggregate", fmt.Sprintf("bands keep a player's best day, which aggregate %s is not", c.m.Aggregate), fmt.Sprintf("use aggregate: %s, or leave bands out", best))
	case c.m.Ties == Shared:
		refuse("ties", "bands order players with equal scores, so these share no rank", "use ties: earliest, or leave bands out")
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
			c.Add(path+"."+bound.key, fmt.Sprintf("%d is out of range", bound.n), fmt.Sprintf("use %d to %d players", leastBand, mostBand), path)
		}
	}
}

// TeamRule says what a group scores on the board of groups ([Teams]): the sum of its members'
// true scores. With the zero TeamRule there is no such board.
type TeamRule struct {
	Sum  bool // of all members
	Best int  // of only so many best members, 1 to 1,000; 0 with Sum
}

// mostBest is the most members of a group whose scores a team may add up.
const mostBest = 1000

// Total is what a group scores, given the true scores of its members. It may put these in
// another order.
func (r TeamRule) Total(scores []Score) (total Score) {
	if r.Best > 0 && r.Best < len(scores) {
		slices.Sort(scores)
		scores = scores[len(scores)-r.Best:]
	}
	for _, s := range scores {
		total += s
	}
	return total
}

func (c *modeChecker) teams() {
	path := c.path("teams")
	switch {
	case c.m.Teams == TeamRule{}:
	case c.m.Teams.Best < 0 || c.m.Teams.Best > mostBest || c.m.Teams.Sum == (c.m.Teams.Best > 0):
		c.Add(c.path("teams.best"), fmt.Sprintf("%d is out of range", c.m.Teams.Best), fmt.Sprintf("use 1 to %d", mostBest), path)
	case !slices.Contains(c.m.Scopes, Group):
		c.Add(path, "the mode keeps no boards of groups", "add group to its scopes", c.path("scopes"))
	case c.m.Order == Asc:
		c.Add(path, "where the lowest score leads, a group with fewer members would lead", "leave it out with order asc", c.path("order"))
	}
}
