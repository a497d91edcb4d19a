// Package playerdata gathers everything that is kept of one player, for that player and for the
// operator, and lists what operators have done.
//
// It knows which parts of the product keep something of a player, and how much one answer may
// contain. It does not know Redis, SQL, HTTP or who may ask.
package playerdata

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lru"
)

// OwnExports is how often players may ask for their own data on one UTC date, over all
// processes. The further pages of an export count with its first.
const OwnExports = 3

// Bounds of one page.
const (
	mostResults = 20_000
	mostOthers  = 10_000 // of any other list of the archive
	mostLive    = 100    // duels that are read from Redis, at a command each
	// mostBytes bounds the lists that have no other limit, as JSON: an answer of Lambda may
	// have 6 MB.
	mostBytes = 4_000_000
	chunk     = 1000 // rows asked of the archive at once, up to some 3 MB
)

var (
	// ErrCursor is returned for a cursor that no page of this player ended with, or that is
	// older than an hour.
	ErrCursor = errors.New("the cursor is invalid for this player, or older than an hour")
	// ErrNoArchive is returned if a question needs an archive and there is none.
	ErrNoArchive = fault.Of("there is no archive", fault.Fault{Code: "no-database", Detail: "this requires a database"})
	// ErrNoLog is the ErrNoArchive of the log of what operators did.
	ErrNoLog = fmt.Errorf("%w: %w", errNoLog, ErrNoArchive)
)

// errNoLog is what an answer says of ErrNoLog.
var errNoLog = fault.Of("there is no log", fault.Fault{
	Code: "no-database", Detail: `the audit log requires a database; without one it is in the functions' logs, in lines with "msg":"audit"`,
})

// TooOftenError is returned to players who have used up what a date allows.
type TooOftenError struct{ Wait time.Duration }

func (e *TooOftenError) Error() string {
	return fmt.Sprintf("players may export their data %d times a day", OwnExports)
}

// Boards answers where players stand.
type Boards interface {
	Me(ctx context.Context, player string, more func(ctx context.Context, commands int) error) (leaderboard.Me, error)
}

// PlayerReader reads everything else that Redis keeps of a player.
type PlayerReader interface {
	Of(ctx context.Context, player, country string, archived func(m *game.Mode, d game.Date) bool) (Data, error)
	Standings(ctx context.Context, player string, days []DayExport) ([]KeptResult, error)
	CountExport(ctx context.Context, player string) (int64, error)
	UncountExport(ctx context.Context, player string) error
}

// BanList counts the bans.
type BanList interface {
	CountBans(ctx context.Context) (int, error)
}

// Archive is what the history keeps of players. Lists are newest first, and each page begins
// after a row; a zero time or date means the beginning.
type Archive interface {
	WholeDays(ctx context.Context, from game.Date) (map[Day]bool, error)
	// Results and Submissions are those of one mode, or with "" of all modes.
	Results(ctx context.Context, player, mode string, after Day, limit int) ([]game.DayResult, error)
	// Ranks are those of complete days of a mode.
	Ranks(ctx context.Context, m *game.Mode, player string, limit int) ([]game.DayRank, error)
	Submissions(ctx context.Context, player, mode string, after SubmissionPlace, limit int) ([]game.Posted, error)
	// Unsaved returns those of a player's results that no kept submission made.
	Unsaved(ctx context.Context, player string, results []KeptResult) ([]KeptResult, error)
	Achievements(ctx context.Context, player string, after game.Achievement, limit int) ([]game.Achievement, error)
	// Claims lists the devices that a player, given by digest, has claimed.
	Claims(ctx context.Context, digest string) ([]game.Claim, error)
	Profile(ctx context.Context, player string) (Profile, error)
	// Named lists players whose names begin with a text, by name and id, after a player.
	Named(ctx context.Context, prefix string, after NamedPlayer, limit int) ([]NamedPlayer, error)
	Ban(ctx context.Context, player string) (*game.Ban, error)
	Bans(ctx context.Context, after game.Ban, limit int) ([]game.Ban, error)
	CountBans(ctx context.Context) (int64, error)
	// Note notes an act in the audit.
	Note(ctx context.Context, act Act) error
	Played(ctx context.Context, from, to game.Date) ([]PlayedDay, error)
	// Counts counts the players who played on the last 7 dates, the known ones and the banned
	// ones.
	Counts(ctx context.Context, today game.Date) (Counts, error)
	// Acts lists what was done by or to a player; "" means everybody.
	Acts(ctx context.Context, player string, after Act, limit int) ([]Act, error)
}

