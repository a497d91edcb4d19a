package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// EnvRepair, set to off, stops the schedules from repairing boards that Redis has lost: an
// operator then does it.
const EnvRepair = "REPAIR"

// repairName is the name of the repair of lost boards in runs, lock and audit.
const repairName = status.Repair

// Repairs sets whether the schedules make boards again that Redis has lost. They do by
// default.
func (j *Jobs) Repairs(on bool) { j.closing.Repairs = on && j.sides != nil }

// repairsFrom reads the environment.
func repairsFrom(getenv func(string) string) (bool, error) {
	switch v := getenv(EnvRepair); v {
	case "", "on":
		return true, nil
	case "off":
		return false, nil
	default:
		return false, fmt.Errorf("%s: %.40q: use on or off", EnvRepair, v)
	}
}

// repaired is what a repair did.
type repaired struct {
	Days     int                `json:"days,omitempty"` // day boards of a lost Redis
	Results  int64              `json:"results,omitempty"`
	Posted   int                `json:"posted,omitempty"`
	Returned []closing.Returned `json:"returned,omitempty"` // single boards that were lost
}

// repairing makes boards again that Redis has lost.
type repairing struct{ *Jobs }

// lookEach is how often boards of a game with an outbox are counted, however often cron-save
// drains the outbox.
const lookEach = time.Hour

// looks reports whether the run of cron-save that is due at a time counts boards: the first
// run after each full hour.
func (j repairing) looks(due time.Time) bool {
	before := due.Add(due.Sub(j.Plan.Next("cron-save", due)))
	return j.closing.Repairs && j.closing.Game.Outbox && !before.Truncate(lookEach).Equal(due.Truncate(lookEach))
}

// expired lists the boards of days that expired before they were rolled up and that cron-daily
// would bring back, if it does not run or fails.
//
// Cost: 1 billed command; if cron-daily does not run well, that of [closing.Expired].
func (j repairing) expired(ctx context.Context) ([]string, error) {
	if !j.closing.Repairs {
		return nil, nil
	}
	past, err := j.runs.Read(ctx)
	if err != nil {
		return nil, err
	}
	daily, now := past["cron-daily"], j.closing.Now()
	if daily.Last.Good() && !daily.Last.Ended.IsZero() && !j.Plan.Late("cron-daily", daily, now, now) {
		return nil, nil
	}
	return j.closing.Expired(ctx)
}

// losses is what Redis was found to have lost.
type losses struct {
	elsewhere bool     // the archive has days of another Redis: everything
	short     []string // boards of days that are to be merged with the archive's
	expired   []string // boards of days that expired before they were rolled up
}

// run makes again what Redis has lost: everything or, if only expired days are lost, what a
// closing brings back, or the day boards in short. Only one run at a time does it; if it is cut
// off, the next one continues. done reports that everything is made again.
//
// Cost: 2 billed commands, and those of Restore, of Daily or of Return.
func (j repairing) run(ctx context.Context, lost losses) (done bool, err error) {
	elsewhere, short := lost.elsewhere, lost.short
	if !j.closing.Repairs || !elsewhere && len(short)+len(lost.expired) == 0 {
		return false, nil
	}
	began := j.closing.Now()
	var did repaired
	ran, err := j.closing.Store.DB.WithLock(ctx, repairName, func(ctx context.Context) error {
		j.log.LogAttrs(ctx, slog.LevelWarn, "Redis has lost boards; they are rebuilt from the archive", slog.Bool("all", elsewhere), slog.Any("boards", slices.Concat(short, lost.expired)))
		usage.ReportProblem(ctx)
		// First finish removals and claims: otherwise a player could come back who is being
		// removed, or whose device is being claimed.
		if err := errors.Join(
			wrong(j.claims.LookAfter(ctx)),
			wrong(j.removals.LookAfter(ctx)),
		); err != nil {
			return err
		}
		if !elsewhere {
			err := eraseAgain(ctx, &j.closing, j.sides, func() (err error) {
				if did.Returned, err = j.closing.Return(ctx, short); err != nil || len(lost.expired) == 0 {
					return err
				}
				report, err := j.closing.Daily(ctx)
				did.Returned = append(did.Returned, report.Returned...)
				return err
			})
			if elsewhere = errors.Is(err, archive.ErrOtherSource); !elsewhere {
				return err
			}
		}
		return j.remake(ctx, &did)
	})
	if err == nil && !ran {
		return false, nil // another run is doing it
	}
	j.note(ctx, began, did, err)
	return err == nil, err
}

