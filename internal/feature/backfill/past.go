package backfill

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// Options say what to import.
type Options struct {
	Files  []string // of one past; plays without times count in the order of the files
	Layout importer.Layout
	Game   *game.Game
	Mode   *game.Mode // the mode of lines that name none; nil: lines must name one
	Now    func() time.Time
	// Closing has the boards and the archive. A dry run may omit it (nil), and then only reads
	// the files.
	Closing *closing.Closing
	Temp    string // folder for what is sorted on disk; "" is the system's

	DryRun bool // write nothing
	Skip   bool // leave out invalid lines
	Merge  bool // merge days with what the archive has of them
	Force  bool // go on though Redis and the archive differ, or another import was cut off

	Progress func(Progress) // called from one goroutine
	sortSize int            // bytes sorted at once; 0 is sortedAtOnce
	pageSize int            // entries written at once; 0 is pageRows
}

// Phase is a part of the work.
type Phase string

// The phases, in their order.
const (
	Reading   Phase = "lines read"
	Comparing Phase = "days compared"
	Writing   Phase = "entries written"
	Boards    Phase = "steps of the boards"
)

// Progress is how far a phase has come.
type Progress struct {
	Phase Phase
	Share float64
	Count int64 // of the unit that the phase is named after
}

// Summary is the result of an import.
type Summary struct {
	Lines       int64          // without blank ones
	Refused     importer.Tally // invalid lines
	Banned      int64          // lines of banned players
	Entries     int64          // one for each player, mode and day
	Days        int            // of modes
	First, Last game.Date
	Same        Share     // days that are here already, with the same entries
	Fresh       Share     // days for the archive
	Living      Share     // days for Redis, which come to the archive from there
	Unclosed    int       // days that the import would close first: a dry run has not compared Redis with the archive
	Written     int64     // of the fresh entries, by this run
	Erased      int64     // entries of players who have been erased since
	DoneAt      time.Time // when an earlier run finished this import; this run did nothing
	Taken       closing.TakenPast
	Read, Wrote time.Duration // time spent reading and sorting, and writing to the archive
}

// Share is a part of the days of the files.
type Share struct {
	Days    int // of modes
	Entries int64
}

func shareOf(days []*day) (s Share) {
	s.Days = len(days)
	for _, d := range days {
		s.Entries += d.entries
	}
	return s
}

// LinesError is returned if lines are wrong; nothing was written.
type LinesError struct{ Count int64 }

func (e *LinesError) Error() string {
	return fmt.Sprintf("invalid lines: %d; nothing was changed: fix them, or skip them with --skip", e.Count)
}

// ErrDiffer is returned if Redis and the archive differ: what only Redis has would be lost.
var ErrDiffer = errors.New("redis and the archive differ, and what only one of them has would be lost; " +
	"nothing was changed: lbctl verify shows what differs, --force continues")

type run struct {
	Options
	summary  Summary
	days     *days
	imported *Table
	fresh    []*day // for the archive
	living   []*day // for Redis
	same     []*day
	names    map[string]game.Profile
}

func (r *run) report(p Progress) {
	if r.Progress != nil {
		r.Progress(p)
	}
}

// Run imports the files, or continues where an earlier run of the same files was cut off.
// Importing the same files again changes nothing. Errors: *LinesError, *DifferError,
// ErrDiffer, closing.ErrAtWork.
func Run(ctx context.Context, o Options) (Summary, error) {
	r := &run{Options: o, names: map[string]game.Profile{}}
	r.sortSize, r.pageSize = cmp.Or(o.sortSize, sortedAtOnce), cmp.Or(o.pageSize, pageRows)
	err := r.all(ctx)
	return r.summary, err
}

