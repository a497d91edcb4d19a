package activity

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// Peers are the other players with whom each player had to do on a date, in acts that count,
// over all groups: the given ones and those of the rules. It is empty if no act of the date
// is stored any more.
//
// Cost: 1 billed command for each group and each further 20,000 acts; 1 more if messages may
// be within a burst of the day before.
func (a *Activity) Peers(ctx context.Context, d game.Date, groups []string) (map[string][]string, error) {
	if a.unknown != nil {
		return nil, a.unknown
	}
	all := slices.Concat(groups, a.rules.Groups, slices.Collect(maps.Keys(a.rules.Zones)))
	slices.Sort(all)
	met := map[string]map[string]struct{}{}
	for _, group := range slices.Compact(all) {
		read, err := reading{a}.acts(ctx, groupDay{group, d})
		if err != nil {
			return nil, redis.Wrap("read who had to do with whom on "+d.String(), err)
		}
		for player, t := range Of(a.rules, read.acts, read.before) {
			if a.Notices.Has(player) {
				continue
			}
			if met[player] == nil {
				met[player] = map[string]struct{}{}
			}
			maps.Copy(met[player], t.Peers)
		}
	}
	peers := make(map[string][]string, len(met))
	for player, others := range met {
		peers[player] = slices.Sorted(maps.Keys(others))
	}
	return peers, nil
}
