package api

import (
	"context"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/feature/device"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/feature/friend/friendapi"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/feature/play/once"
	"github.com/framedle/leaderboards/internal/feature/presence"
	"github.com/framedle/leaderboards/internal/feature/queue/deadletters"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/lifecycle/recompute"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/player"
)

// Config is what New makes an API of.
type Config struct {
	Game    *game.Game
	Now     func() time.Time
	Log     *slog.Logger
	Secret  auth.Secret // for ids that nobody may guess
	Codes   friendapi.Codes
	LiveURL string // where callers are sent for streams; empty: nowhere
	Plan    int64  // commands a month in Upstash's plan; 0: the free plan's

	// The boards, and what decides who may play.
	Gate   *gate.Keeper
	Boards *leaderboard.Store
	// Beside is told of scores before they are written; the caller calls done after the
	// write, and done waits until those who watch have been told.
	Beside   func(...game.Submission) (done func())
	Activity *activity.Activity // nil: the game has none
	Calendar *derive.Calendar
	Notices  *control.Notices
	Profiles *player.Profiles
	Lists    *friend.Cache
	Repair   *recompute.Repair
	Devices  *auth.Devices // nil: no device token is taken
	Groups   *clerk.Groups

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
	Removals *recompute.Service  // of me and ops
	People   *playerdata.Service // of me and ops
	Claims   *device.Claims      // of me
	Leagues  league.Reader       // of me; nil without Postgres, or if the game has none
	Usage    *usage.Ledger       // of ops
	Status   *status.Reporter    // of ops
	Dead     deadletters.Queues  // of ops
	Friends  friendapi.Friends   // of friends and graphql; nil without Postgres
	News     *clerk.Roster       // of webhook
	Duels    *duel.Store         // of duel and graphql
	Races    *race.Store         // of duel
	Graphs   Graphs              // of graphql; nil: none
	Queue    Queue               // of enqueue
	Live     *live.Live          // of leaderboard, if the process is long-lived; else nil
}

// History answers for boards that have expired from Redis, and stores what has to outlive
// Redis. For a board that Redis still has, the API asks History only if Redis refuses, or
// says that a closed board has no entries.
type History interface {
	leaderboard.Archive
	badge.Reader
	device.History
	// NewestSubmissions returns those of one day and mode, newest first. Errors:
	// ErrHistoryAway.
	NewestSubmissions(ctx context.Context, mode string, d game.Date, limit int) ([]game.Posted, error)
}
