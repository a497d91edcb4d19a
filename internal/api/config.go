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

// Config is what the API is made of.
type Config struct {
	Game      *game.Game
	Now       func() time.Time
	Log       *slog.Logger
	Secret    auth.Secret // for ids that nobody may guess
	ProxyHops int         // see limit.Address
	LiveURL   string      // where boards are streamed that this process does not; empty: nowhere
	Plan      int64       // commands that Upstash's plan carries in a month; 0: those of the free one

	// What keeps the boards, and who may play.
	Boards *board.Store
	// Beside has told that scores are being written, while they are; done waits for
	// that. Nil: nobody is told.
	Beside   func(...game.Submission) (done func())
	Activity *activity.Activity // nil: the game has none
	Calendar Calendar
	Notices  Notices
	Profiles devices.Profiles
	Lists    FriendLists
	Claimed  devices.ClaimRecords

	// Whom a credential stands for. A nil one refuses every credential of its kind.
	Sessions   gate.Sessions
	Signatures gate.Signatures
	Operators  gate.Operators
	Webhooks   gate.Webhooks
	Devices    devices.Tokens
	Groups     Groups // nil: session tokens alone tell

	Wallets  *wallet.Wallets
	Presence *presence.Presence // nil: nobody is counted

	Limits      gate.Limits      // nil: no limits
	Idempotency gate.Idempotency // nil: answers are not kept; sums keep their own
	Plays       *play.Dealer
	Races       Races // nil: the game has none
	Held        HeldPlays
	Sent        SentPlays

	// What Postgres adds to.
	History History // nil without it
	Lost    func()  // told that a board is in the history and not in Redis; may be nil
}

// Services are what single functions need beside the API itself; each has its own
// alone.
type Services struct {
	Removals Removed             // of me and ops
	People   People              // of me and ops
	Claims   devices.Claims      // of me
	Leagues  earnings.Leagues    // of me; nil without Postgres, and where the game has none
	Usage    ops.Usage           // of ops
	Status   ops.Status          // of ops
	Dead     deadletters.Queues  // of ops
	Friends  friendships.Friends // of friends and graphql; nil without Postgres
	News     News                // of webhook
	Duels    *duel.Store         // of duel and graphql
	Races    *race.Store         // of duel
	Queue    Queue               // of enqueue
	Graphs   Graphs              // of graphql; nil: none
	Live     *viewing.Live       // of leaderboard, in processes that live on; nil: it sends callers elsewhere
}

// Removed take players and scores out, for the operator and for players themselves.
type Removed interface {
	ops.Removals
	Erasures
}

// Notices say who may play, and when nothing may be written.
type Notices interface {
	gate.Notices
	ops.Notices
	gate.Halts
}

// History answers for boards that have left Redis, and keeps what is to
// outlive it. Boards that are still there are asked of it only where Redis
// refuses, or says that nobody was on the board of a period that is over.
type History interface {
	board.Archive
	earnings.History
	devices.History
	FeedHistory
}
