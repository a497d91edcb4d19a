package jobs

import (
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/feature/wallet/walletstore"
	"github.com/framedle/leaderboards/internal/game"
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
