// Package clerk applies the news of a Clerk instance, from webhooks or from a run that reads all of
// it: players' profiles, their groups, and deleted accounts.
//
// It knows what each event means for the product, and that events come twice, late and in any
// order. It does not know HTTP or signatures, nor what it takes to erase a player.
package clerk

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Eraser erases a player from everything. It may be called again. act is the id of the act in
// the audit.
type Eraser interface {
	ErasePlayer(ctx context.Context, player, act string) error
}

// Profiles keeps players' profiles outside of Redis.
type Profiles interface {
	KeepProfiles(ctx context.Context, all []game.PlayerProfile) error
}

// Roster is safe for concurrent use.
type Roster struct {
	Players  *player.Profiles
	Redis    *upstash.Client
	Eraser   Eraser
	Profiles Profiles // nil: Redis alone
	// Memberships keeps memberships outside of Redis; nil: only Redis has them.
	Memberships Memberships
	Now         func() time.Time // nil: the system's clock
}

func (r *Roster) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}

// Membership is a player's membership in a group.
type Membership = game.Membership

// Memberships keeps memberships outside of Redis. A membership that has ended stays ended.
type Memberships interface {
	Put(ctx context.Context, all []Membership, at time.Time) error
	End(ctx context.Context, m Membership, at time.Time) error
}

// seenSeconds is how long the effect of a message is remembered: longer than its signature is
// valid.
const seenSeconds = 60 * 60

// Apply applies an event, once for each message. After an error it may be called again with
// the same event.
//
// Cost: 2 billed commands and those of the effect; 1 for a message that was applied before.
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
	// The note comes last: if an effect fails half-way, it must be tried again. If the note is
	// lost, the effect happens twice, which changes nothing.
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
	saved, err := r.Players.SaveReported(ctx, reportedProfile(e))
	if err != nil || !saved {
		return err
	}
	return r.keep(ctx, message, []game.PlayerProfile{reportedProfile(e)})
}

func reportedProfile(e webhook.UserSaved) game.PlayerProfile {
	return game.PlayerProfile{Player: e.Player, Profile: game.Profile{Name: e.Name, Picture: e.Picture, Country: e.Country}, UpdatedAt: e.Moment}
}

// keep also keeps profiles outside of Redis, after Redis has learned them.
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
	// If the account was deleted before the profile was kept, that erasure did not erase the
	// profile.
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

// deleted returns those of the players whose accounts were deleted.
func (r *Roster) deleted(ctx context.Context, players []string) (deleted []string, err error) {
	command := []string{"SMISMEMBER", game.DeletedKey}
	for _, player := range players {
		command = append(command, game.BanMember(player))
	}
	reply, err := r.Redis.Do(ctx, upstash.Cmd(command...))
	if err != nil {
		return nil, fmt.Errorf("look whose account is deleted: %w", err)
	}
	answers, err := redis.Values(reply, len(players), "one answer for each player")
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
