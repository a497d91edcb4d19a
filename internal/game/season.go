package game

import (
	"errors"
	"fmt"
	"slices"
)

// SeasonDays declares a season: a run of days that the game names.
type SeasonDays struct {
	Name        string // see ValidMode for the form; no two seasons ever have the same name
	First, Last Date
}

const (
	// longestSeason bounds a season to a year. Its total is exact however many days are added
	// up, since these are true scores, except for the newest 31 that are not rolled up yet:
	// see largest in encoding.go, and TestASeasonsTotalIsExact.
	longestSeason = 366
	mostSeasons   = 100
)

// season is what a [Period] of the kind Season points to.
type season struct {
	SeasonDays
	before *season // the last season that ended before this one begins; nil: none
}

// inOrder are the seasons that were declared, by first day.
func inOrder(declared []SeasonDays) []season {
	days := slices.Clone(declared)
	slices.SortStableFunc(days, func(a, b SeasonDays) int { return a.First.Compare(b.First) })
	seasons := make([]season, len(days))
	for i, s := range days {
		seasons[i] = season{SeasonDays: s}
		if i > 0 {
			seasons[i].before = &seasons[i-1]
		}
	}
	return seasons
}

func (s *season) period() Period { return Period{kind: Season, first: s.First, season: s} }

// AllSeasons are the game's seasons, ascending.
func (g *Game) AllSeasons() []Period {
	all := make([]Period, len(g.seasons))
	for i := range g.seasons {
		all[i] = g.seasons[i].period()
	}
	return all
}

// SeasonOf finds the season that a date belongs to.
func (g *Game) SeasonOf(d Date) (Period, bool) {
	for i := range g.seasons {
		if p := g.seasons[i].period(); p.Contains(d) {
			return p, true
		}
	}
	return Period{}, false
}

// PeriodOf is the period of any kind that contains d; false if d is in no season.
func (g *Game) PeriodOf(k PeriodKind, d Date) (Period, bool) {
	if k == Season {
		return g.SeasonOf(d)
	}
	return k.Of(d), true
}

// PeriodsOf are the periods whose boards are made from a day's board: its week, and those of
// [Game.OutlivingOf].
func (g *Game) PeriodsOf(d Date) []Period {
	return append([]Period{Week.Of(d)}, g.OutlivingOf(d)...)
}

// OutlivingOf are the periods whose boards outlive a day's board, and into which it is rolled
// up before it expires: its month, its season if it is in one, and all time.
func (g *Game) OutlivingOf(d Date) []Period {
	all := []Period{Month.Of(d)}
	if p, ok := g.SeasonOf(d); ok {
		all = append(all, p)
	}
	return append(all, AllTime.Of(d))
}

// ErrNoSeason is returned for a season that the game does not declare.
var ErrNoSeason = errors.New("the game has no such season")

// ParseBoardKey is [ParseBoardKey] for boards of seasons too. Errors: ErrNoSeason.
func (g *Game) ParseBoardKey(key string) (mode string, p Period, s Scope, err error) {
	return parseBoardKey(key, func(name string) (Period, error) {
		for _, p := range g.AllSeasons() {
			if p.Key() == name {
				return p, nil
			}
		}
		return Period{}, fmt.Errorf("%w as %.40q", ErrNoSeason, name)
	})
}

// seasons refuses seasons that cannot be distinguished or added up.
func (c *Checker) seasons(g *Game) {
	if len(g.Seasons) > mostSeasons {
		c.Add("seasons", fmt.Sprintf("%d are too many", len(g.Seasons)), fmt.Sprintf("use up to %d; those whose boards have expired may go", mostSeasons))
		return
	}
	for i, s := range g.Seasons {
		path := func(key string) string { return fmt.Sprintf("seasons[%d]%s", i, key) }
		with := []string{path(".first"), path(".last"), path(".name"), "seasons"}
		if !ValidName(s.Name) {
			c.Add(path(".name"), fmt.Sprintf("%.50q is not a name", s.Name), NameForm, with...)
		}
		switch days := s.Last.DaysSince(s.First) + 1; {
		case days < 1:
			c.Add(path(".last"), fmt.Sprintf("%s is before the first day, %s", s.Last, s.First), "use "+s.First.String()+" or later", with...)
			continue
		case days > longestSeason:
			c.Add(path(".last"), fmt.Sprintf("%d days are too many for a season", days),
				"use "+s.First.AddDays(longestSeason-1).String()+" or earlier", with...)
		}
		for j, other := range g.Seasons[:i] {
			with := append(with, fmt.Sprintf("seasons[%d].first", j), fmt.Sprintf("seasons[%d].last", j), fmt.Sprintf("seasons[%d].name", j))
			if s.Name == other.Name {
				c.Add(path(".name"), fmt.Sprintf("the season %q is declared twice", s.Name), "use another name, such as one with the year", with...)
			}
			if !other.Last.Before(other.First) && !s.Last.Before(other.First) && !s.First.After(other.Last) {
				c.Add(path(""), fmt.Sprintf("it overlaps %s, %s to %s", other.Name, other.First, other.Last),
					"use days of its own; there may be days between seasons", with...)
			}
		}
	}
}
