package replay_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/replay"
)

var smallDay = replay.Day{Date: game.NewDate(2026, 4, 18), Players: 60, Shares: [replay.Tries]int{5, 10, 30, 30, 15, 5, 5}}

// against starts a product over the embedded Redis. transport may come between the
// product and the replay.
func against(t *testing.T, day replay.Day, transport http.RoundTripper) replay.Options {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	control, err := demo.NewClient(product.URL)
	require.NoError(t, err)
	t.Cleanup(control.Close)
	calls := caller.New(product.URL, product.Secrets.SigningKey, transport)
	t.Cleanup(calls.Close)
	return replay.Options{
		Day: day, Steps: 24, Workers: 8, Seed: 1, Calls: calls, Usage: control.Usage, SetClock: control.SetClock,
		Engine: product.Upstash.Redis().CommandStats, Heap: func() uint64 { return 1 << 20 }, Progress: func(int) {},
	}
}

func sampleDay(t *testing.T) replay.Day {
	days, err := replay.ParseDays(strings.NewReader(replay.Sample()))
	require.NoError(t, err)
	require.Len(t, days, 1)
	return days[0]
}

func TestTheSampleDayIsRankedRightWithinItsBudget(t *testing.T) {
	day := sampleDay(t)
	report, err := replay.Run(t.Context(), against(t, day, nil))
	require.NoError(t, err)
	require.Zero(t, report.Faults)
	require.EqualValues(t, day.Players, report.Submissions)
	require.EqualValues(t, day.Players, report.Checked)
	require.EqualValues(t, 200, report.Cards)
	require.Equal(t, replay.Distribute(day.Players, day.Shares), ints(report.Ties))
	require.False(t, report.Exact)
	require.LessOrEqual(t, float64(report.Billed)/float64(day.Players), 2.1)
	require.Equal(t, report.Billed, report.Counted, "Redis counts what the meter counts")

	var out bytes.Buffer
	require.NoError(t, report.Print(&out, day))
	require.Contains(t, out.String(), "Top of 2026-04-18, 2,000 players\n     1  player_")
	require.Contains(t, out.String(), "Every rank is right.\n")
}

func ints(counts [replay.Tries]int64) (all [replay.Tries]int) {
	for i, n := range counts {
		all[i] = int(n)
	}
	return all
}

func TestWithOneWorkerTheWholeOrderIsChecked(t *testing.T) {
	day := smallDay
	day.Players = 450
	o := against(t, day, nil)
	o.Workers = 1
	report, err := replay.Run(t.Context(), o)
	require.NoError(t, err)
	require.Zero(t, report.Faults)
	require.Zero(t, report.HighTotals)
	require.True(t, report.Exact)
	require.EqualValues(t, 3, report.Pages)
}

// liar changes the product's answers to one kind of request.
type liar struct{ method, path, old, new string }

func (l liar) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || r.Method != l.method || !strings.Contains(r.URL.Path, l.path) {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	changed := bytes.Replace(body, []byte(l.old), []byte(l.new), 1)
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
	return response, response.Body.Close()
}

func TestAWrongAnswerAnywhereIsFound(t *testing.T) {
	for name, test := range map[string]struct {
		liar liar
		says string
	}{
		"a rank in an answer":     {liar{"POST", "/v1/scores", `"rank":`, `"rank":9`}, "the answer's rank is 9"},
		"a score in an answer":    {liar{"POST", "/v1/scores", `"score":`, `"score":7`}, "was answered"},
		"a status in an answer":   {liar{"POST", "/v1/scores", `accepted`, `improved`}, "was answered"},
		"a percentile":            {liar{"POST", "/v1/scores", `"percentile":`, `"percentile":-`}, "percentile"},
		"a player on the board":   {liar{"GET", "/v1/leaderboards/daily_frame", `player_`, `user_`}, "who did not play"},
		"a score on the board":    {liar{"GET", "/v1/leaderboards/daily_frame", `"score":`, `"score":1`}, "must have"},
		"the end of the board":    {liar{"GET", "/v1/leaderboards/daily_frame", `"next_cursor"`, `"next"`}, "is missing from the board"},
		"the total of a page":     {liar{"GET", "/v1/leaderboards/daily_frame", `"total":`, `"total":9`}, "a page tells of"},
		"a rank on a card":        {liar{"GET", "/players/", `"rank":`, `"rank":9`}, "the card of"},
		"the total on a card":     {liar{"GET", "/players/", `"total":`, `"total":9`}, "the card of"},
		"the percentile of cards": {liar{"GET", "/players/", `"percentile":`, `"percentile":-`}, "the card of"},
	} {
		t.Run(name, func(t *testing.T) {
			day := smallDay
			day.Players = 205
			report, err := replay.Run(t.Context(), against(t, day, test.liar))
			require.NoError(t, err)
			require.NotZero(t, report.Faults.Count)
			require.NotEmpty(t, report.Faults.First)
			require.LessOrEqual(t, len(report.Faults.First), 20)
			require.Contains(t, strings.Join(report.Faults.First, "\n"), test.says)
			var out bytes.Buffer
			require.NoError(t, report.Print(&out, day))
			require.Contains(t, out.String(), "WRONG")
		})
	}
}

func TestABoardThatIsNotEmptyIsRefused(t *testing.T) {
	o := against(t, smallDay, nil)
	_, err := replay.Run(t.Context(), o)
	require.NoError(t, err)
	_, err = replay.Run(t.Context(), o)
	require.ErrorContains(t, err, "the board of 2026-04-18 has 60 players already")
}

func TestAReplayThatCannotGoOnSaysWhy(t *testing.T) {
	for says, change := range map[string]func(*replay.Options){
		"-steps 0":     func(o *replay.Options) { o.Steps = 0 },
		"-steps 86401": func(o *replay.Options) { o.Steps = 86_401 },
		"-workers 0":   func(o *replay.Options) { o.Workers = 0 },
		"-workers 257": func(o *replay.Options) { o.Workers = 257 },
		"move the clock": func(o *replay.Options) {
			o.SetClock = func(context.Context, time.Time) error { return io.ErrUnexpectedEOF }
		},
		"the date 2026-04-18 is": func(o *replay.Options) {
			o.SetClock = func(context.Context, time.Time) error { return nil } // the clock stays in another year
		},
		"ask Redis": func(o *replay.Options) {
			o.Engine = func(context.Context) (map[string]int64, error) { return nil, io.ErrUnexpectedEOF }
		},
	} {
		t.Run(says, func(t *testing.T) {
			o := against(t, smallDay, nil)
			change(&o)
			_, err := replay.Run(t.Context(), o)
			require.ErrorContains(t, err, says)
		})
	}
}
