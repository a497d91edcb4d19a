// Package archive keeps in Postgres what outlives Redis: every day's results, snapshots of
// closed weeks and months, achievements, profiles, bans, the audit, what each day cost, and
// every submission of games that keep each one. From the results it answers for boards that
// Redis no longer has, and it gives back what a restore needs. Features keep tables of their own.
//
// It knows SQL and the values of package game: it combines days and orders equal scores
// exactly as package leaderboard does. It does not know Redis, HTTP, the caller or the time. It
// creates no tables except the partitions of results: the schema is in migrations.
//
// # Calling again
//
// Every call may be repeated after an error: if a write was made and only its answer was lost,
// the second write changes nothing. The Archive itself repeats a call once when the connection
// breaks or when the server goes down or comes up. [ErrUnavailable] means that the second try
// failed too, or that no second try helps at once; a later run may go on.
//
// # Cost
//
// The comment of each method says how many round trips it takes on an open connection that has
// seen the query before. The first use of a query on a connection takes one more, and the
// first use of the Archive opens the connection. Opening an Archive dials nothing.
package archive

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/framedle/leaderboards/internal/game"
)

var (
	// ErrUnavailable is returned when Postgres does not answer in time, stopped answering during
	// the call, or says that the database cannot be used: it was dropped, is full, or refuses
	// the credentials. Every call may be made again.
	ErrUnavailable = game.ErrDatabaseAway
	// ErrSuperseded is returned when a newer run has begun to write the same day, or a result
	// of the day was removed meanwhile. This run must stop; it leaves nothing to clean up.
	ErrSuperseded = errors.New("a newer run is writing this day; wait for it, or start over")
	// ErrOtherSource is returned when the day was written from another Redis, which has been
	// lost: what that Redis had must be in the present one before the day is written again.
	ErrOtherSource = errors.New("the archive has this day from a Redis that was lost; run lbctl restore first")
	// ErrClosed is returned when a closing has written the day, or is writing it: that is
	// worth more than what was saved while the day still took scores.
	ErrClosed = errors.New("the archive has this day as closed, or is archiving it so")
	// ErrNotOnBoard is returned when the player asked for has no entry.
	ErrNotOnBoard = errors.New("the player is not on this board")
)

// Limits of one connection's life.
const (
	connectTimeout = 5 * time.Second
	pauseBeforeTry = 100 * time.Millisecond // a database that sleeps wakes within some hundred ms
)

// Options are what an Archive is made of.
type Options struct {
	// URL is a postgres:// address or a keyword=value string. A transaction pooler may be in
	// between: the Archive prepares no named statements.
	URL string
	// Connections is how many may be open at once; 0 means 1, which is right
	// for a function that serves one request at a time.
	Connections int
	// Patience is how long a call of [Archive.ForRequests] may take; 0: until its context ends.
	Patience time.Duration
	// Tables are those of features, in the order in which an erasure runs through them.
	Tables []Tables
}

// Tables is what a feature has of players in tables of its own. Functions that it does not need
// are nil.
type Tables struct {
	Name string
	// Keeps queues a query that returns a row if there is something of the player.
	Keeps func(b *pgx.Batch, player string) *pgx.QueuedQuery
	// Erase queues the statements that remove a player, or put Erased in the player's place.
	Erase func(b *pgx.Batch, player string)
	// DeleteResult queues the statements that remove what came of a player's result.
	DeleteResult func(b *pgx.Batch, mode string, d game.Date, player string)
}

// Erasing is an Erase of statements about the player $1.
func Erasing(statements ...string) func(*pgx.Batch, string) {
	return func(b *pgx.Batch, player string) {
		for _, statement := range statements {
			b.Queue(statement, player)
		}
	}
}

// Keeping is a Keeps of conditions about the player $1.
func Keeping(conditions ...string) func(*pgx.Batch, string) *pgx.QueuedQuery {
	query := "SELECT WHERE " + strings.Join(conditions, " OR ")
	return func(b *pgx.Batch, player string) *pgx.QueuedQuery { return b.Queue(query, player) }
}

// Archive is everything that is kept, by kind. It is safe for concurrent use. When all
// connections are in use, a call waits until one is free or its context ends.
type Archive struct {
	// Days and their results.
	Days        Days
	Results     Results
	Submissions Submissions

	// Closed boards, and the awards won on them.
	Boards       Boards
	Snapshots    Snapshots
	Achievements Achievements

	// Players, and their relations.
	Profiles Profiles
	Claims   Claims
	Bans     Bans

	// What was done, and what it cost.
	Audit      Audit
	Statistics Statistics
	Usage      UsageDays
	Refills    Refills

	db       *DB
	patience time.Duration // of calls for requests
}

