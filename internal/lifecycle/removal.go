// This file removes players and scores, and bans players: on the boards in Redis first,
// then in the archive, if there is one, which also notes each act. Without an archive the log
// does.
//
// It knows the order of these steps and what the boards need from the archive. It does not
// know Redis, SQL, HTTP or who may ask for it.
//
// Every act may be repeated; if it was cut off, a repetition finishes it. The archive's
// results go last: as long as the archive has the rows, a repetition knows what there was.

package lifecycle

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
)

// Act is who removes something, and when.
type Act = game.Act

// ActOf makes the act of an actor's request. The request's id names it, or a random id if the
// request has none.
func ActOf(request, actor string, at time.Time) Act {
	if request == "" {
		request = rand.Text()
	}
	return Act{ID: request, Actor: actor, At: at}
}

// RemovalArchive is what removals need of the history. Each method that changes something notes the
// act. Errors: [game.ErrDatabaseAway].
type RemovalArchive interface {
	// Past reads what the archive has of a player.
	Past(ctx context.Context, player string) (*ArchivedPlayer, error)
	// DeleteResult removes a player's result of one day.
	DeleteResult(ctx context.Context, mode string, d game.Date, player string, act Act) (removed bool, err error)
	// Erase removes a player from everything, and returns the number of removed results.
	Erase(ctx context.Context, player string, act Act) (results int64, err error)
	Ban(ctx context.Context, player, reason string, act Act) error
	Unban(ctx context.Context, player string, act Act) error
	// Ping reports whether the archive answers.
	Ping(ctx context.Context) error
}

// Removals does the acts. Archive may be nil.
type Removals struct {
	Notices *control.Notices
	Repair  *Repair
	Archive RemovalArchive
	// Also erases a player from what else is in Redis, before the archive.
	Also func(ctx context.Context, player string) error
	// Forfeit takes away the XP that duels have given a player who is banned, except on the
	// board of XP. Nil: duels give none.
	Forfeit func(ctx context.Context, player string) error
	// Late removes what was still being written to Redis while a player was erased. Nil:
	// nothing is written that does not expire by itself.
	Late func(ctx context.Context, player string) error
	// Copied reports whether Redis has something of a player that was copied from elsewhere,
	// such as lists of friends. Nil: Redis has no such copies.
	Copied func(ctx context.Context, player string) (bool, error)
	// Later and Claimed are [Erasure]'s.
	Later   func(ctx context.Context, player string) (bool, error)
	Claimed func(ctx context.Context, player string) ([]string, error)
	Log     *slog.Logger
}

// Report is what an act changed.
type Report struct {
	Boards  int   // boards in Redis on which the player's entry was changed or removed
	Results int64 // removed from the archive
	// Unknown says, after an erasure, that nothing was known of the player.
	Unknown bool
	// Left are the boards, by key, that keep what they had: some of their days have left
	// Redis, and there is no archive.
	Left []string
}

// Score removes one player's score of one day. Errors: those of RemoveScore.
func (s *Removals) Score(ctx context.Context, m *game.Mode, d game.Date, player string, act Act) (Report, error) {
	defer s.Notices.Removed.Note(player)
	past, err := s.readPast(ctx, player)
	if err != nil {
		return Report{}, err
	}
	removed, err := s.Repair.RemoveScore(ctx, m, d, player, past)
	report := Report{Boards: removed.Boards}
	if err != nil {
		return report, err
	}
	if s.Archive != nil {
		deleted, err := s.Archive.DeleteResult(ctx, m.Name, d, player, act)
		if deleted {
			report.Results = 1
		}
		return report, err
	}
	s.audit(ctx, "delete_result", player, act, report, slog.String("mode", m.Name), slog.String("date", d.String()))
	return report, nil
}

