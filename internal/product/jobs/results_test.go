package jobs_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const resultsGame = `
name: results
modes:
  daily: {max: 1000, xp: 1, details: true}
  fast: {policy: best, score: [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]}
  coins: {policy: sum, max: 500, day_max: 5000}
`

func (w *world) results(player string, ask playerdata.ResultsAsk) playerdata.OwnResults {
	page, err := w.people().Results(w.Context(), player, ask)
	require.NoError(w, err)
	require.Equal(w, player, page.Player)
	return page
}

// walk reads all pages of a player's results, and calls a function after each page.
func (w *world) walk(player, mode string, limit int, meanwhile func(page int)) (all []playerdata.OwnResult) {
	ask := playerdata.ResultsAsk{Limit: limit}
	if mode != "" {
		ask.Mode = w.mode(mode)
	}
	for n := 0; ; n++ {
		page := w.results(player, ask)
		require.LessOrEqual(w, len(page.Results), limit)
		all = append(all, page.Results...)
		if page.Next == nil {
			return all
		}
		require.Less(w, n, 100)
		ask.Cursor = *page.Next
		require.NoError(w, w.people().CheckResults(player, ask.Cursor))
		require.ErrorIs(w, w.people().CheckResults("ben", ask.Cursor), playerdata.ErrCursor)
		meanwhile(n)
	}
}

func said(all []playerdata.OwnResult) (texts []string) {
	for _, r := range all {
		texts = append(texts, r.Date+" "+r.Mode+" "+string(r.Score))
	}
	return texts
}

func (w *world) playOnce(player, mode string, score game.Score, once string) {
	sub := game.Submission{
		Mode: w.mode(mode), Player: player, Date: game.DateOf(w.now), Score: score, At: w.now,
		Idempotency: game.IdempotencyRecord{ID: once + w.now.String(), Fingerprint: "f"},
	}
	if mode == "daily" {
		sub.Details = json.RawMessage(`{"guesses":3}`)
	}
	_, err := w.app.Store().Boards.Submit(w.Context(), sub)
	require.NoError(w, err)
}

// A player who reads page after page while days close sees each result exactly once, with a
// database and without.
func TestOwnResultsAreReadOnWhileDaysClose(t *testing.T) {
	onWorlds(t, func(w *world) {
		w.game = resultsGame
		w.restart()
		want := []string{}
		for day := range 3 {
			packed, err := w.mode("fast").Pack([]game.Score{game.Score(9250 + day), 9820})
			require.NoError(w, err)
			w.playOnce("ana", "fast", packed, "f")
			w.playOnce("ana", "daily", game.Score(100+day), "d")
			w.playOnce("ana", "coins", 7, "c1")
			w.playOnce("ana", "coins", 8, "c2")
			w.playOnce("ben", "coins", 8, "c3")
			date := game.DateOf(w.now).String()
			want = append(want, date+" fast "+w.mode("fast").FormatScore(packed), date+" daily 10"+string(rune('0'+day)), date+" coins 15")
			w.now = w.now.Add(24 * time.Hour)
			if day == 0 {
				w.daily()
			}
		}
		slices.SortFunc(want, func(a, b string) int { return strings.Compare(b, a) })
		for limit := 1; limit <= 10; limit += 3 {
			require.Equal(w, want, said(w.walk("ana", "", limit, func(int) {})))
		}
		got := w.walk("ana", "", 2, func(page int) {
			if page == 1 {
				w.daily()
			}
		})
		require.Equal(w, want, said(got))
		require.Equal(w, want, said(w.walk("ana", "", 4, func(int) {})), "and so after it")
		require.Len(w, w.walk("ana", "fast", 2, func(int) {}), 3)
		require.Empty(w, w.walk("nobody", "", 2, func(int) {}))
		for _, r := range got {
			switch r.Mode {
			case "fast":
				require.Contains(w, string(r.Values), `"accuracy":98.2`)
				require.WithinDuration(w, time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC), *r.PlayedAt, 72*time.Hour)
				require.Equal(w, 12, r.PlayedAt.Hour())
			case "daily":
				require.JSONEq(w, `{"guesses":3}`, string(r.Details))
				require.Empty(w, r.Values)
			default:
				require.Nil(w, r.PlayedAt)
			}
		}
		page := w.results("ana", playerdata.ResultsAsk{Limit: 5})
		require.Equal(w, "day", page.Each)
		require.Equal(w, w.kept == nil, page.History == "unavailable")
	})
}

