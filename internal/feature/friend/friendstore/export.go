package friendstore

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// exported is another player, and the time since which the relation exists, if known.
type exported struct {
	Player string     `json:"player"`
	Since  *time.Time `json:"since,omitempty"`
}

// Export is what is kept of a player's friends. Without an archive, which may be nil, it is the
// copy in Redis.
func Export(lists *friend.Cache, kept *archive.Archive) playerdata.Source {
	return playerdata.Source{About: func(ctx context.Context, player string) (playerdata.Fields, bool, error) {
		var r friend.Relations
		var invites []friend.OpenInvite
		var err error
		if kept == nil {
			var copied friend.Lists
			copied, err = lists.Of(ctx, player)
			r.Blocked = copied.Blocked
			for _, other := range copied.Friends {
				r.Friends = append(r.Friends, friend.Relation{Player: other})
			}
		} else if invites, err = In(kept).InvitesOf(ctx, player); err == nil {
			r, err = In(kept).Relations(ctx, player)
		}
		known := len(r.Friends)+len(r.Received)+len(r.Sent)+len(r.Blocked)+len(invites) > 0
		return playerdata.Fields{
			"friends": export(r.Friends), "requests_received": export(r.Received), "requests_sent": export(r.Sent),
			"blocked": append([]string{}, r.Blocked...), "invites": append([]friend.OpenInvite{}, invites...),
		}, known, err
	}}
}

func export(all []friend.Relation) []exported {
	rows := make([]exported, len(all))
	for i, r := range all {
		rows[i].Player = r.Player
		if since := r.Since.UTC(); !since.IsZero() {
			rows[i].Since = &since
		}
	}
	return rows
}
