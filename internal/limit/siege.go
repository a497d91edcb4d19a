package limit

import (
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// A process is besieged while of the callers of the last siegeSeconds at least
// siegeLeast, and one in siegePart, were refused. Players make mistakes and are
// in a hurry too, and one of them may well do nothing else, but not so many at
// once.
const (
	siegeSeconds = 5
	siegeLeast   = 50
	siegePart    = 6
)

const (
	// siegePause is how long callers leave a besieged process alone before it
	// serves them.
	siegePause = 2 * time.Second
	// siegeScores is how many scores of one player that can wait are served in
	// siegeLull all the same: one may be sent again because its answer got lost.
	siegeScores = 2
	siegeLull   = 10 * time.Second
	// siegeOthers is how many requests other than scores are served in a second,
	// of all callers together.
	siegeOthers = 2
	// siegeMemory is how long refusals are held against a caller, and siegeStrikes
	// how many of them it takes to be refused everything.
	siegeMemory  = time.Minute
	siegeStrikes = 3
	// siegeHammer is how many it takes of an address until they are held against
	// the players there too, whose scores can wait.
	siegeHammer = 10
)

// siegeRule is what a besieged process refuses by.
var siegeRule = Rule{Name: "siege", Count: 1, Window: siegePause}

// siege tells a process under attack from one that is busy, and whom it serves
// meanwhile. Times are Unix nanoseconds.
type siege struct {
	second  int64 // of the newest cell
	cells   [siegeSeconds]tide
	callers *simplelru.LRU[string, conduct]
}

// tide is how many callers came in one second and how many were refused, each
// counted once in siegeSeconds; and the requests served in their turn.
type tide struct{ came, refused, others int }

// conduct is what is held for and against a caller.
type conduct struct {
	seen    int64 // last
	refused int64 // last; 0: never
	strikes int   // refusals, each within siegeMemory of the one before
	scores  int   // that can wait, since the moment since
	since   int64

	countedCame, countedRefused int64 // when last
}

// count adds one, unless the caller was counted a moment ago.
func count(n *int, counted *int64, now int64) {
	if now-*counted >= siegeSeconds*int64(time.Second) {
		*counted = now
		*n++
	}
}

// strike holds a refusal against a caller.
func (c *conduct) strike(cell *tide, now int64) {
	count(&cell.refused, &c.countedRefused, now)
	if now-c.refused >= int64(siegeMemory) {
		c.strikes = 0
	}
	c.refused = now
	c.strikes++
}

func (c *conduct) held(now int64) bool {
	return c.strikes > 0 && now-c.refused < int64(siegeMemory)
}

// waits is how long a caller has to wait in a siege.
func (c *conduct) waits(kind urgency, before, now int64) time.Duration {
	held := c.held(now)
	switch {
	case held && c.strikes >= siegeStrikes:
		return siegeMemory
	case kind == atOnce:
	case held:
		return siegeMemory
	case kind == score && c.scores > siegeScores:
		return siegeMemory
	case kind == score:
	case before == 0 || now-before < int64(siegePause):
		return siegePause
	}
	return 0
}

func newSiege() siege {
	callers, _ := simplelru.NewLRU[string, conduct](remembered, nil) // fails for sizes below one only
	return siege{callers: callers}
}

// at is the cell of a moment. A clock that was moved begins anew.
func (s *siege) at(now int64) *tide {
	second := now / int64(time.Second)
	if second < s.second || second >= s.second+siegeSeconds {
		s.cells = [siegeSeconds]tide{}
	} else {
		for i := s.second + 1; i <= second; i++ {
			s.cells[i%siegeSeconds] = tide{}
		}
	}
	s.second = second
	return &s.cells[second%siegeSeconds]
}

func (s *siege) stands() bool {
	var sum tide
	for _, cell := range s.cells {
		sum.came += cell.came
		sum.refused += cell.refused
	}
	return sum.refused >= siegeLeast && sum.refused*siegePart >= sum.came
}

// refuse holds one refusal against all the callers that a request had.
func (s *siege) refuse(now int64, ids ...string) {
	cell := s.at(now)
	for _, id := range ids {
		if id != "" {
			c, _ := s.callers.Get(id)
			c.strike(cell, now)
			s.callers.Add(id, c)
		}
	}
}

// see takes in one request of a caller and tells how long it has to wait; 0: not
// at all. from is where it came from, for callers who have signed in. In a siege
// whoever was refused before waits, and of all others those who can, until they
// have left the process alone for a while and it is their turn.
func (s *siege) see(id, from string, kind urgency, now int64) time.Duration {
	if id == "" {
		return 0
	}
	cell := s.at(now)
	c, _ := s.callers.Get(id)
	if c.seen > now { // the clock was moved
		c = conduct{}
	}
	known, before := c.seen > 0, c.seen
	count(&cell.came, &c.countedCame, now)
	if now-c.since > int64(siegeLull) {
		c.since, c.scores = now, 0
	}
	if kind == score {
		c.scores++
	}
	c.seen = now
	var wait time.Duration
	if s.stands() {
		if wait = c.waits(kind, before, now); wait == 0 && kind != atOnce {
			if at, _ := s.callers.Peek(from); at.strikes >= siegeHammer && at.held(now) {
				wait, known = siegeMemory, false
			}
		}
		if wait == 0 && kind == deferrable {
			if cell.others++; cell.others > siegeOthers {
				wait = siegePause
			}
		}
	}
	if wait > 0 && known { // whoever comes for the first time could not know
		c.strike(cell, now)
	}
	s.callers.Add(id, c)
	return wait
}

// urgency is what a siege may do to a request.
type urgency int

const (
	deferrable urgency = iota
	score
	atOnce // a score that may be its player's first on a board
)

func (c Caller) urgency(class Class) urgency {
	switch {
	case class != Submit || c.Anonymous:
		return deferrable
	case c.First:
		return atOnce
	}
	return score
}

// besieged names who is served in a siege or not: a verified player, else the
// address. Game servers always are.
func (c Caller) besieged() string {
	switch {
	case c.Key != "":
		return ""
	case c.Player != "" && !c.Anonymous:
		return "player " + c.Player
	case c.Address.IsValid():
		return c.Address.String()
	}
	return ""
}
