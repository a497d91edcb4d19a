package apitest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func (s *Stack) Batch(c Call) BatchBody {
	s.Helper()
	var result BatchBody
	s.Want(http.StatusOK, c).Into(s, &result)
	return result
}

func (s *Stack) Players(target string) []string {
	s.Helper()
	names := []string{}
	for _, e := range s.Page(target).Entries {
		names = append(names, e.Player)
	}
	return names
}

// Crowd has so many players on today's board of daily, player00000 first.
func (s *Stack) Crowd(players int) {
	s.Helper()
	entries := []string{"ZADD", "lb:daily:" + Today}
	for i := range players {
		entries = append(entries, fmt.Sprintf("%d.5", players-i), fmt.Sprintf("player%05d", i))
	}
	_, err := s.Redis.Server.Redis().Do(s.Context(), entries...)
	require.NoError(s, err)
}

// Absent is the answer to players who ask for themselves and are not on the board.
type Absent struct {
	Rank, Score, Percentile, TopPercent, PreviousRank, RankChange *float64
	Total                                                         int64
	Player                                                        string
	Me                                                            bool
	History                                                       string
	Entries                                                       []EntryBody
}

func (s *Stack) AbsentMe(target string) (a Absent) {
	s.Helper()
	answered := s.Want(http.StatusOK, s.As("user_z", Get(target)))
	require.Equal(s, "private, no-cache", answered.Header.Get("Cache-Control"))
	for _, null := range []string{`"rank":null`, `"score":null`} {
		require.Contains(s, string(answered.Body), null)
	}
	require.NoError(s, json.Unmarshal(answered.Body, &a))
	require.Empty(s, a.Entries)
	return a
}

// ViewBody is a view as its parts came, for comparison with their routes.
type ViewBody struct {
	Page, Around, Friends, Week, Me json.RawMessage
	Problems                        map[string]ProblemBody
}

// Viewed makes a submission that must succeed, and reads its view apart from the rest.
func (s *Stack) Viewed(c Call) (a Answer, rest map[string]any, view ViewBody) {
	s.Helper()
	a = s.Do(c)
	require.Contains(s, []int{http.StatusOK, http.StatusCreated}, a.Status, "%s", a.Body)
	var shown struct{ View ViewBody }
	require.NoError(s, json.Unmarshal(a.Body, &shown))
	require.NoError(s, json.Unmarshal(a.Body, &rest))
	delete(rest, "view")
	return a, rest, shown.View
}

// Fill puts n players p000, p001 … on a board through batches; score returns
// what each sends.
func (s *Stack) Fill(mode string, n int, score func(i int) string) {
	s.Helper()
	for from := 0; from < n; from += 1000 {
		items := make([]string, 0, 1000)
		for i := from; i < min(n, from+1000); i++ {
			items = append(items, fmt.Sprintf(`{"mode":%q,"player":"p%03d","score":%s}`, mode, i, score(i)))
		}
		s.Want(http.StatusOK, Post(Batch, `{"scores":[`+strings.Join(items, ",")+`]}`).Signed())
	}
}

// Walk follows the cursors to the end; between is called after each page.
func (s *Stack) Walk(target string, between func()) (players []string) {
	s.Helper()
	page := s.Page(target)
	for {
		for _, e := range page.Entries {
			players = append(players, e.Player)
		}
		if page.NextCursor == "" {
			return players
		}
		require.NotEmpty(s, page.Entries)
		between()
		separator := "?"
		if strings.Contains(target, "?") {
			separator = "&"
		}
		page = s.Page(target + separator + "cursor=" + page.NextCursor)
	}
}

// Keeper closes what a stack has played, as the scheduled functions do.
func (s *Stack) Keeper(a *archive.Archive) *closing.Closing {
	g, err := gamefile.Parse("testing.yaml", []byte(s.Game))
	require.NoError(s, err)
	of := app.New(app.Parts{Redis: s.Client, Game: g, Now: s.Clock.Now, Log: slog.New(slog.DiscardHandler)})
	return &closing.Closing{Game: g, Store: of.Store(), Archive: a, Now: s.Clock.Now, Features: jobs.Features(of, a, nil, nil)}
}

func OpenArchive(t *testing.T, url string) *archive.Archive {
	return testkit.Archive(t, url, jobs.Tables()...)
}

// LeaveRedis moves the clock to when the boards of November have expired, and
// takes them away.
func (s *Stack) LeaveRedis() {
	keys, err := s.Redis.Server.Redis().Do(s.Context(), "KEYS", "*")
	require.NoError(s, err)
	for _, key := range keys.([]any) {
		if name := key.(string); strings.Contains(name, ":2026-") {
			_, err := s.Redis.Server.Redis().Do(s.Context(), "DEL", name)
			require.NoError(s, err)
		}
	}
	s.Clock.Set(time.Date(2027, 7, 1, 12, 0, 0, 0, time.UTC))
	s.Handler = s.Process()
}

// StaleBody is what shows an answer's age.
type StaleBody struct {
	Stale     bool
	UpdatedAt string `json:"updated_at"`
	Total     int64
	Entries   []EntryBody
	Rank      int64
}

func (s *Stack) Stale(c Call) StaleBody {
	s.Helper()
	a := s.Want(http.StatusOK, c)
	var body StaleBody
	require.NoError(s, json.Unmarshal(a.Body, &body))
	require.True(s, body.Stale, "%s: %s", c.Target, a.Body)
	if cache := a.Header.Get("Cache-Control"); strings.Contains(cache, "s-maxage") {
		require.Equal(s, "public, max-age=0, must-revalidate, s-maxage=5", cache)
	}
	return body
}

// Exhaust uses the plan's commands up.
func (s *Stack) Exhaust() {
	for {
		post, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.Redis.Server.URL(), strings.NewReader(`["GET","k"]`))
		require.NoError(s, err)
		post.Header.Set("Authorization", "Bearer "+s.Redis.Server.Token())
		answer, err := http.DefaultClient.Do(post)
		require.NoError(s, err)
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return
		}
	}
}

func (s *Stack) WantNoFault(c Call) Answer {
	s.Helper()
	a := s.Do(c)
	require.Less(s, a.Status, 500, "%s", a.Body)
	return a
}

// LongToken lasts as long as the clock may run here, and is made beforehand,
// since nothing of f may be called while fuzzing.
func (s *Stack) LongToken(player string) string {
	return s.TokenWith(player, map[string]any{"exp": Noon.AddDate(1, 0, 0).Unix()})
}
