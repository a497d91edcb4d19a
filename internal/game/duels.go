package game

import (
	"fmt"
	"math"
	"time"
)

// Duels are the rules of duels. A player who is Scale points ahead is expected
// to win ten games for one lost. See [DefaultDuels].
type Duels struct {
	K           float64 // the most a rating can move in one duel; 1 to 1000
	Start       float64 // the rating of somebody who has not played yet; 0 to 100,000
	Scale       float64 // 1 to 10,000
	XPWeight    int64   // thousandths of an XP per point; 0 gives no XP
	Provisional Provisional
	Invite      time.Duration // a challenge can be accepted this long; 1 min to 30 days
	Timeout     time.Duration // the result of a duel is awaited this long; 1 min to 30 days
	Keep        time.Duration // a duel is known in Redis this long after that; 1 to 365 days
	Points      DuelPoints
	Rounds      int64 // the most rounds that a result may give a player; 1 to 1,000,000
	Queue       DuelQueue
	Open        int          // challenges of one player that may wait at once; 1 to 1000
	Decay       *RatingDecay // ratings come down by idle weeks; nil: never
}

// Provisional lets the ratings of new players move faster, or slower.
type Provisional struct {
	Duels int     // how many duels of a player count so; 0 (none) to 1000
	K     float64 // in place of Duels.K; 1 to 1000
}

// DuelPoints are what the parts of a result are worth to a player; each is 0 to
// 1,000,000.
type DuelPoints struct {
	Round int64 // each round won, unless the duel is decided by one player's word alone
	Win   int64 // the duel won
	Sweep int64 // the duel won without losing a round, besides, likewise
}

// DuelQueue says how far apart the ratings of two players may be whom the queue brings
// together: as far as the wider of their windows. A window begins at Window points and grows
// by Growth points for each second of waiting, up to Cap.
type DuelQueue struct {
	Window float64       // 0 to 10,000
	Growth float64       // 0 to 10,000 a second
	Cap    float64       // Window to 100,000
	Away   time.Duration // a player who has not asked for this long is passed over; 5 s to 10 min
}

// DefaultDuels are the rules if a game file says nothing.
func DefaultDuels() Duels {
	return Duels{
		K: 32, Start: 1000, Scale: 400,
		Provisional: Provisional{K: 64},
		Invite:      day, Timeout: day, Keep: 30 * day,
		Rounds: 50,
		Queue:  DuelQueue{Window: 100, Growth: 10, Cap: 1000, Away: 30 * time.Second},
		Open:   20,
	}
}

// WindowAfter is how far an opponent's rating may be off after so long a wait.
func (q DuelQueue) WindowAfter(wait time.Duration) float64 {
	return min(q.Cap, q.Window+q.Growth*max(wait, 0).Seconds())
}

// WaitFor is how long a wait makes WindowAfter at least off, rounded up to a millisecond; for
// a rating that no wait reaches, as good as for ever.
func (q DuelQueue) WaitFor(off float64) time.Duration {
	switch {
	case off <= q.Window:
		return 0
	case off > q.Cap || q.Growth == 0:
		return 100 * 365 * day
	}
	return time.Duration(math.Ceil((off-q.Window)/q.Growth*1000)) * time.Millisecond
}

// GiveXP reports whether a duel can give any XP.
func (d Duels) GiveXP() bool { return d.XPWeight > 0 && d.Points != DuelPoints{} }

func (c *checker) duels(d Duels) {
	c.within("duels.k", d.K, 1, 1000)
	c.within("duels.start", d.Start, 0, 100_000)
	c.within("duels.scale", d.Scale, 1, 10_000)
	if !validWeight(d.XPWeight) {
		c.badWeight("duels.xp", d.XPWeight)
	}
	c.within("duels.provisional.duels", float64(d.Provisional.Duels), 0, 1000)
	if d.Provisional.Duels > 0 {
		c.within("duels.provisional.k", d.Provisional.K, 1, 1000)
	}
	c.duration("duels.invite", d.Invite, time.Minute, 30*day)
	c.duration("duels.timeout", d.Timeout, time.Minute, 30*day)
	c.duration("duels.keep", d.Keep, day, 365*day)
	for _, points := range []struct {
		path  string
		value int64
	}{{"round", d.Points.Round}, {"win", d.Points.Win}, {"sweep", d.Points.Sweep}} {
		c.within("duels.points."+points.path, float64(points.value), 0, 1_000_000)
	}
	c.within("duels.rounds", float64(d.Rounds), 1, 1_000_000)
	c.within("duels.open", float64(d.Open), 1, 1000)
	d.Decay.check(c)
	c.within("duels.queue.window", d.Queue.Window, 0, 10_000)
	c.within("duels.queue.growth", d.Queue.Growth, 0, 10_000)
	c.duration("duels.queue.away", d.Queue.Away, 5*time.Second, 10*time.Minute)
	if q := d.Queue; !(q.Cap >= q.Window && q.Cap <= 100_000) {
		c.add("duels.queue.cap", FormatStored(q.Cap)+" is out of range",
			fmt.Sprintf("use %s (the window) to 100000", FormatStored(q.Window)), "duels.queue.window")
	}
}
