package lifecycle

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ErrClaimed is returned for a device that another player has claimed.
var ErrClaimed = fault.New("device-taken", "another player has claimed this device")

// ClaimReport is what a player has received from a device.
type ClaimReport struct {
	At   time.Time    // of the claim
	Days []ClaimedDay // days that still took changes, by date, then in the order of the game's modes
}

// ClaimedDay is what happened to a device's entry of one day.
type ClaimedDay struct {
	Mode   *game.Mode
	Date   game.Date
	Status game.Status // Accepted, Improved or Kept: what the player's own entry did
	Score  game.Score  // the player's score after it

	scopes []game.Scope // groups and levels that either was on
}

// Record is the claim of a device as an archive keeps it.
func (c ClaimReport) Record(device, player string) game.Claim {
	kept := game.Claim{Device: game.BanMember(device), Player: game.BanMember(player), At: c.At, Days: map[string]string{}}
	for _, day := range c.Days {
		kept.Days[day.field()] = day.String()
	}
	return kept
}

// Pasts reads what the archive has of a player; nil: there is no archive.
type Pasts func(ctx context.Context, player string) (*ArchivedPlayer, error)

func (read Pasts) read(ctx context.Context, player string) (*ArchivedPlayer, error) {
	if read == nil {
		return nil, nil
	}
	return read(ctx, player)
}

// claimScript gives a device to a player for good, puts it into the index of claims, and notes
// that the claim is to be looked after; so the player has something again, if erased today. Claims of versions without the index enter the index
// when they are sent again.
//
// KEYS: the claim, claims, index, erasures of the player today
// ARGV: player's digest, milliseconds, device, note, device's digest, mark of an erasure
// Answer: {calls, "own" | "other"}
var claimScript = redis.NewScript(`
local owner = call('HGET', KEYS[1], 'player')
if owner and owner ~= ARGV[1] then return answer('other') end
if not owner then call('HSET', KEYS[1], 'player', ARGV[1], 'at', ARGV[2]) end
call('SADD', KEYS[3], ARGV[5])
if call('HSETNX', KEYS[2], ARGV[3], ARGV[4]) == 1 then call('ZREM', KEYS[4], ARGV[6]) end
return answer('own')
`)

// Claim gives a player what a device has played on all days that may still change, as if the
// player had played it. Each mode's policy decides between the two: the earlier play counts
// under first, the better under best, the later under latest; sums are added up, within the
// day's bounds. Rolled-up days stay with the device.
//
// A device has one owner for good. If the owner claims it again, Claim answers the same and
// finishes what was cut off. LookAfterClaims also finishes it, and moves what the device could
// still play before every process knew of the claim.
//
// Cost: 6 billed commands, 1 for each mode, 1 more for each with scopes, and 1 for each mode's
// day that may change; for each of these days that the device has played some 30, 1 where it
// has played in groups, 2 for each group with a board of that day, and some 15 for each group
// that either was in. 2 where another player has the device.
//
// Errors: ErrClaimed, ErrRollingUp, ErrVanished.
func (rp *Repair) Claim(ctx context.Context, device, player string, past Pasts) (ClaimReport, error) {
	note, err := claimNote{Player: player, At: rp.DB.Now()}.record()
	if err != nil {
		return ClaimReport{}, err
	}
	erasures := game.ErasureKey(game.DateOf(rp.DB.Now()), player)
	reply, err := rp.DB.Redis.Do(ctx, claimScript.Command([]string{game.ClaimKey(device), game.ClaimsKey, game.ClaimIndexKey, erasures},
		game.BanMember(player), redis.Itoa(rp.DB.Now().UnixMilli()), device, note, game.BanMember(device), game.ErasureDone).Idempotent())
	if err != nil {
		return ClaimReport{}, redis.Wrap("claim "+device, err)
	}
	whose, err := redis.Word(reply, "whose the device is")
	if err != nil {
		return ClaimReport{}, err
	}
	if whose == "other" {
		return ClaimReport{}, ErrClaimed
	}
	c := &claim{rp: rp, device: device, player: player}
	err = c.merge(ctx, past)
	return c.claimed, redis.Wrap("claim "+device, err)
}

// IsClaimed reports whether a device has been claimed. 1 billed command.
func (rp *Repair) IsClaimed(ctx context.Context, device string) (bool, error) {
	there, err := rp.DB.Exists(ctx, game.ClaimKey(device))
	return there, redis.Wrap("look whose "+device+" is", err)
}

// claim is a device on its way to its owner.
type claim struct {
	rp             *Repair
	device, player string
	claimed        ClaimReport
}

// day returns what the claim has noted of a mode's day.
func (c *claim) day(m *game.Mode, d game.Date) *ClaimedDay {
	for i := range c.claimed.Days {
		if day := &c.claimed.Days[i]; day.Mode == m && day.Date == d {
			return day
		}
	}
	return nil
}

// read reads the claim.
func (c *claim) read(p *redis.Pipeline) {
	p.Add(upstash.Cmd("HGETALL", game.ClaimKey(c.device)), redis.FieldsInto(func(fields map[string]string) error {
		ms, err := strconv.ParseInt(fields["at"], 10, 64)
		if err != nil {
			return err
		}
		c.claimed = ClaimReport{At: time.UnixMilli(ms).UTC()}
		for field, record := range fields {
			if field == "at" || field == "player" {
				continue
			}
			day, known, err := parseClaimedDay(c.rp.DB.Game, field, record)
			if err != nil {
				return err
			}
			if known {
				c.claimed.Days = append(c.claimed.Days, day)
			}
		}
		c.sort()
		return nil
	}))
}

func (c *claim) sort() {
	slices.SortFunc(c.claimed.Days, func(a, b ClaimedDay) int {
		if by := a.Date.Compare(b.Date); by != 0 {
			return by
		}
		return slices.Index(c.rp.DB.Game.Modes, a.Mode) - slices.Index(c.rp.DB.Game.Modes, b.Mode)
	})
}
