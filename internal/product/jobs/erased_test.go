package jobs_test

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func (w *world) eraseOnce(player string) lifecycle.Report {
	w.Helper()
	report, err := jobs.Removals(w.app, w.kept).Erase(w.Context(), player, lifecycle.Act{ID: fmt.Sprint("e", w.now), Actor: "operator", At: w.now})
	require.NoError(w, err)
	return report
}

// isNowhere requires that no place has a player, apart from what an erasure itself notes.
func (w *world) isNowhere(player, when string) {
	w.Helper()
	var left []string
	places := w.words()
	for place, words := range places {
		if words[player] {
			left = append(left, place)
		}
	}
	for key := range places["keys"] {
		if strings.Contains(key, player) {
			left = append(left, key)
		}
	}
	require.Empty(w, left, "%s still have who was erased, %s", left, when)
}
