package clerk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// How much a process remembers of players' groups, so that asking for a group that one does
// not belong to costs a command a minute.
const (
	rememberMembers = 4096
	membersFresh    = time.Minute
)

// Groups reads which players belong to which groups. It is safe for concurrent use.
type Groups struct {
	redis *upstash.Client
	began time.Time
	known *lru.Cache[string, members]
}

type members struct {
	groups []string
	at     time.Duration
}

// NewGroups makes a Groups that reads what a Roster has kept.
func NewGroups(redis *upstash.Client) *Groups {
	known := lru.New[string, members](rememberMembers)
	return &Groups{redis, time.Now(), known}
}

// Has reports whether a player belongs to all of the groups. The answer is at most a minute
// old.
//
// Cost: 1 billed command, or none within a minute.
func (g *Groups) Has(ctx context.Context, player string, groups []string) (bool, error) {
	now := time.Since(g.began)
	of, ok := g.known.Get(player)
	if !ok || now-of.at >= membersFresh {
		read, err := g.read(ctx, player)
		if err != nil {
			return false, fmt.Errorf("read the groups of %s: %w", player, err)
		}
		of = members{read, now}
		g.known.Add(player, of)
	}
	return !slices.ContainsFunc(groups, func(group string) bool { return !slices.Contains(of.groups, group) }), nil
}

// Of lists the groups that a player belongs to now.
//
// Cost: 1 billed command.
func (g *Groups) Of(ctx context.Context, player string) ([]string, error) {
	groups, err := g.read(ctx, player)
	if err != nil {
		return nil, fmt.Errorf("read the groups of %s: %w", player, err)
	}
	return groups, nil
}

func (g *Groups) read(ctx context.Context, player string) ([]string, error) {
	reply, err := g.redis.Do(ctx, upstash.Cmd("HGET", game.GroupsKey, player))
	if err != nil {
		return nil, err
	}
	record, err := redis.Text(reply)
	if err != nil {
		return nil, err
	}
	var groups []string
	for one := range strings.FieldsSeq(record) {
		_, group, _ := strings.Cut(one, "=")
		groups = append(groups, strings.Clone(group))
	}
	return groups, nil
}
