package jobs_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const peopleGame = `
name: people
outbox: true
modes:
  daily: {max: 1000, xp: 1, scopes: [country, region, group], details: true}
  timed: {policy: best, order: asc, decimals: 2, max: 3600}
`

// world is a product with everything that keeps data of players.
type world struct {
	*testing.T
	game     string // its file; "": peopleGame
	app      *app.App
	kept     *archive.Archive // nil: none
	database string
	redis    *upstashtest.Server
	client   *upstash.Client
	now      time.Time
	country  string // of the players of many; "": none
}

// onWorlds runs a test over the embedded Redis and over a real one, with Postgres
// and without.
func onWorlds(t *testing.T, test func(w *world)) {
	for _, redis := range []struct{ name, url string }{{"embedded", ""}, {"real", testkit.RealRedis(t)}} {
		for _, database := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, database %v", redis.name, database), func(t *testing.T) {
				test(newWorld(t, redis.url, database))
			})
		}
	}
}

func newWorld(t *testing.T, url string, database bool) *world {
	w := &world{T: t, now: time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC)}
	redis := testkit.NewRedis(t, url)
	redis.Do("FLUSHALL")
	w.redis, w.client = redis.Server, redis.Client
	if database {
		w.database = archivetest.Database(t)
		w.kept = testkit.Archive(t, w.database, jobs.Tables()...)
	}
	w.restart()
	return w
}

// restart makes a new process, which remembers nothing.
func (w *world) restart() {
	g, err := gamefile.Parse("people.yaml", []byte(cmp.Or(w.game, peopleGame)))
	require.NoError(w, err)
	w.app = app.New(app.Parts{
		Game: g, Redis: w.client, Now: func() time.Time { return w.now }, Log: slog.New(slog.DiscardHandler), Secrets: []string{"one secret for all processes"},
	})
}

func (w *world) people() *playerdata.Service { return jobs.People(w.app, w.kept) }

func (w *world) mode(name string) *game.Mode {
	m, ok := w.app.Game().Mode(name)
	require.True(w, ok)
	return m
}

func (w *world) play(player, mode string, score game.Score) {
	sub := game.Submission{Mode: w.mode(mode), Player: player, Date: game.DateOf(w.now), Score: score, At: w.now, Profile: game.Profile{Name: "Ana", Country: "BR"}}
	if mode == "daily" {
		sub.Scopes = []game.Scope{groupOf(w, "g1")}
		sub.Details = json.RawMessage(`{"guesses":3}`)
	}
	_, err := w.app.Store().Boards.Submit(w.Context(), sub)
	require.NoError(w, err)
}

func groupOf(w *world, id string) game.Scope {
	scope, err := game.GroupScope(id)
	require.NoError(w, err)
	return scope
}

// daily closes days, as a night does.
func (w *world) daily() {
	_, err := jobs.New(w.app, w.kept).Daily(w.Context(), w.now)
	require.NoError(w, err)
}

func (w *world) read(player string) playerdata.Document {
	d, err := w.people().Player(w.Context(), player, "")
	require.NoError(w, err)
	return d
}

// part is a feature's field of a document; the zero value if the document has none.
func part[T any](t require.TestingT, d playerdata.Document, name string) (v T) {
	text, err := json.Marshal(d.Features[name])
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &v))
	return v
}

// listed is a row of a feature's list.
type listed struct {
	ID      string          `json:"id"`
	Player  string          `json:"player"`
	Players []string        `json:"players"`
	Left    bool            `json:"left"`
	Place   int             `json:"place"`
	Score   json.RawMessage `json:"score"`
	Rating  map[string]float64
	Group   string
	Date    string
	Acts    int64
	Title   string
	Earned  string
	Mode    string
	Period  string
	Key     string `json:"period_key"`
	Scope   string
}

