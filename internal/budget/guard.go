package budget

import (
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// judgedFor is how long a process keeps its measures before it judges by the time again, so
// that a pace near a threshold does not switch one on and off.
const judgedFor = 5 * time.Minute

// Change is a change of a process's measures.
type Change struct {
	From, To Measures
	Spent    Spent
	Pace     float64
}

// Guard holds what one process knows of its month's cost, and the measures that
// follow. The nil Guard has no budget and no measures. It is safe for concurrent
// use.
type Guard struct {
	budget  game.Budget
	now     func() time.Time
	changed func(Change)

	mu       sync.Mutex
	days     map[game.Date]int64 // of one month
	whole    game.Date           // the day on which all days before it were learned
	measures Measures
	judged   time.Time
}

// New makes a Guard, nil where the game has no budget. Changed is called once for each change,
// by the call that brings it about.
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

// LearnDay takes in what one day has cost by now. An older figure than the known one changes
// nothing, since a day's cost only grows.
func (g *Guard) LearnDay(day game.Date, commands int64) {
	g.judge(g.now(), func() { g.learn(day, commands) })
}

// LearnMonth takes in all days of a month, read on one of them.
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

// judge takes in what is new, decides on the measures, and reports a change of them.
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

// Sum is what the days of a month have cost, as today sees it.
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
