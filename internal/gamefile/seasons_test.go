package gamefile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

const beforeSeasons = "name: g\nmodes: {a: {max: 5}}\n"

func TestSeasonsAreReadInAnyOrder(t *testing.T) {
	g, err := parsed(t, "g.yaml", []byte(beforeSeasons+`
seasons:
  - {name: summer, first: "2026-06-10", last: 2026-08-31}
  - name: spring
    first: 2026-03-01
    last: 2026-05-31
`))
	require.NoError(t, err)
	all := g.AllSeasons()
	require.Len(t, all, 2)
	require.Equal(t, "spring", all[0].Key())
	require.Equal(t, game.NewDate(2026, time.May, 31), all[0].Last())
	require.Equal(t, "summer", all[1].Key())
	require.Equal(t, game.NewDate(2026, time.June, 10), all[1].First())
}

func TestAWrongSeasonSaysWhatWouldBeRight(t *testing.T) {
	const date = "; use a date, such as 2026-03-01"
	for text, want := range map[string]string{
		"seasons: spring":                                                                                              `g.yaml:3: seasons: "spring" is text; use a list, each with name, first and last`,
		"seasons: [spring]":                                                                                            `g.yaml:3: seasons[0]: "spring" is text; use keys and values`,
		"seasons: [{name: a, first: 2026-03-01}]":                                                                      "g.yaml:3: seasons[0].last: it is missing; use the last day, such as 2026-05-31",
		"seasons: [{first: 2026-03-01, last: 2026-03-02}]":                                                             "g.yaml:3: seasons[0].name: it is missing; use a name such as spring_2026",
		"seasons: [{name: a, first: 2026-02-30, last: 2026-03-02}]":                                                    `g.yaml:3: seasons[0].first: "2026-02-30" is not a date` + date,
		"seasons: [{name: a, first: 20260301, last: 2026-03-02}]":                                                      "g.yaml:3: seasons[0].first: 20260301 is a number" + date,
		"seasons: [{name: A, first: 2026-03-01, last: 2026-03-02}]":                                                    `g.yaml:3: seasons[0].name: "A" is not a name; use a letter a-z and up to 39 more of a-z, 0-9 and _`,
		"seasons: [{name: a, first: 2026-03-02, last: 2026-03-01}]":                                                    "g.yaml:3: seasons[0].last: 2026-03-01 is before the first day, 2026-03-02; use 2026-03-02 or later",
		"seasons: [{name: a, first: 2026-03-01, last: 2027-03-02}]":                                                    "g.yaml:3: seasons[0].last: 367 days are too many for a season; use 2027-03-01 or earlier",
		"seasons: [{name: a, first: 2026-03-01, last: 2026-03-02, to: 1}]":                                             "g.yaml:3: seasons[0].to: the key is unknown; use name, first or last",
		"seasons:\n- {name: a, first: 2026-03-01, last: 2026-03-31}\n- {name: b, first: 2026-03-31, last: 2026-04-30}": "g.yaml:5: seasons[1]: it overlaps a, 2026-03-01 to 2026-03-31; use days of its own; there may be days between seasons",
		"seasons:\n- {name: a, first: 2026-03-01, last: 2026-03-31}\n- {name: a, first: 2026-04-01, last: 2026-04-30}": `g.yaml:5: seasons[1].name: the season "a" is declared twice; use another name, such as one with the year`,
	} {
		_, err := parsed(t, "g.yaml", []byte(beforeSeasons+text))
		require.EqualError(t, err, want, text)
	}
	_, err := parsed(t, "g.yaml", []byte(beforeSeasons+"seasons: [{name: a, first: 2026-03-01, last: 2027-03-01}]"))
	require.NoError(t, err)
}
