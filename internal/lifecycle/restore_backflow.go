package lifecycle

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Backflow reads from Redis what an archive should have too and is on no board, and puts it
// back.
type Backflow struct{ store *Restore }

// NewBackflow reads the Redis of a Store.
func NewBackflow(s *Restore) Backflow { return Backflow{s} }

// Profiles reads the profiles of about count players from a cursor on, or of all players if
// they are few. The cursor "" is the beginning, and next "" the end.
//
// Cost: 2 billed commands in 2 round trips.
func (b Backflow) Profiles(ctx context.Context, cursor string, count int) (page []game.PlayerProfile, next string, err error) {
	at := b.store.DB.Now() // everything that is read was known by then
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
		return nil, "", redis.Wrap("read profiles", err)
	}
	for _, player := range sorted {
		if p := read[player].Profile(); p != (game.Profile{}) {
			page = append(page, game.PlayerProfile{Player: player, Profile: p, UpdatedAt: at})
		}
	}
	return page, next, nil
}

// Bans reads the bans, by digest.
//
// Cost: 1 billed command.
func (b Backflow) Bans(ctx context.Context) ([]string, error) {
	reply, err := b.store.DB.Redis.Do(ctx, upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return nil, redis.Wrap("read who is banned", err)
	}
	members, err := reply.Strings()
	if err != nil {
		return nil, redis.Wrap("read who is banned", err)
	}
	var digests []string
	for digest := range control.Among(members).Banned {
		digests = append(digests, strings.Clone(digest))
	}
	slices.Sort(digests)
	return digests, nil
}

// RestoreBans bans players again, by digest. It leaves out what is no digest: an earlier
// version that did not know all notices may have archived such entries.
//
// Cost: 1 billed command for every 10,000.
func (b Backflow) RestoreBans(ctx context.Context, digests []string) error {
	digests = slices.DeleteFunc(slices.Clone(digests), func(digest string) bool { return strings.Contains(digest, ":") })
	for some := range slices.Chunk(digests, redis.WritePage) {
		command := append([]string{"SADD", game.BansKey}, some...)
		if _, err := b.store.DB.Redis.Do(ctx, upstash.Cmd(command...).Idempotent()); err != nil {
			return redis.Wrap("restore bans", err)
		}
	}
	b.store.Notices.Stale()
	return nil
}

// LiftBans lets players in again, by digests.
//
// Cost: nothing for none, else 1 billed command.
func (b Backflow) LiftBans(ctx context.Context, digests []string) error {
	if len(digests) == 0 {
		return nil
	}
	_, err := b.store.DB.Redis.Do(ctx, upstash.Cmd(append([]string{"SREM", game.BansKey}, digests...)...).Idempotent())
	b.store.Notices.Stale()
	return redis.Wrap("lift bans", err)
}
