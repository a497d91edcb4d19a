package budget

import (
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// judgedFor is how long a process keeps its measures if it learns nothing new, so that a pace
// near a threshold does not switch one on and off.
const judgedFor = 5 * time.Minute

// Change is a change of a process's measures.
type Change struct {
	From, To Measures
	Spent    Spent
	Pace     float64
}

// Guard has what one process knows of the month's cost, and the measures that follow from it.
// The nil Guard has no budget and no measures. It is safe for concurrent use.
type Guard struct {
	budget  game.Budget
	now     func() time.Time
	changed func(Change)

	mu       sync.Mutex
	days     map[game.Date]int64 // of one month
	whole    game.Date           // the day on which this process has learned all days before it
	measures Measures
	judged   time.Time
}

// New makes a Guard; nil if the game has no budget. The call that changes the measures calls
// changed, once for each change.
func New(b game.Budget, now func() time.Time, changed func(Change)) *Guard {
	if b.Month == 0 {
		return nil
	}
	return &Guard{budget: b, now: now, changed: changed, days: map[game.Date]int64{}}
}

// Measures are those in force now.
func (g *Guard) Measures() Measures {
	if g == nil {
		return Measures{}
	}
	now := g.now()
	g.mu.Lock()
	measures, since := g.measures, now.Sub(g.judged)
	fresh := since >= 0 && since < judgedFor && game.DateOf(now) == game.DateOf(g.judged)
	g.mu.Unlock()
	if fresh {
		return measures
	}
	return g.judge(now, func() {})
}

// Knows reports whether all days before a day were learned on that day.
func (g *Guard) Knows(day game.Date) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.whole == day
}

// LearnDay notes what one day has cost by now. A smaller figure than the known one is older,
// since a day's cost only grows, so it changes nothing.
func (g *Guard) LearnDay(day game.Date, commands int64) {
	g.judge(g.now(), func() { g.learn(day, commands) })
}

// LearnMonth notes all days of a month, which were read on one of them.
func (g *Guard) LearnMonth(on game.Date, days map[game.Date]int64) {
	g.judge(g.now(), func() {
		for day, commands := range days {
			g.learn(day, commands)
		}
		g.whole = on
	})
}

func (g *Guard) learn(day game.Date, commands int64) {
	if commands > g.days[day] {
		g.days[day] = commands
	}
}

// judge calls take, which notes what is new. Then it decides on the measures, and reports a
// change of them.
func (g *Guard) judge(now time.Time, take func()) Measures {
	g.mu.Lock()
	take()
	today := game.DateOf(now)
	for day := range g.days {
		if !game.Month.Of(today).Contains(day) {
			delete(g.days, day)
		}
	}
	spent := Sum(g.days, today)
	pace := Pace(g.budget.Month, spent, now)
	c := Change{g.measures, At(g.budget, pace), spent, pace}
	g.measures, g.judged = c.To, now
	g.mu.Unlock()
	if c.From != c.To {
		g.changed(c)
	}
	return c.To
}

// Sum is what the days of a month have cost so far.
func Sum(days map[game.Date]int64, today game.Date) Spent {
	var s Spent
	for day, commands := range days {
		switch {
		case day == today:
			s.Today = commands
		case day.Before(today):
			s.Before += commands
		}
	}
	return s
}
