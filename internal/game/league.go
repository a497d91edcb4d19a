package game

import (
	"errors"
	"fmt"
)

// Leagues are the rules of weekly leagues, see docs/build/leagues.md. Every player who plays is in a
// cohort of players of one tier and a similar pace. The XP of the week's days decide who goes
// up a tier and who falls.
type Leagues struct {
	Tiers    []string // names, the lowest first; 1 to MaxTiers
	Size     int      // players of a full cohort; 2 to MaxCohort
	Promote  int      // of a full cohort, how many go up
	Relegate int      // of a full cohort, how many fall
	Pace     []int64  // XP in the last week played from which on players are in the next pace, ascending
	Rewards  []string // by place, kept with the result
}

// Bounds of leagues.
const (
	MaxTiers      = 20
	MaxCohort     = 30
	maxPaces      = 7
	maxLeagueXP   = 1_000_000_000
	longestReward = 60 // bytes, of a tier's name too
)

// DefaultLeagues are the rules if a game file turns leagues on and says no more.
func DefaultLeagues() Leagues {
	return Leagues{
		Tiers: []string{"Bronze", "Silver", "Gold", "Sapphire", "Ruby", "Emerald", "Amethyst", "Pearl", "Obsidian", "Diamond"},
		Size:  MaxCohort, Promote: 7, Relegate: 5,
	}
}

// Zone is what happens to a place of a cohort when the week is over.
type Zone string

// The zones of a cohort.
const (
	Promotion  Zone = "promotion"
	Stay       Zone = "stay"
	Relegation Zone = "relegation"
)

// LeagueSeat is a player's tier, pace and cohort in a week. All three count from 0.
type LeagueSeat struct {
	Player             string
	Tier, Pace, Cohort int
}

// LeagueStanding is a place of a cohort.
type LeagueStanding struct {
	LeagueSeat
	XP     int64
	Place  int // from 1; of equal XP the highest id is first
	Of     int // players of the cohort that have XP
	Zone   Zone
	After  int    // the tier of the next week
	Reward string // empty: none
}

// LeagueResult is how a week that is over ended for a player.
type LeagueResult struct {
	Week Date // its Monday
	LeagueStanding
}

// TierIn is a player's tier in a week. Last is the last week that the player played, the zero
// LeagueResult for none. Each week in between that the player did not play costs a tier, but
// not below the lowest.
func (l *Leagues) TierIn(last LeagueResult, week Date) int {
	if last.Week.IsZero() {
		return 0
	}
	idle := week.DaysSince(last.Week)/7 - 1
	return max(0, min(last.After, len(l.Tiers)-1)-idle)
}

// PaceIn is the pace that a player begins a week with. Last is the last week played.
func (l *Leagues) PaceIn(last LeagueResult) int {
	pace := 0
	for pace < len(l.Pace) && last.XP >= l.Pace[pace] {
		pace++
	}
	return pace
}

// Zones are how many places of a cohort of so many players go up, and how many fall, from a
// tier. In a cohort that is not full both are in proportion: promotions are rounded up,
// relegations down. Nobody rises above the highest tier or falls below the lowest.
func (l *Leagues) Zones(tier, players int) (promote, relegate int) {
	if tier < len(l.Tiers)-1 {
		promote = min((players*l.Promote+l.Size-1)/l.Size, players)
	}
	if tier > 0 {
		relegate = min(players*l.Relegate/l.Size, players-promote)
	}
	return promote, relegate
}

func (c *checker) leagues(g *Game) {
	l := g.Leagues
	if l == nil {
		return
	}
	if !anyModeGivesXP(g) {
		c.add("leagues", "no mode gives XP, which is what counts in a week", "set xp in a mode, or leave this out")
	}
	c.within("leagues.tiers", float64(len(l.Tiers)), 1, MaxTiers)
	seen := map[string]bool{}
	for i, name := range l.Tiers {
		path := fmt.Sprintf("leagues.tiers[%d]", i)
		c.leagueText(path, name)
		if seen[name] {
			c.add(path, fmt.Sprintf("%q is there twice", name), "use another name")
		}
		seen[name] = true
	}
	c.within("leagues.size", float64(l.Size), 2, MaxCohort)
	c.within("leagues.promote", float64(l.Promote), 0, MaxCohort)
	c.within("leagues.relegate", float64(l.Relegate), 0, MaxCohort)
	if l.Size >= 2 && l.Size <= MaxCohort && l.Promote+l.Relegate > l.Size {
		c.add("leagues.promote", fmt.Sprintf("%d promoted and %d relegated of %d players", l.Promote, l.Relegate, l.Size),
			"use at most size for both together", "leagues.relegate", "leagues.size")
	}
	c.within("leagues.pace", float64(len(l.Pace)), 0, maxPaces)
	for i, from := range l.Pace {
		path := fmt.Sprintf("leagues.pace[%d]", i)
		c.within(path, float64(from), 1, maxLeagueXP)
		if i > 0 && from <= l.Pace[i-1] {
			c.add(path, fmt.Sprintf("%d is not above %d", from, l.Pace[i-1]), "use ascending numbers")
		}
	}
	c.within("leagues.rewards", float64(len(l.Rewards)), 0, MaxCohort)
	for i, reward := range l.Rewards {
		c.leagueText(fmt.Sprintf("leagues.rewards[%d]", i), reward)
	}
}

func (c *checker) leagueText(path, text string) {
	if text == "" || len(text) > longestReward {
		c.add(path, fmt.Sprintf("%.80q is empty or too long", text), fmt.Sprintf("use 1 to %d bytes", longestReward))
	}
}

// Errors of what keeps leagues.
var (
	// ErrLeagueUnsettled is returned for a week while an earlier one is not settled: the tiers
	// of its players are not known yet.
	ErrLeagueUnsettled = errors.New("a week of leagues before this one is not settled")
	// ErrLeagueUnbegun is returned for a week before the first one of the game's leagues.
	ErrLeagueUnbegun = errors.New("the leagues of the game begin after this week")
	// ErrLeagueOver is returned for a week that is settled.
	ErrLeagueOver = errors.New("the week of leagues is settled")
)

// LeagueCohort is the number of players in a cohort.
type LeagueCohort struct {
	Tier, Pace, Cohort, Players int
}

func anyModeGivesXP(g *Game) bool {
	for _, m := range g.Modes {
		if m.GivesXP() {
			return true
		}
	}
	return false
}
