// Package sides sees to it that nothing lives on one side only, Redis or Postgres,
// of what is kept of players beside boards: profiles, bans, claims, memberships,
// friends and duels. It brings to Postgres what Redis alone has, tells what only
// one side has, and gives Redis back what it has lost.
//
// It knows which kinds there are and in which order they are brought. It must not
// know boards of days (package closing), HTTP, or who asks. How each kind is kept
// is known by the packages that keep it.
package sides

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/friends/lists"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/refill"
	"github.com/framedle/leaderboards/internal/roster"
	"github.com/framedle/leaderboards/upstash"
)

// Sides are both. All fields are required.
type Sides struct {
	Now     func() time.Time
	Redis   refill.Backflow
	Lists   *lists.Lists
	Groups  *roster.Groups
	Duels   *duel.Keeper
	Friends *friends.Service
	Archive *archive.Archive
	// Erase erases a player once more from everything.
	Erase func(ctx context.Context, player string) error
}

// pageSize is how many players a page is of: an answer of some 200 KB.
const pageSize = 1000

// friendsPage is the same where each player costs a command.
const friendsPage = 50

// kind is one of the things that are kept on both sides.
type kind struct {
	name string
	late bool // entries come to the archive when a day closes
	// page brings what stands at a cursor of Redis to the archive, and tells how
	// many there were; "" is the beginning, and as next the end.
	page func(ctx context.Context, cursor string) (next string, entries int, err error)
	// finish completes what pages have brought, and reports whether it did; where
	// it cannot yet, the kind is brought once more. Nil: there is nothing to do.
	finish func(ctx context.Context, first bool) (bool, error)
	// compare tells what only one side has.
	compare func(ctx context.Context, d *Difference) error
}

// kinds are all kinds, in the order in which they are brought: profiles tell whose
// digests stand among the bans.
func (s *Sides) kinds() []kind {
	return []kind{s.profiles(), s.bans(), s.claims(), s.memberships(), s.friendships(), s.duels()}
}

// Options bound a Refill.
type Options struct {
	// Commands is after how many billed commands no other page is begun; 0: all
	// pages are read. A page of small kinds has up to some 500 entries.
	Commands int64
	// All reads the kinds too that have been brought once.
	All bool
}

// Filled tells what a run has brought of a kind.
type Filled struct {
	Kind    string `json:"kind"`
	Entries int    `json:"entries"` // that were read, whether the archive had them or not
	Done    bool   `json:"done"`    // all of it has been read
}

// Refill brings to the archive what Redis has, kind by kind, and each once: which
// kinds it has brought is noted in the archive, so one that is lost is filled
// again. It may be repeated, and goes on where it was cut off.
//
// Cost: none where all kinds have been brought. Else for every 1,000 players with
// a profile 2 billed commands, for bans 1, for every 1,000 players in groups 1,
// for every 50 claims 1 and 1 for each, for every 10,000 claims that the archive has
// 1, 1 for each player with friends, and what duel.Keeper.Past and duel.Keeper.Carry cost.
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

// Restored tells what Restore has made, or would make.
type Restored struct {
	Claims      int `json:"claims"`
	Memberships int `json:"memberships"`
}

// Restore gives Redis back what of claims and memberships it has lost. Bans,
// profiles, friends and duels are given back by those who keep them.
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
