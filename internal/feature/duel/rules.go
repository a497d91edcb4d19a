package duel

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// State is how far a duel has come.
type State string

const (
	Waiting  State = "waiting"  // for somebody to accept
	Ready    State = "ready"    // both are there, no result yet
	Decided  State = "decided"  // the ratings have moved, once
	Disputed State = "disputed" // the players sent different results; no rating has moved
	Expired  State = "expired"  // nobody accepted, or nobody sent a result
)

// Judge says who decided a duel.
type Judge string

const (
	ByServer  Judge = "server"
	ByPlayers Judge = "players" // both sent the same
	ByTimeout Judge = "timeout" // one sent a result, the other none in time
	// ByOperator is not the judge of a duel: an operator has corrected a rating. It is kept as a
	// decided duel of one player, since ratings follow from those.
	ByOperator Judge = "operator"
)

// Duel is a meeting of two players.
type Duel struct {
	ID        string
	State     State
	Players   [2]string // the challenger first; the second is empty while anybody may accept
	Mode      string    // empty: none in particular
	CreatedAt time.Time
	Until     time.Time // when a waiting or ready duel ends by itself
	K         float64   // what is at stake; 0 while waiting
	Reports   [2]*Outcome

	// Only of a decided duel.
	Outcome   *Outcome
	By        Judge
	Ratings   [2]RatingChange
	Points    [2]int64 // earned by it, as the game gave them then
	XP        [2]int64 // that these points are worth
	DecidedAt time.Time
}

// NoWinner is the winner of a draw.
const NoWinner = -1

// Outcome is how a duel ended.
type Outcome struct {
	Winner int       // 0 or 1 as in Duel.Players, or NoWinner
	Score  *[2]int64 // rounds won, in the order of Duel.Players; nil: nobody said
}

// RatingChange is how a duel changed a rating.
type RatingChange struct {
	Before, After float64 // unrounded
	Rank          int64   // right after, 1-based
}

// Place is which of the two a player is, or -1.
func (d Duel) Place(player string) int {
	for i, p := range d.Players {
		if p == player && player != "" {
			return i
		}
	}
	return -1
}

// MaxID is the length of a duel's id in bytes.
const MaxID = 128

// ValidID refuses an id that is not 1 to 128 characters of [A-Za-z0-9_.:-].
func ValidID(id string) error {
	ok := len(id) >= 1 && len(id) <= MaxID && !strings.ContainsFunc(id, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("_.:-", c)
	})
	if !ok {
		return fmt.Errorf("%.140q is not a duel's id; use 1 to 128 characters of A-Z, a-z, 0-9, _ . : and -", id)
	}
	return nil
}

// Rules are the rules of duels. A player who is Scale points ahead is expected
// to win ten games for one lost. See [DefaultRules].
type Rules struct {
	K           float64 // the most a rating can move in one duel; 1 to 1000
	Start       float64 // the rating of somebody who has not played yet; 0 to 100,000
	Scale       float64 // 1 to 10,000
	XPWeight    int64   // thousandths of an XP per point; 0 gives no XP
	Provisional Provisional
	Invite      time.Duration // a challenge can be accepted this long; 1 min to 30 days
	Timeout     time.Duration // the result of a duel is awaited this long; 1 min to 30 days
	Keep        time.Duration // a duel is known in Redis this long after that; 1 to 365 days
	Points      Points
	Rounds      int64 // the most rounds that a result may give a player; 1 to 1,000,000
	Queue       QueueRules
	Open        int               // challenges of one player that may wait at once; 1 to 1000
	Decay       *game.RatingDecay // ratings come down by idle weeks; nil: never
}

// Provisional lets the ratings of new players move faster, or slower.
type Provisional struct {
	Duels int     // how many duels of a player count so; 0 (none) to 1000
	K     float64 // in place of Rules.K; 1 to 1000
}

// Points are what the parts of a result are worth to a player; each is 0 to
// 1,000,000.
type Points struct {
	Round int64 // each round won, unless the duel is decided by one player's word alone
	Win   int64 // the duel won
	Sweep int64 // the duel won without losing a round, besides, likewise
}

