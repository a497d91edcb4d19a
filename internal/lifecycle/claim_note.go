package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// claimNote is what Redis keeps of a claim until LookAfterClaims has finished it.
type claimNote struct {
	Player string // "" where the owner was erased: the device goes the same way
	At     time.Time
}

func (n claimNote) record() (string, error) {
	record, err := json.Marshal(n)
	return string(record), err
}

// ClaimNotes reads the claims that are not finished, by device. 1 billed command.
func ClaimNotes(ctx context.Context, db *redis.DB) (map[string]claimNote, error) {
	notes := map[string]claimNote{}
	err := db.Ask(ctx, upstash.Cmd("HGETALL", game.ClaimsKey), redis.FieldsInto(func(fields map[string]string) error {
		clear(notes)
		for device, record := range fields {
			var n claimNote
			if err := json.Unmarshal([]byte(record), &n); err != nil {
				return fmt.Errorf("read the note of a claim: %w", err)
			}
			notes[device] = n
		}
		return nil
	}))
	return notes, redis.Wrap("list claims", err)
}

// LookAfterClaims finishes claims of more than 20 minutes ago, and moves what the devices
// could still play before every process knew of the claim. If the owner was banned meanwhile,
// it removes what the device still has; if the owner was erased, it erases the device with
// erase. give gives the owner what else the device has earned, and keep hands a device's claim to
// the archive, without a player if the owner is gone; each may be nil.
//
// Cost: 1 billed command; for each claim that of claiming again, and 3, and those of give and
// keep.
func (rp *Repair) LookAfterClaims(ctx context.Context, past Pasts, erase func(ctx context.Context, device string) error, give func(ctx context.Context, device, player string) error, keep func(ctx context.Context, device, player string) error) (done int, err error) {
	notes, err := ClaimNotes(ctx, rp.DB)
	if err != nil {
		return 0, err
	}
	for device, n := range notes {
		if rp.DB.Now().Sub(n.At) < noteAge {
			continue
		}
		owner := n.Player
		if owner == "" {
			err = erase(ctx, device)
		} else {
			owner, err = rp.lookAfterClaim(ctx, device, owner, past, give)
		}
		if err == nil && keep != nil {
			err = keep(ctx, device, owner)
		}
		if err != nil {
			return done, redis.Wrap("look after the claim of "+device, err)
		}
		var p redis.Pipeline
		p.Add(upstash.Cmd("SADD", game.ClaimIndexKey, game.BanMember(device)).Idempotent(), nil) // a version without the index may have made it
		p.Add(upstash.Cmd("HDEL", game.ClaimsKey, device).Idempotent(), nil)
		if _, err := p.Run(ctx, rp.DB.Redis); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

// lookAfterClaim gives an owner what is left of a device, or removes it if the owner is banned:
// then it returns no owner.
func (rp *Repair) lookAfterClaim(ctx context.Context, device, player string, past Pasts, give func(ctx context.Context, device, player string) error) (owner string, err error) {
	banned, err := rp.readBanned(ctx, player)
	if err != nil {
		return player, err
	}
	if !banned {
		err := (&claim{rp: rp, device: device, player: player}).merge(ctx, past)
		if err == nil && give != nil {
			err = give(ctx, device, player)
		}
		return player, err
	}
	known, err := past.read(ctx, device)
	if err != nil {
		return "", err
	}
	_, err = rp.RemoveRecent(ctx, device, known)
	return "", err
}

func (rp *Repair) readBanned(ctx context.Context, player string) (bool, error) {
	var n int64
	err := rp.DB.Ask(ctx, upstash.Cmd("SISMEMBER", game.BansKey, game.BanMember(player)), redis.IntInto(&n))
	return n == 1, err
}

// ForgetOwner keeps an erased player from getting anything more from a device: the next
// LookAfterClaims erases what the device still has, and these devices, which the player had
// claimed before. Their names go at once. It reports whether there was any.
//
// Cost: 1 billed command, 3 if the player has claimed any device.
func (rp *Repair) ForgetOwner(ctx context.Context, player string, devices []string) (forgotten bool, err error) {
	notes, err := ClaimNotes(ctx, rp.DB)
	if err != nil {
		return false, err
	}
	gone := map[string]claimNote{}
	for _, device := range devices {
		gone[device] = claimNote{}
	}
	for device, n := range notes {
		if n.Player == player {
			gone[device] = claimNote{At: n.At}
		}
	}
	put, profiles := []string{"HSET", game.ClaimsKey}, []string{"HDEL", game.ProfilesKey}
	for device, n := range gone {
		record, err := n.record()
		if err != nil {
			return true, err
		}
		put, profiles = append(put, device, record), append(profiles, device, game.OwnProfile(device))
	}
	if len(gone) == 0 {
		return false, nil
	}
	var p redis.Pipeline
	p.Add(upstash.Cmd(put...).Idempotent(), nil)
	p.Add(upstash.Cmd(profiles...).Idempotent(), nil) // the archive has deleted them
	_, err = p.Run(ctx, rp.DB.Redis)
	return true, redis.Wrap("forget the owner of devices", err)
}
