package derive

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// The groups that a player has played in are kept besides the boards, for erasures: the cost
// of erasing a player then depends on the player's groups only, however many groups there are.
// They are written with the play, before anything of the play can be lost, and once per
// process for a player and group.

// GroupsFresh is how long a process relies on having written a player's group. What an erasure
// leaves behind for a while must live longer than that: see erasureAge in package lifecycle.
const GroupsFresh = 6 * time.Hour

// Groups keeps which groups players have played in. It is safe for concurrent use.
type PlayedGroups struct {
	db      *redis.DB
	rollup  *Rollup
	grouped *lru.Cache[Group, time.Time] // players' groups this process has written, and when
}

func NewPlayed(db *redis.DB, notices *control.Notices, rollup *Rollup) *PlayedGroups {
	gp := &PlayedGroups{db: db, rollup: rollup, grouped: lru.New[Group, time.Time](RememberPlayers)}
	notices.OnLoss(gp.grouped.Purge)
	return gp
}

// Group is one member of game.GroupsPlayedKey.
type Group struct {
	Player string
	Group  game.Scope
}

// Keep queues those groups that this process has not written recently, in one command for any
// number of players, and returns them.
func (gp *PlayedGroups) Keep(p *redis.Pipeline, players []Group) []Group {
	var news []Group
	command := []string{"ZADD", game.GroupsPlayedKey}
	seen := map[Group]bool{}
	for _, at := range players {
		if !at.Group.Written() || seen[at] || gp.knowsGroup(at) {
			continue
		}
		seen[at] = true
		news = append(news, at)
		command = append(command, "0", game.GroupPlayed(at.Player, at.Group))
	}
	if len(news) > 0 {
		p.Add(upstash.Cmd(command...).Idempotent(), nil)
	}
	return news
}

func (gp *PlayedGroups) knowsGroup(at Group) bool {
	wrote, known := gp.grouped.Get(at)
	age := gp.db.Now().Sub(wrote)
	return known && age.Abs() < GroupsFresh
}

// Wrote remembers groups that Keep has queued, once Redis has answered.
func (gp *PlayedGroups) Wrote(groups []Group) {
	for _, at := range groups {
		gp.grouped.Add(at, gp.db.Now())
	}
}

// Put writes one group of many players.
//
// Cost: 1 billed command for every 10,000.
func (gp *PlayedGroups) Put(ctx context.Context, group game.Scope, players []string) error {
	if !group.Written() {
		return nil
	}
	for some := range slices.Chunk(players, redis.WritePage) {
		command := []string{"ZADD", game.GroupsPlayedKey}
		for _, player := range some {
			command = append(command, "0", game.GroupPlayed(player, group))
		}
		if _, err := gp.db.Redis.Do(ctx, upstash.Cmd(command...).Idempotent()); err != nil {
			return redis.Wrap("keep the players of "+group.String(), err)
		}
	}
	return nil
}

// Ask queues the command that reads a player's groups.
func (gp *PlayedGroups) Ask(p *redis.Pipeline, player string, into *[]game.Scope) {
	first, last := game.GroupsPlayedRange(player)
	p.Add(upstash.Cmd("ZRANGEBYLEX", game.GroupsPlayedKey, first, last), func(r upstash.Reply) error {
		members, err := r.Strings()
		if err != nil {
			return err
		}
		*into = nil
		for _, member := range members {
			_, group, err := game.ParseGroupPlayed(member)
			if err != nil {
				return err
			}
			*into = append(*into, group)
		}
		return nil
	})
}

// Learn reads the groups of players who played before the groups were kept, from the existing
// boards: once for each mode, in pages. It may run again; a mode that was cut off begins
// again. It does not find a group whose days have all left the index: its last play is older
// than the game keeps months.
//
// Cost: 1 billed command; for a mode that has not been read, 2, and 2 for every
// 10,000 members of each group's boards.
func (gp *PlayedGroups) Learn(ctx context.Context) error {
	var modes []*game.Mode
	ask := []string{"ZMSCORE", game.GroupsPlayedKey}
	for _, m := range gp.db.Game.Modes {
		if m.HasScope(game.Group) {
			modes = append(modes, m)
			ask = append(ask, game.GroupsLearned(m.Name))
		}
	}
	if len(modes) == 0 {
		return nil
	}
	done := make([]redis.Place, len(modes))
	if err := gp.db.Ask(ctx, upstash.Cmd(ask...), redis.PlacesInto(done)); err != nil {
		return redis.Wrap("look which groups are known", err)
	}
	for i, m := range modes {
		if done[i].Found {
			continue
		}
		if err := gp.learnGroups(ctx, m); err != nil {
			return redis.Wrap("learn the groups of "+m.Name, err)
		}
	}
	return nil
}

func (gp *PlayedGroups) learnGroups(ctx context.Context, m *game.Mode) error {
	_, scoped, err := gp.rollup.Calendar.Indexes(ctx, m)
	if err != nil {
		return err
	}
	for _, group := range SortedScopes(scoped) {
		keys := []string{game.RolledUpKey(game.BoardOf(m, game.AllTime.Of(game.Date{}), group).Key)}
		for _, d := range scoped[group].Dates {
			if gp.db.Alive(d) && !scoped[group].RolledUp[d] {
				keys = append(keys, game.BoardKey(m.Name, game.Day.Of(d), group))
			}
		}
		for _, key := range keys {
			err := gp.db.ScanMembers(ctx, key, func(page []redis.Member) error {
				players := make([]string, len(page))
				for i, at := range page {
					players[i] = at.Player
				}
				return gp.Put(ctx, group, players)
			})
			if err != nil {
				return err
			}
		}
	}
	_, err = gp.db.Redis.Do(ctx, upstash.Cmd("ZADD", game.GroupsPlayedKey, "0", game.GroupsLearned(m.Name)).Idempotent())
	return err
}

// Forget makes Keep write the group of a player again: its entry is deleted.
func (gp *PlayedGroups) Forget(at Group) { gp.grouped.Remove(at) }
