package api

import (
	"context"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/activity"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/claim"
	"github.com/framedle/leaderboards/internal/deadletters"
	"github.com/framedle/leaderboards/internal/devices"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/earnings"
	"github.com/framedle/leaderboards/internal/friends/lists"
	"github.com/framedle/leaderboards/internal/friendships"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/people"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/play/once"
	"github.com/framedle/leaderboards/internal/presence"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/race"
	"github.com/framedle/leaderboards/internal/removal"
	"github.com/framedle/leaderboards/internal/repair"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/internal/roster"
	"github.com/framedle/leaderboards/internal/status"
	"github.com/framedle/leaderboards/internal/usage"
	"github.com/framedle/leaderboards/internal/viewing"
	"github.com/framedle/leaderboards/internal/wallet"
)

// Config is what New makes an API of.
type Config struct {
	Game    *game.Game
	Now     func() time.Time
	Log     *slog.Logger
	Secret  auth.Secret // for ids that nobody may guess
	Codes   friendships.Codes
	LiveURL string // where callers are sent for streams; empty: nowhere
	Plan    int64  // commands a month in Upstash's plan; 0: the free plan's

	// The boards, and what decides who may play.
	Gate   *gate.Keeper
	Boards *board.Store
	// Beside is told of scores before they are written; the caller calls done after the
	// write, and done waits until those who watch have been told.
	Beside   func(...game.Submission) (done func())
	Activity *activity.Activity // nil: the game has none
	Calendar *rollup.Calendar
	Notices  *notices.Notices
	Profiles *profiles.Profiles
	Lists    *lists.Lists
	Repair   *repair.Repair
	Devices  *auth.Devices // nil: no device token is taken
	Groups   *roster.Groups

	Wallets  *wallet.Wallets
	Presence *presence.Presence // nil: nobody is counted

	Plays *play.Dealer
	Races *race.Store // nil: the game has none
	Held  HeldPlays
	Sent  *once.Records

	// What Postgres adds.
	History History // nil without Postgres
	Lost    func()  // called when the history has a board that Redis has lost; may be nil
}

// Services are what single functions need in addition to the API. The comments name the
// functions; in the others they may be missing.
type Services struct {
	Removals *removal.Service    // of me and ops
	People   *people.Service     // of me and ops
	Claims   *claim.Service      // of me
	Leagues  earnings.Leagues    // of me; nil without Postgres, or if the game has none
	Usage    *usage.Ledger       // of ops
	Status   *status.Reporter    // of ops
	Dead     deadletters.Queues  // of ops
	Friends  friendships.Friends // of friends and graphql; nil without Postgres
	News     *roster.Roster      // of webhook
	Duels    *duel.Store         // of duel and graphql
	Races    *race.Store         // of duel
	Graphs   Graphs              // of graphql; nil: none
	Queue    Queue               // of enqueue
	Live     *viewing.Live       // of leaderboard, if the process is long-lived; else nil
}

// History answers for boards that have expired from Redis, and stores what has to outlive
// Redis. For a board that Redis still has, the API asks History only if Redis refuses, or
// says that a closed board has no entries.
type History interface {
	board.Archive
	earnings.History
	devices.History
	// NewestSubmissions returns those of one day and mode, newest first. Errors:
	// ErrHistoryAway.
	NewestSubmissions(ctx context.Context, mode string, d game.Date, limit int) ([]game.Posted, error)
}