// Open makes an Archive. It refuses an address that cannot be parsed. It dials nothing: the
// first call opens the connection.
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
	db := &DB{common: &common{connections: newConnections(config, max(1, o.Connections)), tables: o.Tables}}
	return over(db, o.Patience), nil
}

// ForRequests returns the same archive for somebody who waits for an answer: a call that takes
// longer than the patience, for lack of a connection too, fails with [ErrUnavailable]. Calls
// that sort a board, count what everybody did, or write all that a player or a week of leagues
// has, may take five times as long. Nil stays nil.
func (a *Archive) ForRequests() *Archive {
	if a == nil {
		return nil
	}
	return over(&DB{common: a.db.common, patience: a.patience}, a.patience)
}

func over(db *DB, patience time.Duration) *Archive {
	return &Archive{
		Days: Days{db}, Results: Results{db}, Submissions: Submissions{db},
		Boards: Boards{db.Long()}, Snapshots: Snapshots{db}, Achievements: Achievements{db},
		Profiles: Profiles{db}, Claims: Claims{db}, Bans: Bans{db},
		Audit: Audit{db}, Statistics: Statistics{db.Long()}, Usage: UsageDays{db}, Refills: Refills{db},
		db: db, patience: patience,
	}
}

// DB runs statements on the connections of the archive.
func (a *Archive) DB() *DB { return a.db }

// Close closes the connections that are idle. Calls under way finish, and later calls open new
// connections.
func (a *Archive) Close(ctx context.Context) { a.db.connections.drop(ctx) }

// Ping makes sure that Postgres answers: 1 round trip.
func (a *Archive) Ping(ctx context.Context) error {
	return a.db.Do(ctx, "ping", func(ctx context.Context, c *pgx.Conn) error { return c.Ping(ctx) })
}

// readsOurTypes makes a connection read dates into [game.Date], and moments as times in UTC.
// Null is the zero value of both.
func readsOurTypes(c *pgx.Conn) {
	m := c.TypeMap()
	m.TryWrapScanPlanFuncs = append([]pgtype.TryWrapScanPlanFunc{dateOrTime}, m.TryWrapScanPlanFuncs...)
}

func dateOrTime(target any) (pgtype.WrappedScanPlanNextSetter, any, bool) {
	into := intoOf(target)
	return &intoPlan{}, into, into != nil
}

// intoOf returns what pgx reads a date or a moment into; nil for a target of another type.
func intoOf(target any) any {
	switch to := target.(type) {
	case *game.Date:
		return dateInto{to}
	case *time.Time:
		return timeInto{to}
	}
	return nil
}

// intoPlan reads a value into what intoOf says.
type intoPlan struct{ next pgtype.ScanPlan }

func (p *intoPlan) SetNext(next pgtype.ScanPlan) { p.next = next }

func (p *intoPlan) Scan(src []byte, target any) error { return p.next.Scan(src, intoOf(target)) }

type dateInto struct{ d *game.Date }

func (i dateInto) ScanDate(v pgtype.Date) error {
	if *i.d = (game.Date{}); v.Valid {
		*i.d = game.DateOf(v.Time)
	}
	return nil
}

type timeInto struct{ t *time.Time }

func (i timeInto) ScanTimestamptz(v pgtype.Timestamptz) error {
	if *i.t = (time.Time{}); v.Valid {
		*i.t = v.Time.UTC()
	}
	return nil
}

// Refill is how far one kind has been copied from Redis.
type Refill struct {
	Kind   string
	Cursor string // where to go on; empty: at the beginning
	Done   bool
}

// Refills note how far each kind has been copied of what Redis knows of players rather than of
// days: claims, memberships, bans, friends and duels under way.
type Refills struct{ db *DB }

// All reads how far each kind is whose copying has begun.
// 1 round trip.
func (a Refills) All(ctx context.Context) ([]Refill, error) {
	return Collect(ctx, a.db, "read how far the archive is filled again", `SELECT kind, cursor, done_at IS NOT NULL AS done FROM refills`,
		nil, pgx.RowToStructByName[Refill])
}

// Put notes how far a kind is. A kind that is at the beginning begins now.
// 1 round trip.
func (a Refills) Put(ctx context.Context, r Refill) error {
	return a.db.Run(ctx, "note how far the archive is filled again", `
INSERT INTO refills AS old (kind, cursor, done_at) VALUES ($1, $2, CASE WHEN $3 THEN now() END)
ON CONFLICT (kind) DO UPDATE SET cursor = excluded.cursor, done_at = excluded.done_at,
    begun_at = CASE WHEN old.done_at IS NULL OR $3 THEN old.begun_at ELSE now() END`, r.Kind, r.Cursor, r.Done)
}
