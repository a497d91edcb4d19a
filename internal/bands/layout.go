package bands

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
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
	Since int64    `json:"since"`          // Unix milliseconds of when the step was announced
	Done  *float64 `json:"done,omitempty"` // the best score that is copied; all worse ones are too
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
		case !last && i > 0 && !b.Better(*l.Bands[i-1].From, *band.From):
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
	return slices.IndexFunc(l.Bands, func(band Band) bool { return band.Key == key })
}

// bandIndex is the index of the band that a score belongs to.
func (l *Layout) bandIndex(b Board, stored float64) int {
	return slices.IndexFunc(l.Bands, func(band Band) bool { return band.From == nil || b.reaches(stored, *band.From) })
}

// places are the bands that a score is written to: first the one that it is read from and,
// while that one is being split, the other.
func (l *Layout) places(b Board, stored float64) []Band {
	band := l.Bands[l.bandIndex(b, stored)]
	s := l.Split
	switch {
	case s == nil:
	case s.Phase == Copying && band.Key == s.Of && b.Better(s.At, stored):
		return []Band{band, s.New}
	case s.Phase == Serving && band.Key == s.New.Key:
		return []Band{band, l.Bands[l.named(s.Of)]}
	}
	return []Band{band}
}

// all are all bands that a player may be in.
func (l *Layout) all() []Band {
	if s := l.Split; s != nil && s.Phase == Copying {
		return append(slices.Clip(l.Bands), s.New)
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

// isIn reports whether the band is one of some bands.
func (band Band) isIn(some []Band) bool {
	return slices.ContainsFunc(some, func(one Band) bool { return one.Key == band.Key })
}

// without returns the places that are not among others.
func without(places, others []Band) []Band {
	return slices.DeleteFunc(slices.Clone(places), func(p Band) bool { return p.isIn(others) })
}

// Layout reads a board's layout. Errors: ErrNoBands.
func (s *views) Layout(ctx context.Context, b Board) (*Layout, error) {
	v, err := s.read(ctx, b)
	switch {
	case err != nil:
		return nil, err
	case v.Layout == nil:
		return nil, ErrNoBands
	}
	return v.Layout, nil
}

// Birth is what a board of bands begins with.
type Birth struct {
	// Homes is how many homes the players are spread over. It never changes, so it must be
	// enough for the most players that the board may come to have, at 900,000 each: a record of
	// Upstash's holds 100 MB on pay-as-you-go plans.
	Homes int
	// Edges are the worst scores of all bands but the last, best first. None: one band.
	Edges []float64
}

// Create makes an empty board of bands. A board that has bands already keeps them.
//
// Errors: those of a layout with wrong edges.
func (s *Bands) Create(ctx context.Context, b Board, birth Birth) error {
	l := s.born(birth)
	l.Bands = nil
	for _, edge := range birth.Edges {
		l.Bands = append(l.Bands, s.newBand(b, l, &edge))
	}
	l.Bands = append(l.Bands, s.newBand(b, l, nil))
	if err := l.check(b); err != nil {
		return err
	}
	_, err := s.dbs.first().Do(ctx, upstash.Cmd(append(s.living(b, "SET", game.BandsKey(b.Key), l.text()), "NX")...).Idempotent())
	s.forget(b)
	return redis.Wrap("make the bands of "+b.Key, err)
}

func (s *views) born(birth Birth) *Layout {
	return &Layout{Version: 1, Homes: max(birth.Homes, 1), Spread: s.dbs.names, Next: 1}
}

// newBand takes the next number for a band.
func (s *views) newBand(b Board, l *Layout, from *float64) Band {
	key := game.BandKey(b.Key, l.Next)
	l.Next++
	return Band{Key: key, Database: choose(s.dbs.names, key), From: from}
}

// changeScript replaces a layout, if it is still the one that the new one was made from.
//
// KEYS: layout
// ARGV: old layout, new layout, Unix milliseconds of its expiry or ""
// Answer: {calls, 1 or 0}
var changeScript = redis.NewScript(`
local current = call('GET', KEYS[1])
if current == ARGV[2] then return answer(1) end
if (current or '') ~= ARGV[1] then return answer(0) end
if ARGV[3] == '' then call('SET', KEYS[1], ARGV[2]) else call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3]) end
return answer(1)
`)

// errChanged is returned when another process has changed the layout first.
var errChanged = errors.New("another process has changed the board's layout")

// change replaces a layout; was is the text that the caller has read. Errors: errChanged, if
// the layout has changed since.
func (s *views) change(ctx context.Context, b Board, was string, l *Layout) error {
	if err := l.check(b); err != nil {
		return err
	}
	ends := ""
	if !b.Ends.IsZero() {
		ends = redis.Itoa(b.Ends.UnixMilli())
	}
	reply, err := s.dbs.first().Do(ctx, changeScript.Command([]string{game.BandsKey(b.Key)}, was, l.text(), ends).Idempotent())
	s.forget(b)
	if err != nil {
		return redis.Wrap("change the bands of "+b.Key, err)
	}
	if n, err := redis.Count(reply, "whether it was changed"); err != nil || n != 1 {
		return cmp.Or(err, fmt.Errorf("%s: %w", b.Key, errChanged))
	}
	return nil
}

// Recount makes the next reader of the board count its bands again.
func (s *Bands) Recount(ctx context.Context, b Board) error {
	_, err := s.dbs.first().Do(ctx, upstash.Cmd("DEL", game.BandCountsKey(b.Key)).Idempotent())
	s.forget(b)
	return redis.Wrap("have the bands counted of "+b.Key, err)
}

// Wipe deletes everything that a board of bands has in the databases that this process knows.
// It needs no layout, which may be lost too: it finds keys by their numbers.
//
// Cost: 1 billed command for each database.
func (s *Bands) Wipe(ctx context.Context, b Board) error {
	w := s.wave()
	keys := wiped(b)
	for _, name := range s.dbs.names {
		w.add(name, upstash.Cmd(append([]string{"DEL"}, keys...)...).Idempotent(), nil)
	}
	_, err := w.run(ctx)
	s.forget(b)
	return redis.Wrap("delete the bands of "+b.Key, err)
}

// mostBands is how many bands a board may have over time: a number is never used again.
const mostBands = 1000

// wiped are all keys that a board may have.
func wiped(b Board) []string {
	keys := []string{game.BandsKey(b.Key), game.BandCountsKey(b.Key), game.BandTurnKey(b.Key), game.BandLooseKey(b.Key), game.BandCarriedKey(b.Key), b.Key}
	for n := range mostHomes {
		keys = append(keys, game.BandHomesKey(b.Key, n))
	}
	for n := range int64(mostBands) {
		keys = append(keys, game.BandKey(b.Key, n))
	}
	return keys
}
