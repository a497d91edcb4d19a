package costday

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/framedle/leaderboards/lab/people"
)

// The journey of a player, from the product's budgets.
const (
	firstMode = "daily_frame" // everybody plays it

	opens = 6 * time.Hour  // when the first player arrives, in UTC
	hours = 16 * time.Hour // in which all others do, evenly

	betweenGames  = 3 * time.Minute
	untilPage     = 2 * time.Second  // after each score
	untilRetry    = time.Second      // after a score whose answer was lost
	untilAround   = 10 * time.Second // after the first score
	untilFriends  = 20 * time.Second // after the first score
	submitsRetry  = 50               // one in so many is sent twice
	mostGames     = 3
	eventsOfMost  = 2*mostGames + 3
	laterFraction = 2 // one player in so many plays a third game
)

// otherModes are those of which each player plays one or two.
var otherModes = []string{"clip_guesser", "channel_check", "year_guesser"}

// mostPoints is what each mode's day can bring at most.
var mostPoints = map[string]int{firstMode: 1000, "clip_guesser": 500, "channel_check": 800, "year_guesser": 1000}

// framePoints are what guesses of the first mode bring.
var framePoints = []int{1000, 800, 600, 400, 200, 100, 0}

// act is what a player does at one moment.
type act int

const (
	submits     act = iota
	looks           // at the top 100
	looksAround     // at the own surroundings
	looksAtFriends
)

// event is one request of one player.
type event struct {
	at      time.Duration // since midnight
	player  int
	act     act
	mode    string
	score   int
	process uint8 // which one answers
}

// plan is the day of all players, in order of time. Each request has one of some
// processes, drawn at random.
func plan(players, processes int, r *rand.Rand) []event {
	events := make([]event, 0, players*eventsOfMost)
	scores := 0
	for place, player := range r.Perm(players) {
		at := opens + people.Evenly(place, players, hours)
		for n, mode := range modesOf(place, r) {
			begin := at + time.Duration(n)*betweenGames
			play := event{at: begin, player: player, act: submits, mode: mode, score: points(mode, r)}
			events = append(events, play, event{at: begin + untilPage, player: player, act: looks, mode: mode})
			if scores++; scores%submitsRetry == 0 {
				play.at += untilRetry
				events = append(events, play)
			}
		}
		events = append(events,
			event{at: at + untilAround, player: player, act: looksAround, mode: firstMode},
			event{at: at + untilFriends, player: player, act: looksAtFriends, mode: firstMode})
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	for i := range events {
		events[i].process = uint8(r.IntN(processes))
	}
	return events
}

// submissions is how many scores a plan has, those that are sent twice included.
func submissions(players int) int {
	scores := players*2 + players/laterFraction
	return scores + scores/submitsRetry
}

// requestsOf is how many events a plan has.
func requestsOf(players int) int {
	return submissions(players) + players*2 + players/laterFraction + 2*players
}

// modesOf are the modes that the player who arrives at a place plays: two and
// three in turns, which makes two and a half.
func modesOf(place int, r *rand.Rand) []string {
	modes := []string{firstMode}
	for _, i := range r.Perm(len(otherModes))[:1+place%laterFraction] {
		modes = append(modes, otherModes[i])
	}
	return modes
}

func points(mode string, r *rand.Rand) int {
	if mode == firstMode {
		return framePoints[r.IntN(len(framePoints))]
	}
	return r.IntN(mostPoints[mode] + 1)
}
