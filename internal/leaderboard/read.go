package leaderboard

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/upstash"
)

// Archive answers for boards that have left Redis, and for those that Redis has lost, with
// places and scores. The Reader adds names and cursors.
type Archive interface {
	// Page reads up to limit entries from an offset or, if after is not nil, behind its place.
	Page(ctx context.Context, b game.Board, limit, offset int64, after *game.Place) (game.Page, error)
	// Standing reads one player's standing. Errors: ErrNotOnBoard.
	Standing(ctx context.Context, b game.Board, player string) (game.Standing, error)
	// Around reads reach entries above and below a player. Errors: ErrNotOnBoard.
	Around(ctx context.Context, b game.Board, player string, reach int64) (game.Page, error)
	// Lookup ranks those of the players who are on the board among themselves.
	Lookup(ctx context.Context, b game.Board, players []string) ([]game.Entry, error)
	// Distribution counts the board in at most so many buckets.
	Distribution(ctx context.Context, b game.Board, buckets int) (game.Distribution, error)
	// MostPlayers is how many players the largest day of some modes has.
	MostPlayers(ctx context.Context, modes []string) (int64, error)
	// SavedAt is when the board's days were last saved; the zero time if none was.
	SavedAt(ctx context.Context, b game.Board) (time.Time, error)
}

// Reader answers for boards wherever they are. It is safe for concurrent use.
type Reader struct {
	boards  *Store
	archive Archive // nil: none
	found   *lru.Cache[string, finding]
	lost    func()       // called when a board is found lost; may be nil
	lossAt  atomic.Value // the time.Time at which this process last found out that Redis was lost
}

// NewReader makes a Reader. The archive may be nil. The Reader calls lost when it finds that
// Redis has lost a board which the archive has; nil: it calls nobody.
func NewReader(s *Store, a Archive, lost func()) *Reader {
	if a != nil {
		derive.UseArchive(s.Rollup, a.Lookup)
	}
	r := &Reader{boards: s, archive: a, found: lru.New[string, finding](rememberFindings), lost: lost}
	s.Notices.OnLoss(func() {
		r.lossAt.Store(s.DB.Now())
		r.found.Purge()
	})
	return r
}

// Answer is what a read has found.
type Answer[T any] struct {
	Found T
	// Degraded has the budget's measures that affect the read.
	Degraded budget.Measures
	// Unkept reports that the board has expired and that there is no archive which keeps it: an
	// empty answer does not mean that nobody played.
	Unkept bool
}

// question is one read of a board, as each place that may have the board answers it.
type question[T any] struct {
	current  func() (T, error)   // the board's answer now: from this process's memory while that is fresh, else from Redis
	keep     func(T)             // remembers that answer; nil: no answer is remembered
	last     func() (T, bool)    // the remembered answer, however old
	archived func() (T, error)   // the archive's answer
	nobody   func(T, error) bool // whether an answer may mean that nobody is on the board
	players  func(T) int64       // how many players an answer says are on the board; nil: it does not say
	isPage   bool                // an answer without players means an empty board
	stale    func(*T, time.Time, error)
	bears    budget.Measures // the measures that may affect the answer
}

// The budget's measures that may affect pages, cards and everything else.
var (
	onPages = budget.Measures{Caches: true, Refresh: true}
	onCards = budget.Measures{Refresh: true, Features: true}
	onRanks = budget.Measures{Refresh: true}
)

