package friend

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"time"
)

// Service changes the graph and keeps the copy up to date. All fields are required. It is safe
// for concurrent use if they are.
type Service struct {
	Graph Graph
	Copy  Copy
	Now   func() time.Time
	// Random makes invite codes: crypto/rand.Reader outside tests.
	Random io.Reader
}

// Invites.
const (
	InviteLife  = 7 * 24 * time.Hour
	DefaultUses = 10
	MostUses    = 100
	// CodeLength is the length of every code: 26 characters of base 32, 130 bits.
	CodeLength = 26
)

const codeAlphabet = "abcdefghijklmnopqrstuvwxyz234567"

// Act does what an action says. When it returns an outcome, every reader already sees it.
func (s *Service) Act(ctx context.Context, action Action, player, other string) (Outcome, error) {
	outcome, lists, err := s.Graph.Change(ctx, action, player, other, s.Now())
	if err != nil {
		return "", err
	}
	return outcome, s.copy(ctx, lists)
}

// copy writes lists and notes that they are written. If the note is lost, Settle writes them
// again, which changes nothing. An erased player leaves the graph first: so copy drops the
// lists that the graph no longer has from the copy, too.
func (s *Service) copy(ctx context.Context, lists []Lists) error {
	if len(lists) == 0 {
		return nil
	}
	if err := s.Copy.Write(ctx, lists); err != nil {
		return fmt.Errorf("copy the lists of friends: %w", err)
	}
	gone, err := s.Graph.Copied(ctx, lists)
	if err != nil || len(gone) == 0 {
		return err
	}
	if err := s.Copy.Drop(ctx, gone); err != nil {
		return fmt.Errorf("drop lists of friends: %w", err)
	}
	return nil
}

// Relations reads everything between a player and others.
func (s *Service) Relations(ctx context.Context, player string) (Relations, error) {
	r, err := s.Graph.Relations(ctx, player)
	if err != nil || !r.Stale {
		return r, err
	}
	return r, s.Settle(ctx)
}

// Invite makes a code by which up to so many players may become friends, and returns when it
// expires. Codes cannot be guessed, and only digests of them are kept.
func (s *Service) Invite(ctx context.Context, player string, uses int) (code string, expires time.Time, err error) {
	if uses < 1 || uses > MostUses {
		return "", time.Time{}, fmt.Errorf("%d uses of an invite: want 1 to %d", uses, MostUses)
	}
	raw := make([]byte, CodeLength)
	if _, err := io.ReadFull(s.Random, raw); err != nil {
		return "", time.Time{}, fmt.Errorf("make an invite: %w", err)
	}
	for i, b := range raw {
		raw[i] = codeAlphabet[b%32]
	}
	now := s.Now()
	expires = now.Add(InviteLife).UTC().Truncate(time.Second)
	return string(raw), expires, s.Graph.KeepInvite(ctx, Invite{
		Digest: sha256.Sum256(raw), Player: player, Uses: uses, At: now, Expires: expires,
	})
}

// Inviter reads who made a code; "" if the player cannot become friends by it, for whatever
// reason.
func (s *Service) Inviter(ctx context.Context, player, code string) (inviter string, err error) {
	return s.Graph.Inviter(ctx, sha256.Sum256([]byte(code)), player, s.Now())
}

// Redeem makes a player friends with the player who made a code. The outcomes are those of
// [Graph].
func (s *Service) Redeem(ctx context.Context, player, code string) (outcome Outcome, other string, err error) {
	outcome, other, lists, err := s.Graph.Redeem(ctx, sha256.Sum256([]byte(code)), player, s.Now())
	if err != nil {
		return "", "", err
	}
	return outcome, other, s.copy(ctx, lists)
}

// settleAtOnce is how many lists are copied in one step.
const settleAtOnce = 200

// Settle copies the changes that could not be copied.
func (s *Service) Settle(ctx context.Context) error {
	for {
		lists, err := s.Graph.Uncopied(ctx, settleAtOnce)
		if err != nil || len(lists) == 0 {
			return err
		}
		if err := s.copy(ctx, lists); err != nil {
			return err
		}
		if len(lists) < settleAtOnce {
			return nil
		}
	}
}

// Erase removes a player from the graph and from everybody's lists.
func (s *Service) Erase(ctx context.Context, player string) error {
	if err := s.Graph.EraseFriends(ctx, player); err != nil {
		return err
	}
	if err := s.Copy.Forget(ctx, player); err != nil {
		return fmt.Errorf("forget the lists of friends: %w", err)
	}
	return s.Settle(ctx)
}

// Restore copies all lists into a Redis that has lost them, and returns the number of players.
func (s *Service) Restore(ctx context.Context) (players int, err error) {
	var all []Lists // without friends or blocks now
	err = s.Graph.AllLists(ctx, func(lists []Lists) error {
		for _, l := range lists {
			all = append(all, Lists{Player: l.Player, Version: l.Version})
		}
		return s.Copy.Write(ctx, lists)
	})
	if err != nil || len(all) == 0 {
		return len(all), err
	}
	gone, err := s.Graph.Copied(ctx, all)
	if err == nil && len(gone) > 0 {
		err = s.Copy.Drop(ctx, gone)
	}
	return len(all), err
}

// System makes a Service that makes codes from the system's randomness, with the given clock.
func System(graph Graph, c Copy, now func() time.Time) *Service {
	return &Service{Graph: graph, Copy: c, Now: now, Random: rand.Reader}
}
