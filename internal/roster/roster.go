// Package roster applies what the Clerk instance tells by webhook: how players
// are shown, which groups they belong to, and who is gone.
//
// It knows what each event means for the product, and that events come twice,
// late and in any order. It must not know HTTP or signatures, nor what erasing
// a player takes.
package roster

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/auth/webhook"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// Eraser takes a player out of everything. It may be called again. The act is
// what the audit calls it.
type Eraser interface {
	ErasePlayer(ctx context.Context, player, act string) error
}

// Profiles keeps how players are shown beyond Redis.
type Profiles interface {
	KeepProfile(ctx context.Context, player string, p board.Profile, at time.Time) error
}

// Roster is safe for concurrent use.
type Roster struct {
	Store    *board.Store
	Redis    *upstash.Client
	Eraser   Eraser
	Profiles Profiles // nil: Redis alone
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
		if err := r.Store.MarkGone(ctx, e.Player); err != nil {
			return err
		}
		if err := r.forgetGroups(ctx, e.Player); err != nil {
			return err
		}
		return r.Eraser.ErasePlayer(ctx, e.Player, message)
	case webhook.MembershipSaved:
		return r.join(ctx, e)
	case webhook.MembershipEnded:
		return r.leave(ctx, e)
	}
	return nil
}

func (r *Roster) saveUser(ctx context.Context, message string, e webhook.UserSaved) error {
	told := board.Profile{Name: e.Name, Picture: e.Picture, Country: e.Country}
	saved, err := r.Store.SaveTold(ctx, e.Player, told, e.Moment)
	if err != nil || !saved || r.Profiles == nil {
		return err
	}
	shown, err := r.Store.ProfileOf(ctx, e.Player)
	if err != nil {
		return err
	}
	if err := r.Profiles.KeepProfile(ctx, e.Player, shown, e.Moment); err != nil {
		return err
	}
	// A deletion that was complete before the profile was kept has not erased it.
	gone, err := r.isGone(ctx, e.Player)
	if err != nil || !gone {
		return err
	}
	return r.Eraser.ErasePlayer(ctx, e.Player, message)
}

func (r *Roster) isGone(ctx context.Context, player string) (bool, error) {
	reply, err := r.Redis.Do(ctx, upstash.Cmd("SISMEMBER", game.GoneKey, game.BanMember(player)))
	if err != nil {
		return false, fmt.Errorf("look whether %s is gone: %w", player, err)
	}
	n, err := reply.Int64()
	return n == 1, err
}