// QueueRules say how far apart the ratings of two players may be whom the queue brings
// together: as far as the wider of their windows. A window begins at Window points and grows
// by Growth points for each second of waiting, up to Cap.
type QueueRules struct {
	Window float64       // 0 to 10,000
	Growth float64       // 0 to 10,000 a second
	Cap    float64       // Window to 100,000
	Away   time.Duration // a player who has not asked for this long is passed over; 5 s to 10 min
}

// DefaultRules are the rules if a game file says nothing.
func DefaultRules() Rules {
	return Rules{
		K: 32, Start: 1000, Scale: 400,
		Provisional: Provisional{K: 64},
		Invite:      24 * time.Hour, Timeout: 24 * time.Hour, Keep: 30 * 24 * time.Hour,
		Rounds: 50,
		Queue:  QueueRules{Window: 100, Growth: 10, Cap: 1000, Away: 30 * time.Second},
		Open:   20,
	}
}

// WindowAfter is how far an opponent's rating may be off after so long a wait.
func (q QueueRules) WindowAfter(wait time.Duration) float64 {
	return min(q.Cap, q.Window+q.Growth*max(wait, 0).Seconds())
}

// WaitFor is how long a wait makes WindowAfter at least off, rounded up to a millisecond; for
// a rating that no wait reaches, as good as for ever.
func (q QueueRules) WaitFor(off float64) time.Duration {
	switch {
	case off <= q.Window:
		return 0
	case off > q.Cap || q.Growth == 0:
		return 100 * 365 * 24 * time.Hour
	}
	return time.Duration(math.Ceil((off-q.Window)/q.Growth*1000)) * time.Millisecond
}

// GiveXP reports whether a duel can give any XP.
func (d Rules) GiveXP() bool { return d.XPWeight > 0 && d.Points != Points{} }

// RulesOf returns the rules of a game.
func RulesOf(g *game.Game) Rules {
	if rules := game.RulesOf[Rules](g); rules != (Rules{}) {
		return rules
	}
	return DefaultRules()
}

// Complete notes whether duels give XP, and how ratings decay.
func (d Rules) Complete(g *game.Game) game.FeatureRules {
	g.DuelXP, g.RatingDecay = d.GiveXP(), d.Decay
	return d
}

// Check reports what is wrong with the rules.
func (d Rules) Check(_ *game.Game, c *game.Checker) {
	c.Within("duels.k", d.K, 1, 1000)
	c.Within("duels.start", d.Start, 0, 100_000)
	c.Within("duels.scale", d.Scale, 1, 10_000)
	c.Weight("duels.xp", d.XPWeight)
	c.Within("duels.provisional.duels", float64(d.Provisional.Duels), 0, 1000)
	if d.Provisional.Duels > 0 {
		c.Within("duels.provisional.k", d.Provisional.K, 1, 1000)
	}
	c.Duration("duels.invite", d.Invite, time.Minute, 30*24*time.Hour)
	c.Duration("duels.timeout", d.Timeout, time.Minute, 30*24*time.Hour)
	c.Duration("duels.keep", d.Keep, 24*time.Hour, 365*24*time.Hour)
	for _, points := range []struct {
		path  string
		value int64
	}{{"round", d.Points.Round}, {"win", d.Points.Win}, {"sweep", d.Points.Sweep}} {
		c.Within("duels.points."+points.path, float64(points.value), 0, 1_000_000)
	}
	c.Within("duels.rounds", float64(d.Rounds), 1, 1_000_000)
	c.Within("duels.open", float64(d.Open), 1, 1000)
	d.Decay.Check(c)
	c.Within("duels.queue.window", d.Queue.Window, 0, 10_000)
	c.Within("duels.queue.growth", d.Queue.Growth, 0, 10_000)
	c.Duration("duels.queue.away", d.Queue.Away, 5*time.Second, 10*time.Minute)
	if q := d.Queue; !(q.Cap >= q.Window && q.Cap <= 100_000) {
		c.Add("duels.queue.cap", game.FormatStored(q.Cap)+" is out of range",
			fmt.Sprintf("use %s (the window) to 100000", game.FormatStored(q.Window)), "duels.queue.window")
	}
}

// RatingNow is the rating in an entry of the board of ratings at a moment.
func (d Rules) RatingNow(at time.Time, stored float64) float64 {
	if d.Decay == nil {
		return stored
	}
	return d.Decay.In(game.RatingWeek(at), game.RatingOf(stored)).Points
}
