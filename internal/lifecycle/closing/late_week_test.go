package closing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// improve plays without a group on a day that has closed, as an import may.
func (k *kit) improve(mode, player string, d game.Date, score game.Score) {
	k.t.Helper()
	k.keys++
	sub := game.Submission{
		Mode: k.mode(mode), Player: player, Date: d, Score: score, At: d.Midnight().Add(20*time.Hour + time.Duration(k.keys)*time.Second),
		Idempotency: game.IdempotencyRecord{ID: fmt.Sprint("i", k.keys), Fingerprint: "f"},
	}
	_, err := k.process().Store.Boards.Submit(context.Background(), sub)
	require.NoError(k.t, err)
}

// score reads a player's score on a board as a reader sees it.
func (k *kit) score(mode string, p game.Period, scope game.Scope, player string) game.Score {
	k.t.Helper()
	s := k.process().Store
	page, err := s.Boards.Page(context.Background(), game.BoardOf(k.mode(mode), p, scope), game.PageRequest{Limit: 100})
	require.NoError(k.t, err)
	for _, e := range page.Entries {
		if e.Player == player {
			return e.Score
		}
	}
	return -1
}

// green is the group of players with names of one letter.
func (k *kit) green() game.Scope {
	scope, err := game.GroupScope("green")
	require.NoError(k.t, err)
	return scope
}

// Plays without a group replace entries of players who are on a group's board. The group's
// week has these plays, whether they came before the day closed or after it, although no
// Postgres reads the groups of closing days.
func TestGroupsFollowTheirDayWithoutPostgres(t *testing.T) {
	for mode, scores := range map[string][3]game.Score{"best": {40, 50, 60}, "coins": {40, 50, 60}} {
		t.Run(mode, func(t *testing.T) {
			onEngines(t, func(k *kit) {
				ctx, t := context.Background(), k.t
				week := game.Week.Of(monday)
				k.at(monday, 12, 0)
				k.play(mode, "a", monday, scores[0])
				total := scores[0]
				add := func(score game.Score) {
					k.improve(mode, "a", monday, score)
					if total = score; mode == "coins" {
						total = k.score(mode, game.Day.Of(monday), game.Scope{}, "a")
					}
				}
				add(scores[1])
				k.at(monday.AddDays(1), 0, 20)
				_, err := k.withoutArchive().Daily(ctx)
				require.NoError(t, err)
				k.at(monday.AddDays(2), 12, 0)
				require.Equal(t, total, k.score(mode, week, k.green(), "a"), "replaced before the day closed")
				add(scores[2])
				k.at(monday.AddDays(3), 0, 20)
				_, err = k.withoutArchive().Daily(ctx)
				require.NoError(t, err)
				require.Equal(t, total, k.score(mode, week, k.green(), "a"), "replaced after the day closed")
				require.Equal(t, total, k.score(mode, game.Month.Of(monday), k.green(), "a"))
			})
		})
	}
}

// A score comes in after its week has closed: the boards of the week have it when its day has
// closed again, even if nobody looks before the days expire.
func TestALateScoreReachesAWeekThatHasClosedThoughNobodyLooks(t *testing.T) {
	for name, archived := range map[string]bool{"with Postgres": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			ctx := context.Background()
			process := k.withoutArchive
			if archived {
				process = k.process
			}
			sunday := monday.AddDays(6)
			for _, d := range []game.Date{monday, sunday} {
				k.at(d, 12, 0)
				k.play("best", "a", d, 40)
				k.at(d.AddDays(1), 0, 20)
				_, err := process().Daily(ctx)
				require.NoError(t, err)
			}
			_, err := process().Weekly(ctx, k.now)
			require.NoError(t, err)
			k.at(sunday.AddDays(1), 15, 0)
			k.play("best", "b", sunday, 50)
			k.improve("best", "a", sunday, 60)
			k.at(sunday.AddDays(2), 0, 20)
			daily, err := process().Daily(ctx)
			require.NoError(t, err)
			require.Equal(t, "2026-W53", daily.Periods[0].Period)
			require.Empty(t, daily.Periods[0].Partial)
			k.at(sunday.AddDays(3), 1, 0)
			k.expireDays(monday.AddDays(-1))
			k.at(sunday.AddDays(3), 2, 0)
			for _, scope := range []game.Scope{{}, k.green()} {
				require.EqualValues(t, 60, k.score("best", game.Week.Of(monday), scope, "a"), scope)
				require.EqualValues(t, 50, k.score("best", game.Week.Of(monday), scope, "b"), scope)
			}
		})
	}
}

// Once a day of a week has expired, the week's boards are made from the archive. Without an
// archive they stay as they are, and the closing reports that they lack something.
func TestALateScoreOfAWeekThatHasBegunToExpire(t *testing.T) {
	for name, archived := range map[string]bool{"with Postgres": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			ctx := context.Background()
			process := k.withoutArchive
			if archived {
				process = k.process
			}
			week, sunday := game.Week.Of(monday), monday.AddDays(6)
			for _, d := range []game.Date{monday, sunday} {
				k.at(d, 12, 0)
				k.play("best", "a", d, 40)
				k.at(d.AddDays(1), 0, 20)
				_, err := process().Daily(ctx)
				require.NoError(t, err)
			}
			_, err := process().Weekly(ctx, k.now)
			require.NoError(t, err)
			k.at(sunday.AddDays(3), 12, 0)
			_, err = k.server.Redis().Do(ctx, "DEL", game.DayBoardKey("best", monday),
				game.BoardKey("best", game.Day.Of(monday), k.green()))
			require.NoError(t, err)
			k.play("best", "b", sunday, 50)
			k.at(sunday.AddDays(4), 0, 20)
			daily, err := process().Daily(ctx)
			require.NoError(t, err)
			require.Equal(t, "2026-W53", daily.Periods[0].Period)
			keys := []string{game.BoardKey("best", week, game.Scope{}), game.BoardKey("best", week, k.green())}
			want := game.Score(50)
			if archived {
				require.Subset(t, daily.Periods[0].Rebuilt, keys)
				require.Empty(t, daily.Periods[0].Partial)
			} else {
				require.Subset(t, daily.Periods[0].Partial, keys)
				want = -1
			}
			for _, scope := range []game.Scope{{}, k.green()} {
				require.Equal(t, want, k.score("best", week, scope, "b"))
				require.EqualValues(t, 40, k.score("best", week, scope, "a"), "what was there stays")
			}
			require.EqualValues(t, 50, k.score("best", game.AllTime.Of(sunday), game.Scope{}, "b"), "folded days miss nothing")
		})
	}
}
