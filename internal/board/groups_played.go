package board

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Which groups a player has played in is kept beside the boards, for the day
// on which the player is erased: so that costs what the player has, whatever
// groups others have. It is written with the play, before anything of the play
// can be lost, and by a process once for a player and group.

// groupsFresh is how long a process relies on having written a player's group.
// What an erasure leaves on its way out must outlive that: see erasureAge.
const groupsFresh = 6 * time.Hour

// groupPlayed is one member of game.GroupsPlayedKey.
type groupPlayed struct {
	player string
	group  game.Scope
}

// keepGroups queues the groups that this process has not written of late, in
// one command for any number of players, and returns them.
func (s *Store) keepGroups(p *pipeline, players []groupPlayed) []groupPlayed {
	var news []groupPlayed
	command := []string{"ZADD", game.GroupsPlayedKey}
	seen := map[groupPlayed]bool{}
	for _, at := range players {
		if at.group.Kind() != game.Group || seen[at] || s.knowsGroup(at) {
			continue
		}
		seen[at] = true
		news = append(news, at)
		command = append(command, "0", game.GroupPlayed(at.player, at.group))
	}
	if len(news) > 0 {
		p.add(upstash.Cmd(command...).Idempotent(), nil)
	}
	return news
}

func (s *Store) knowsGroup(at groupPlayed) bool {
	wrote, known := s.grouped.Get(at)
	age := s.now().Sub(wrote)
	return known && age.Abs() < groupsFresh
}

// wroteGroups remembers what keepGroups has queued, and Redis has answered.
func (s *Store) wroteGroups(groups []groupPlayed) {
	for _, at := range groups {
		s.grouped.Add(at, s.now())
	}
}

// putGroup writes a group of many players.
//
// Cost: 1 billed command for every 10,000.
func (s *Store) putGroup(ctx context.Context, group game.Scope, players []string) error {
	if group.Kind() != game.Group {
		return nil
	}
	for some := range slices.Chunk(players, writePage) {
		command := []string{"ZADD", game.GroupsPlayedKey}
		for _, player := range some {
			command = append(command, "0", game.GroupPlayed(player, group))
		}
		if _, err := s.redis.Do(ctx, upstash.Cmd(command...).Idempotent()); err != nil {
			return wrap("keep the players of "+group.String(), err)
		}
	}
	return nil
}

// askGroups queues what reads a player's groups.
func (s *Store) askGroups(p *pipeline, player string, into *[]game.Scope) {
	first, last := game.GroupsPlayedRange(player)
	p.add(upstash.Cmd("ZRANGEBYLEX", game.GroupsPlayedKey, first, last), func(r upstash.Reply) error {
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

// LearnGroups reads the groups of players who played before they were kept from
// the boards that there are: once for each mode, in pages. It may run again, and
// begins a mode again where it was cut off. A group whose days have all left the
// index, its last play being older than the game keeps months, is not found.
//
// Cost: 1 billed command; for a mode that has not been read, 2, and 2 for every
// 10,000 members of each group's boards.
func (s *Store) LearnGroups(ctx context.Context) error {
	var modes []*game.Mode
	ask := []string{"ZMSCORE", game.GroupsPlayedKey}
	for _, m := range s.game.Modes {
		if m.HasScope(game.Group) {
			modes = append(modes, m)
			ask = append(ask, game.GroupsLearned(m.Name))
		}
	}
	if len(modes) == 0 {
		return nil
	}
	done := make([]place, len(modes))
	var p pipeline
	p.add(upstash.Cmd(ask...), placesInto(done))
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("look which groups are known", err)
	}
	for i, m := range modes {
		if done[i].found {
			continue
		}
		if err := s.learnGroups(ctx, m); err != nil {
			return wrap("learn the groups of "+m.Name, err)
		}
	}
	return nil
}

func (s *Store) learnGroups(ctx context.Context, m *game.Mode) error {
	_, scoped, err := s.allDays(ctx, m)
	if err != nil {
		return err
	}
	for _, group := range sortedScopes(scoped) {
		keys := []string{game.FoldedKey(BoardOf(m, game.AllTime.Of(game.Date{}), group).Key)}
		for _, d := range scoped[group].dates {
			if s.alive(d) && !scoped[group].folded[d] {
				keys = append(keys, game.BoardKey(m.Name, game.Day.Of(d), group))
			}
		}
		for _, key := range keys {
			err := s.scanMembers(ctx, key, func(page []member) error {
				players := make([]string, len(page))
				for i, at := range page {
					players[i] = at.player
				}
				return s.putGroup(ctx, group, players)
			})
			if err != nil {
				return err
			}
		}
	}
	_, err = s.redis.Do(ctx, upstash.Cmd("ZADD", game.GroupsPlayedKey, "0", game.GroupsLearned(m.Name)).Idempotent())
	return err
}
