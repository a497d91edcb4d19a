package game

import (
	"fmt"
	"math"
	"time"
)

// DuelState is how far a duel has come.
type DuelState string

const (
	DuelWaiting  DuelState = "waiting"  // for somebody to accept
	DuelReady    DuelState = "ready"    // both are there, no result yet
	DuelDecided  DuelState = "decided"  // the ratings have moved, once
	DuelDisputed DuelState = "disputed" // the players sent different results; no rating has moved
	DuelExpired  DuelState = "expired"  // nobody accepted, or nobody sent a result
)

// DuelJudge says who decided a duel.
type DuelJudge string

const (
	ByServer  DuelJudge = "server"
	ByPlayers DuelJudge = "players" // both sent the same
	ByTimeout DuelJudge = "timeout" // one sent a result, the other none in time
	// ByOperator is not the judge of a duel: an operator has corrected a rating. It is kept as a
	// decided duel of one player, since ratings follow from those.
	ByOperator DuelJudge = "operator"
)

// Duel is a meeting of two players.
type Duel struct {
	ID        string
	State     DuelState
	Players   [2]string // the challenger first; the second is empty while anybody may accept
	Mode      string    // empty: none in particular
	CreatedAt time.Time
	Until     time.Time // when a waiting or ready duel ends by itself
	K         float64   // what is at stake; 0 while waiting
	Reports   [2]*DuelOutcome

	// Only of a decided duel.
	Outcome   *DuelOutcome
	By        DuelJudge
	Ratings   [2]RatingChange
	Points    [2]int64 // earned by it, as the game gave them then
	XP        [2]int64 // that these points are worth
	DecidedAt time.Time
}

// NoWinner is the winner of a draw.
const NoWinner = -1

