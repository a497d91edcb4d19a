package costday

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/lab/people"
)

// befriend writes every player's list of friends.
func (s *run) befriend(ctx context.Context) error {
	a, err := s.start()
	if err != nil {
		return err
	}
	all := make([]friend.Lists, len(s.crowd.all))
	for i, player := range s.crowd.all {
		ids := people.Friends(s.crowd.all, i)
		slices.Sort(ids)
		all[i] = friend.Lists{Player: player.ID, Version: 1, Friends: ids}
	}
	return a.Lists().Write(ctx, all)
}