// read answers a question from the first place that can:
//
//  1. the archive, for a board that has expired, or that Redis is known to have lost;
//  2. memory while it is fresh, else Redis;
//  3. while Redis refuses, memory, however old;
//  4. else the archive, as the board's days were last saved.
//
// If Redis has nobody on the board of a period that is over, read asks the archive before it
// believes that. For an open period it does the same, see lostOpen and lostEver.
func read[T any](ctx context.Context, r *Reader, b game.Board, q question[T]) (answer Answer[T], err error) {
	age := r.boards.DB.Age(b.Period)
	answer.Degraded = r.boards.Degraded(b).And(q.bears)
	answer.Unkept = r.archive == nil && age == game.Expired
	if r.isArchived(b, age) {
		answer.Found, err = q.archived()
		if age == game.Expired && err == nil && q.isPage && q.nobody(answer.Found, err) && r.lostDay(ctx, b) {
			q.stale(&answer.Found, time.Time{}, errLostDay)
		}
		return answer, err
	}
	answer.Found, err = q.current()
	noteLacking(r, b)
	switch {
	case q.keep == nil:
	case err == nil:
		q.keep(answer.Found)
	case IsRefusal(err):
		if last, ok := q.last(); ok {
			q.stale(&last, time.Time{}, err)
			answer.Found, err = last, nil
		}
	}
	switch {
	case r.archive == nil:
	case b.Period.Kind() == game.AllTime:
		if err == nil && q.players != nil && r.lostEver(ctx, b, q.players(answer.Found), q.isPage) {
			q.stale(&answer.Found, time.Time{}, errLostBoard)
		}
	case IsRefusal(err) && q.stale != nil:
		answer.Found, err = readSaved(ctx, r, b, q, err)
	case age >= game.Closed && q.nobody(answer.Found, err):
		lost, lookErr := r.isLost(ctx, b)
		if lookErr != nil {
			return answer, lookErr
		}
		if lost {
			answer.Found, err = q.archived()
		}
	case age == game.Open && q.players != nil && (err == nil || errors.Is(err, ErrNotOnBoard)):
		players := int64(0)
		if err == nil {
			players = q.players(answer.Found)
		}
		if r.lostOpen(ctx, b, players, q.isPage) {
			if saved, savedErr := readSaved(ctx, r, b, q, errLostBoard); savedErr == nil {
				answer.Found, err = saved, nil
			}
		}
	}
	return answer, err
}

// readSaved answers with what the archive has saved; without that it returns the given error.
func readSaved[T any](ctx context.Context, r *Reader, b game.Board, q question[T], refused error) (T, error) {
	var none T
	at, err := r.archive.SavedAt(ctx, b)
	if err != nil || at.IsZero() {
		return none, refused
	}
	saved, err := q.archived()
	if err != nil { // a player who was not on the saved board may be on the board now
		return none, refused
	}
	q.stale(&saved, at, refused)
	return saved, nil
}

// Degraded are the budget's measures that affect reads of a board now: Caches its pages,
// Refresh everything, Features its cards.
func (s *Store) Degraded(b game.Board) budget.Measures {
	m, age := s.Rollup.Measures(), s.DB.Age(b.Period)
	_, hasEarlier := b.Period.Previous()
	m.Refresh = m.Refresh && b.Derived() && age != game.Upcoming && age != game.Expired
	m.Features = m.Features && age != game.Expired && (hasEarlier || b.HasDetails())
	return m
}

// IsRefusal reports whether Redis cannot be reached, or refuses for now.
func IsRefusal(err error) bool {
	switch upstash.KindOf(err) {
	case upstash.KindUnavailable, upstash.KindThrottled, upstash.KindQuota:
		return true
	}
	return false
}

// Page reads a page. Cursors of all places are the same: a walk begun in Redis
// continues in the archive.
//
// Cost: that of [Store.Page].
func (r *Reader) Page(ctx context.Context, b game.Board, ask game.PageRequest) (Answer[game.Page], error) {
	return r.page(ctx, b, ask, func() (game.Page, error) { return r.boards.Page(ctx, b, ask) })
}

// Top reads the first page for a caller that may have seen the whole board.
//
// Cost: that of [Store.Page]. If the board was seen, nothing but for names: 1 billed command if
// this process does not know all of the page.
func (r *Reader) Top(ctx context.Context, b game.Board, limit int64, seen PlaceHint) (Answer[game.Page], error) {
	ask := game.PageRequest{Limit: limit}
	if seen.Whole == nil {
		return r.Page(ctx, b, ask)
	}
	return r.page(ctx, b, ask, func() (game.Page, error) { return r.boards.topOf(ctx, b, limit, seen.Whole) })
}

