package api

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/budget"
)

// degraded names what the budget has taken from an answer.
const degraded = "Framedle-Degraded"

// tellDegraded says which measures bear on an answer; nothing where none does.
func tellDegraded(w http.ResponseWriter, m budget.Measures) {
	if m != (budget.Measures{}) {
		w.Header().Set(degraded, m.String())
	}
}
