package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestAWalkNeitherRepeatsNorSkipsWhileOthersComeInAbove(t *testing.T) {
	for mode, better := range map[string]func(i int) string{
		"daily":   func(i int) string { return itoa(1000 - i) },
		"fastest": func(i int) string { return fmt.Sprintf("%.2f", float64(i)/4) },
		"newest":  func(i int) string { return itoa(50 - i) },
	} {
		t.Run(mode, func(t *testing.T) {
			s := apitest.NewStack(t)
			s.Fill(mode, 95, func(i int) string { return better(i + 5) })
			newcomers := 0
			walked := s.Walk("/v1/leaderboards/"+mode+"?limit=7", func() {
				newcomers++
				for n := range 3 {
					s.Play(fmt.Sprintf("new%02d.%d", newcomers, n), mode, better(n))
				}
			})
			var stayed []string
			for _, player := range walked {
				if !strings.HasPrefix(player, "new") {
					stayed = append(stayed, player)
				}
			}
			require.Len(t, stayed, 95)
			for i, player := range stayed {
				require.Equal(t, fmt.Sprintf("p%03d", i), player)
			}
		})
	}
}

func TestAWalkThroughEqualScoresMeetsEverybodyOnce(t *testing.T) {
	for _, mode := range []string{"daily", "tied"} {
		s := apitest.NewStack(t)
		s.Fill(mode, 60, func(i int) string { return itoa(20 - i/20) })
		walked := s.Walk("/v1/leaderboards/"+mode+"?limit=9", func() {})
		require.Len(t, walked, 60)
		seen := map[string]bool{}
		for _, player := range walked {
			require.False(t, seen[player], player)
			seen[player] = true
		}
	}
}

func TestPagesByOffsetFitTogether(t *testing.T) {
	s := apitest.NewStack(t)
	s.Fill("daily", 25, func(i int) string { return itoa(500 - i) })
	for _, test := range []struct {
		query       string
		first, rows int
		more        bool
	}{
		{"?limit=10", 0, 10, true}, {"?limit=10&offset=10", 10, 10, true}, {"?limit=10&offset=20", 20, 5, false}, {"?limit=10&offset=15", 15, 10, false},
		{"?offset=25", 25, 0, false}, {"?offset=10000000", 10000000, 0, false}, {"", 0, 25, false}, {"?limit=200", 0, 25, false}, {"?limit=1&offset=24", 24, 1, false},
	} {
		page := s.Page(apitest.Daily + test.query)
		require.Len(t, page.Entries, test.rows, test.query)
		require.EqualValues(t, 25, page.Total, test.query)
		require.Equal(t, test.more, page.NextCursor != "", test.query)
		for i, e := range page.Entries {
			require.EqualValues(t, test.first+i+1, e.Rank, test.query)
			require.Equal(t, fmt.Sprintf("p%03d", test.first+i), e.Player, test.query)
			require.EqualValues(t, 500-test.first-i, e.Score, test.query)
		}
	}
}

func TestSurroundingsAreFullAtBothEnds(t *testing.T) {
	s := apitest.NewStack(t)
	s.Fill("daily", 12, func(i int) string { return itoa(500 - i) })
	for _, test := range []struct {
		player      string
		reach       int
		first, rows int
	}{
		{"p000", 2, 0, 5}, {"p001", 2, 0, 5}, {"p005", 2, 3, 5}, {"p010", 2, 7, 5}, {"p011", 2, 7, 5}, {"p005", 5, 0, 11}, {"p011", 5, 1, 11}, {"p003", 50, 0, 12},
	} {
		var page apitest.PageBody
		s.Want(http.StatusOK, apitest.Get(fmt.Sprintf("%s/around/%s?range=%d", apitest.Daily, test.player, test.reach))).Into(t, &page)
		require.Len(t, page.Entries, test.rows, "%+v", test)
		for i, e := range page.Entries {
			require.Equal(t, fmt.Sprintf("p%03d", test.first+i), e.Player, "%+v", test)
			require.EqualValues(t, test.first+i+1, e.Rank, "%+v", test)
		}
	}
}
