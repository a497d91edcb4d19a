package game

import (
	"fmt"
	"time"
)

// MaxRacers is the most players of a race.
const MaxRacers = 5

// RaceLead is how long before a race starts its start is set: so all players have time to ask
// and to learn of it.
const RaceLead = 3 * time.Second

// Races are the rules of races. Races change the ratings of duels, and follow [Duels] in K,
// Start, Scale, Provisional and how far apart players of a queue may be.
type Races struct {
	Players int           // room of a race of the queue; 2 to MaxRacers
	Wait    time.Duration // from the second player on for others, before it starts; 0 to 10 min
	Invite  time.Duration // a race waits this long for a second player; 1 min to 1 day
	Silent  time.Duration // a player who is not heard of for this long is out; 5 s to 5 min
	Timeout time.Duration // results are awaited this long after the challenge's seconds; 5 s to 1 h
	Keep    time.Duration // a race is known in Redis this long; 2 to 30 days
}

// DefaultRaces are the rules if a game file turns races on and says no more.
func DefaultRaces() Races {
	return Races{
		Players: MaxRacers, Wait: 15 * time.Second, Invite: 10 * time.Minute, Silent: 15 * time.Second,
		Timeout: time.Minute, Keep: 7 * day,
	}
}

func (c *checker) races(g *Game) {
	r := g.Races
	if r == nil {
		return
	}
	if !HandsOutPlays(g) {
		c.add("races", "no mode hands out plays, with which results of races come", "set play: required in a mode, or leave this out")
	}
	c.within("races.players", float64(r.Players), 2, MaxRacers)
	c.duration("races.wait", r.Wait, 0, 10*time.Minute)
	c.duration("races.invite", r.Invite, time.Minute, day)
	c.duration("races.silent", r.Silent, 5*time.Second, 5*time.Minute)
	c.duration("races.timeout", r.Timeout, 5*time.Second, time.Hour)
	c.duration("races.keep", r.Keep, 2*day, 30*day)
}

// ValidRace refuses an id that no race can have. Races' ids have the form of duels' ids.
func ValidRace(id string) error {
	if ValidDuel(id) != nil {
		return fmt.Errorf("%.140q is not a race's id; use 1 to 128 characters of A-Z, a-z, 0-9, _ . : and -", id)
	}
	return nil
}
