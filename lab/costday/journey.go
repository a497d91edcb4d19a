package costday

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/lab/people"
)

// The journey of a player, as the product's budgets have it.
const (
	firstMode = "daily_frame" // everybody plays it

	opens = 6 * time.Hour  // when the first player arrives, in UTC, if players come evenly
	hours = 16 * time.Hour // in which all others arrive

	betweenGames  = 3 * time.Minute
	untilPage     = 2 * time.Second // after each score
	untilRetry    = time.Second     // after a score whose answer was lost
	submitsRetry  = 50              // one score in so many is sent twice
	mostGames     = 3
	eventsOfMost  = 2*mostGames + 4
	laterFraction = 2 // one player in so many plays a third game
)

// looksLater are the looks that follow a player's first score.
var looksLater = []struct {
	act   act
	after time.Duration
}{
	{looksAround, 10 * time.Second},
	{looksAtFriends, 20 * time.Second},
	{looksAtWeek, 30 * time.Second},
}

// otherModes are the modes of which each player plays one or two.
var otherModes = []string{"clip_guesser", "channel_check", "year_guesser"}

// mostPoints is the highest score of a day in each mode.
var mostPoints = map[string]int{firstMode: 1000, "clip_guesser": 500, "channel_check": 800, "year_guesser": 1000}

// framePoints are the scores of the first mode, by the number of guesses.
var framePoints = []int{1000, 800, 600, 400, 200, 100, 0}

// event is one request of one player.
type event struct {
	at     time.Duration // since midnight
	player int
	act    act
	mode   string
	score  int
	view   string // parts of a result screen that the answer shall include, as JSON
}

// Arrivals say when the player at a place, 0 to n-1, of n arrives: how long after
// midnight UTC.
type Arrivals struct {
	Name string // "evenly"
	at   func(place, n int) time.Duration
}

// The two forms of arrivals.
var (
	Evenly = Arrivals{"evenly", func(place, n int) time.Duration { return opens + people.Evenly(place, n, hours) }}
	Puzzle = Arrivals{"a puzzle's day", people.OfPuzzle}
)

// Journey is how players ask for their neighbours, their friends and their own week.
type Journey string

// All journeys.
const (
	Apart Journey = "apart" // each with its own route
	Near  Journey = "near"  // the neighbours near the rank in the answer to the score
	View  Journey = "view"  // a page with each score, and everything else with the last score of the day
)

// pageAlone and wholeView are what a score of the journey View also asks for.
const pageAlone = `["page"]`

var wholeView = `["` + strings.Join([]string{
	"page",
	"around",
	"friends",
	"week",
}, `","`) + `"]`

// plan returns the requests of all players in a day, in order of time.
func plan(players int, t Setting, r *rand.Rand) []event {
	events := make([]event, 0, players*eventsOfMost)
	scores := 0
	for place, player := range r.Perm(players) {
		at := t.Arrivals.at(place, players)
		modes := modesOf(place, r)
		for n, mode := range modes {
			begin := at + time.Duration(n)*betweenGames
			play := event{at: begin, player: player, act: submits, mode: mode, score: points(mode, r)}
			if t.Journey == View {
				if play.view = pageAlone; n == len(modes)-1 {
					play.view = wholeView
				}
			}
			events = append(events, play)
			if scores++; scores%submitsRetry == 0 {
				play.at += untilRetry
				events = append(events, play)
			}
			if t.Journey != View {
				events = append(events, event{at: begin + untilPage, player: player, act: looks, mode: mode})
			}
		}
		if t.Journey != View {
			for _, look := range looksLater {
				events = append(events, event{at: at + look.after, player: player, act: look.act, mode: firstMode})
			}
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}

// submissions is how many scores a plan has, including those that are sent twice.
func submissions(players int) int {
	scores := players*2 + players/laterFraction
	return scores + scores/submitsRetry
}

// requestsOf is how many events a plan has.
func requestsOf(players int, j Journey) int {
	requests := submissions(players)
	if j != View {
		requests += players*2 + players/laterFraction + len(looksLater)*players
	}
	return requests
}

// modesOf returns the modes of the player at a place: two for one player, three for the
// next, which makes two and a half on average.
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
