package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type gameBody struct {
	Name, Day string
	Modes     []struct {
		Name, Title, Policy, Order, Ties, Aggregate string
		Decimals                                    int
		Min, Max                                    json.Number
		Scopes                                      []string
		Details, Authoritative, Unavailable         bool
	}
	OpenDates []struct {
		Date     string
		OpensAt  time.Time `json:"opens_at"`
		ClosesAt time.Time `json:"closes_at"`
	} `json:"open_dates"`
	Level    struct{ Base int64 }
	Features []string
}

func TestAPageReadsTheGameForNothing(t *testing.T) {
	s := apitest.NewStack(t)
	var g gameBody
	commands, trips := s.Spent(func() { s.Want(http.StatusOK, apitest.Get("/v1/game")).Into(t, &g) })
	require.Zero(t, commands)
	require.Zero(t, trips)
	require.Equal(t, []string{"testing", "utc"}, []string{g.Name, g.Day})
	require.Len(t, g.Modes, 7)
	fastest := g.Modes[2]
	require.Equal(t, []string{"fastest", "fastest", "best", "asc", "earliest", "min"}, []string{fastest.Name, fastest.Title, fastest.Policy, fastest.Order, fastest.Ties, fastest.Aggregate})
	require.Equal(t, 2, fastest.Decimals)
	require.EqualValues(t, "3600", fastest.Max)
	require.Equal(t, []string{"country", "region", "group"}, g.Modes[0].Scopes)
	require.Empty(t, fastest.Scopes)
	require.EqualValues(t, "-50", g.Modes[3].Min)
	require.True(t, g.Modes[5].Authoritative)
	require.EqualValues(t, 50, g.Level.Base)
	require.Equal(t, []string{
		"xp", "streaks",
		"duels",
		"devices",
	}, g.Features)
}

// Submissions are checked against the same open dates that GET /v1/game shows, and no cache
// keeps these beyond the moment at which they change.
func TestTheGameTellsWhichDatesAreOpen(t *testing.T) {
	for _, day := range []string{"utc", "local"} {
		s := apitest.NewStack(t)
		s.Game = strings.Replace(apitest.TestGame, "grace: 15m", "grace: 15m\nday: "+day, 1)
		s.Handler = s.Process()
		s.Clock.Stop()
		for at := apitest.Noon; at.Before(apitest.Noon.AddDate(0, 0, 2)); at = at.Add(5 * time.Minute) {
			s.Clock.Set(at)
			var g gameBody
			a := s.Want(http.StatusOK, apitest.Get("/v1/game"))
			a.Into(t, &g)
			kept, err := time.ParseDuration(a.Header.Get("Cache-Control")[len("public, max-age=0, must-revalidate, s-maxage="):] + "s")
			require.NoError(t, err)
			require.Positive(t, kept)
			for _, open := range g.OpenDates {
				require.False(t, at.Before(open.OpensAt), "%s %s", at, open.Date)
				require.True(t, at.Before(open.ClosesAt), "%s %s", at, open.Date)
				require.False(t, at.Add(kept).After(open.ClosesAt))
			}
			p := s.Send(apitest.Post(apitest.Scores, `{"mode":"daily","player":"a","score":1,"date":"2020-01-01"}`).Signed()).Problem(t, "date-closed")
			dates := []string{}
			for _, open := range g.OpenDates {
				dates = append(dates, open.Date)
			}
			require.Equal(t, p.OpenDates, dates)
			s.Clock.Set(at.Add(kept - time.Second))
			require.Equal(t, a.Header.Get("ETag"), s.Want(http.StatusOK, apitest.Get("/v1/game")).Header.Get("ETag"), "as long as it may be kept, it holds")
		}
	}
}
