package lifecycle_test

import (
	"cmp"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// model is a day's board, kept without Redis: a map of standing scores, sorted when asked.
type model struct {
	mode    *game.Mode
	entries map[string]modelEntry
}

type modelEntry struct {
	score game.Score
	at    time.Time
}

func newModel(m *game.Mode) *model { return &model{m, map[string]modelEntry{}} }

func (m *model) better(a, b game.Score) bool {
	if m.mode.Order == game.Asc {
		return a < b
	}
	return a > b
}

// submit applies the policy and returns the expected answer; ok is false if a sum leaves the
// day's bounds.
func (m *model) submit(player string, score game.Score, at time.Time) (status string, ok bool) {
	old, current := m.entries[player]
	status = "accepted"
	switch {
	case m.mode.Policy == game.Sum:
		if current {
			status = "improved"
		}
		score += old.score
		if score < m.mode.DayMin || score > m.mode.DayMax {
			return "", false
		}
	case !current:
	case m.mode.Policy == game.First,
		m.mode.Policy == game.Best && !m.better(score, old.score),
		m.mode.Policy == game.Latest && !at.After(old.at):
		return "kept", true
	default:
		status = "improved"
	}
	m.entries[player] = modelEntry{score, at}
	return status, true
}

type modelRow struct {
	player string
	score  game.Score
	rank   int64
}

// rows returns the board in order, with ranks in the mode's tie style.
func (m *model) rows() []modelRow {
	players := make([]string, 0, len(m.entries))
	for player := range m.entries {
		players = append(players, player)
	}
	slices.SortFunc(players, func(a, b string) int {
		x, y := m.entries[a], m.entries[b]
		if x.score != y.score {
			if m.better(x.score, y.score) {
				return -1
			}
			return 1
		}
		return cmp.Or(x.at.Compare(y.at), cmp.Compare(a, b))
	})
	rows := make([]modelRow, len(players))
	for i, player := range players {
		rows[i] = modelRow{player, m.entries[player].score, int64(i) + 1}
		if m.mode.Ties == game.Shared && i > 0 && rows[i-1].score == rows[i].score {
			rows[i].rank = rows[i-1].rank
		}
	}
	return rows
}

func (m *model) row(player string) (modelRow, bool) {
	for _, row := range m.rows() {
		if row.player == player {
			return row, true
		}
	}
	return modelRow{}, false
}
