// Package leaderboard reads and writes boards as they are now. It writes a submission with as few
// Redis commands as an exact answer allows, and reads pages, cards, the entries around a
// player, and look-ups.
//
// It must not know HTTP, who is calling, or where it runs. It does not know how boards are
// derived from others either: it asks package derive for a fresh one.
package leaderboard

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

var (
	// ErrNotOnBoard is returned when the player asked for has no entry.
	ErrNotOnBoard = fault.New("not-on-board", "the player is not on this board")
	// ErrKeyReused is returned when an idempotency key was used for another request.
	ErrKeyReused = fault.Of("the idempotency key was used for another request", fault.Fault{Code: "idempotency-key-reused", Detail: fault.KeyReused})
	// ErrDayTotal is returned when a sum would leave the bounds of a day's total.
	ErrDayTotal = fault.New("score-out-of-bounds", "the day's total would leave the mode's bounds")
	// ErrCursor is returned for a cursor that this board did not give out.
	ErrCursor = fault.Of("invalid cursor", fault.Fault{Code: "invalid-request", Detail: "invalid cursor for this board; restart without a cursor", Pointer: "?cursor"})
	// ErrCursorLost is returned for a good cursor around which too much has
	// changed for its place to be found: see Store.Page.
	ErrCursorLost = fault.Of("too many entries of one score have come in or gone since the cursor was given out", fault.Fault{Code: "invalid-request", Detail: "too many entries of one score have come in or gone since the cursor was given out; begin again without one", Pointer: "?cursor"})
	// ErrDaySealed is returned for a score of a sealed day.
	ErrDaySealed = errors.New("the day's board is sealed")
)

// Store reads and writes boards as they are now. It is safe for concurrent use.
type Store struct {
	Outbox Outbox

	DB      *redis.DB
	Totals  *derive.Totals
	Windows *derive.Windows
	Notices *control.Notices
	Players *player.Profiles
	Places  *derive.Places
	Rollup  *derive.Rollup
	XP      *player.XP
	Played  *derive.PlayedGroups

	cursors       cursors
	pages         pages
	distributions distributions
	publisher     *publisher
}

// New makes a Store from its parts. The first of the keys seals cursors, and each of them
// opens cursors: 32 bytes, the same in all processes. Without keys, no other Store can open
// the cursors of this one.
func New(s Store, keys [][]byte) *Store {
	if len(keys) == 0 {
		own := make([]byte, sha256.Size)
		_, _ = rand.Read(own) // never fails, see crypto/rand
		keys = [][]byte{own}
	}
	s.cursors = keys
	s.pages = pages{s.DB, s.Totals, s.Windows, s.Rollup}
	s.distributions = newDistributions(s.pages)
	s.Outbox = Outbox{s.DB}
	s.publisher = newPublisher(s.DB.Game.Live, s.DB.Elapsed)
	s.Notices.OnLoss(s.distributions.held.Purge)
	s.Notices.Removed.On(func(player string) {
		s.distributions.held.Purge()
		s.Windows.ForgetPlayer(player)
	})
	return &s
}
