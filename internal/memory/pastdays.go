package memory

import (
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// PastDays remembers what was played on days that are over but not yet in players' XP. What it
// knows of a day is valid while the day's marks are the same as before the day was read, since
// every write to a day that is over changes them. It is valid for pastFresh at most, since a
// restore writes without changing marks.
type PastDays struct {
	elapsed func() time.Duration
	plays   *lru.Cache[playerDay, pastDay]
	days    *lru.Cache[game.Date, pastDay] // of all players together, without XP

	mu      sync.Mutex
	through game.Date // the newest day that is in players' XP, as last read
	known   bool
}

const (
	pastFresh    = 10 * time.Minute
	rememberDays = 64
)

type playerDay struct {
	player string
	date   game.Date
}

type pastDay struct {
	PastDay
	marks string
	at    time.Duration
}

// PastDay is what a player has played on one day.
type PastDay struct {
	Played bool
	XP     int64 // of all modes together
}

// NewPastDays makes an empty memory.
func NewPastDays(elapsed func() time.Duration) *PastDays {
	return &PastDays{
		elapsed: elapsed,
		plays:   lru.New[playerDay, pastDay](RememberPlayers),
		days:    lru.New[game.Date, pastDay](rememberDays),
	}
}

// Through is the newest day that is in players' XP, as last read; zero if no day is. It reports
// false if that was not read yet.
func (p *PastDays) Through() (game.Date, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.through, p.known
}

// SetThrough remembers the newest day that is in players' XP.
func (p *PastDays) SetThrough(d game.Date) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.through, p.known = d, true
}

// Of is what a player has played on a day, if that is remembered.
func (p *PastDays) Of(player string, d game.Date, marks string) (PastDay, bool) {
	if all, ok := p.days.Get(d); ok && p.holds(all, marks) && !all.Played {
		return PastDay{}, true
	}
	one, ok := p.plays.Get(playerDay{player, d})
	return one.PastDay, ok && p.holds(one, marks)
}

// Keep remembers a player's day that was read after its marks.
func (p *PastDays) Keep(player string, d game.Date, marks string, day PastDay) {
	p.plays.Add(playerDay{player, d}, pastDay{day, marks, p.elapsed()})
}

// Played reports whether anybody has played on a day, if that is remembered.
func (p *PastDays) Played(d game.Date, marks string) (played, known bool) {
	all, ok := p.days.Get(d)
	return all.Played, ok && p.holds(all, marks)
}

// KeepPlayed remembers whether anybody has played on a day that was read after its marks.
func (p *PastDays) KeepPlayed(d game.Date, marks string, played bool) {
	p.days.Add(d, pastDay{PastDay{Played: played}, marks, p.elapsed()})
}

func (p *PastDays) holds(day pastDay, marks string) bool {
	return day.marks == marks && p.elapsed()-day.at < pastFresh
}

// Purge forgets everything.
func (p *PastDays) Purge() {
	p.plays.Purge()
	p.days.Purge()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.through, p.known = game.Date{}, false
}
