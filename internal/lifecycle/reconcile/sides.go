// Package reconcile keeps Redis and Postgres in agreement about what is kept of players besides
// boards: profiles, bans, claims, memberships, friends and duels. It brings to Postgres what
// only Redis has, reports what only one side has, and gives back to Redis what Redis has lost.
//
// It knows the kinds and the order in which they are brought; other packages know how each
// kind is kept. It does not know boards of days (package closing), HTTP, or the caller.
package reconcile

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/restore"
	"github.com/framedle/leaderboards/upstash"
)

// Sides are Redis and Postgres. All fields are required.
type Sides struct {
	Now     func() time.Time
	Redis   restore.Backflow
	Lists   *friend.Cache
	Groups  *clerk.Groups
	Duels   *duel.Keeper
	Friends *friend.Service
	Archive *archive.Archive
	// Erase erases a player from everything once more.
	Erase func(ctx context.Context, player string) error
}

// pageSize is the number of players in a page: an answer of some 200 KB.
const pageSize = 1000

// friendsPage is the page size where each player costs a command.
const friendsPage = 50

// kind is one kind of what both sides keep.
type kind struct {
	name string
	late bool // entries reach the archive when a day closes
	// page brings one page of Redis to the archive, beginning at a cursor, and returns the
	// number of entries read. The cursor "" is the beginning, and next "" the end.
	page func(ctx context.Context, cursor string) (next string, entries int, err error)
	// finish completes the kind after its pages, and reports whether it is complete; if not,
	// the kind is brought once more. Nil: there is nothing to complete.
	finish func(ctx context.Context, first bool) (bool, error)
	// compare fills in what each side has.
	compare func(ctx context.Context, redis, postgres entries) error
}

// kinds returns all kinds, in the order in which they are brought: profiles come before bans,
// since they show which player a ban's digest is of.
func (s *Sides) kinds() []kind {
	return []kind{s.profiles(), s.bans(), s.claims(), s.memberships(), s.friendships(), s.duels()}
}

// Options bound a Refill.
type Options struct {
	// Commands is the number of billed commands after which no further page begins; 0: read
	// all pages. A page of small kinds has up to some 500 entries.
	Commands int64
	// All also brings the kinds that have been brought before.
	All bool
}

// Filled is what a run has brought of a kind.
type Filled struct {
	Kind    string `json:"kind"`
	Entries int    `json:"entries"` // entries read, whether the archive had them or not
	Done    bool   `json:"done"`    // all of the kind has been read
}

// Refill brings what Redis has to the archive, kind by kind, each once. The archive notes
// which kinds it has, so a new archive is filled again. Refill may be repeated, and continues
// where it was cut off.
//
// Cost: none if all kinds have been brought. Else for every 1,000 players with a profile 2
// billed commands, for bans 1, for every 1,000 players in groups 1, for every 50 claims 1 and
// 1 for each, for every 10,000 claims that the archive has 1, 1 for each player with friends,
// and what duel.Keeper.Past and duel.Keeper.Carry cost.
func (s *Sides) Refill(ctx context.Context, o Options) ([]Filled, error) {
	var meter upstash.Meter
	ctx = upstash.WithMeter(ctx, &meter)
	rows, err := s.Archive.Refills.All(ctx)
	if err != nil {
		return nil, err
	}
	at := map[string]archive.Refill{}
	for _, r := range rows {
		at[r.Kind] = r
	}
	filled := []Filled{}
	for _, k := range s.refilled() {
		first, cursor := !at[k.name].Done, at[k.name].Cursor
		if !first && !o.All {
			continue
		}
		if o.All {
			cursor = ""
		}
		did := Filled{Kind: k.name}
		for !did.Done {
			if o.Commands > 0 && meter.Usage().Commands >= o.Commands {
				return append(filled, did), nil
			}
			next, entries, err := k.page(ctx, cursor)
			if err != nil {
				return filled, fmt.Errorf("bring %s to the archive: %w", k.name, err)
			}
			did.Entries += entries
			cursor = next
			done := next == ""
			if did.Done = done; done && k.finish != nil {
				if done, err = k.finish(ctx, first); err != nil {
					return filled, fmt.Errorf("bring %s to the archive: %w", k.name, err)
				}
			}
			if first {
				if err := s.Archive.Refills.Put(ctx, archive.Refill{Kind: k.name, Cursor: next, Done: done}); err != nil {
					return filled, err
				}
			}
		}
		filled = append(filled, did)
	}
	return filled, nil
}

// Restored is what Restore has restored, or would restore.
type Restored struct {
	Claims      int `json:"claims"`
	Memberships int `json:"memberships"`
}

// Restore gives back to Redis the claims and memberships that it has lost. Other packages
// restore bans, profiles, friends and duels.
//
// Cost: 3 billed commands for each claim, and up to 4 for every 500 memberships.
func (s *Sides) Restore(ctx context.Context, dryRun bool) (done Restored, err error) {
	err = s.Archive.Claims.All(ctx, func(page []game.Claim) error {
		done.Claims += len(page)
		if dryRun {
			return nil
		}
		_, err := s.Redis.RestoreClaims(ctx, page)
		return err
	})
	if err != nil {
		return done, fmt.Errorf("restore claims: %w", err)
	}
	err = s.Archive.Memberships.All(ctx, func(page []game.Membership) error {
		done.Memberships += len(page)
		if dryRun {
			return nil
		}
		return s.Groups.Restore(ctx, page)
	})
	if err != nil {
		return done, fmt.Errorf("restore memberships: %w", err)
	}
	return done, nil
}
