// Package archive keeps in Postgres what outlives Redis: every day's results,
// snapshots of closed weeks and months, achievements, profiles, friends, bans, the
// audit, what each day cost, and the submissions of games that want each one
// kept at once. From the results it answers for boards that have left Redis,
// and gives back what a restore needs.
//
// It knows SQL and the game's values (package game): how days are combined
// and how equal scores are ordered are the same here as in package board. It
// must not know Redis, HTTP, who is calling or what time it is, and it never
// creates a table but the partitions of results: the schema is in migrations.
//
// # Being called again
//
// Everything here may be called again after an error: a write that was made
// and whose answer was lost changes nothing the second time. The Archive does
// so itself once when the connection breaks or the server is going down or
// coming up; an error that is [ErrUnavailable] says that it did and that the
// next run may go on.
//
// # Cost
//
// Each method tells how many round trips it takes. They are those of a
// connection that is open and has seen the query before: the first use of a
// query in a connection takes one more, and the first use of the Archive opens
// the connection. Opening an Archive dials nothing.
package archive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

var (
	// ErrUnavailable says that Postgres does not answer, or stopped to in the
	// middle. The call may be made again, whatever it does.
	ErrUnavailable = errors.New("postgres does not answer; the call may be made again")
	// ErrSuperseded says that a newer run has begun to write the same day, or
	// that a result of it was removed meanwhile. This run must stop; it leaves
	// nothing to clean up.
	ErrSuperseded = errors.New("a newer run writes this day; leave it to that one, or begin again")
	// ErrOtherSource says that the day was written from another Redis, which has
	// been lost since: what it had must be in Redis again before it is written anew.
	ErrOtherSource = errors.New("the archive has this day from a Redis that was lost; run lbctl restore first")
	// ErrClosed says that a day stands as it closed, or that a closing takes it in:
	// nothing that is saved of it while it takes scores is worth more.
	ErrClosed = errors.New("the archive has this day as it closed, or is taking it in so")
	// ErrNotOnBoard is returned when the player asked for has no entry.
	ErrNotOnBoard = errors.New("the player is not on this board")
)

// Limits of one connection's life.
const (
	connectTimeout = 5 * time.Second
	pauseBeforeTry = 100 * time.Millisecond // a database that sleeps wakes in some hundred ms
)

// Options are what an Archive is made of.
type Options struct {
	// URL is a postgres:// address or a keyword=value string. A transaction
	// pooler may stand in front: no statement is prepared by name.
	URL string
	// Connections is how many may be open at once; 0 means 1, which is right
	// for a function that serves one request at a time.
	Connections int
}

// Archive is what is kept, by kind. It is safe for concurrent use. Callers beyond
// its connections wait for one another, or until their context ends.
type Archive struct {
	// Days, and what came of them.
	Days        Days
	Results     Results
	Submissions Submissions

	// Boards that have closed, and what was won on them.
	Boards       Boards
	Snapshots    Snapshots
	Achievements Achievements
	Badges       Badges
	BadgeFacts   BadgeFacts

	// Players, and what is between them.
	Profiles    Profiles
	Friends     Friends
	Duels       Duels
	Races       Races
	Claims      Claims
	Memberships Memberships
	Bans        Bans
	Wallets     Wallets
	Leagues     Leagues
	Held        HeldPlays
	Acts        Acts

	// What was done, and what it cost.
	Audit      Audit
	ScoreAudit ScoreAudit
	Statistics Statistics
	Usage      UsageDays
	Refills    Refills
	Webhooks   WebhooksOut

	db *database
}

// Open makes an Archive. It refuses an address that cannot be read, and dials
// nothing: that is left to the first call.
func Open(o Options) (*Archive, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	if o.Connections < 0 {
		return nil, fmt.Errorf("%d connections are too few; use 1 or more, or 0 for 1", o.Connections)
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	config.Tracer = tracer{}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	db := &database{connections: newConnections(config, max(1, o.Connections))}
	return &Archive{
		Days: Days{db}, Results: Results{db}, Submissions: Submissions{db},
		Boards: Boards{db}, Snapshots: Snapshots{db}, Achievements: Achievements{db}, Badges: Badges{db}, BadgeFacts: BadgeFacts{db},
		Profiles: Profiles{db}, Friends: Friends{db}, Duels: Duels{db}, Races: Races{db}, Claims: Claims{db}, Memberships: Memberships{db}, Bans: Bans{db}, Wallets: Wallets{db}, Leagues: Leagues{db}, Held: HeldPlays{db}, Acts: Acts{db},
		Audit: Audit{db}, ScoreAudit: ScoreAudit{db}, Statistics: Statistics{db}, Usage: UsageDays{db}, Refills: Refills{db}, Webhooks: WebhooksOut{db},
		db: db,
	}, nil
}

// Close ends the connections that are idle. Calls that are under way finish,
// and later ones open new connections.
func (a *Archive) Close(ctx context.Context) { a.db.connections.drop(ctx) }

// Ping asks Postgres for nothing: 1 round trip.
func (a *Archive) Ping(ctx context.Context) error {
	return a.db.do(ctx, "ping", func(c *pgx.Conn) error { return c.Ping(ctx) })
}
