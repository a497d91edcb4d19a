package heavy

import (
	"cmp"
	"slices"
)

// Summary is what several records say together.
type Summary struct {
	Total int64 // spent by all names
	// OthersAtMost is the most that any name outside Spenders can have spent. After Merge it
	// is at most a 16th of Total.
	OthersAtMost int64
	Spenders     []Spender // by AtLeast, largest first
}

// Spender is a name with the bounds of what it has spent.
type Spender struct {
	Name    string
	AtLeast int64
	AtMost  int64
}

// Merge adds records up. A name that a record does not have may have spent up to that record's
// Rest.
func Merge(records []Record) Summary {
	var s Summary
	bounds := map[string]Spender{}
	for _, r := range records {
		s.Total += r.Total
		s.OthersAtMost += r.Rest
		for _, e := range r.Entries {
			b := bounds[e.Name]
			bounds[e.Name] = Spender{e.Name, b.AtLeast + e.Count - e.Over, b.AtMost + e.Count - r.Rest}
		}
	}
	for _, b := range bounds {
		b.AtMost += s.OthersAtMost
		s.Spenders = append(s.Spenders, b)
	}
	s.sort()
	return s
}

// With is the Summary with one more name, whose spending is known exactly.
func (s Summary) With(name string, spent int64) Summary {
	s.Total += spent
	s.Spenders = append(slices.Clone(s.Spenders), Spender{name, spent, spent})
	s.sort()
	return s
}

// Top keeps the first n names.
func (s Summary) Top(n int) Summary {
	for _, cut := range s.Spenders[min(n, len(s.Spenders)):] {
		s.OthersAtMost = max(s.OthersAtMost, cut.AtMost)
	}
	s.Spenders = s.Spenders[:min(n, len(s.Spenders))]
	return s
}

func (s Summary) sort() {
	slices.SortFunc(s.Spenders, func(a, b Spender) int {
		return cmp.Or(cmp.Compare(b.AtLeast, a.AtLeast), cmp.Compare(b.AtMost, a.AtMost), cmp.Compare(a.Name, b.Name))
	})
}
