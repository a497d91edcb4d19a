package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ReturnProfiles puts back what Redis lacks of the profiles of players whose entries of a day were
// put back. What Redis knows that is newer stays, and players who are erased stay so. archived
// reads profiles from the archive.
//
// Cost: 3 billed commands; up to 6 more if something is missing.
func (rs *Restore) ReturnProfiles(ctx context.Context, m *game.Mode, d game.Date, players []string, archived func(context.Context, []string) ([]game.PlayerProfile, error)) error {
	before, err := ReadTaken(ctx, rs.DB, m.Name, d)
	if err != nil {
		return err
	}
	players = slices.DeleteFunc(slices.Clone(players), func(owner string) bool { return before.Erased[owner] })
	kept, err := archived(ctx, players)
	if err != nil || len(kept) == 0 {
		return err
	}
	has, err := rs.Players.ReadProfiles(ctx, players)
	if err != nil {
		return redis.Wrap("return profiles", err)
	}
	var missing []game.PlayerProfile
	var older []player.ProfileWrite
	var hidden []string
	for _, p := range kept {
		switch known := has[p.Player].Profile(); {
		case known == game.Profile{}:
			missing = append(missing, p)
		case known != p.Profile:
			if p.Hidden && !known.Hidden {
				hidden = append(hidden, p.Player)
			}
			older = append(older, player.ProfileWrite{Player: p.Player, New: p.Profile, At: p.UpdatedAt, Late: true})
		}
	}
	if err := rs.RestoreProfiles(ctx, missing); err != nil {
		return err
	}
	if err := rs.Players.KeepAgain(ctx, older); err != nil {
		return err
	}
	var hide redis.Pipeline
	for _, owner := range hidden {
		hide.Add(upstash.Cmd("HSETNX", game.ProfilesKey, game.OwnProfile(owner), player.OwnRecord(game.Profile{Hidden: true})).Idempotent(), nil)
	}
	if _, err := hide.Run(ctx, rs.DB.Redis); err != nil {
		return redis.Wrap("return profiles", err)
	}
	for _, p := range kept {
		rs.Players.Directory.Forget(p.Player)
	}
	return rs.eraseAgain(ctx, m, d, kept)
}

// eraseAgain takes back the profiles of players who were erased while they were put back.
func (rs *Restore) eraseAgain(ctx context.Context, m *game.Mode, d game.Date, put []game.PlayerProfile) error {
	now, err := ReadTaken(ctx, rs.DB, m.Name, d)
	if err != nil {
		return err
	}
	var p redis.Pipeline
	for _, t := range put {
		if now.Erased[t.Player] {
			p.Add(upstash.Cmd("HDEL", game.ProfilesKey, t.Player, game.OwnProfile(t.Player)).Idempotent(), nil)
			p.Add(upstash.Cmd("ZREM", game.CountriesKey, t.Player).Idempotent(), nil)
		}
	}
	_, err = p.Run(ctx, rs.DB.Redis)
	return redis.Wrap("take back profiles of erased players", err)
}
