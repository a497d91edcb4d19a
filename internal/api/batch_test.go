package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func batchOf(items ...string) apitest.Call {
	return apitest.Post(apitest.Batch, `{"scores":[`+strings.Join(items, ",")+`]}`).Signed()
}

func TestABatchAnswersEachInOrderAndOneBadItemSpoilsNoOther(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_old", "daily", "10")
	result := s.Batch(batchOf(
		`{"mode":"daily","player":"user_a","score":800}`,
		`{"mode":"daily","player":"user a","score":800}`,
		`{"mode":"daily","player":"user_b","score":900}`,
		`{"mode":"nothing","player":"user_b","score":900}`,
		`{"mode":"daily","player":"user_old","score":700}`,
		`{"mode":"judged","player":"user_c","score":50}`,
		`{"mode":"daily","player":"user_c","score":1001}`,
		`{"mode":"fastest","player":"user_c","score":12.34}`,
	))
	var answer []string
	for _, r := range result.Results {
		if r.Problem != nil {
			answer = append(answer, itoa(r.Problem.Status))
			continue
		}
		answer = append(answer, fmt.Sprintf("%s %s %s %v of %v #%d/%d", r.Mode, r.Player, r.Status, r.Score, r.Submitted, r.Rank, r.Total))
	}
	require.Equal(t, []string{
		"daily user_a accepted 800 of 800 #2/3", "400", "daily user_b accepted 900 of 900 #1/3", "404", "daily user_old kept 10 of 700 #3/3",
		"judged user_c accepted 50 of 50 #1/1", "422", "fastest user_c accepted 12.34 of 12.34 #1/1",
	}, answer)
	require.EqualValues(t, 3, s.Page(apitest.Daily).Total)
}

func TestSeveralScoresOfOnePlayerCountInTheOrderGiven(t *testing.T) {
	s := apitest.NewStack(t)
	statuses := func(mode string, numbers ...string) (answer []string) {
		items := make([]string, len(numbers))
		for i, n := range numbers {
			items[i] = fmt.Sprintf(`{"mode":%q,"player":"user_a","score":%s}`, mode, n)
		}
		for _, r := range s.Batch(batchOf(items...)).Results {
			answer = append(answer, r.Status)
		}
		return answer
	}
	require.Equal(t, []string{"accepted", "kept", "kept"}, statuses("daily", "5", "9", "1"))
	require.Equal(t, []string{"accepted", "improved", "kept"}, statuses("longest", "5", "9", "1"))
	require.Equal(t, []string{"accepted", "kept", "improved"}, statuses("fastest", "5", "9", "1"))
	for mode, current := range map[string]float64{"daily": 5, "longest": 9, "fastest": 1} {
		require.Equal(t, current, s.Page("/v1/leaderboards/" + mode).Entries[0].Score, mode)
	}
}

func TestABatchOfAThousandIsTakenWholeAndCanBeRepeated(t *testing.T) {
	s := apitest.NewStack(t)
	items := make([]string, 1000)
	for i := range items {
		items[i] = fmt.Sprintf(`{"mode":"daily","player":"p%03d","score":%d,"country":"BR"}`, i, 1000-i)
	}
	for _, status := range []string{"accepted", "kept"} {
		result := s.Batch(batchOf(items...))
		require.Len(t, result.Results, 1000)
		for i, r := range result.Results {
			require.Equal(t, status, r.Status)
			require.EqualValues(t, i+1, r.Rank)
		}
	}
	require.EqualValues(t, 1000, s.Page(apitest.Daily).Total)
	require.EqualValues(t, 1000, s.Page(apitest.Daily+"?scope=country:BR").Total)
}

func TestAnImportMayFillClosedDatesAndSayWhenItWasPlayed(t *testing.T) {
	s := apitest.NewStack(t)
	const items = `{"scores":[` +
		`{"mode":"daily","player":"late","score":700,"date":"` + apitest.Yesterday + `","played_at":"2026-11-17T20:00:00Z"},` +
		`{"mode":"daily","player":"early","score":700,"date":"` + apitest.Yesterday + `","played_at":"2026-11-17T08:00:00+01:00"}]}`
	for _, r := range s.Batch(apitest.Post(apitest.Batch, items).Imported()).Results {
		require.Nil(t, r.Problem)
		require.Equal(t, "accepted", r.Status)
	}
	page := s.Page(apitest.Daily + "?date=" + apitest.Yesterday)
	require.Equal(t, "early", page.Entries[0].Player)
	require.True(t, page.Closed)
	gone := s.Batch(apitest.Post(apitest.Batch, `{"scores":[{"mode":"daily","player":"a","score":7,"date":"`+apitest.LongAgo+`"}]}`).Imported())
	require.Equal(t, 422, gone.Results[0].Problem.Status, "a day that has left Redis")
	require.Equal(t, []string{apitest.Today}, gone.Results[0].Problem.OpenDates)
}