// Ban keeps a player from playing, and removes the player's scores on days that may still
// change, and the XP of the player's duels. Older scores stay.
//
// The archive notes the ban before anything is removed: if Redis is lost after that, the
// player stays banned.
func (s *Removals) Ban(ctx context.Context, player, reason string, act Act) (Report, error) {
	defer s.Notices.Removed.Note(player)
	err := s.Notices.Ban(ctx, player)
	if err == nil && s.Archive != nil {
		err = s.Archive.Ban(ctx, player, reason, act)
	}
	if err != nil {
		return Report{}, err
	}
	if s.Forfeit != nil {
		if err := s.Forfeit(ctx, player); err != nil {
			return Report{}, err
		}
	}
	past, err := s.readPast(ctx, player)
	if err != nil {
		return Report{}, err
	}
	removed, err := s.Repair.RemoveRecent(ctx, player, past)
	report := Report{Boards: removed.Boards, Left: removed.Left}
	if err != nil {
		return report, err
	}
	if s.Archive == nil {
		s.audit(ctx, "ban", player, act, report, slog.String("reason", reason))
		return report, nil
	}
	report.Results, err = s.deleteRemoved(ctx, player, past, removed, act)
	return report, err
}

// deleteRemoved removes from the archive what a ban has removed from boards: rows that the
// archive had before, and rows of days that a schedule may have archived meanwhile, or be
// about to archive, with the player on them.
func (s *Removals) deleteRemoved(ctx context.Context, player string, past *ArchivedPlayer, removed RemovalReport, act Act) (results int64, err error) {
	for _, day := range removed.Days {
		if !has(past, day) && !slices.Contains(removed.Taken, day) {
			continue
		}
		part := Act{ID: act.ID + " " + day.Mode + " " + day.Date.String(), Actor: act.Actor, At: act.At}
		deleted, err := s.Archive.DeleteResult(ctx, day.Mode, day.Date, player, part)
		if err != nil {
			return results, err
		}
		if deleted {
			results++
		}
	}
	return results, nil
}

func has(past *ArchivedPlayer, day game.DayName) bool {
	for _, row := range past.Results {
		if row.Mode == day.Mode && row.Date == day.Date {
			return true
		}
	}
	return false
}

// Unban lets a player play again. It restores nothing.
func (s *Removals) Unban(ctx context.Context, player string, act Act) error {
	if err := s.Notices.Unban(ctx, player); err != nil {
		return err
	}
	if s.Archive != nil {
		return s.Archive.Unban(ctx, player, act)
	}
	s.audit(ctx, "unban", player, act, Report{})
	return nil
}

// OwnErasures is how often a player may erase themselves on one UTC date, over all processes.
const OwnErasures = 3

// Erase removes a player from everything. A ban stays, by digest.
func (s *Removals) Erase(ctx context.Context, player string, act Act) (Report, error) {
	return s.erase(ctx, player, act, Erasure{})
}

// EraseAgain is Erase for a player of whom anything may have come back, even if Redis has
// nothing of what an erasure looks for first.
func (s *Removals) EraseAgain(ctx context.Context, player, actor string) error {
	all := *s
	all.Copied = func(context.Context, string) (bool, error) { return true, nil }
	_, err := all.Erase(ctx, player, Act{ID: actor + " " + game.BanMember(player), Actor: actor, At: s.Repair.DB.Now()})
	return err
}

// EraseOwn is Erase for players who erase themselves, at most OwnErasures times on one UTC
// date. before is called as Erasure.Before. Errors: *ErasedTooOftenError, that
// of before.
func (s *Removals) EraseOwn(ctx context.Context, player string, act Act, before func(context.Context) error) (Report, error) {
	return s.erase(ctx, player, act, Erasure{AtMost: OwnErasures, Before: before})
}

