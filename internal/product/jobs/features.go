package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/activity/activitystore"
	"github.com/framedle/leaderboards/internal/feature/audit/auditstore"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/feature/clerk/clerkstore"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/feature/friend/friendstore"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/feature/play/reviewstore"
	"github.com/framedle/leaderboards/internal/feature/presence"
	"github.com/framedle/leaderboards/internal/feature/race/racestore"
	"github.com/framedle/leaderboards/internal/feature/wallet/walletstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Tables are the tables of features, in the order in which an erasure runs through them.
func Tables() []archive.Tables {
	return []archive.Tables{
		duelstore.Tables(),
		racestore.Tables(),
		activitystore.Tables(),
		leaguestore.Tables(),
		reviewstore.Tables(),
		clerkstore.Tables(),
		walletstore.Tables(),
		badgestore.Tables(),
		friendstore.Tables(),
		auditstore.Tables(),
	}
}

// Features are the features that take part in what time does to boards, in this order: wallets
// before badges. over is called for a group's day that is over, and awarded with the number of
// players who were given a badge. Both, and the archive, may be nil.
func Features(a *app.App, kept *archive.Archive, over func(ctx context.Context, group string, d game.Date) error, awarded func(rule string, players int)) []any {
	list := []any{
		&walletstore.Store{Game: a.Game(), DB: a.Store().DB, Control: a.Store().Notices, Books: a.Wallets().Books(), Archive: kept, Now: a.Now},
		&badgestore.Store{
			Game: a.Game(), Boards: a.Store().Boards, Control: a.Store().Notices, Activity: a.Activity(), Archive: kept, Now: a.Now, Awarded: awarded,
		},
	}
	if kept != nil {
		list = append(list, auditstore.Store{Game: a.Game(), Kept: auditstore.In(kept)})
	}
	if days := a.Activity(); days != nil && kept != nil {
		list = append(list, activity.Keeping{Activity: days, Kept: activitystore.In(kept), Returns: true, Over: over})
	}
	return list
}

// erasers are the features that have something of a player, in the order in which an erasure runs
// through them. The archive may be nil.
func erasers(a *app.App, kept *archive.Archive) []any {
	list := []any{
		Duels(a, nil),
		Races(a, nil),
		a.HeldPlays(),
		a.Wallets(),
		a.Activity(),
		league.Records{DB: a.Store().DB},
	}
	if presence.Enabled(a.Game()) {
		list = append(list, presence.New(a.Redis(), a.Now, nil))
	}
	if friends := Friends(a, kept); friends != nil {
		list = append(list, friends)
	}
	return list
}

// erase erases a player from features.
func erase(features []any) func(context.Context, string) error {
	return func(ctx context.Context, player string) error {
		return lifecycle.All(features, func(f lifecycle.Eraser) error { return f.Erase(ctx, player) })
	}
}
