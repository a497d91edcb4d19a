package importer_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/importer"
)

// season is a file of many kinds of lines, and the totals that its sums come to.
func season(n int) (text string, totals map[string]int) {
	totals = map[string]int{}
	var b strings.Builder
	b.WriteString("player,mode,date,score,played_at,country\n")
	for i := range n {
		player := fmt.Sprintf("user_%d", i*31%97)
		at := day.Add(-24*time.Hour + time.Duration(i)*time.Second).Format(time.RFC3339)
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "%s,puzzle,2026-11-20,%d,%s,BR\n", player, i*37%1001, at)
		case 1:
			fmt.Fprintf(&b, "%s,sprint,2026-11-20,%d.%02d,%s,\n", player, 10+i*13%50, i%100, at)
		case 2:
			b.WriteString("\nnonsense\n")
		default:
			fmt.Fprintf(&b, "%s,tally,2026-11-20,%d,%s,\n", player, i%50, at)
			totals[player] += i % 50
		}
	}
	return b.String(), totals
}

func requireTotals(t *testing.T, want map[string]int, rows []string) {
	got := map[string]int{}
	for _, row := range rows {
		var rank, score int
		var player string
		_, err := fmt.Sscan(row, &rank, &player, &score)
		require.NoError(t, err)
		got[player] = score
	}
	require.Equal(t, want, got)
}

func boards(read func(mode, scope string) []string) map[string][]string {
	return map[string][]string{
		"puzzle": read("puzzle", "global"), "BR": read("puzzle", "country:BR"), "sprint": read("sprint", "global"), "tally": read("tally", "global"),
	}
}

func TestImportedTwiceTheBoardsAreTheSame(t *testing.T) {
	product := startProduct(t)
	text, totals := season(2500)
	o := options(signing(t, product, nil), write(t, text))
	read := func(mode, scope string) []string { return board(t, product, mode, "2026-11-20", scope) }
	first, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.EqualValues(t, 2000, first.Counts.Written())
	require.EqualValues(t, 500, first.Counts.Refused)
	current := boards(read)
	requireTotals(t, totals, current["tally"])
	require.Len(t, current["puzzle"], 97)
	require.Equal(t, current["puzzle"], current["BR"])

	again, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.True(t, again.Done, "a complete import is not sent again")
	require.Equal(t, first.Counts, again.Counts)

	o.ProgressFile = ""
	resent, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.EqualValues(t, 2000, resent.Counts.Written())
	require.EqualValues(t, 1000, resent.Counts.Replayed)
	require.Equal(t, current, boards(read))
}

