package jobs

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/presence"
	"github.com/framedle/leaderboards/internal/feature/wallet/walletstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/port"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/standings"
)

// Features are the features that take part in what time does to boards, in this order: wallets
// before badges. The archive and awarded, which is called with the number of players who were
// given a badge, may be nil.
func Features(g *game.Game, s *standings.Parts, kept *archive.Archive, now func() time.Time, awarded func(rule string, players int)) []any {
	return []any{
		&walletstore.Store{Game: g, DB: s.DB, Control: s.Notices, Books: s.Wallets.Books(), Archive: kept, Now: now},
		&badgestore.Store{Game: g, Boards: s.Boards, Control: s.Notices, Activity: s.Activity, Archive: kept, Now: now, Awarded: awarded},
	}
}

// erasers are the features that have something of a player, in the order in which an erasure runs
// through them. The service of friends may be nil.
func erasers(a *app.App, known *friend.Service) []any {
	s := a.Store()
	list := []any{Duels(a, nil), Races(a, nil), a.Held(), s.Wallets, s.Activity, league.Records{DB: s.DB}}
	if a.Game().Presence {
		list = append(list, presence.New(a.Redis(), a.Now, nil))
	}
	if known != nil {
		list = append(list, known)
	}
	return list
}

// erase erases a player from features.
func erase(features []any) func(context.Context, string) error {
	return func(ctx context.Context, player string) error {
		return port.All(features, func(f port.Eraser) error { return f.Erase(ctx, player) })
	}
}
