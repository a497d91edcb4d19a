package people

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// The countries of regulars, and their groups.
var (
	Homes  = []string{"BR", "DE", "JP", "PT", "US"}
	Groups = []string{"alpha", "Alpha", "b-1", "team_9"}
)

// Regulars makes n players who come back nearly every day. Some of them have no country.
// Each is in up to two groups.
func Regulars(n int, r *rand.Rand) []Person {
	all := make([]Person, n)
	for i := range all {
		// Ids differ at their ends, in case and in length: the order of bytes decides the
		// last ties.
		p := Person{ID: fmt.Sprintf("%s%d%s", [...]string{"user_", "User.", "u:", "x-"}[r.IntN(4)], i, [...]string{"", "@a", "_"}[r.IntN(3)])}
		if home := r.IntN(len(Homes) + 1); home > 0 {
			p.Country = Homes[home-1]
		}
		p.faith = [...]float64{0.25, 0.7, 0.9, 0.97}[r.IntN(4)]
		p.breadth = 0.1 + 0.5*r.Float64()
		for range r.IntN(3) {
			p.Groups = append(p.Groups, Groups[r.IntN(len(Groups))])
		}
		slices.Sort(p.Groups)
		p.Groups = slices.Compact(p.Groups)
		all[i] = p
	}
	return all
}