// XP and streaks are in the document as long as they are kept, even if the game no longer has
// them.
func TestAPlayersDocumentHasWhatTheGameHasNoMore(t *testing.T) {
	onWorlds(t, func(w *world) {
		w.play("user_a", "daily", 700)
		w.now = w.now.AddDate(0, 0, 1)
		w.daily()
		w.game = "streak: off\n" + strings.Replace(peopleGame, "xp: 1, ", "", 1)
		w.restart()
		got := w.read("user_a")
		require.EqualValues(w, 700, *got.XP)
		require.EqualValues(w, 3, *got.Level)
		require.Equal(w, 1, got.Streak.Best)
		nobody := w.read("user_b")
		require.Nil(w, nobody.XP)
		require.Nil(w, nobody.Level)
		require.Nil(w, nobody.Streak)
		require.False(w, nobody.Known)
	})
}

func TestAPlayersDocumentHasEverythingThatIsKept(t *testing.T) {
	onWorlds(t, func(w *world) {
		ctx := w.Context()
		w.play("user_a", "daily", 700)
		w.play("user_b", "daily", 900)
		w.now = w.now.AddDate(0, 0, 1)
		w.daily() // the first day is closed, and archived where there is a database
		w.play("user_a", "daily", 800)
		w.play("user_a", "timed", 1250)

		w.wins("match-1", "user_a", "user_b")
		w.challenges("user_b", "user_a")
		_, err := w.app.Store().Repair.Claim(ctx, "anon_1", "user_a", nil)
		require.NoError(w, err)
		_, err = w.redis.Redis().Do(ctx, "HSET", game.GroupsKey, "user_a", game.BanMember("m1")+"=org_1")
		require.NoError(w, err)
		removals := jobs.Removals(w.app, w.kept)
		if w.kept != nil {
			w.befriends("user_b", "user_a")
			w.blocksAndInvites("user_a", "user_x")
			require.NoError(w, w.kept.Achievements.Put(ctx, game.BoardOf(w.mode("daily"), game.Week.Of(game.DateOf(w.now)), game.Scope{}), []archive.Award{{Player: "user_a", Kind: archive.Champion, Rank: 1}}, w.now))
		}
		_, err = removals.Ban(ctx, "user_c", "plays with a script", lifecycle.Act{ID: "ban-c", Actor: "operator", At: w.now})
		require.NoError(w, err)

		_, err = jobs.New(w.app, w.kept).Save(ctx, w.now)
		require.NoError(w, err)

		w.restart()
		got := w.read("user_a")
		require.True(w, got.Known)
		require.Equal(w, playerdata.Profile{Name: "Ana", Country: "BR"}, got.Profile)
		require.EqualValues(w, 1500, *got.XP)
		require.Equal(w, 2, got.Streak.Current)
		require.InDelta(w, 1016, part[float64](w, got, "duel_rating"), 0)
		require.Equal(w, []string{"org_1"}, clerkGroups(w, got))
		require.Equal(w, []string{"g1"}, got.GroupsPlayed)
		require.Equal(w, []playerdata.Device{{Device: "anon_1", ClaimedAt: got.Devices[0].ClaimedAt}}, got.Devices)
		require.Nil(w, got.Ban)
		require.Nil(w, got.Next)
		results := []playerdata.Result{
			{Mode: "timed", Date: "2026-11-11", Score: json.RawMessage("12.5")},
			{Mode: "daily", Date: "2026-11-11", Score: json.RawMessage("800"), Scopes: []string{"country:BR", "group:g1", "region:SA"}, Details: json.RawMessage(`{"guesses":3}`)},
			{Mode: "daily", Date: "2026-11-10", Score: json.RawMessage("700"), Scopes: []string{"country:BR", "group:g1", "region:SA"}, Details: json.RawMessage(`{"guesses":3}`)},
		}
		require.Equal(w, results, got.Results)
		require.Len(w, part[[]listed](w, got, "duels"), 1, "of duels, another's challenge is theirs")
		require.Equal(w, "match-1", part[[]listed](w, got, "duels")[0].ID, "of duels")
		if w.kept == nil {
			require.Equal(w, []string{"redis"}, got.Sources)
		} else {
			require.Equal(w, []string{"redis", "database"}, got.Sources)
			require.Equal(w, "user_b", part[[]listed](w, got, "friends")[0].Player)
			require.Equal(w, []string{"user_x"}, part[[]string](w, got, "blocked"), "of friends")
			require.Equal(w, 3, part[[]friend.OpenInvite](w, got, "invites")[0].UsesLeft)
			require.Equal(w, "champion", got.Achievements[0].Kind)
			require.Equal(w, "global", got.Achievements[0].Scope)
			require.Len(w, got.Submissions, 3)
		}

		// A night later both stores have everything, and the document has nothing twice.
		w.now = w.now.AddDate(0, 0, 1)
		w.daily()
		w.restart()
		again := w.read("user_a")
		require.Equal(w, results, again.Results)
		require.Len(w, part[[]listed](w, again, "duels"), 1, "of duels")

		banned := w.read("user_c")
		require.True(w, banned.Known)
		require.NotNil(w, banned.Ban)
		if w.kept != nil {
			require.Equal(w, "plays with a script", banned.Ban.Reason)
			require.Equal(w, "ban", banned.Acts[0].Action)
		}
	})
}