// DuelOutcome is how a duel ended.
type DuelOutcome struct {
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

// MaxDuelID is the length of a duel's id in bytes.
const MaxDuelID = 128

// ValidDuel refuses an id that is not 1 to 128 characters of [A-Za-z0-9_.:-].
func ValidDuel(id string) error {
	ok := len(id) >= 1 && len(id) <= MaxDuelID
	for i := 0; ok && i < len(id); i++ {
		c := id[i]
		ok = letter(c) || digit(c) || c == '_' || c == '.' || c == ':' || c == '-'
	}
	if !ok {
		return fmt.Errorf("%.140q is not a duel's id; use 1 to 128 characters of A-Z, a-z, 0-9, _ . : and -", id)
	}
	return nil
}

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

func (c *Checker) duels(d Duels) {
	c.Within("duels.k", d.K, 1, 1000)
	c.Within("duels.start", d.Start, 0, 100_000)
	c.Within("duels.scale", d.Scale, 1, 10_000)
	if !validWeight(d.XPWeight) {
		c.badWeight("duels.xp", d.XPWeight)
	}
	c.Within("duels.provisional.duels", float64(d.Provisional.Duels), 0, 1000)
	if d.Provisional.Duels > 0 {
		c.Within("duels.provisional.k", d.Provisional.K, 1, 1000)
	}
	c.Duration("duels.invite", d.Invite, time.Minute, 30*day)
	c.Duration("duels.timeout", d.Timeout, time.Minute, 30*day)
	c.Duration("duels.keep", d.Keep, day, 365*day)
	for _, points := range []struct {
		path  string
		value int64
	}{{"round", d.Points.Round}, {"win", d.Points.Win}, {"sweep", d.Points.Sweep}} {
		c.Within("duels.points."+points.path, float64(points.value), 0, 1_000_000)
	}
	c.Within("duels.rounds", float64(d.Rounds), 1, 1_000_000)
	c.Within("duels.open", float64(d.Open), 1, 1000)
	d.Decay.check(c)
	c.Within("duels.queue.window", d.Queue.Window, 0, 10_000)
	c.Within("duels.queue.growth", d.Queue.Growth, 0, 10_000)
	c.Duration("duels.queue.away", d.Queue.Away, 5*time.Second, 10*time.Minute)
	if q := d.Queue; !(q.Cap >= q.Window && q.Cap <= 100_000) {
		c.Add("duels.queue.cap", FormatStored(q.Cap)+" is out of range",
			fmt.Sprintf("use %s (the window) to 100000", FormatStored(q.Window)), "duels.queue.window")
	}
}

// RatingDecay lowers the ratings of players who no longer duel. For each whole week without a
// rated duel or race, beyond the first After of them, a rating loses Points, but does not come
// below Floor. Weeks are calendar weeks, from Monday to Sunday in UTC, so everybody's rating
// comes down at the same midnight of the week.
//
// A rating follows from the rating after the last duel and from the week of that duel. Nothing
// is multiplied, so several losses together are their sum, and it makes no difference when they
// are written into the entry, how often, or whether at all.
type RatingDecay struct {
	After  int   // weeks that cost nothing; 0 to 52
	Points int64 // a week; 1 to 1000
	Floor  int64 // no rating comes below it by decay; a rating below it stays as it is; 0 to 100,000
}

const (
	mostIdleWeeks  = 52
	mostWeekPoints = 1000
)

// Ratings that decay are whole multiples of 1/RatingUnits of a point. So a float64 has room
// for the week up to which a rating is settled, in 1/RatingWeeks of such a unit. Rating and
// week are one entry of the board of ratings, which stays in the order of the ratings; nothing
// else has to be read or written. There is room for ratings up to two million.
const (
	RatingUnits = 1 << 20
	RatingWeeks = 1 << 12 // until 2102
)

// RatingWeek is the number of the week in UTC that a moment is in, counted from the week of 1
// January 2024; 0 before that.
func RatingWeek(at time.Time) int64 {
	return max(0, int64(DateOf(at).DaysSince(decayEpoch)/7))
}

// Rating is a rating that decays.
type Rating struct {
	Points float64
	// Through is the last week that costs the rating nothing more: its loss was taken, or it
	// has none.
	Through int64
}

// Leaves is the rating after a duel of a week.
func (r *RatingDecay) Leaves(points float64, week int64) Rating {
	return Rating{points, week + 1 + int64(r.After)}
}

// In is the rating in a week. Ratings that are equal in it are equal in all later weeks.
func (r *RatingDecay) In(week int64, of Rating) Rating {
	floor := float64(r.Floor)
	if lost := week - of.Through; lost > 0 && of.Points > floor {
		of = Rating{max(floor, of.Points-float64(lost*r.Points)), week}
	}
	if of.Points <= floor {
		of.Through = 0 // there is nothing to lose
	}
	return of
}

// Settled is an entry of the board of ratings as it is in a week.
func (r *RatingDecay) Settled(week int64, stored float64) float64 {
	return r.In(week, RatingOf(stored)).Stored()
}

// Stored is the rating as an entry of the board of ratings.
func (of Rating) Stored() float64 {
	return of.Points + float64(of.Through)/(RatingUnits*RatingWeeks)
}

// RatingOf reads an entry of the board of ratings.
func RatingOf(stored float64) Rating {
	units := math.Floor(stored * RatingUnits)
	return Rating{units / RatingUnits, int64((stored*RatingUnits - units) * RatingWeeks)}
}

// RatingNow is the rating in an entry of the board of ratings at a moment.
func (d Duels) RatingNow(at time.Time, stored float64) float64 {
	if d.Decay == nil {
		return stored
	}
	return d.Decay.In(RatingWeek(at), RatingOf(stored)).Points
}

func (r *RatingDecay) check(c *Checker) {
	if r == nil {
		return
	}
	c.Within("duels.decay.after", float64(r.After), 0, mostIdleWeeks)
	if r.Points < 1 || r.Points > mostWeekPoints {
		c.Add("duels.decay.points", fmt.Sprintf("%d is out of range", r.Points), fmt.Sprintf("use what an idle week costs, 1 to %d", mostWeekPoints), "duels.decay")
	}
	c.Within("duels.decay.floor", float64(r.Floor), 0, 100_000)
}
