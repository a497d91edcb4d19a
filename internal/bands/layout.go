package bands

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
)

// Layout says which band of a board holds which scores, and where.
type Layout struct {
	// Version counts changes of the bands' edges: counts of another version are of no use.
	Version int64 `json:"version"`
	// Bands, best first. A score belongs to the first band whose edge it reaches.
	Bands []Band `json:"bands"`
	// Homes is how many homes the players are spread over, and Spread the databases that the
	// homes lie in. Both stay for ever.
	Homes  int      `json:"homes"`
	Spread []string `json:"spread"`
	// Next is the number of the next band.
	Next int64 `json:"next"`
	// Filling is set while the homes of a board that had no bands are filled.
	Filling *Progress `json:"filling,omitempty"`
	// Split is the band that is being split.
	Split *Split `json:"split,omitempty"`

	shares []Band // the homes, once they have been made from Homes and Spread
}

// Band is one sorted set.
type Band struct {
	Key      string `json:"key"`
	Database string `json:"database"`
	// From is the worst score that belongs to it; nil for the last, which takes all.
	From *float64 `json:"from,omitempty"`
}

// Progress is how far a change in chunks has come.
type Progress struct {
	Since int64    `json:"since"`           // Unix milliseconds of when the step was announced
	Done  *float64 `json:"done,omitempty"`  // the best score that is copied; all worse ones are too
	Ended bool     `json:"ended,omitempty"` // nothing is left to copy
}

// Phase is a step of a split.
type Phase string

// The steps of a split of band X into X, which keeps the better half, and N, which takes the
// worse half. Each step begins when every process knows of it, see [Settings.Grace].
const (
	Copying  Phase = "copying"  // the worse half is written to X and N, and read from X
	Serving  Phase = "serving"  // the worse half is written to X and N, and read from N
	Trimming Phase = "trimming" // the worse half is written to N alone, and taken out of X
)

// Split is a split that is under way.
type Split struct {
	Progress
	Phase Phase   `json:"phase"`
	Of    string  `json:"of"` // X
	At    float64 `json:"at"` // the worst score that X keeps
	New   Band    `json:"new"`
}

// mostHomes is how many homes a board may have: enough for 900 million players.
const mostHomes = 1000

// Every error about a wrong layout wraps errLayout.
var errLayout = errors.New("the board's layout cannot be used")

// parseLayout reads a layout, and refuses one in which a score would have no band.
func parseLayout(b Board, text string) (*Layout, error) {
	var l Layout
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return nil, fmt.Errorf("%w: %w", errLayout, err)
	}
	if err := l.check(b); err != nil {
		return nil, err
	}
	shares := make([]Band, l.Homes)
	for n := range shares {
		shares[n] = l.share(b, n)
	}
	l.shares = shares
	return &l, nil
}

func (l *Layout) check(b Board) error {
	wrong := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", errLayout, fmt.Sprintf(format, a...))
	}
	switch {
	case len(l.Bands) == 0:
		return wrong("it has no band")
	case l.Homes < 1 || l.Homes > mostHomes || len(l.Spread) == 0:
		return wrong("it has no homes, or more than %d", mostHomes)
	}
	for i, band := range l.Bands {
		last := i == len(l.Bands)-1
		switch {
		case band.Key == "" || band.Database == "":
			return wrong("band %d of %d has no key or no database", i+1, len(l.Bands))
		case last != (band.From == nil):
			return wrong("the last band has no edge, and every other has; band %d of %d is different", i+1, len(l.Bands))
		case !last && i > 0 && !b.better(*l.Bands[i-1].From, *band.From):
			return wrong("edges go from the best to the worst: %s cannot follow %s", game.FormatStored(*band.From), game.FormatStored(*l.Bands[i-1].From))
		}
	}
	if s := l.Split; s != nil && l.named(s.Of) < 0 {
		return wrong("it splits %q, which is none of its bands", s.Of)
	}
	return nil
}

// text is the layout's record.
func (l *Layout) text() string {
	text, _ := json.Marshal(l) // of strings and finite numbers: never fails
	return string(text)
}

// named is the index of a band, -1 if there is none.
func (l *Layout) named(key string) int {
	for i, band := range l.Bands {
		if band.Key == key {
			return i
		}
	}
	return -1
}

// of is the index of the band that a score belongs to.
func (l *Layout) of(b Board, stored float64) int {
	for i, band := range l.Bands {
		if band.From == nil || b.reaches(stored, *band.From) {
			return i
		}
	}
	return len(l.Bands) - 1
}

// places are the bands that a score is written to: first the one that it is read from and,
// while that one is being split, the other.
func (l *Layout) places(b Board, stored float64) []Band {
	band := l.Bands[l.of(b, stored)]
	s := l.Split
	switch {
	case s == nil:
	case s.Phase == Copying && band.Key == s.Of && b.better(s.At, stored):
		return []Band{band, s.New}
	case s.Phase == Serving && band.Key == s.New.Key:
		return []Band{band, l.Bands[l.named(s.Of)]}
	}
	return []Band{band}
}

// all are all bands that a player may be in.
func (l *Layout) all() []Band {
	if s := l.Split; s != nil && s.Phase == Copying {
		return append(append([]Band{}, l.Bands...), s.New)
	}
	return l.Bands
}

// home is the home of a player.
func (l *Layout) home(b Board, player string) Band {
	return l.share(b, int(hash64(player)%uint64(l.Homes)))
}

func (l *Layout) share(b Board, n int) Band {
	if l.shares != nil {
		return l.shares[n]
	}
	key := game.BandHomesKey(b.Key, n)
	return Band{Key: key, Database: choose(l.Spread, key)}
}

// without returns the places that are not among others.
func without(places, others []Band) (left []Band) {
	for _, p := range places {
		other := false
		for _, o := range others {
			other = other || o.Key == p.Key
		}
		if !other {
			left = append(left, p)
		}
	}
	return left
}
