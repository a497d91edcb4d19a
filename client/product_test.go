package client_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/product/app"
)

// written is a score as people write it.
func written(scaled int64, decimals int) string {
	return game.FormatScaled(game.Score(scaled), decimals)
}

// start runs the whole product.
func start(t *testing.T, o local.Options) *local.Product {
	o.Addr, o.Redis, o.Log = "127.0.0.1:0", local.RedisEmbedded, io.Discard
	if o.Game == nil {
		g, err := app.LoadGame("")
		require.NoError(t, err)
		o.Game = g
	}
	p, err := local.Start(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

func of(t *testing.T, p *local.Product, over http.RoundTripper) *client.Client {
	lb, err := client.New(client.Config{URL: p.URL, SigningKey: p.Secrets.SigningKey, OpsToken: p.Secrets.OpsToken, Transport: over})
	require.NoError(t, err)
	t.Cleanup(lb.Close)
	lb.SetWait((&waits{}).wait)
	return lb
}

func TestEveryMethodAgainstTheProduct(t *testing.T) {
	p := start(t, local.Options{DatabaseURL: local.DatabaseAuto, Counters: true})
	p.Clock.Set(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	asked := &routes{}
	lb, ctx := of(t, p, asked), t.Context()
	good := func(err error) { t.Helper(); require.NoError(t, err) }
	day := client.Board{Mode: "daily_frame"}

	g, err := lb.Game(ctx)
	good(err)
	require.Equal(t, "framedle", g.Name)
	require.Len(t, g.Modes, 11)
	require.EqualValues(t, 1000, g.Modes[0].Max)
	require.Contains(t, g.Features, "duels")

	first, err := lb.Submit(ctx, client.Submission{Mode: "daily_frame", Player: "user_ana", Score: 800, Country: "BR", Details: map[string]int{"guesses": 2}})
	good(err)
	require.Equal(t, client.Result{
		Mode: "daily_frame", Date: "2026-11-21", Player: "user_ana", Status: client.Accepted, Score: 800, Submitted: 800, Rank: 1, Total: 1,
		Percentile: 100, Board: "lb:daily_frame:2026-11-21",
	}, first)
	again, err := lb.Submit(ctx, client.Submission{Mode: "daily_frame", Player: "user_ana", Score: 900, IdempotencyKey: client.NoKey})
	good(err)
	require.Equal(t, client.Kept, again.Status)
	require.EqualValues(t, 800, again.Score)

	seen, err := lb.Submit(ctx, client.Submission{Mode: "clip_guesser", Player: "user_ana", Score: 300, View: []string{"around", "week", "me", "friends"}})
	good(err)
	require.EqualValues(t, 1, seen.View.Around.Rank)
	require.EqualValues(t, 300, seen.View.Week.Score)
	require.Len(t, seen.View.Me.Today, 2)
	require.Len(t, seen.View.Friends.Entries, 1)
	require.Empty(t, seen.View.Problems)

	var batch client.Batch
	for i := range 300 {
		batch.Scores = append(batch.Scores, client.Submission{Mode: "daily_frame", Player: fmt.Sprintf("user_%d", i), Score: float64(i)})
	}
	batch.Scores = append(batch.Scores, client.Submission{Mode: "daily_frame", Player: "user_x", Score: -1})
	results, err := lb.SubmitBatch(ctx, batch)
	good(err)
	require.Len(t, results, 301)
	require.Equal(t, client.Accepted, results[299].Status)
	require.Equal(t, client.CodeScoreOutOfBounds, results[300].Problem.Code)
	require.Equal(t, "/score", results[300].Problem.Errors[0].Pointer)

	rows := 0
	for e, err := range lb.Entries(ctx, day) {
		good(err)
		rows++
		require.EqualValues(t, rows, e.Rank)
		if rows == 1 {
			require.Equal(t, client.Entry{Rank: 1, Player: "user_ana", Score: 800, Country: "BR"}, e)
		}
	}
	require.Equal(t, 301, rows)
	page, err := lb.Page(ctx, client.Board{Mode: "daily_frame", Period: "week", Scope: "country:BR"}, client.From{Limit: 5})
	good(err)
	require.Equal(t, "2026-W47", page.Key)
	require.Len(t, page.Entries, 1)
	card, err := lb.Card(ctx, day, "user_ana")
	good(err)
	require.EqualValues(t, 1, card.Rank)
	require.JSONEq(t, `{"guesses":2}`, string(card.Details))
	require.Nil(t, card.PreviousRank)
	around, err := lb.Around(ctx, day, "user_150", client.Neighbours{Range: 2, Near: 151})
	good(err)
	require.Len(t, around.Entries, 5)
	require.Equal(t, around.Rank, around.Entries[2].Rank)
	found, err := lb.LookUp(ctx, day, []string{"user_3", "user_ana", "nobody"})
	good(err)
	require.Len(t, found.Entries, 2)

	counted, err := lb.Distribution(ctx, day, 10)
	good(err)
	require.EqualValues(t, 301, counted.Total)
	require.LessOrEqual(t, len(counted.Buckets), 10)

	var problem *client.Problem
	_, err = lb.Card(ctx, day, "nobody")
	require.ErrorAs(t, err, &problem)
	require.Equal(t, client.CodeNotOnBoard, problem.Code)
	require.NotEmpty(t, problem.RequestID)
	_, err = lb.Game(ctx)
	good(err)

	duel, err := lb.MakeDuel(ctx, client.NewDuel{ID: "match-1", Players: [2]string{"user_ana", "user_1"}})
	good(err)
	require.Equal(t, "ready", duel.Status)
	var answer []string
	for watched, err := range lb.WatchDuel(ctx, "match-1") {
		good(err)
		if answer = append(answer, watched.Status); len(answer) == 1 {
			_, err = lb.DecideDuel(ctx, "match-1", client.Outcome{Winner: "user_ana", Rounds: &[2]int{3, 1}})
			good(err)
		}
	}
	require.Equal(t, []string{"ready", "decided"}, answer)
	duel, err = lb.DecideDuel(ctx, "match-1", client.Outcome{Winner: "user_ana", Rounds: &[2]int{3, 1}})
	good(err)
	require.Equal(t, client.RatingChange{Before: 1000, After: 1016, Rank: 1}, duel.Ratings["user_ana"])
	_, err = lb.DecideDuel(ctx, "match-1", client.Outcome{})
	require.ErrorAs(t, err, &problem)
	require.Equal(t, client.CodeDuelDecided, problem.Code)
	duel, err = lb.Duel(ctx, "match-1")
	good(err)
	require.Equal(t, "user_ana", *duel.Winner)

	_, err = lb.SendEvents(ctx, []client.Event{{ID: "e-1", Type: "chat.message", At: time.Now(), Group: "g", From: "user_ana", To: "user_1"}})
	require.ErrorAs(t, err, &problem)
	require.Equal(t, client.CodeNotFound, problem.Code, "Framedle has no activity")

	ops := lb.Ops()
	health, err := ops.Health(ctx)
	good(err)
	require.Equal(t, "ok", health.Redis+health.Database[2:])
	current, err := ops.Status(ctx)
	good(err)
	require.True(t, current.Writes.Taken)
	require.NotEmpty(t, current.Schedules)
	plays, err := ops.Statistics(ctx, 7)
	good(err)
	require.LessOrEqual(t, len(plays.Days), 7)
	usage, err := ops.Usage(ctx, client.UsageOf{Days: 2, By: "route", Players: 300})
	good(err)
	require.NotZero(t, usage.Plan.Commands)
	letters, err := ops.DeadLetters(ctx)
	good(err)
	require.Nil(t, letters.QueuedScores)
	_, err = ops.Redrive(ctx)
	require.ErrorAs(t, err, &problem, "there is no queue")
	require.Equal(t, client.CodeNotFound, problem.Code)
	named, err := ops.FindPlayers(ctx, "nobody", 1, "")
	good(err)
	require.Empty(t, named.Players)
	document, err := ops.Player(ctx, "user_ana", "")
	good(err)
	require.True(t, document.Known)
	require.Len(t, document.Duels, 1)
	_, err = lb.StartPlay(ctx, client.PlayRequest{Mode: "daily_frame", Player: "user_ana"})
	require.ErrorAs(t, err, &problem, "the game hands out none")
	require.Equal(t, client.CodePlayRefused, problem.Code)
	require.Equal(t, "not-taken", problem.Reason)
	held, err := ops.Held(ctx, client.Rows{Limit: 1})
	good(err)
	require.Empty(t, held.Held)
	_, err = ops.PassHeld(ctx, "0123456789abcdef")
	require.ErrorAs(t, err, &problem)
	require.Equal(t, client.CodeNotFound, problem.Code)
	require.ErrorAs(t, ops.DropHeld(ctx, "0123456789abcdef"), &problem)
	require.Equal(t, client.CodeNotFound, problem.Code)
	removed, err := ops.Ban(ctx, "user_299", "plays with a script")
	good(err)
	require.Equal(t, "user_299", removed.Player)
	bans, err := ops.Bans(ctx, client.Rows{Limit: 1})
	good(err)
	require.EqualValues(t, 1, bans.Total)
	require.Equal(t, "plays with a script", bans.Bans[0].Reason)
	_, err = ops.Unban(ctx, "user_299")
	good(err)
	_, err = ops.RemoveScore(ctx, "daily_frame", "2026-11-21", "user_298")
	good(err)
	erased, err := ops.ErasePlayer(ctx, "user_297")
	good(err)
	require.True(t, erased.Known)
	log, err := ops.Log(ctx, client.Rows{Player: "user_299"})
	good(err)
	require.Len(t, log.Entries, 3, "a ban, what it has taken out, and its end")
	_, err = ops.Audit(ctx, client.AuditOf{Player: "user_299"})
	require.ErrorAs(t, err, &problem, "the game records nothing")
	require.Equal(t, client.CodeNotFound, problem.Code)
	page, err = lb.Page(ctx, day, client.From{Limit: 2})
	good(err)
	require.Equal(t, "user_296", page.Entries[1].Player)

	_, err = lb.Spend(ctx, "coins", client.Purchase{Player: "user_ana", Amount: 5, Item: "hat-3"})
	require.ErrorAs(t, err, &problem, "the game has no currencies")
	require.Equal(t, client.CodeNotFound, problem.Code)
	badges, err := lb.Badges(ctx, "user_ana", 5)
	require.NoError(t, err)
	require.Equal(t, client.PlayerBadges{Player: "user_ana", Badges: []client.PlayerBadge{}}, badges)
	_, err = lb.Presence(ctx)
	require.ErrorAs(t, err, &problem, "and counts nobody")
	require.Equal(t, client.CodeNotFound, problem.Code)

	until := p.Clock.Now().Add(time.Hour).Truncate(time.Second)
	writes, err := ops.SetMaintenance(ctx, until, "moving")
	good(err)
	require.True(t, writes.On && writes.Until.Equal(until))
	_, err = lb.Submit(ctx, client.Submission{Mode: "daily_frame", Player: "user_late", Score: 1})
	require.ErrorAs(t, err, &problem)
	require.Equal(t, client.CodeMaintenance, problem.Code)
	writes, err = ops.Maintenance(ctx)
	good(err)
	require.Equal(t, "moving", writes.Reason)
	writes, err = ops.EndMaintenance(ctx)
	good(err)
	require.False(t, writes.On)

	require.GreaterOrEqual(t, len(forServers(t)), 20)
	for _, route := range forServers(t) {
		pattern := regexp.MustCompile("^" + regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta(route), "[^/]+") + "$")
		require.True(t, slices.ContainsFunc(asked.all, pattern.MatchString), "no method for %s", route)
	}
}

// What few games have: a feed, and boards that sites merge.
func TestTheFeedAndTheWorldAgainstTheProduct(t *testing.T) {
	g, err := gamefile.Parse("several.yaml", []byte("name: several\noutbox: true\nworld: {}\nmodes:\n  tally: {policy: best, max: 1000}\n"))
	require.NoError(t, err)
	p := start(t, local.Options{Game: g})
	p.Clock.Set(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	asked := &routes{}
	lb, ctx := of(t, p, asked), t.Context()
	for score, player := range []string{"user_ana", "user_ben"} {
		_, err := lb.Submit(ctx, client.Submission{Mode: "tally", Player: player, Score: float64(10 + score)})
		require.NoError(t, err)
		p.Clock.Set(p.Clock.Now().Add(time.Minute))
	}
	feed, err := lb.Feed(ctx, client.FeedOf{Mode: "tally"})
	require.NoError(t, err)
	require.Equal(t, "2026-11-21", feed.Date)
	require.Len(t, feed.Entries, 2)
	last := feed.Entries[0]
	require.EqualValues(t, 1, *last.Rank)
	require.Equal(t, "user_ben", last.Player)
	require.EqualValues(t, 11, last.Score)
	for _, of := range []client.FeedOf{{Mode: "tally", Limit: 1}, {Mode: "tally", Date: "2026-11-21", Since: feed.Entries[1].At}} {
		part, err := lb.Feed(ctx, of)
		require.NoError(t, err)
		require.Equal(t, []client.FeedEntry{last}, part.Entries)
	}
	none, err := lb.Feed(ctx, client.FeedOf{Mode: "tally", Date: "2026-11-20"})
	require.NoError(t, err)
	require.Empty(t, none.Entries)

	world, err := lb.World(ctx, client.Board{Mode: "tally", Period: "week", Scope: "country:BR"}, client.From{Limit: 5})
	require.NoError(t, err)
	require.Equal(t, []any{"world", "2026-W47", int64(0)}, []any{world.Scope, world.Key, world.Total})
	require.Empty(t, world.Sites, "nothing has been merged")
	require.Empty(t, world.Entries)
	_, err = lb.World(ctx, client.Board{Mode: "tally", Period: "last7"}, client.From{})
	var problem *client.Problem
	require.ErrorAs(t, err, &problem)
	require.Equal(t, http.StatusBadRequest, problem.Status)
	for _, route := range []string{"GET /v1/feed", "GET /v1/leaderboards/tally/world"} {
		require.Contains(t, asked.all, route)
	}
}

// routes notes what is asked for.
type routes struct{ all []string }

func (n *routes) RoundTrip(r *http.Request) (*http.Response, error) {
	n.all = append(n.all, r.Method+" "+r.URL.Path)
	return http.DefaultTransport.RoundTrip(r)
}

// Scores are sent through a bad network: one request in three is cut, before or after its
// effect.
type badNetwork struct {
	mu     sync.Mutex
	random *rand.Rand
	most   int // attempts in a row that it spoils
	row    int
}

var errCut = errors.New("the connection was cut")

func (n *badNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	way := 0
	if n.row < n.most {
		way = n.random.IntN(3)
	}
	if n.row++; way == 0 {
		n.row = 0
	}
	n.mu.Unlock()
	if way == 1 {
		return nil, errCut
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && way == 2 {
		_ = response.Body.Close()
		return nil, errCut
	}
	return response, err
}

const sums = `name: sums
modes:
  tally: {policy: sum, max: 1000, day_max: 1000000}
`

// A score of a mode that adds up counts once, whatever is cut, both alone and in batches.
func TestSumsCountOnceWhateverIsCut(t *testing.T) {
	g, err := gamefile.Parse("sums.yaml", []byte(sums))
	require.NoError(t, err)
	p := start(t, local.Options{Game: g})
	var players atomic.Int64
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		lb, err := client.New(client.Config{
			URL: p.URL, SigningKey: p.Secrets.SigningKey,
			Transport: &badNetwork{random: rand.New(rand.NewPCG(seed, 1)), most: 2},
		})
		require.NoError(t, err)
		lb.SetWait((&waits{}).wait)
		player := fmt.Sprintf("player%d", players.Add(1))
		var total float64
		for _, plays := range rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 1000), 1, 5), 1, 6).Draw(t, "plays") {
			var batch client.Batch
			for _, score := range plays {
				total += float64(score)
				batch.Scores = append(batch.Scores, client.Submission{Mode: "tally", Player: player, Score: float64(score)})
			}
			if len(plays) == 1 {
				_, err := lb.Submit(t.Context(), batch.Scores[0])
				require.NoError(t, err)
				continue
			}
			results, err := lb.SubmitBatch(t.Context(), batch)
			require.NoError(t, err)
			for _, r := range results {
				require.Nil(t, r.Problem)
			}
		}
		card, err := lb.Card(t.Context(), client.Board{Mode: "tally"}, player)
		require.NoError(t, err)
		require.Equal(t, total, card.Score)
	})
}

func TestOneClientServesManyAtOnce(t *testing.T) {
	p := start(t, local.Options{})
	lb := of(t, p, nil)
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			for n := range 10 {
				_, err := lb.Submit(t.Context(), client.Submission{Mode: "daily_frame", Player: fmt.Sprintf("p%d_%d", i, n), Score: float64(n)})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	rows := 0
	for _, err := range lb.Entries(t.Context(), client.Board{Mode: "daily_frame"}) {
		require.NoError(t, err)
		rows++
	}
	require.Equal(t, 160, rows)
}
