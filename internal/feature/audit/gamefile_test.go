package audit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

func TestGamesMayRecordWhatSubmissionsDo(t *testing.T) {
	const rest = "name: g\nmodes:\n  a: {max: 5}\n"
	since := game.NewDate(2026, time.December, 1)
	for text, want := range map[string]audit.Rules{
		"": {},
		"outbox: true\naudit: {since: 2026-12-01}":             {Since: since, Months: 24},
		"outbox: true\naudit: {since: 2026-12-01, months: 60}": {Since: since, Months: 60},
	} {
		g, err := gamefile.Parse("g.yaml", []byte(rest+text))
		require.NoError(t, err, text)
		require.Equal(t, want, audit.RulesOf(g), text)
	}
	for text, want := range map[string]string{
		"audit: {since: 2026-12-01}":                              "g.yaml:4: audit: the record is made of the outbox, and the game keeps none; set outbox: true, or leave audit out",
		"outbox: true\naudit: {}":                                 "g.yaml:5: audit.since: it is missing; use the first date to be recorded whole, one that has not begun when the game is deployed, such as 2026-12-01",
		"outbox: true\naudit: true":                               "g.yaml:5: audit: true is a truth value; use keys and values",
		"outbox: true\naudit: {since: tomorrow}":                  `g.yaml:5: audit.since: "tomorrow" is not a date; use a date, such as 2026-03-01`,
		"outbox: true\naudit: {since: 2026-12-01, months: 2}":     "g.yaml:5: audit.months: 2 is out of range; use 3 to 120",
		"outbox: true\naudit: {since: 2026-12-01, months: 121}":   "g.yaml:5: audit.months: 121 is out of range; use 3 to 120",
		"outbox: true\naudit: {since: 2026-12-01, retention: 2y}": "g.yaml:5: audit.retention: the key is unknown; use since or months",
	} {
		_, err := gamefile.Parse("g.yaml", []byte(rest+text))
		require.EqualError(t, err, want)
	}
}