func (s *Removals) erase(ctx context.Context, player string, act Act, o Erasure) (Report, error) {
	defer s.Notices.Removed.Note(player)
	if err := s.know(ctx, player, &o); err != nil {
		return Report{}, err
	}
	erased, err := s.Repair.Erase(ctx, player, o)
	report := Report{Boards: erased.Boards}
	if err == nil && !erased.Idle && s.Also != nil {
		err = s.Also(ctx, player)
	}
	if err != nil {
		return report, err
	}
	if s.Archive != nil {
		if report.Results, err = s.Archive.Erase(ctx, player, act); err != nil {
			return report, err
		}
	}
	if err := s.Repair.EraseDone(ctx, player, erased); err != nil {
		return report, err
	}
	report.Unknown = !erased.Known && report.Results == 0
	if s.Archive == nil {
		if act.Actor == player {
			act.Actor = "the player"
		}
		// The log outlives the player, so it has the request but not the erased player.
		s.audit(ctx, "erase", "", act, report)
	}
	return report, nil
}

// know adds what exists of a player outside of the boards. If the archive does not answer,
// know assumes that something exists: boards need not wait for the archive, and a repetition
// finishes the erasure when it answers.
func (s *Removals) know(ctx context.Context, player string, o *Erasure) (err error) {
	o.Later, o.Claimed = s.Later, s.Claimed
	o.Past, err = s.readPast(ctx, player)
	if err == nil && s.Copied != nil {
		o.Copied, err = s.Copied(ctx, player)
	}
	if errors.Is(err, game.ErrDatabaseAway) {
		o.Copied, err = true, nil
	}
	return err
}

// schedule is the actor in the audit for removals that the daily job finishes.
const schedule = "removals"

// LookAfter finishes removals that began more than 20 minutes ago; see
// LookAfterRemovals. The daily job calls it.
func (s *Removals) LookAfter(ctx context.Context) (done int, err error) {
	var past Pasts
	if s.Archive != nil {
		past = s.Archive.Past
	}
	return s.Repair.LookAfterRemovals(ctx, past, Finish{
		Erase: func(ctx context.Context, player string, at time.Time) error {
			_, err := s.Erase(ctx, player, Act{ID: schedule + " " + game.BanMember(player), Actor: schedule, At: at})
			return err
		},
		Again: func(ctx context.Context, player string) error { return s.EraseAgain(ctx, player, schedule) },
		Late:  s.Late, Forfeit: s.Forfeit,
		Banned: func(ctx context.Context, player string, past *ArchivedPlayer, removed RemovalReport) error {
			now := s.Repair.DB.Now()
			id := schedule + " " + game.BanMember(player) + " " + now.UTC().Format(time.RFC3339)
			_, err := s.deleteRemoved(ctx, player, past, removed, Act{ID: id, Actor: schedule, At: now})
			return err
		},
	})
}

// Health reports whether Redis answers and how long that took by the machine's clock, and
// whether the archive answers: that error is nil if there is no archive.
func (s *Removals) Health(ctx context.Context) (took time.Duration, redis, archive error) {
	began := time.Now()
	redis = s.Notices.Ping(ctx)
	took = time.Since(began)
	if s.Archive != nil {
		archive = s.Archive.Ping(ctx)
	}
	return took, redis, archive
}

// Size counts the keys of Redis. Cost: 1 billed command.
func (s *Removals) Size(ctx context.Context) (keys int64, err error) {
	return s.Notices.Size(ctx)
}

// Archived reports whether there is an archive.
func (s *Removals) Archived() bool { return s.Archive != nil }

func (s *Removals) readPast(ctx context.Context, player string) (*ArchivedPlayer, error) {
	if s.Archive == nil {
		return nil, nil
	}
	past, err := s.Archive.Past(ctx, player)
	if err != nil {
		return nil, fmt.Errorf("read what the archive has of %s: %w", player, err)
	}
	return past, nil
}

// audit logs an act if there is no archive to note it.
func (s *Removals) audit(ctx context.Context, action, player string, act Act, report Report, more ...slog.Attr) {
	attrs := []slog.Attr{
		slog.String("action", action), slog.String("id", act.ID), slog.String("actor", act.Actor),
		slog.Time("at", act.At), slog.Int("boards", report.Boards),
	}
	if player != "" {
		attrs = append(attrs, slog.String("player", player))
	}
	s.Log.LogAttrs(ctx, slog.LevelInfo, "audit", append(attrs, more...)...)
}
