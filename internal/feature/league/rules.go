package league

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Rules are the rules of weekly leagues, see docs/build/leagues.md. Every player who plays is in a
// cohort of players of one tier and a similar pace. The XP of the week's days decide who is
// promoted and who is relegated.
type Rules struct {
	Tiers    []string // names, the lowest first; 1 to MaxTiers
	Size     int      // players of a full cohort; 2 to MaxCohort
	Promote  int      // of a full cohort, how many go up
	Relegate int      // of a full cohort, how many fall
	Pace     []int64  // XP in the last week played from which on players are in the next pace, ascending
	Rewards  []string // by place, kept with the result
}

// RulesOf returns the rules of a game's leagues, nil if it has none.
func RulesOf(g *game.Game) *Rules { return game.RulesOf[*Rules](g) }

// Bounds of leagues.
const (
	MaxTiers      = 20
	MaxCohort     = 30
	maxPaces      = 7
	maxLeagueXP   = 1_000_000_000
	longestReward = 60 // bytes, of a tier's name too
)

// DefaultRules are the rules if a game file turns leagues on and says no more.
func DefaultRules() Rules {
	return Rules{
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

// Seat is a player's tier, pace and cohort in a week. All three count from 0.
type Seat struct {
	Player             string
	Tier, Pace, Cohort int
}

// Standing is a place of a cohort.
type Standing struct {
	Seat
	XP     int64
	Place  int // from 1; of equal XP the highest id is first
	Of     int // players of the cohort that have XP
	Zone   Zone
	After  int    // the tier of the next week
	Reward string // empty: none
}

// Result is how a week that is over ended for a player.
type Result struct {
	Week game.Date // its Monday
	Standing
}

// TierIn is a player's tier in a week. Last is the last week that the player played, the zero
// Result for none. Each week in between that the player did not play costs a tier, but
// not below the lowest.
func (l *Rules) TierIn(last Result, week game.Date) int {
	if last.Week.IsZero() {
		return 0
	}
	idle := week.DaysSince(last.Week)/7 - 1
	return max(0, min(last.After, len(l.Tiers)-1)-idle)
}

// PaceIn is the pace that a player begins a week with. Last is the last week played.
func (l *Rules) PaceIn(last Result) int {
	pace := 0
	for pace < len(l.Pace) && last.XP >= l.Pace[pace] {
		pace++
	}
	return pace
}

// Zones are how many places of a cohort of so many players go up, and how many fall, from a
// tier. In a cohort that is not full both are in proportion: promotions are rounded up,
// relegations down. Nobody rises above the highest tier or falls below the lowest.
func (l *Rules) Zones(tier, players int) (promote, relegate int) {
	if tier < len(l.Tiers)-1 {
		promote = min((players*l.Promote+l.Size-1)/l.Size, players)
	}
	if tier > 0 {
		relegate = min(players*l.Relegate/l.Size, players-promote)
	}
	return promote, relegate
}

// Check reports what is wrong with the rules.
func (l *Rules) Check(g *game.Game, c *game.Checker) {
	if !slices.ContainsFunc(g.Modes, (*game.Mode).GivesXP) {
		c.Add("leagues", "no mode gives XP, which is what counts in a week", "set xp in a mode, or leave this out")
	}
	c.Within("leagues.tiers", float64(len(l.Tiers)), 1, MaxTiers)
	seen := map[string]bool{}
	for i, name := range l.Tiers {
		path := fmt.Sprintf("leagues.tiers[%d]", i)
		checkText(c, path, name)
		if seen[name] {
			c.Add(path, fmt.Sprintf("%q is there twice", name), "use another name")
		}
		seen[name] = true
	}
	c.Within("leagues.size", float64(l.Size), 2, MaxCohort)
	c.Within("leagues.promote", float64(l.Promote), 0, MaxCohort)
	c.Within("leagues.relegate", float64(l.Relegate), 0, MaxCohort)
	if l.Size >= 2 && l.Size <= MaxCohort && l.Promote+l.Relegate > l.Size {
		c.Add("leagues.promote", fmt.Sprintf("%d promoted and %d relegated of %d players", l.Promote, l.Relegate, l.Size),
			"use at most size for both together", "leagues.relegate", "leagues.size")
	}
	c.Within("leagues.pace", float64(len(l.Pace)), 0, maxPaces)
	for i, from := range l.Pace {
		path := fmt.Sprintf("leagues.pace[%d]", i)
		c.Within(path, float64(from), 1, maxLeagueXP)
		if i > 0 && from <= l.Pace[i-1] {
			c.Add(path, fmt.Sprintf("%d is not above %d", from, l.Pace[i-1]), "use ascending numbers")
		}
	}
	c.Within("leagues.rewards", float64(len(l.Rewards)), 0, MaxCohort)
	for i, reward := range l.Rewards {
		checkText(c, fmt.Sprintf("leagues.rewards[%d]", i), reward)
	}
}

// Announces is the event of a week of leagues that is settled.
func (l *Rules) Announces() game.Happening { return game.LeagueRolled }

// PlayerKeys are those of this week and the last.
func (l *Rules) PlayerKeys(_ []game.Date, now time.Time) (keys []string) {
	this := game.Week.Of(game.DateOf(now))
	last, _ := this.Previous()
	for _, week := range []game.Period{this, last} {
		keys = append(keys, Key(week.First()), XPKey(week.First()))
	}
	return keys
}

func checkText(c *game.Checker, path, text string) {
	if text == "" || len(text) > longestReward {
		c.Add(path, fmt.Sprintf("%.80q is empty or too long", text), fmt.Sprintf("use 1 to %d bytes", longestReward))
	}
}

// Key is a sorted set of a week's players, each with [Seat.Code]: who is
// in which cohort. The archive has it too.
func Key(week game.Date) string { return "league:" + game.Week.Of(week).Key() }

// XPKey is a sorted set of the XP that the days of a week have given so far.
func XPKey(week game.Date) string { return "league:xp:" + game.Week.Of(week).Key() }

// Code is a number that the players of one cohort have in common, and no other players of the
// week.
func (s Seat) Code() int64 { return int64(s.Tier)<<40 | int64(s.Pace)<<32 | int64(s.Cohort) }

// SeatOf is the inverse of [Seat.Code].
func SeatOf(player string, code int64) Seat {
	return Seat{Player: player, Tier: int(code >> 40), Pace: int(code >> 32 & 0xff), Cohort: int(code & 0xffffffff)}
}

// Errors of what keeps leagues.
var (
	// ErrUnsettled is returned for a week while an earlier one is not settled: the tiers
	// of its players are not known yet.
	ErrUnsettled = errors.New("a week of leagues before this one is not settled")
	// ErrUnbegun is returned for a week before the first one of the game's leagues.
	ErrUnbegun = errors.New("the leagues of the game begin after this week")
	// ErrOver is returned for a week that is settled.
	ErrOver = errors.New("the week of leagues is settled")
)

// CohortSize is the number of players in a cohort.
type CohortSize struct {
	Tier, Pace, Cohort, Players int
}