// Service reads players' data. All fields but Archive are required.
type Service struct {
	Game    *game.Game
	Now     func() time.Time
	Key     []byte // seals cursors
	Boards  Boards
	Kept    PlayerReader
	BanList BanList
	Archive Archive  // nil: none
	Sources []Source // of features, in the order in which their lists are read

	refused *lru.Cache[string, game.Date]
	pages   *lru.Cache[string, pagesRead]
}

// pagesRead is how many further pages of exports a player has read here on a date.
type pagesRead struct {
	date game.Date
	n    int
}

// MostPages is how many further pages of exports a process gives a player on one UTC date,
// those included that are read again because they did not arrive. A page may be some megabytes.
const MostPages = 100

// rememberRefused is how many players a process remembers as having asked too often.
const rememberRefused = 4096

// New completes a Service.
func New(s Service) *Service {
	s.refused = lru.New[string, game.Date](rememberRefused)
	s.pages = lru.New[string, pagesRead](rememberRefused)
	return &s
}

// CheckCursor reports whether a cursor is one of the player's. It asks no store. Errors:
// ErrCursor.
func (s *Service) CheckCursor(player, cursor string) error {
	_, err := s.open(player, cursor)
	return err
}

// ExportPage is Player for players who ask for their own data: it gives the first page at most
// OwnExports times on one UTC date, and in each process MostPages further pages. A call that
// fails does not count. Errors: *TooOftenError, and those of Player.
//
// Cost: that of Player, and 2 billed commands in 1 round trip for a first page.
func (s *Service) ExportPage(ctx context.Context, player, cursor string) (Document, error) {
	today := game.DateOf(s.Now())
	if cursor != "" {
		read, _ := s.pages.Get(player)
		if read.date != today {
			read = pagesRead{date: today}
		}
		if read.n >= MostPages {
			return Document{}, s.tooOften(today)
		}
		d, err := s.Player(ctx, player, cursor)
		if err == nil {
			read.n++
			s.pages.Add(player, read)
		}
		return d, err
	}
	if date, known := s.refused.Get(player); known && date == today {
		return Document{}, s.tooOften(today)
	}
	n, err := s.Kept.CountExport(ctx, player)
	if err != nil {
		return Document{}, err
	}
	if n > OwnExports {
		s.refused.Add(player, today)
		return Document{}, s.tooOften(today)
	}
	d, err := s.Player(ctx, player, "")
	if err != nil {
		_ = s.Kept.UncountExport(context.WithoutCancel(ctx), player) // if this fails, the export counts
	}
	return d, err
}

func (s *Service) tooOften(today game.Date) error {
	return &TooOftenError{today.AddDays(1).Midnight().Sub(s.Now())}
}

// callModes puts the present names of modes into a document. Rows contain the name that a mode
// began with, but players know the mode by its name of today.

func (d *reading) callModes() {
	call := func(mode *string) { *mode = d.s.Game.Called(*mode) }
	for i := range d.Results {
		call(&d.Results[i].Mode)
	}
	for i := range d.Submissions {
		call(&d.Submissions[i].Mode)
	}
	for i := range d.Achievements {
		call(&d.Achievements[i].Mode)
	}
	d.s.callModes(d.Acts)
}

func (s *Service) callModes(acts []Act) {
	for i := range acts {
		acts[i].Mode = s.Game.Called(acts[i].Mode)
	}
}
