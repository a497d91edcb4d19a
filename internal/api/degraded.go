package api

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/budget"
)

// degraded is the header that names the degradation measures that bear on an answer.
const degraded = "Framedle-Degraded"

// tellDegraded sets that header, if any measure bears on the answer.
func tellDegraded(w http.ResponseWriter, m budget.Measures) {
	if m != (budget.Measures{}) {
		w.Header().Set(degraded, m.String())
	}
}
