// This file gives anonymous players' devices to players who have signed in.
//
// It knows who may claim, and what of the archive and of removals that needs. It
// must not know Redis, SQL, HTTP, or how a device proves which one it is.

package device

import (
	"context"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Service gives devices to their owners. Past may be nil: there is no archive.
type Claims struct {
	Notices *control.Notices
	Repair  *lifecycle.Repair
	Past    lifecycle.Pasts
	// Erase erases a device from everything.
	Erase func(ctx context.Context, device string) error
	// Give gives what the device has earned to its owner; nil: it has earned nothing.
	Give func(ctx context.Context, device, player string) error
	// Keep hands a device's claim to the archive, and gives the player what the archive has of
	// the device's days that the claim has moved. Without a player it only hands the claim over;
	// an empty claim is read first. Keep is nil where there is no archive.
	Keep func(ctx context.Context, device, player string, claimed lifecycle.ClaimReport) error
}

// Claim gives a device to a player for ever, with all that may still change of
// what it has played; see lifecycle.Claim. Neither may be banned: a ban of the one
// must not be got round as the other. An archive that does not answer keeps
// nobody from claiming: LookAfter hands the claim over.
//
// Errors: those of lifecycle.Claim, and control.ErrBanned.
func (s *Claims) Claim(ctx context.Context, device, player string) (lifecycle.ClaimReport, error) {
	if err := s.Notices.MayPlay(ctx, device, player); err != nil {
		return lifecycle.ClaimReport{}, err
	}
	claimed, err := s.Repair.Claim(ctx, device, player, s.Past)
	if err == nil && s.Give != nil {
		err = s.Give(ctx, device, player)
	}
	if err == nil && s.Keep != nil {
		_ = s.Keep(ctx, device, player, claimed)
	}
	return claimed, err
}

// LookAfter finishes claims of more than 20 minutes ago, see
// lifecycle.LookAfterClaims, and hands them to the archive. The daily job calls it.
func (s *Claims) LookAfter(ctx context.Context) (done int, err error) {
	var keep func(ctx context.Context, device, player string) error
	if s.Keep != nil {
		keep = func(ctx context.Context, device, player string) error {
			return s.Keep(ctx, device, player, lifecycle.ClaimReport{})
		}
	}
	return s.Repair.LookAfterClaims(ctx, s.Past, s.Erase, s.Give, keep)
}
