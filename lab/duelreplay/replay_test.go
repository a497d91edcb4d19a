package duelreplay_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/duelreplay"
	"github.com/framedle/leaderboards/lab/model"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// against starts a product and plays the sample season against it.
func against(t *testing.T, redis string, transport http.RoundTripper) (duelreplay.Options, *local.Product) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: redis, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	calls := caller.New(product.URL, product.Secrets.SigningKey, transport)
	t.Cleanup(calls.Close)
	history, err := duelreplay.Parse(bytes.NewReader(duelreplay.Sample()))
	require.NoError(t, err)
	return duelreplay.Options{
		History: history, Elo: model.Elo{K: 32, Start: 1000, Scale: 400}, Calls: calls, Workers: 32, Passes: 1, Progress: func(int) {},
	}, product
}

func TestEveryRatingOfASeasonIsRight(t *testing.T) {
	o, _ := against(t, local.RedisEmbedded, nil)
	report, err := duelreplay.Run(t.Context(), o)
	require.NoError(t, err)
	require.Zero(t, report.Faults)
	require.Equal(t, 132, report.Matches)
	require.Equal(t, 12, report.Teams)
	require.Less(t, report.Worst, 1e-9)
	var out bytes.Buffer
	require.NoError(t, report.Print(&out))
	require.Contains(t, out.String(), "Every rating is right.\n")
}

// Connections are cut on both sides of the product, and everything is sent three times:
// the ratings are those of one season without faults.
func TestNothingThatBreaksChangesARating(t *testing.T) {
	for _, redis := range []string{local.RedisEmbedded, local.RedisAuto} {
		t.Run(redis, func(t *testing.T) {
			o, product := against(t, redis, duelreplay.Cut{Percent: 10, To: http.DefaultTransport})
			o.Passes = 3
			product.Upstash.Inject(func(upstashtest.Request) upstashtest.Fault {
				switch rand.IntN(20) {
				case 0:
					return upstashtest.Fault{CutBefore: true}
				case 1:
					return upstashtest.Fault{CutAfter: true}
				}
				return upstashtest.Fault{}
			})
			o.Progress = func(done int) {
				if done == 3*132 {
					product.Upstash.Inject(nil)
				}
			}
			report, err := duelreplay.Run(t.Context(), steady(t, o, product))
			require.NoError(t, err)
			require.Zero(t, report.Faults)
			require.Positive(t, report.Repeated)
		})
	}
}

// steady reads the board over connections that are not cut.
func steady(t *testing.T, o duelreplay.Options, product *local.Product) duelreplay.Options {
	redis, err := upstash.New(upstash.Config{URL: product.Secrets.RedisRESTURL, Token: product.Secrets.RedisRESTToken})
	require.NoError(t, err)
	o.Ratings = func(ctx context.Context) (map[string]float64, error) { return duelreplay.Stored(ctx, redis) }
	return o
}

func TestAWrongRatingIsFound(t *testing.T) {
	o, _ := against(t, local.RedisEmbedded, nil)
	o.Elo.K = 32.001
	report, err := duelreplay.Run(t.Context(), o)
	require.NoError(t, err)
	require.Positive(t, report.Faults.Count)
	var out bytes.Buffer
	require.NoError(t, report.Print(&out))
	require.Contains(t, out.String(), "WRONG")
}

func TestFilesThatCannotBePlayed(t *testing.T) {
	const header = "home_team,away_team,home_score,away_score\n"
	for text, want := range map[string]string{
		"":                         "the header cannot be read",
		"home_team\n":              "no column away_team",
		header:                     "there are no matches",
		header + "A,A,1,1\n":       "line 2: a team plays against itself",
		header + "A,B,1,x\n":       `line 2: "x" is not a score`,
		header + "A,B,1,1\n,B,1,1": "line 3: a team has no name",
		header + "A,B,1\n":         "wrong number of fields",
	} {
		_, err := duelreplay.Parse(strings.NewReader(text))
		require.ErrorContains(t, err, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("home_team,away_team,home_score,away_score\nA,B,1,2\n")
	f.Add("home_team,away_team,home_score,away_score\n\"A, B\",C,1,-2\n")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := duelreplay.Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, m := range h.Matches {
			require.NotEqual(t, m.Teams[0], m.Teams[1])
			require.Less(t, max(m.Teams[0], m.Teams[1]), len(h.Teams))
		}
	})
}
