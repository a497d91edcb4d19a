package refill

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/repair"
	"github.com/framedle/leaderboards/upstash"
)

// Backflow reads out of Redis what an archive is to have too and no board tells
// of, and puts it back.
type Backflow struct{ store *Refill }

// NewBackflow reads the Redis of a Store.
func NewBackflow(s *Refill) Backflow { return Backflow{s} }

// scanKeys is how many keys one command of Claims looks at.
const scanKeys = 1000

// Profiles reads the profiles of some count of players, or of all where they are
// few, from a cursor on; "" is the beginning, and as next the end.
//
// Cost: 2 billed commands in 2 round trips.
func (b Backflow) Profiles(ctx context.Context, cursor string, count int) (page []game.PlayerProfile, next string, err error) {
	at := b.store.DB.Now() // nothing that is read was said later
	pairs, next, err := upstash.Scan(ctx, b.store.DB.Redis, "HSCAN", game.ProfilesKey, cursor, count)
	if err != nil {
		return nil, "", err
	}
	players := map[string]struct{}{}
	for i := 0; i < len(pairs); i += 2 {
		players[strings.TrimPrefix(pairs[i], game.OwnProfile(""))] = struct{}{}
	}
	sorted := slices.Sorted(maps.Keys(players))
	read, err := b.store.Players.ReadProfiles(ctx, sorted)
	if err != nil {
		return nil, "", rdb.Wrap("read profiles", err)
	}
	for _, player := range sorted {
		if p := read[player].Profile(); p != (game.Profile{}) {
			page = append(page, game.PlayerProfile{Player: player, Profile: p, UpdatedAt: at})
		}
	}
	return page, next, nil
}

// Bans reads who may not play, by digests.
//
// Cost: 1 billed command.
func (b Backflow) Bans(ctx context.Context) ([]string, error) {
	reply, err := b.store.DB.Redis.Do(ctx, upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return nil, rdb.Wrap("read who is banned", err)
	}
	members, err := reply.Strings()
	if err != nil {
		return nil, rdb.Wrap("read who is banned", err)
	}
	var digests []string
	for digest := range notices.Among(members).Banned {
		digests = append(digests, strings.Clone(digest))
	}
	slices.Sort(digests)
	return digests, nil
}

// RestoreBans has players refused again, by digests.
//
// Cost: 1 billed command for every 10,000.
func (b Backflow) RestoreBans(ctx context.Context, digests []string) error {
	for some := range slices.Chunk(digests, rdb.WritePage) {
		command := append([]string{"SADD", game.BansKey}, some...)
		if _, err := b.store.DB.Redis.Do(ctx, upstash.Cmd(command...).Idempotent()); err != nil {
			return rdb.Wrap("restore bans", err)
		}
	}
	b.store.Notices.Stale()
	return nil
}

// Claims reads some claims, from a cursor on; "" is the beginning, and as next the
// end. It looks at all keys of Redis, 1,000 in a step.
//
// Cost: 1 billed command, and 1 for each claim, in 2 round trips.
func (b Backflow) Claims(ctx context.Context, cursor string) (page []game.Claim, next string, err error) {
	prefix := game.ClaimDigestKey("")
	keys, next, err := upstash.ScanKeys(ctx, b.store.DB.Redis, prefix+"*", cursor, scanKeys)
	if err != nil {
		return nil, "", err
	}
	digests := make([]string, len(keys))
	for i, key := range keys {
		digests[i] = strings.TrimPrefix(key, prefix)
	}
	page, err = b.claims(ctx, digests)
	return page, next, err
}

// Claim reads the claim of one device.
//
// Cost: 1 billed command.
func (b Backflow) Claim(ctx context.Context, device string) ([]game.Claim, error) {
	return b.claims(ctx, []string{game.BanMember(device)})
}

func (b Backflow) claims(ctx context.Context, digests []string) (page []game.Claim, err error) {
	var p rdb.Pipeline
	for _, digest := range digests {
		p.Add(upstash.Cmd("HGETALL", game.ClaimDigestKey(digest)), rdb.FieldsInto(func(fields map[string]string) error {
			if len(fields) == 0 {
				return nil
			}
			ms, err := strconv.ParseInt(fields["at"], 10, 64)
			if err != nil {
				return fmt.Errorf("read a claim: %w", err)
			}
			c := game.Claim{Device: digest, Player: strings.Clone(fields["player"]), At: time.UnixMilli(ms).UTC(), Days: map[string]string{}}
			for field, record := range fields {
				if field != "at" && field != "player" {
					c.Days[strings.Clone(field)] = strings.Clone(record)
				}
			}
			page = append(page, c)
			return nil
		}))
	}
	_, err = p.Run(ctx, b.store.DB.Redis)
	return page, rdb.Wrap("read claims", err)
}

// restoreClaimScript makes a claim, unless the device has an owner.
//
// KEYS: the claim. ARGV: fields and values…
// Answer: {calls, 1 where it was made}
var restoreClaimScript = upstash.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return {1, 0} end
redis.call('HSET', KEYS[1], unpack(ARGV))
return {2, 1}
`, rdb.FirstInt)

// RestoreClaims makes claims that are not there, and tells how many.
//
// Cost: 2 billed commands for each.
func (b Backflow) RestoreClaims(ctx context.Context, claims []game.Claim) (made int, err error) {
	for some := range slices.Chunk(claims, repair.ReworkChunk) {
		n := 0
		var p rdb.Pipeline
		for _, c := range some {
			args := []string{"player", c.Player, "at", rdb.Itoa(c.At.UnixMilli())}
			for field, record := range c.Days {
				args = append(args, field, record)
			}
			p.Add(restoreClaimScript.Command([]string{game.ClaimDigestKey(c.Device)}, args...).Idempotent(), func(reply upstash.Reply) error {
				answer, err := reply.Array()
				if err != nil {
					return err
				}
				if len(answer) != 2 {
					return rdb.WrongShape("whether a claim was made", len(answer))
				}
				one, err := answer[1].Int64()
				n += int(one)
				return err
			})
		}
		if _, err := p.Run(ctx, b.store.DB.Redis); err != nil {
			return made, rdb.Wrap("restore claims", err)
		}
		made += n
	}
	return made, nil
}
