package closing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/lifecycle"
)

// mostNamed is how many entries a difference names.
const mostNamed = 5

// Difference is how the two sides of a kind differ.
type Difference struct {
	Kind         string
	Redis        int // entries that Redis has
	Postgres     int // entries that Postgres has
	OnlyRedis    Some
	OnlyPostgres Some
	Late         bool // entries come to the archive when a day closes, not as they happen
}

// Count is the number of entries that differ. Entries of a late kind that are on their way to
// the archive do not count, unless the archive has none at all.
func (d Difference) Count() int {
	if d.underWay() {
		return d.OnlyPostgres.Count
	}
	return d.OnlyRedis.Count + d.OnlyPostgres.Count
}

func (d Difference) underWay() bool { return d.Late && d.Postgres > 0 }

// Some is a number of entries, with the names of the first.
type Some struct {
	Count int
	First []string // by name
}

// String is "3: a, b, c".
func (s Some) String() string {
	text := fmt.Sprint(s.Count)
	if s.Count > 0 {
		text += ": " + strings.Join(s.First, ", ")
	}
	if s.Count > len(s.First) {
		text += ", …"
	}
	return text
}

// Compare returns for each kind what only one side has, and what is on its way to the archive:
// profiles of players who have not played on a day that has been archived.
//
// Cost: that of a Refill of all kinds, without their Finish, and 1 billed command for each claim
// that the archive has and the index has not.
func (s *Sides) Compare(ctx context.Context) ([]Difference, error) {
	var all []Difference
	for _, m := range s.Mirrors {
		if m.Compare == nil {
			continue
		}
		redis, postgres := lifecycle.Entries{}, lifecycle.Entries{}
		if err := m.Compare(ctx, redis, postgres); err != nil {
			return nil, fmt.Errorf("compare %s: %w", m.Name, err)
		}
		all = append(all, Difference{
			Kind: m.Name, Late: m.Late, Redis: len(redis), Postgres: len(postgres),
			OnlyRedis: without(redis, postgres), OnlyPostgres: without(postgres, redis),
		})
	}
	return all, nil
}

// Verify compares what follows from the entries of each kind.
func (s *Sides) Verify(ctx context.Context, c *lifecycle.Comparison) error {
	for _, m := range s.Mirrors {
		if m.Verify == nil {
			continue
		}
		if err := m.Verify(ctx, c); err != nil {
			return fmt.Errorf("verify %s: %w", m.Name, err)
		}
	}
	return nil
}

// Lacks describes the kinds of which the archive has fewer entries than Redis and lacks some
// of Redis': a restore from it would be a restore from an older archive.
func (s *Sides) Lacks(ctx context.Context) ([]string, error) {
	all, err := s.Compare(ctx)
	var lacks []string
	for _, d := range all {
		if d.OnlyRedis.Count > 0 && d.Postgres < d.Redis && !d.underWay() {
			lacks = append(lacks, fmt.Sprintf("%s: %d of %d, as %s", d.Kind, d.OnlyRedis.Count, d.Redis, strings.Join(d.OnlyRedis.First, ", ")))
		}
	}
	for _, m := range s.Mirrors {
		if m.Lacks == nil || err != nil {
			continue
		}
		var lack string
		if lack, err = m.Lacks(ctx); lack != "" {
			lacks = append(lacks, lack)
		}
	}
	return lacks, err
}

func without(one, other lifecycle.Entries) Some {
	var names []string
	for id, name := range one {
		if _, both := other[id]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return Some{len(names), names[:min(len(names), mostNamed)]}
}