func TestNothingIsKeptOfAStrangerAndOfWhoIsErased(t *testing.T) {
	onWorlds(t, func(w *world) {
		empty := func(d playerdata.Document) {
			require.False(w, d.Known)
			text, err := json.Marshal(d)
			require.NoError(w, err)
			for _, list := range []string{
				"groups_played", "devices", "results", "submissions", "achievements",
				"friends", "requests_received", "requests_sent", "blocked", "invites",
				clerkList(),
			} {
				require.Contains(w, string(text), `"`+list+`":[]`)
			}
			require.Contains(w, string(text), `"ban":null`)
		}
		empty(w.read("user_nobody"))
		w.play("user_a", "daily", 700)
		w.now = w.now.AddDate(0, 0, 1)
		w.daily()
		require.True(w, w.read("user_a").Known)
		_, err := jobs.Removals(w.app, w.kept).Erase(w.Context(), "user_a", lifecycle.Act{ID: "erase-a", Actor: "operator", At: w.now})
		require.NoError(w, err)
		w.now = w.now.Add(8 * time.Hour) // by then Redis no longer keeps which groups the player was in
		w.daily()
		erased := w.read("user_a")
		empty(erased)
		if w.kept != nil {
			require.Equal(w, "erase", erased.Acts[0].Action)
			require.NotContains(w, erased.Acts[0].Player, "user_a", "the audit has a digest")
		}
	})
}

func TestAnArchiveThatHasLostADayDoesNotHideIt(t *testing.T) {
	w := newWorld(t, "", true)
	w.play("user_a", "daily", 700)
	w.now = w.now.AddDate(0, 0, 1)
	w.daily()
	w.kept = testkit.Archive(t, archivetest.Database(t), jobs.Tables()...)
	require.Len(t, w.read("user_a").Results, 1)
}

// nights passes some days, each with its schedules.
func (w *world) nights(n int) {
	for range n {
		w.now = w.now.Truncate(24*time.Hour).AddDate(0, 0, 1).Add(time.Hour)
		w.restart()
		w.expireDays()
		w.daily()
	}
	w.now = w.now.Truncate(24 * time.Hour).Add(12 * time.Hour)
	w.restart()
}

// expireDays deletes the keys of days that have expired by the game's clock.
func (w *world) expireDays() {
	for d := game.NewDate(2026, 11, 10); !d.After(game.DateOf(w.now)); d = d.AddDays(1) {
		end, _ := w.app.Game().Expires(game.Day.Of(d))
		if w.now.Before(end) {
			continue
		}
		for _, key := range w.do("KEYS", "*:"+d.String()+"*").([]any) {
			if !strings.HasPrefix(key.(string), "earned:") || !w.now.Before(end.Add(24*time.Hour)) {
				w.do("DEL", key.(string))
			}
		}
	}
}

// ask asks the database itself for one value.
func (w *world) ask(question string, into any, args ...any) {
	c, err := pgx.Connect(context.Background(), w.database)
	require.NoError(w, err)
	defer func() { _ = c.Close(context.Background()) }()
	require.NoError(w, c.QueryRow(context.Background(), question, args...).Scan(into))
}
