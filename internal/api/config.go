package api

import (
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/activity"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/deadletters"
	"github.com/framedle/leaderboards/internal/devices"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/earnings"
	"github.com/framedle/leaderboards/internal/friendships"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/ops"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/presence"
	"github.com/framedle/leaderboards/internal/race"
	"github.com/framedle/leaderboards/internal/viewing"
	"github.com/framedle/leaderboards/internal/wallet"
)

// Config is what New makes an API of.
type Config struct {
	Game      *game.Game
	Now       func() time.Time
	Log       *slog.Logger
	Secret    auth.Secret // for ids that nobody may guess
	ProxyHops int         // see limit.Address
	LiveURL   string      // where callers are sent for streams; empty: nowhere
	Plan      int64       // commands a month in Upstash's plan; 0: the free plan's

	// The boards, and what decides who may play.
	Boards *board.Store
	// Beside is told of scores before they are written; the caller calls done after the
	// write, and done waits until those who watch have been told. Nil: nobody is told.
	Beside   func(...game.Submission) (done func())
	Activity *activity.Activity // nil: the game has none
	Calendar Calendar
	Notices  Notices
	Profiles devices.Profiles
	Lists    FriendLists
	Claimed  devices.ClaimRecords

	// Verifiers of credentials. A nil one refuses every credential of its kind.
	Sessions   gate.Sessions
	Signatures gate.Signatures
	Operators  gate.Operators
	Webhooks   gate.Webhooks
	Devices    devices.Tokens
	Groups     Groups // nil: groups come from session tokens only

	Wallets  *wallet.Wallets
	Presence *presence.Presence // nil: nobody is counted

	Limits      gate.Limits      // nil: no limits
	Idempotency gate.Idempotency // nil: answers are not kept; sums still keep their own records
	Plays       *play.Dealer
	Races       Races // nil: the game has none
	Held        HeldPlays
	Sent        SentPlays

	// What Postgres adds.
	History History // nil without Postgres
	Lost    func()  // called when the history has a board that Redis has lost; may be nil
}

// Services are what single functions need in addition to the API. The comments name the
// functions.
type Services struct {
	Removals Removed             // of me and ops
	People   People              // of me and ops
	Claims   devices.Claims      // of me
	Leagues  earnings.Leagues    // of me; nil without Postgres, or if the game has none
	Usage    ops.Usage           // of ops
	Status   ops.Status          // of ops
	Dead     deadletters.Queues  // of ops
	Friends  friendships.Friends // of friends and graphql; nil without Postgres
	News     News                // of webhook
	Duels    *duel.Store         // of duel and graphql
	Races    *race.Store         // of duel
	Queue    Queue               // of enqueue
	Graphs   Graphs              // of graphql; nil: none
	Live     *viewing.Live       // of leaderboard, if the process is long-lived; else nil
}

// Removed takes players and scores out, for operators and for players themselves.
type Removed interface {
	ops.Removals
	Erasures
}

// Notices says who is banned, and when nothing may be written.
type Notices interface {
	gate.Notices
	ops.Notices
	gate.Halts
}

// History answers for boards that have expired from Redis, and stores what has to outlive
// Redis. For a board that Redis still has, the API asks History only if Redis refuses, or
// says that a closed board has no entries.
type History interface {
	board.Archive
	earnings.History
	devices.History
	FeedHistory
}
