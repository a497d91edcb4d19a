package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// claimsPage is about how many members of the index one call of Claims reads: each costs one
// more command. Redis returns small sets, up to 128 members, at once.
const claimsPage = 50

// Claims reads some claims, from a cursor on; "" is the beginning, and next "" the end. It
// follows the index, and removes entries without a claim from it.
//
// Cost: 1 billed command, and 1 for each claim, in 2 round trips; 2 more, in one
// more, for each digest without a claim.
func (b Backflow) Claims(ctx context.Context, cursor string) (page []game.Claim, next string, err error) {
	digests, next, err := upstash.Scan(ctx, b.store.DB.Redis, "SSCAN", game.ClaimIndexKey, cursor, claimsPage)
	if err != nil {
		return nil, "", err
	}
	if page, err = b.ClaimsOf(ctx, digests...); err != nil {
		return nil, "", err
	}
	claimed := map[string]struct{}{}
	for _, c := range page {
		claimed[c.Device] = struct{}{}
	}
	return page, next, b.forgetClaims(ctx, slices.DeleteFunc(digests, func(digest string) bool {
		_, is := claimed[digest]
		return is
	}))
}

// ClaimsOf reads the claims of devices, by digest. It leaves out devices without a claim.
//
// Cost: 1 billed command for each.
func (b Backflow) ClaimsOf(ctx context.Context, digests ...string) (claims []game.Claim, err error) {
	for some := range slices.Chunk(digests, ReworkChunk) {
		var p redis.Pipeline
		for _, digest := range some {
			p.Add(upstash.Cmd("HGETALL", game.ClaimDigestKey(digest)), redis.FieldsInto(func(fields map[string]string) error {
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
				claims = append(claims, c)
				return nil
			}))
		}
		if _, err := p.Run(ctx, b.store.DB.Redis); err != nil {
			return nil, redis.Wrap("read claims", err)
		}
	}
	return claims, nil
}

// forgetClaimScript removes a digest from the index, unless the device has been claimed
// meanwhile.
//
// KEYS: the claim, index
// ARGV: digest
// Answer: {calls}
var forgetClaimScript = redis.NewScript(`
if call('EXISTS', KEYS[1]) == 0 then call('SREM', KEYS[2], ARGV[1]) end
return answer()
`)

func (b Backflow) forgetClaims(ctx context.Context, digests []string) error {
	var p redis.Pipeline
	for _, digest := range digests {
		p.Add(forgetClaimScript.Command([]string{game.ClaimDigestKey(digest), game.ClaimIndexKey}, digest).Idempotent(), nil)
	}
	_, err := p.Run(ctx, b.store.DB.Redis)
	return redis.Wrap("take what is no claim out of the index", err)
}

// IndexClaims adds devices to the index, by digest. Devices without a claim are removed again
// when the index is read.
//
// Cost: 1 billed command for every 10,000.
func (b Backflow) IndexClaims(ctx context.Context, digests []string) error {
	for some := range slices.Chunk(digests, redis.WritePage) {
		command := append([]string{"SADD", game.ClaimIndexKey}, some...)
		if _, err := b.store.DB.Redis.Do(ctx, upstash.Cmd(command...).Idempotent()); err != nil {
			return redis.Wrap("put claims into the index", err)
		}
	}
	return nil
}

// restoreClaimScript makes a claim, unless the device has an owner. In both cases it adds the
// device to the index.
//
// KEYS: the claim, index
// ARGV: digest, fields and values…
// Answer: {calls, 1 where it was made}
var restoreClaimScript = redis.NewScript(`
call('SADD', KEYS[2], ARGV[1])
if call('EXISTS', KEYS[1]) == 1 then return answer(0) end
call('HSET', KEYS[1], unpack(ARGV, 2))
return answer(1)
`)

// RestoreClaims makes the missing claims, and returns their number.
//
// Cost: 3 billed commands for each.
func (b Backflow) RestoreClaims(ctx context.Context, claims []game.Claim) (made int, err error) {
	for some := range slices.Chunk(claims, ReworkChunk) {
		n := 0
		var p redis.Pipeline
		for _, c := range some {
			args := []string{c.Device, "player", c.Player, "at", redis.Itoa(c.At.UnixMilli())}
			for field, record := range c.Days {
				args = append(args, field, record)
			}
			keys := []string{game.ClaimDigestKey(c.Device), game.ClaimIndexKey}
			p.Add(restoreClaimScript.Command(keys, args...).Idempotent(), func(reply upstash.Reply) error {
				one, err := redis.Count(reply, "whether a claim was made")
				n += int(one)
				return err
			})
		}
		if _, err := p.Run(ctx, b.store.DB.Redis); err != nil {
			return made, redis.Wrap("restore claims", err)
		}
		made += n
	}
	return made, nil
}
