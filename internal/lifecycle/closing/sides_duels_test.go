package closing_test

import (
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// someDuels makes one that is over, and a challenge.
func (k *twoSides) someDuels() {
	duels := jobs.Duels(k.app, k.kept)
	_, err := duels.Arrange(k.Context(), "d1", [2]string{"ana", "ben"}, "")
	require.NoError(k, err)
	_, err = duels.Report(k.Context(), "d1", duel.Result{Winner: "ana"})
	require.NoError(k, err)
	_, err = duels.Challenge(k.Context(), "ana", "", "")
	require.NoError(k, err)
}

// openDuels are the duels under way that an archive has.
func (k *twoSides) openDuels(kept *archive.Archive) (all []duel.Duel) {
	require.NoError(k, duelstore.In(kept).EachOpen(k.Context(), func(page []duel.Duel) error {
		all = append(all, page...)
		return nil
	}))
	return all
}
