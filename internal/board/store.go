// Package board keeps and reads standings: it turns a submission into the
// fewest Redis commands that are exact, derives every board that follows from
// the day boards, and answers pages, cards, surroundings and look-ups.
//
// It knows the game (package game) and how to speak to Redis (package
// upstash). It must not know HTTP, who is calling, or where it runs.
//
// A Store remembers a bounded amount in its process: totals, names, which keys
// already have their expiry, which derived boards are fresh. All of it may be
// lost at any moment; it saves commands and never decides an answer that has
// to be exact.
package board

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/ruleset"
	"github.com/framedle/leaderboards/upstash"
)

var (
	// ErrNotOnBoard is returned when the player asked for has no entry.
	ErrNotOnBoard = errors.New("the player is not on this board")
	// ErrKeyReused is returned when an idempotency key stands for another request.
	ErrKeyReused = errors.New("the idempotency key was used for another request")
	// ErrDayTotal is returned when a sum would leave the bounds of a day's total.
	ErrDayTotal = errors.New("the day's total would leave the mode's bounds")
	// ErrCursor is returned for a cursor that this board did not give out.
	ErrCursor = errors.New("the cursor is not one that this board gave out")
	// ErrCursorLost is returned for a good cursor around which too much has
	// changed for its place to be found: see Store.Page.
	ErrCursorLost = errors.New("too many entries of one score have come in or gone since the cursor was given out")
	// ErrDayGone is returned for a day whose board has outlived its key.
	ErrDayGone = errors.New("the day's board has left Redis")
)

// How much a process remembers. Each bound is a count of keys or players, a
// few MB together at the most but for profiles.
const (
	rememberBoards   = 4096
	rememberPlayers  = 16384
	rememberProfiles = 1 << 17 // some 40 MB, where there are as many
)

// totalFresh is how old a remembered total may be in the answer to a submission.
const totalFresh = 10 * time.Second

// Options are what a Store is made of. All fields are required but CursorKeys,
// Elapsed, Frugal, Later and Maintenance.
type Options struct {
	Redis *upstash.Client
	Game  *game.Game
	// Now is the product's clock: it decides dates, ties and expiry.
	Now func() time.Time
	// Elapsed is a clock that only ever moves forward, for the age of what the
	// process remembers. Nil means the time since the Store was made.
	Elapsed func() time.Duration
	// CursorKeys seal cursors, the first of them, and open them, each: 32 bytes,
	// the same in all processes. Without one the cursors of a Store are good for
	// that Store alone.
	CursorKeys [][]byte
	// Frugal tells the measures of the budget that are in force; nil means none.
	Frugal func() budget.Measures
	// Later has something done in a while, in processes that live on; nil: never.
	Later func(time.Duration, func())
	// Maintenance is why nothing may be written, whatever Redis says; empty: it may.
	Maintenance string
}

// Store is safe for concurrent use.
type Store struct {
	redis   *upstash.Client
	game    *game.Game
	now     func() time.Time
	elapsed func() time.Duration
	frugal  func() budget.Measures
	later   func(time.Duration, func())
	rules   ruleset.Rules
	stopped error // nil: Redis says whether anything may be written

	cursorKeys [][]byte
	countries  bool   // some mode ranks by country
	id         string // of this process, for keys that are its own
	scratches  atomic.Int64
	writes     atomic.Bool // Redis has taken a write of this process

	expiring  *lru.Cache[string, struct{}]       // keys whose expiry this process has set
	derived   *lru.Cache[string, derivation]     // derived boards seen fresh
	standing  *lru.Cache[entryID, place]         // entries this process wrote or read, as they were
	grouped   *lru.Cache[groupPlayed, time.Time] // players' groups this process has written, and when
	erased    *lru.Cache[string, game.Date]      // who may not be erased again on a date
	directory *directory
	totals    *totals
	windows   *windows
	bans      bans
	epoch     *epoch
	forgets   []func()                           // see OnLoss
	xp        func(context.Context, Board) error // makes the XP board
}

type entryID struct{ board, player string }

// New makes a Store.
func New(o Options) *Store {
	if o.Elapsed == nil {
		began := time.Now()
		o.Elapsed = func() time.Duration { return time.Since(began) }
	}
	if o.Frugal == nil {
		o.Frugal = func() budget.Measures { return budget.Measures{} }
	}
	if len(o.CursorKeys) == 0 {
		own := make([]byte, sha256.Size)
		_, _ = rand.Read(own) // never fails, see crypto/rand
		o.CursorKeys = [][]byte{own}
	}
	byCountry := func(m *game.Mode) bool { return m.HasScope(game.Country) }
	var stopped error
	if o.Maintenance != "" {
		stopped = &MaintenanceError{Maintenance: Maintenance{Reason: o.Maintenance}}
	}
	s := &Store{
		rules: ruleset.Of(o.Game), stopped: stopped,
		cursorKeys: o.CursorKeys,
		countries:  slices.ContainsFunc(o.Game.Modes, byCountry),
		redis:      o.Redis, game: o.Game, now: o.Now, elapsed: o.Elapsed, frugal: o.Frugal, later: o.Later, id: rand.Text(),
		expiring:  newLRU[string, struct{}](rememberBoards),
		derived:   newLRU[string, derivation](rememberBoards),
		standing:  newLRU[entryID, place](rememberPlayers),
		grouped:   newLRU[groupPlayed, time.Time](rememberPlayers),
		erased:    newLRU[string, game.Date](rememberPlayers),
		directory: newDirectory(o.Elapsed),
		totals:    newTotals(o.Elapsed),
		windows:   newWindows(o.Elapsed),
		epoch:     newEpoch(),
	}
	s.xp = s.deriveXP
	s.OnLoss(s.expiring.Purge)
	s.OnLoss(s.derived.Purge)
	s.OnLoss(s.standing.Purge)
	s.OnLoss(s.grouped.Purge)
	s.OnLoss(s.erased.Purge)
	s.OnLoss(s.directory.purge)
	s.OnLoss(s.totals.purge)
	s.OnLoss(s.windows.purge)
	return s
}