// page is a page, which fromRedis reads while Redis answers.
func (r *Reader) page(ctx context.Context, b game.Board, ask game.PageRequest, fromRedis func() (game.Page, error)) (Answer[game.Page], error) {
	since, id := r.boards.Windows.Mark(b.Key), derive.RunID{Cursor: ask.Cursor, Offset: ask.Offset, Size: ask.Limit}
	q := question[game.Page]{
		current:  fromRedis,
		keep:     func(page game.Page) { r.boards.Windows.KeepRun(b.Key, since, id, page) },
		last:     func() (game.Page, bool) { return r.boards.Windows.Run(b.Key, id) },
		archived: func() (game.Page, error) { return r.archivedPage(ctx, b, ask) },
		nobody:   func(page game.Page, err error) bool { return err == nil && page.Total == 0 },
		players:  func(page game.Page) int64 { return page.Total },
		isPage:   true,
		stale:    r.stalePage,
		bears:    onPages,
	}
	if ask.IsTop() { // Page itself keeps the top of a board
		q.keep, q.last = func(game.Page) {}, func() (game.Page, bool) { return r.lastTop(b, ask.Limit) }
	}
	return read(ctx, r, b, q)
}

// stalePage marks a page as stale. Saved is when the page was saved; the zero time leaves its
// UpdatedAt as it is.
func (r *Reader) stalePage(page *game.Page, saved time.Time, why error) {
	page.Stale, page.Closed = why, r.boards.DB.Age(page.Board.Period) >= game.Closed
	if !saved.IsZero() {
		page.UpdatedAt = saved
	}
}

// lastTop is the top of a board from memory, however old it is.
func (r *Reader) lastTop(b game.Board, limit int64) (game.Page, bool) {
	page, ok := r.boards.Windows.Top(b.Key, limit, derive.AnyAge)
	if !ok {
		return page, false
	}
	return r.boards.cursors.withNext(page), true
}

func (r *Reader) archivedPage(ctx context.Context, b game.Board, ask game.PageRequest) (game.Page, error) {
	var after *game.Place
	if ask.Cursor != "" {
		place, err := r.boards.CursorPlace(b, ask.Cursor)
		if err != nil {
			return game.Page{}, err
		}
		after = &place
	}
	run, err := r.archive.Page(ctx, b, ask.Limit, ask.Offset, after)
	if err != nil {
		return game.Page{}, err
	}
	run, err = r.complete(ctx, b, run)
	return r.boards.cursors.withNext(run), err
}

// complete makes a page of a run from the archive.
//
// Cost: nothing, or 1 billed command for names that this process does not know.
func (r *Reader) complete(ctx context.Context, b game.Board, run game.Page) (game.Page, error) {
	page := r.boards.pages.newPage(b)
	page.UpdatedAt, page.Stale = r.boards.DB.Now(), nil
	page.Total, page.Position, page.Entries = run.Total, run.Position, run.Entries
	page.More = run.Position+int64(len(run.Entries)) < run.Total
	return page, r.name(ctx, b, page.Entries)
}

// name fills in the names of the archive's entries, at the same cost.
func (r *Reader) name(ctx context.Context, b game.Board, entries []game.Entry) error {
	err := nameOn(ctx, r.boards.Players, b, entries)
	if IsRefusal(err) { // while Redis refuses, an answer of the archive without new names is better than none
		nameFromMemory(r.boards.Players.Directory, entries)
		return nil
	}
	return err
}

// Around reads the window around a player, at the cost of [Store.Around], or less if seen saves
// a command.
func (r *Reader) Around(ctx context.Context, b game.Board, player string, reach int64, seen PlaceHint) (Answer[game.Page], error) {
	since, id := r.boards.Windows.Mark(b.Key), derive.RunID{Player: player, Size: reach}
	return read(ctx, r, b, question[game.Page]{
		current: func() (game.Page, error) { return r.boards.aroundSeen(ctx, b, player, reach, seen) },
		keep:    func(page game.Page) { r.boards.Windows.KeepRun(b.Key, since, id, page) },
		last:    func() (game.Page, bool) { return r.boards.Windows.Run(b.Key, id) },
		archived: func() (game.Page, error) {
			run, err := r.archive.Around(ctx, b, player, reach)
			if err != nil {
				return game.Page{}, err
			}
			return r.complete(ctx, b, run)
		},
		nobody:  notOn[game.Page],
		players: func(page game.Page) int64 { return page.Total },
		stale:   r.stalePage,
		bears:   onRanks,
	})
}

