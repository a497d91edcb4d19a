package game

import (
	"fmt"
	"slices"
)

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
		c.add(c.path("teams.best"), fmt.Sprintf("%d is out of range", c.m.Teams.Best), fmt.Sprintf("use 1 to %d", mostBest), path)
	case !slices.Contains(c.m.Scopes, Group):
		c.add(path, "the mode keeps no boards of groups", "add group to its scopes", c.path("scopes"))
	case c.m.Order == Asc:
		c.add(path, "where the lowest score leads, a group with fewer members would lead", "leave it out with order asc", c.path("order"))
	}
}