func TestAnInterruptedImportGoesOnWhereItStopped(t *testing.T) {
	product := startProduct(t)
	text, totals := season(1500)
	ctx, interrupt := context.WithCancel(t.Context())
	var calls atomic.Int64
	counting := carrier(func(r *http.Request) (*http.Response, error) {
		if calls.Add(1) == 3 {
			interrupt()
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	o := options(signing(t, product, counting), write(t, text))
	o.Batch = 100
	first, err := importer.Run(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.EqualValues(t, 300, first.Counts.Written()+first.Counts.Refused, "what was under way was finished")
	require.EqualValues(t, 3, calls.Load())

	answer := &notices{}
	o.Notice, o.Batch, o.Workers = answer.add, 250, 2
	whole, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.EqualValues(t, 15, calls.Load(), "no batch was sent twice")
	require.EqualValues(t, 1200, whole.Counts.Written())
	require.Zero(t, whole.Counts.Replayed)
	require.Equal(t, 300, strings.Count(readAll(t, o.ReportFile), "nonsense"))
	require.Len(t, answer.texts, 2)
	require.Contains(t, answer.texts[0], "continuing after line ")
	require.Contains(t, answer.texts[1], "using batches of 100 lines")
	requireTotals(t, totals, board(t, product, "tally", "2026-11-20", "global"))
}

// An import that was killed leaves a progress file that is behind what the product has taken,
// and a report that is ahead of the progress file.
func TestAnImportThatWasKilledCountsNothingTwice(t *testing.T) {
	product := startProduct(t)
	text, totals := season(1500)
	ctx, interrupt := context.WithCancel(t.Context())
	var calls atomic.Int64
	o := options(signing(t, product, carrier(func(r *http.Request) (*http.Response, error) {
		if calls.Add(1) == 4 {
			interrupt()
		}
		return http.DefaultTransport.RoundTrip(r)
	})), write(t, text))
	o.Batch, o.Workers = 100, 1
	_, err := importer.Run(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	stopped := readAll(t, o.ProgressFile)

	o.Client = signing(t, product, nil)
	_, err = importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(o.ProgressFile, []byte(stopped), 0o600))
	whole, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.EqualValues(t, 1200, whole.Counts.Written())
	require.NotZero(t, whole.Counts.Replayed)
	require.Equal(t, 300, strings.Count(readAll(t, o.ReportFile), "nonsense"), "each refused line once")
	requireTotals(t, totals, board(t, product, "tally", "2026-11-20", "global"))
}

func TestAnswersThatAreLostDoNoHarm(t *testing.T) {
	product := startProduct(t)
	text, totals := season(600)
	var calls atomic.Int64
	o := options(signing(t, product, carrier(func(r *http.Request) (*http.Response, error) {
		response, err := http.DefaultTransport.RoundTrip(r)
		if err == nil && calls.Add(1)%2 == 1 {
			_ = response.Body.Close()
			return nil, fmt.Errorf("connection reset")
		}
		return response, err
	})), write(t, text))
	o.Batch = 50
	summary, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.EqualValues(t, 480, summary.Counts.Written())
	requireTotals(t, totals, board(t, product, "tally", "2026-11-20", "global"))
}

func TestAChangedFileIsNotResumed(t *testing.T) {
	product := startProduct(t)
	o := options(signing(t, product, nil), write(t, threeLines))
	_, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	for _, text := range []string{threeLines + "d,puzzle,2026-11-20,4\n", strings.Replace(threeLines, "c,", "d,", 1)} {
		require.NoError(t, os.WriteFile(o.File, []byte(text), 0o600))
		_, err = importer.Run(t.Context(), o)
		require.ErrorIs(t, err, importer.ErrChanged)
		require.ErrorContains(t, err, "remove "+o.ProgressFile)
	}
}

func TestRefusedLinesAreReportedWithTheirReasons(t *testing.T) {
	product := startProduct(t)
	o := options(signing(t, product, nil), write(t, `player,mode,date,score
a,puzzle,2026-11-20,1
"b","puzzle",2026-11-20,1001
c,chess,2026-11-20,1
d d,puzzle,2026-11-20,1
e,puzzle,2030-01-01,1
f,puzzle,2026-11-20,1002
`))
	summary, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, importer.Counts{Accepted: 1, Refused: 5}, summary.Counts)
	require.Equal(t, []importer.Kind{
		{Name: "Score out of bounds", Count: 2, First: 3},
		{Name: "Unknown mode", Count: 1, First: 4},
		{Name: "player is missing or not valid", Count: 1, First: 5},
		{Name: "Date is closed", Count: 1, First: 6},
	}, summary.Kinds)
	report := strings.Split(readAll(t, o.ReportFile), "\n")
	require.Len(t, report, 7)
	require.Equal(t, `line,reason,row`, report[0])
	require.Contains(t, report[1], `,"""b"",""puzzle"",2026-11-20,1001"`)
	require.Contains(t, report[1], "outside the bounds")
	require.Contains(t, report[4], "not open yet")
}

func TestAClosedDayIsFilledInTheOrderOfPlaying(t *testing.T) {
	product := startProduct(t)
	o := options(signing(t, product, nil), write(t, `{"player":"late","mode":"puzzle","date":"2026-11-18","score":500,"played_at":"2026-11-18T22:00:00Z"}
{"player":"early","mode":"puzzle","date":"2026-11-18","score":500,"played-at":"2026-11-18T06:00:00Z"}
{"player":"best","mode":"puzzle","date":"2026-11-18","score":501,"played_at":"2026-11-18T23:00:00Z"}
`))
	_, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, []string{"1 best 501", "2 early 500", "3 late 500"}, board(t, product, "puzzle", "2026-11-18", "global"))
}

func TestAnImportLongAgoWarnsOfSums(t *testing.T) {
	product := startProduct(t)
	ctx, interrupt := context.WithCancel(t.Context())
	o := options(signing(t, product, carrier(func(r *http.Request) (*http.Response, error) {
		interrupt()
		return http.DefaultTransport.RoundTrip(r)
	})), write(t, threeLines))
	o.Batch, o.Workers = 1, 1
	_, err := importer.Run(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	answer := &notices{}
	o.Notice, o.Client = answer.add, signing(t, product, nil)
	o.Now = func() time.Time { return time.Now().Add(25 * time.Hour) }
	_, err = importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.Contains(t, answer.texts[len(answer.texts)-1], "more than 24 hours ago")
}

func TestCheckSendsAndWritesNothing(t *testing.T) {
	text, _ := season(1500)
	o := options(nil, write(t, text))
	var last importer.Progress
	o.Progress = func(p importer.Progress) { last = p }
	summary, err := importer.Check(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, importer.Counts{Accepted: 1200, Refused: 300}, summary.Counts)
	require.Len(t, summary.Examples, 20)
	require.Equal(t, last.Size, last.Bytes)
	require.NoFileExists(t, o.ProgressFile)
	require.NoFileExists(t, o.ReportFile)
}

func TestAnotherProductBeginsAtTheFirstLine(t *testing.T) {
	product := startProduct(t)
	o := options(signing(t, product, nil), write(t, threeLines))
	_, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	answer := &notices{}
	o.Notice, o.Target = answer.add, importer.Target("https://api.example.com/", "another key")
	summary, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.False(t, summary.Done)
	require.Contains(t, answer.texts[0], "another deployment")
	require.Equal(t, importer.Target("https://api.example.com", "another key"), o.Target)
	require.NotEqual(t, importer.Target("https://api.example.com", "a key"), o.Target)
}

// A path that is given for the report by mistake, such as that of the scores, keeps its file.
func TestAReportTakesNobodysPlace(t *testing.T) {
	product := startProduct(t)
	o := options(signing(t, product, nil), write(t, threeLines))
	other := write(t, "something else\n")
	for _, path := range []string{o.File, other} {
		before := readAll(t, path)
		o.ReportFile = path
		_, err := importer.Run(t.Context(), o)
		require.ErrorContains(t, err, "is not a list of rejected lines")
		require.Equal(t, before, readAll(t, path))
		require.NoFileExists(t, o.ProgressFile)
	}
	report := write(t, "line,reason,row\n4,of an earlier run,x\n")
	o.ReportFile = report
	_, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.NoFileExists(t, report, "nothing was refused this time")
}
