package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// Nothing is left of a player whose rating and badges were corrected, whether or not Postgres has
// the correction yet, and also when Redis is lost later; the log keeps the acts under a digest.
func TestNothingIsLeftOfWhoWasCorrected(t *testing.T) {
	for name, later := range map[string]bool{"kept": false, "kept later": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = keptGame
			w.restart()
			duels := jobs.Duels(w.app, w.kept)
			for i := range 2 {
				d, err := duels.Arrange(t.Context(), fmt.Sprint("d", i), [2]string{"user_x", "user_y"}, "")
				require.NoError(t, err)
				_, err = duels.Report(t.Context(), d.ID, duel.Result{Winner: "user_x"})
				require.NoError(t, err)
			}
			rating, _, _, err := duels.StandingOf(t.Context(), "user_x")
			require.NoError(t, err)
			if later {
				duels = jobs.Duels(w.app, nil)
			}
			_, err = duels.Correct(t.Context(), "user_x", rating, 1300)
			require.NoError(t, err)
			badges, today := badgestore.In(w.kept), game.DateOf(w.now)
			of := badgestore.PlayerBadge{Player: "user_x", Badge: badge.Badge{Rule: "streak", Earned: today, Since: today}}
			_, err = badges.Give(t.Context(), []badgestore.PlayerBadge{of}, w.now)
			require.NoError(t, err)
			require.NoError(t, badges.TakeByHand(t.Context(), of, w.now))
			require.NoError(t, w.kept.Audit.Put(t.Context(), archive.AuditEntry{
				Act: game.Act{ID: "c", Actor: "lbctl ada", At: w.now}, Action: "correct_rating", Player: "user_x", Detail: []byte(`{"before": 1000, "after": 1300}`),
			}))

			w.now = w.now.Add(time.Minute)
			require.False(t, w.eraseOnce("user_x").Unknown)
			w.isNowhere("user_x", "at once")
			for range 3 {
				w.now = w.now.Add(25 * time.Hour)
				w.restart()
				require.NoError(t, w.save())
				w.daily()
				w.isNowhere("user_x", "days later")
				w.do("FLUSHALL") // the next run makes Redis again
			}
			var logged int
			w.ask(`SELECT count(*) FROM audit WHERE action = 'correct_rating' AND player = player_digest('user_x') AND actor = 'lbctl ada'`, &logged)
			require.Equal(t, 1, logged)
		})
	}
}