func (r *run) all(ctx context.Context) error {
	dir, err := os.MkdirTemp(r.Temp, "past-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // files are closed by then
	began := time.Now()
	id, err := r.readAll(ctx, dir)
	if r.days != nil {
		defer func() { _ = r.days.close() }()
	}
	if r.summary.Read = time.Since(began); err != nil {
		return err
	}
	if n := r.summary.Refused.Count; n > 0 && !r.Skip && !r.DryRun {
		return &LinesError{n}
	}
	if r.Closing == nil {
		return nil
	}
	if r.Closing.Archive == nil {
		return closing.ErrNoArchive
	}
	r.imported = NewTable(r.Closing.Archive, id)
	if r.DryRun {
		return r.bringIn(ctx)
	}
	ran, err := r.Closing.Store.DB.WithLock(ctx, "import", r.bringIn)
	if err == nil && !ran {
		return errors.New("another import is running; try again when it has finished")
	}
	return err
}

// readAll reads and sorts the files, and plays their plays.
func (r *run) readAll(ctx context.Context, dir string) (id string, err error) {
	in := &reading{
		run: r, lines: &lines{game: r.Game, mode: r.Mode, now: r.Now()},
		sorter: newSorter(dir, r.sortSize), digest: sha256.New(),
	}
	defer func() { err = errors.Join(err, in.sorter.close()) }()
	if err := in.files(ctx); err != nil {
		return "", err
	}
	next, err := in.sorter.sorted()
	if err != nil {
		return "", err
	}
	r.days, err = standings(r.Game, dir, next, func(p play) {
		m := r.Game.Modes[p.mode]
		r.refuse(p.line, importer.Refusal{
			Line: p.line.line, Kind: "the day's total is out of bounds",
			Reason: fmt.Sprintf("%s: the total of %s on %s would leave %s to %s", m.Name, p.player, p.date, m.FormatScore(m.DayMin), m.FormatScore(m.DayMax)),
		})
	})
	if err != nil {
		return "", err
	}
	r.summary.Entries, r.summary.Days = r.days.entries, len(r.days.list)
	if n := len(r.days.list); n > 0 {
		r.summary.First, r.summary.Last = r.days.list[0].Date, r.days.list[n-1].Date
	}
	return in.id(), nil
}

// bringIn writes the days that are not here yet, and brings them to the boards.
func (r *run) bringIn(ctx context.Context) error {
	if err := r.Closing.Store.Notices.MayWrite(ctx); err != nil {
		return err // a copy that is being made now would miss what is written
	}
	if !r.DryRun {
		if err := r.Closing.Store.Notices.KeepRules(ctx); err != nil {
			return err
		}
	}
	state, err := r.imported.State(ctx)
	if err != nil {
		return err
	}
	if !state.Finished.IsZero() {
		r.summary.DoneAt = state.Finished
		return nil
	}
	if state.Other != "" && !r.Force {
		return fmt.Errorf("the import of %s was interrupted: run it again first; --force leaves what it has written unchanged", state.Other)
	}
	if !state.Begun && !r.Force {
		if err := r.agree(ctx); err != nil {
			return err
		}
	}
	begun, err := r.imported.Days(ctx)
	if err != nil {
		return err
	}
	done := map[lifecycle.ModeDay]bool{}
	for _, d := range begun {
		if m, ok := r.Game.Mode(d.Mode); ok {
			done[lifecycle.ModeDay{Mode: m, Date: d.Date}] = d.Done
		}
	}
	err = r.readKnown(ctx, done)
	r.summary.Same, r.summary.Fresh, r.summary.Living = shareOf(r.same), shareOf(r.fresh), shareOf(r.living)
	if err != nil || r.DryRun {
		return err
	}
	if len(r.fresh)+len(r.living) == 0 && !state.Begun {
		return nil
	}
	names := make([]string, len(r.Files))
	for i, name := range r.Files {
		names[i] = filepath.Base(name)
	}
	if err := r.imported.Begin(ctx, strings.Join(names, ", "), r.Closing.Now()); err != nil {
		return err
	}
	began := time.Now()
	if err := r.write(ctx, done); err != nil {
		return err
	}
	r.summary.Wrote = time.Since(began)
	if r.summary.Taken, err = r.Closing.TakePast(ctx, r.importedDays()); err != nil {
		return err
	}
	return r.finish(ctx, names)
}

// agree makes sure that Redis has nothing that the archive lacks: making the boards from the
// archive would lose it.
func (r *run) agree(ctx context.Context) error {
	due, err := r.closeDue(ctx)
	if err != nil || due {
		return err
	}
	lacks, err := r.Closing.Lacks(ctx)
	if err != nil {
		return err
	}
	if len(lacks) > 0 {
		return &closing.LackError{Lacks: lacks}
	}
	verified, err := r.Closing.Verify(ctx, func(lifecycle.Difference) {})
	if err == nil && verified.Differences > 0 {
		err = ErrDiffer
	}
	return err
}

// closeDue closes the days that are due. A dry run counts them, and reports whether there are
// any: what is not closed cannot be compared.
func (r *run) closeDue(ctx context.Context) (due bool, err error) {
	if !r.DryRun {
		daily, err := r.Closing.Daily(ctx)
		if err == nil && daily.Busy {
			err = closing.ErrAtWork
		}
		return false, err
	}
	calendar := r.Closing.Store.Rollup.Calendar
	view, err := calendar.Survey(ctx)
	if err != nil {
		return false, err
	}
	unclosed, err := calendar.Unclosed(ctx, view)
	r.summary.Unclosed = len(unclosed)
	return len(unclosed) > 0, err
}

func (r *run) importedDays() closing.ImportedDays {
	p := closing.ImportedDays{
		Results: func(ctx context.Context, at lifecycle.ModeDay) ([]game.Result, error) {
			for _, d := range r.living {
				if d.ModeDay == at {
					return r.results(ctx, d)
				}
			}
			return nil, nil
		},
		Step: func(done, all int) {
			r.report(Progress{Phase: Boards, Share: float64(done) / float64(all), Count: int64(done)})
		},
	}
	for _, d := range r.fresh {
		p.Archived = append(p.Archived, d.ModeDay)
	}
	for _, d := range r.living {
		p.Living = append(p.Living, d.ModeDay)
	}
	for _, d := range r.same {
		p.Known = append(p.Known, d.ModeDay)
	}
	return p
}

// finish notes, for the next run and in the audit, that the import is complete.
func (r *run) finish(ctx context.Context, files []string) error {
	detail, err := json.Marshal(map[string]any{
		"files": files, "entries": r.summary.Entries, "first": r.summary.First.String(), "last": r.summary.Last.String(),
	})
	if err != nil {
		return err
	}
	at := r.Closing.Now()
	return r.imported.Finish(ctx, archive.AuditEntry{
		Act:    game.Act{ID: fmt.Sprintf("import %d", at.UnixNano()), Actor: "lbctl", At: at},
		Action: "import", Detail: detail,
	})
}