// Card reads one player's standing, at the cost of [Store.Card].
func (r *Reader) Card(ctx context.Context, b game.Board, player string) (Answer[game.Standing], error) {
	since := r.boards.Windows.Mark(b.Key)
	return read(ctx, r, b, question[game.Standing]{
		current: func() (game.Standing, error) {
			card, err := r.boards.Card(ctx, b, player)
			if made, lacking := derive.Lacking(r.boards.Rollup, b); lacking && err == nil {
				card.UpdatedAt, card.Stale = made, ErrLacking
			}
			if err == nil && card.PreviousRank == 0 {
				card.PreviousRank = r.rankBefore(ctx, b, player)
			}
			return card, err
		},
		keep: func(card game.Standing) { r.boards.Windows.KeepCard(b.Key, since, card) },
		last: func() (game.Standing, bool) { return r.boards.Windows.Card(b.Key, player) },
		archived: func() (game.Standing, error) {
			card, err := r.archive.Standing(ctx, b, player)
			if err != nil {
				return game.Standing{}, err
			}
			entries := []game.Entry{card.Entry}
			err = r.name(ctx, b, entries)
			card.Entry, card.UpdatedAt = entries[0], r.boards.DB.Now()
			return card, err
		},
		nobody:  notOn[game.Standing],
		players: func(card game.Standing) int64 { return card.Total },
		stale: func(card *game.Standing, saved time.Time, why error) {
			if card.Stale = why; !saved.IsZero() {
				card.UpdatedAt = saved
			}
		},
		bears: onCards,
	})
}

func notOn[T any](_ T, err error) bool { return errors.Is(err, ErrNotOnBoard) }

// patience is how long a card waits for a rank that only the archive has.
const patience = time.Second

// rankBefore reads a player's rank of the period before from the archive, if Redis no longer
// has that board; 0 if nobody knows it. The board before an open one is still in Redis, so
// nobody who is playing waits for this.
func (r *Reader) rankBefore(ctx context.Context, b game.Board, player string) int64 {
	earlier, ok := b.Period.Previous()
	if !ok || r.archive == nil || r.boards.Rollup.Measures().Features {
		return 0
	}
	before, age := game.BoardOf(b.Mode, earlier, b.Scope), r.boards.DB.Age(earlier)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if !r.isArchived(before, age) {
		if age < game.Closed || r.remembers(before, there) {
			return 0
		}
		if lost, err := r.isLost(ctx, before); err != nil || !lost {
			return 0
		}
	}
	standing, err := r.archive.Standing(ctx, before, player)
	if err != nil { // the player is not on that board, or the archive does not answer: the card goes out without that rank
		return 0
	}
	return standing.Rank
}

// Lookup ranks players among themselves, at the cost of [Store.Lookup].
func (r *Reader) Lookup(ctx context.Context, b game.Board, players []string) (Answer[[]game.Entry], error) {
	return read(ctx, r, b, question[[]game.Entry]{
		current:  func() ([]game.Entry, error) { return r.boards.Lookup(ctx, b, players) },
		archived: func() ([]game.Entry, error) { return r.archivedEntries(ctx, b, players) },
		nobody:   nobodyFound,
		bears:    onRanks,
	})
}

// Friends ranks a player and the player's friends among themselves, at the cost of
// [Store.LookupFriends]. For a board that is not in Redis, list says who the friends are.
func (r *Reader) Friends(ctx context.Context, b game.Board, player string, list func(ctx context.Context, player string) ([]string, error)) (Answer[[]game.Entry], error) {
	return read(ctx, r, b, question[[]game.Entry]{
		current: func() ([]game.Entry, error) { return r.boards.LookupFriends(ctx, b, player) },
		archived: func() ([]game.Entry, error) {
			players, err := list(ctx, player)
			if err != nil {
				return nil, err
			}
			return r.archivedEntries(ctx, b, players)
		},
		nobody: nobodyFound,
		bears:  onRanks,
	})
}

func nobodyFound(found []game.Entry, err error) bool { return err == nil && len(found) == 0 }

func (r *Reader) archivedEntries(ctx context.Context, b game.Board, players []string) ([]game.Entry, error) {
	entries, err := r.archive.Lookup(ctx, b, players)
	if err != nil {
		return nil, err
	}
	return entries, r.name(ctx, b, entries)
}
