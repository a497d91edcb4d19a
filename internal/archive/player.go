package archive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// What is kept of one player is read newest first and in pages: each begins
// after a row that the page before has ended with, so that it neither repeats
// nor skips a row, whatever came in meanwhile.

// WholeDay names a mode's day.
type WholeDay struct {
	Mode string
	Date game.Date
}

// WholeDays lists the days from one on that are in as they were when they closed.
// 1 round trip.
func (a *Archive) WholeDays(ctx context.Context, from game.Date) ([]WholeDay, error) {
	return collect(ctx, a, "list whole days", `SELECT mode, date FROM archived_days WHERE complete AND date >= $1`,
		[]any{from.Midnight()}, func(rows pgx.Rows, d *WholeDay) error {
			var date time.Time
			err := rows.Scan(&d.Mode, &date)
			d.Date = game.DateOf(date)
			return err
		})
}

// ResultsBefore reads a player's results after a place, by date and mode, both
// from the highest down.
// 1 round trip.
func (a *Archive) ResultsBefore(ctx context.Context, player string, d game.Date, mode string, limit int) ([]PlayerResult, error) {
	return collect(ctx, a, "read a player's results", `
SELECT mode, date, player, stored, scopes, scoped_stored, details FROM results
WHERE player = $1 AND (date, mode) < ($2, $3) ORDER BY date DESC, mode DESC LIMIT $4`,
		[]any{player, d.Midnight(), mode, limit}, scanPlayerResult)
}

// SubmissionPlace is where a submission stands among a player's.
type SubmissionPlace struct {
	At       time.Time
	Mode     string
	Date     game.Date
	StreamID string
}

// Place is where the submission stands.
func (s Submission) Place() SubmissionPlace { return SubmissionPlace{s.At, s.Mode, s.Date, s.StreamID} }

// SubmissionsBefore reads a player's submissions after a place, newest first.
// 1 round trip.
func (a *Archive) SubmissionsBefore(ctx context.Context, player string, p SubmissionPlace, limit int) ([]Submission, error) {
	return collect(ctx, a, "read a player's submissions", `
SELECT mode, date, stream_id, player, stored, scopes, details, at FROM submissions
WHERE player = $1 AND (at, mode, date, stream_id) < ($2, $3, $4, $5)
ORDER BY at DESC, mode DESC, date DESC, stream_id DESC LIMIT $6`,
		[]any{player, p.At, p.Mode, p.Date.Midnight(), p.StreamID, limit},
		func(rows pgx.Rows, s *Submission) error {
			var date time.Time
			var scopes []string
			if err := rows.Scan(&s.Mode, &date, &s.StreamID, &s.Player, &s.Stored, &scopes, &s.Details, &s.At); err != nil {
				return err
			}
			s.Date, s.At = game.DateOf(date), s.At.UTC()
			results, err := splitScopes(s.Stored, scopes, nil)
			for _, r := range results {
				s.Scopes = append(s.Scopes, r.Scope)
			}
			return err
		})
}

// DuelsKnown returns those of some ids whose duels are kept.
// 1 round trip.
func (a *Archive) DuelsKnown(ctx context.Context, ids []string) ([]string, error) {
	return collect(ctx, a, "look for duels", `SELECT id FROM duels WHERE id = ANY ($1) AND state <> 'expired'`, []any{ids},
		func(rows pgx.Rows, id *string) error { return rows.Scan(id) })
}

// AchievementsBefore reads what a player achieved after a place, newest first.
// 1 round trip.
func (a *Archive) AchievementsBefore(ctx context.Context, player string, p Achievement, limit int) ([]Achievement, error) {
	return collect(ctx, a, "read a player's achievements", `
SELECT player, kind, rank, mode, period, period_key, scope, awarded_at FROM achievements
WHERE player = $1 AND (awarded_at, mode, period, period_key, scope, kind) < ($2, $3, $4, $5, $6, $7)
ORDER BY awarded_at DESC, mode DESC, period DESC, period_key DESC, scope DESC, kind DESC LIMIT $8`,
		[]any{player, p.AwardedAt, p.Mode, p.Period, p.PeriodKey, p.Scope, string(p.Kind), limit},
		func(rows pgx.Rows, w *Achievement) error {
			err := rows.Scan(&w.Player, &w.Kind, &w.Rank, &w.Mode, &w.Period, &w.PeriodKey, &w.Scope, &w.AwardedAt)
			w.AwardedAt = w.AwardedAt.UTC()
			return err
		})
}

// OpenInvite is an invite of a player. Its code is not kept.
type OpenInvite struct {
	MadeAt, ExpiresAt time.Time
	UsesLeft          int
}

// InvitesOf lists a player's invites, newest first: a bounded number.
// 1 round trip.
func (a *Archive) InvitesOf(ctx context.Context, player string) ([]OpenInvite, error) {
	return collect(ctx, a, "list a player's invites", `
SELECT made_at, expires_at, uses_left FROM friend_invites WHERE player = $1 ORDER BY made_at DESC, digest`, []any{player},
		func(rows pgx.Rows, i *OpenInvite) error {
			err := rows.Scan(&i.MadeAt, &i.ExpiresAt, &i.UsesLeft)
			i.MadeAt, i.ExpiresAt = i.MadeAt.UTC(), i.ExpiresAt.UTC()
			return err
		})
}

// ErrNoBan is returned for a player who is not kept out.
var ErrNoBan = errors.New("the player is not banned")

// BanOf reads a player's ban, erased or not. Errors: ErrNoBan.
// 1 round trip.
func (a *Archive) BanOf(ctx context.Context, player string) (b Banned, err error) {
	err = a.change(ctx, "read a ban", `
SELECT player, reason, banned_at, banned_by FROM bans WHERE player IN ($1, player_digest($1)) ORDER BY banned_at LIMIT 1`,
		[]any{player}, &b.Player, &b.Reason, &b.At, &b.By)
	if errors.Is(err, pgx.ErrNoRows) {
		return Banned{}, fmt.Errorf("%w", ErrNoBan)
	}
	b.At = b.At.UTC()
	return b, err
}

// BansBefore lists who is kept out after a place, newest first.
// 1 round trip.
func (a *Archive) BansBefore(ctx context.Context, at time.Time, player string, limit int) ([]Banned, error) {
	return collect(ctx, a, "list bans", `
SELECT player, reason, banned_at, banned_by FROM bans WHERE (banned_at, player) < ($1, $2)
ORDER BY banned_at DESC, player DESC LIMIT $3`, []any{at, player, limit},
		func(rows pgx.Rows, b *Banned) error {
			err := rows.Scan(&b.Player, &b.Reason, &b.At, &b.By)
			b.At = b.At.UTC()
			return err
		})
}

// CountBans counts who is kept out.
// 1 round trip.
func (a *Archive) CountBans(ctx context.Context) (n int64, err error) {
	return n, a.change(ctx, "count bans", `SELECT count(*) FROM bans`, nil, &n)
}