// In a game that keeps each play, each play is one result, also while it is being saved.
func TestOwnResultsAreEachPlayWhereEachIsKept(t *testing.T) {
	onWorlds(t, func(w *world) {
		if w.kept == nil {
			return
		}
		w.game = "outbox: true\n" + resultsGame
		w.restart()
		save := func() {
			_, err := jobs.New(w.app, w.kept).Save(w.Context(), w.now)
			require.NoError(w, err)
		}
		want := []string{}
		play := func(mode string, score game.Score) {
			w.now = w.now.Add(time.Minute)
			w.playOnce("ana", mode, score, "p")
			want = append(want, game.DateOf(w.now).String()+" "+mode+" "+w.mode(mode).FormatScore(score))
		}
		for n := range 6 {
			play("fast", game.Score(3000-n)) // only the first stands
			play("coins", 5)
		}
		save()
		play("daily", 400)
		play("fast", 9000)
		slices.Reverse(want)
		got := w.walk("ana", "", 1, func(page int) {
			if page == 0 {
				save()
			}
		})
		require.Equal(w, want, said(got))
		require.Equal(w, want, said(w.walk("ana", "", 5, func(int) {})))
		require.Equal(w, "play", w.results("ana", playerdata.ResultsAsk{Limit: 5}).Each)
		require.Len(w, w.walk("ana", "coins", 2, func(int) {}), 6)
	})
}

// Own ranks are those of days that have closed, with the scores as other answers show them.
// Without a database there are none.
func TestOwnRanksAreOfClosedDays(t *testing.T) {
	onWorlds(t, func(w *world) {
		w.game = resultsGame
		w.restart()
		packed, err := w.mode("fast").Pack([]game.Score{9250, 9820})
		require.NoError(w, err)
		var dates []string
		for day := range 3 {
			dates = append(dates, game.DateOf(w.now).String())
			w.playOnce("ana", "daily", game.Score(100+day), "a")
			w.playOnce("ben", "daily", game.Score(101), "b")
			w.playOnce("ana", "fast", packed, "f")
			if day < 2 {
				w.now = w.now.Add(24 * time.Hour)
				w.daily()
			}
		}
		ranks := func(player, mode string, limit int) string {
			answer, err := w.people().Ranks(w.Context(), player, w.mode(mode), limit)
			require.NoError(w, err)
			text, err := json.Marshal(answer)
			require.NoError(w, err)
			return string(text)
		}
		if w.kept == nil {
			require.JSONEq(w, `{"player":"ana","mode":"daily","history":"unavailable","ranks":[]}`, ranks("ana", "daily", 14))
			return
		}
		require.JSONEq(w, `{"player":"ana","mode":"daily","ranks":[{"date":"`+dates[1]+`","rank":2,"score":101},{"date":"`+dates[0]+`","rank":2,"score":100}]}`, ranks("ana", "daily", 14))
		require.JSONEq(w, `{"player":"ben","mode":"daily","ranks":[{"date":"`+dates[1]+`","rank":1,"score":101}]}`, ranks("ben", "daily", 1))
		require.JSONEq(w, `{"player":"ben","mode":"fast","ranks":[]}`, ranks("ben", "fast", 14))
		require.JSONEq(w, `{"player":"ana","mode":"fast","ranks":[{"date":"`+dates[1]+`","rank":1,"score":`+w.mode("fast").FormatScore(packed)+`,"values":{"wpm":92.5,"accuracy":98.2}}]}`, ranks("ana", "fast", 1))
	})
}