// remake makes everything of a lost Redis again, unless another run has done so.
func (j repairing) remake(ctx context.Context, did *repaired) error {
	source, err := j.closing.Store.Notices.Source(ctx)
	if err != nil {
		return err
	}
	left, err := j.closing.Archive.Days.Elsewhere(ctx, source)
	if err != nil || left == 0 {
		return err
	}
	return eraseAgain(ctx, &j.closing, j.sides, func() error {
		// What this Redis has learned of players since the loss must be kept.
		if _, err := j.sides.Refill(ctx, closing.SidesOptions{All: true}); err != nil {
			return err
		}
		report, err := restoreAll(ctx, &j.closing, j.sides, closing.RestoreOptions{Resume: true})
		did.Days, did.Results, did.Posted = report.Days, report.Results, report.Posted
		return err
	})
}

// note records what was done where operators look: in the status, the audit and the log.
func (j repairing) note(ctx context.Context, began time.Time, did repaired, failed error) {
	ended := j.closing.Now()
	run := status.Run{Due: began.UTC(), Ended: ended.UTC(), Milliseconds: ended.Sub(began).Milliseconds()}
	if failed != nil {
		run.Error = failed.Error()
	}
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	err := j.runs.Note(settle, repairName, run)
	if detail, jsonErr := json.Marshal(did); failed == nil && jsonErr == nil {
		err = errors.Join(err, j.closing.Archive.Audit.Put(settle, archive.AuditEntry{
			Act: game.Act{ID: repairName + " " + began.UTC().Format(time.RFC3339Nano), Actor: repairName, At: ended}, Action: "restore", Detail: detail,
		}))
	}
	if err != nil {
		j.log.LogAttrs(ctx, slog.LevelWarn, "the result of a repair could not be stored", slog.String("error", err.Error()))
	}
	says := "what Redis had lost was rebuilt"
	if failed != nil {
		says = "what Redis has lost is not rebuilt completely; the next cron-save continues"
	}
	j.log.LogAttrs(ctx, slog.LevelWarn, says, slog.Bool("whole", failed == nil), slog.Any("done", did))
}

const (
	soonAgain = time.Minute // between two repairs that readers ask of one process
	soonTakes = 10 * time.Minute
)

// RepairSoon is for processes that live on: the function that it returns starts a cron-save in
// the background, which repairs what is lost. If the process has started one within the last
// minute, it leaves the repair to the schedules.
func (j *Jobs) RepairSoon(ctx context.Context) func() {
	var last atomic.Int64
	return func() {
		now := time.Now().UnixNano()
		before := last.Load()
		if !j.closing.Repairs || now-before < int64(soonAgain) || !last.CompareAndSwap(before, now) {
			return
		}
		go func() {
			ctx, cancel := context.WithTimeout(ctx, soonTakes)
			defer cancel()
			if _, err := save(ctx, j, j.closing.Now(), j.closing.Game.Outbox, true); err != nil {
				j.log.LogAttrs(ctx, slog.LevelWarn, "a repair failed; the next cron-save continues", slog.String("error", err.Error()))
			}
		}()
	}
}

// lostIn returns what an error says about boards that Redis has lost.
func lostIn(err error) (elsewhere bool, short []string) {
	var lost *closing.ShortError
	if errors.As(err, &lost) && error(lost) == err {
		return false, []string{lost.Key()}
	}
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			all, some := lostIn(one)
			elsewhere, short = elsewhere || all, append(short, some...)
		}
		return elsewhere, short
	case interface{ Unwrap() error }:
		return lostIn(e.Unwrap())
	}
	return errors.Is(err, archive.ErrOtherSource), nil
}
