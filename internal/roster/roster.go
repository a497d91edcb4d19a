// Package roster applies what the Clerk instance tells by webhook, or has been
// asked for: how players are shown, which groups they belong to, and whose account is deleted.
//
// It knows what each event means for the product, and that events come twice,
// late and in any order. It must not know HTTP or signatures, nor what erasing
// a player takes.
package roster

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/auth/webhook"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Eraser takes a player out of everything. It may be called again. The act is
// what the audit calls it.
type Eraser interface {
	ErasePlayer(ctx context.Context, player, act string) error
}

// Profiles keeps how players are shown beyond Redis.
type Profiles interface {
	KeepProfiles(ctx context.Context, all []game.PlayerProfile) error
}

// Roster is safe for concurrent use.
type Roster struct {
	Players  *profiles.Profiles
	Redis    *upstash.Client
	Eraser   Eraser
	Profiles Profiles // nil: Redis alone
	// Memberships keeps them beyond Redis; nil: Redis alone.
	Memberships Memberships
	Now         func() time.Time // nil: the system's clock
}

func (r *Roster) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}

// Membership is a player's of a group.
type Membership = game.Membership

// Memberships keeps memberships beyond Redis. One that has ended stays so.
type Memberships interface {
	KeepMemberships(ctx context.Context, all []Membership, at time.Time) error
	EndMembership(ctx context.Context, m Membership, at time.Time) error
}

// seenSeconds is how long a message is known to have had its effect: longer
// than its signature is good.
const seenSeconds = 60 * 60

// Apply has the effect of an event, once for each message. After an error it
// may be called again with the same.
//
// Cost: 2 billed commands and those of the effect; 1 for a message that has
// been.
func (r *Roster) Apply(ctx context.Context, message string, event webhook.Event) error {
	key := game.WebhookKey(message)
	seen, err := r.Redis.Do(ctx, upstash.Cmd("GET", key))
	if err != nil {
		return fmt.Errorf("look for the webhook's message: %w", err)
	}
	if !seen.IsNil() {
		return nil
	}
	if err := r.effect(ctx, message, event); err != nil {
		return err
	}
	// Noted only now: an effect that fails half-way must be tried again. Where
	// the note is lost it is had twice, which changes nothing.
	if _, err := r.Redis.Do(ctx, upstash.Cmd("SET", key, "1", "EX", fmt.Sprint(seenSeconds)).Idempotent()); err != nil {
		return fmt.Errorf("note the webhook's message: %w", err)
	}
	return nil
}

func (r *Roster) effect(ctx context.Context, message string, event webhook.Event) error {
	switch e := event.(type) {
	case webhook.UserSaved:
		return r.saveUser(ctx, message, e)
	case webhook.UserDeleted:
		if err := r.Players.MarkDeleted(ctx, e.Player); err != nil {
			return err
		}
		if err := r.forgetGroups(ctx, e.Player); err != nil {
			return err
		}
		return r.Eraser.ErasePlayer(ctx, e.Player, message)
	case webhook.MembershipSaved:
		return r.joinAll(ctx, []webhook.MembershipSaved{e})
	case webhook.MembershipEnded:
		return r.leave(ctx, e)
	}
	return nil
}

func (r *Roster) saveUser(ctx context.Context, message string, e webhook.UserSaved) error {
	saved, err := r.Players.SaveTold(ctx, told(e))
	if err != nil || !saved {
		return err
	}
	return r.keep(ctx, message, []game.PlayerProfile{told(e)})
}

func told(e webhook.UserSaved) game.PlayerProfile {
	return game.PlayerProfile{Player: e.Player, Profile: game.Profile{Name: e.Name, Picture: e.Picture, Country: e.Country}, UpdatedAt: e.Moment}
}

// keep has profiles outlive Redis, which has just learned them.
func (r *Roster) keep(ctx context.Context, act string, learned []game.PlayerProfile) error {
	if r.Profiles == nil || len(learned) == 0 {
		return nil
	}
	players := make([]string, len(learned))
	for i, t := range learned {
		players[i] = t.Player
	}
	shown, err := r.Players.ProfilesOf(ctx, players)
	if err != nil {
		return err
	}
	kept := slices.Clone(learned)
	for i := range kept {
		kept[i].Profile = shown[i]
	}
	if err := r.Profiles.KeepProfiles(ctx, kept); err != nil {
		return err
	}
	// A deletion that was complete before the profile was kept has not erased it.
	deleted, err := r.deleted(ctx, players)
	if err != nil {
		return err
	}
	for _, player := range deleted {
		if err := r.Eraser.ErasePlayer(ctx, player, act); err != nil {
			return err
		}
	}
	return nil
}

// deleted are those of the players whose accounts are.
func (r *Roster) deleted(ctx context.Context, players []string) (deleted []string, err error) {
	command := []string{"SMISMEMBER", game.DeletedKey}
	for _, player := range players {
		command = append(command, game.BanMember(player))
	}
	reply, err := r.Redis.Do(ctx, upstash.Cmd(command...))
	if err != nil {
		return nil, fmt.Errorf("look whose account is deleted: %w", err)
	}
	answers, err := rdb.Values(reply, len(players), "one answer for each player")
	if err != nil {
		return nil, fmt.Errorf("look whose account is deleted: %w", err)
	}
	for i, answer := range answers {
		n, err := answer.Int64()
		if err != nil {
			return nil, fmt.Errorf("look whose account is deleted: %w", err)
		}
		if n == 1 {
			deleted = append(deleted, players[i])
		}
	}
	return deleted, nil
}
