package webhookstore_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/feature/webhook/webhookstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	signed "github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

const (
	secretOne = "one one one one one one one one one one"
	secretTwo = "two two two two two two two two two two"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// told is a message as a receiver got it.
type told struct {
	ID, Type string
	At       string
	Data     map[string]any
}

// receiver is an endpoint; it accepts what its secret has signed.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	secret string
	now    func() time.Time
	all    []told
	tries  int
	answer func(try int, w http.ResponseWriter, r *http.Request) // nil: takes everything
	wrong  []string
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	r.tries++
	try, answer := r.tries, r.answer
	r.mu.Unlock()
	var m struct {
		Type, Timestamp string
		Data            map[string]any
	}
	verifier, err := signed.NewVerifier([]string{r.secret}, r.now)
	if err == nil {
		err = verifier.Verify(signed.Headers{ID: q.Header.Get("webhook-id"), Timestamp: q.Header.Get("webhook-timestamp"), Signature: q.Header.Get("webhook-signature")}, body)
	}
	if err == nil {
		err = json.Unmarshal(body, &m)
	}
	r.mu.Lock()
	if err != nil {
		r.wrong = append(r.wrong, err.Error())
	}
	r.all = append(r.all, told{q.Header.Get("webhook-id"), m.Type, m.Timestamp, m.Data})
	r.mu.Unlock()
	if answer != nil {
		answer(try, w, q)
	}
}

func (r *receiver) answers(how func(try int, w http.ResponseWriter, r *http.Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = how
}

// had returns what the receiver has received since the last call.
func (r *receiver) had() []told {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

// world is an archive in which something happens, with endpoints.
type world struct {
	*testing.T
	kept     *archive.Archive
	game     *game.Game
	receiver *receiver
	sender   *webhookstore.Sender
	log      bytes.Buffer
	lost     int

	mu    sync.Mutex
	clock time.Time
}

func newWorld(t *testing.T) *world { return worldAt(t, archivetest.Database(t)) }

func worldAt(t *testing.T, database string) *world {
	w := &world{T: t, clock: noon}
	w.receiver = &receiver{secret: webhookstore.SecretOf(secretOne, "shop"), now: w.now}
	w.receiver.Server = httptest.NewServer(w.receiver)
	t.Cleanup(w.receiver.Close)
	w.game = testkit.Game(t, `
name: g
seasons: [{name: autumn, first: 2026-11-01, last: 2026-11-20}]
leagues: {}
`+givesBadges+`
modes: {daily: {max: 100, xp: 1}}
webhooks:
  shop: {url: `+w.receiver.URL+`, events: [period.closed, season.closed, badge.given, league.rolled]}
`)
	kept, err := archive.Open(archive.Options{URL: database, Connections: 4})
	require.NoError(t, err)
	t.Cleanup(func() { kept.Close(context.Background()) })
	kept.Announce(webhook.EndpointsOf(w.game).Listening)
	w.kept = kept
	w.sender = &webhookstore.Sender{
		Game: w.game, Books: webhookstore.In(kept), Now: w.now, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
		GaveUp: func(context.Context) { w.lost++ }, Secrets: []string{secretOne}, Badge: title,
	}
	return w
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock = w.clock.Add(d)
}

// announcing are the rules of a feature that has nothing but the events of badges.
type announcing struct{}

func (announcing) Check(*game.Game, *game.Checker) {}

func (announcing) Announces() game.Happening { return game.BadgeGiven }

func init() {
	gamefile.Register(gamefile.Section{Key: gamefile.Key{Name: "announcing", Kind: gamefile.Boolean, Default: "false", Text: "events of badges"},
		Read: func(v gamefile.Value, g *game.Game) {
			if v.Flag() {
				g.Features = append(g.Features, announcing{})
			}
		}})
}

// givesBadges is what a game file says to have such events.
var givesBadges = "announcing: true"

// Badges are given, and those of a device moved to who has claimed it: by their feature, or, in a
// product without it, events alone.
var (
	badgeGiven = func(w *world, player string) error {
		return w.kept.DB().Together(w.Context(), "tell of a badge", func(b *pgx.Batch) {
			b.Queue(archive.InsertEvents(`SELECT $1::text AS identity, $1::text AS player, jsonb_build_object('badge', 'week', 'earned', $2::text) AS data`, "$3", "$4", "$5"),
				player, game.DateOf(noon).String(), w.kept.DB().Listeners(game.BadgeGiven), string(game.BadgeGiven), w.now())
		})
	}
	badgesMoved = func(w *world, device, player string) error {
		return w.kept.DB().Together(context.Background(), "move a badge", func(b *pgx.Batch) { b.Queue(archive.MoveNews, device, player) })
	}
)

// give gives the badge to some players, in this order.
func (w *world) give(players ...string) {
	w.Helper()
	for _, player := range players {
		require.NoError(w, badgeGiven(w, player))
	}
}

// closeDay archives a day of some players as it closed.
func (w *world) closeDay(d game.Date, players int) {
	w.Helper()
	run, err := w.kept.Days.Begin(w.Context(), "daily", d, "redis")
	require.NoError(w, err)
	var rows []game.Result
	for i := range players {
		rows = append(rows, game.Result{Player: "user_" + strconv.Itoa(i), Stored: float64(i)})
	}
	require.NoError(w, run.Put(w.Context(), rows))
	_, err = run.Finish(w.Context(), w.now())
	require.NoError(w, err)
}

func (w *world) run() webhookstore.DeliveryReport {
	w.Helper()
	done, err := w.sender.Run(w.Context(), time.Second)
	require.NoError(w, err)
	return done
}

func (w *world) players() (players []string) {
	for _, m := range w.receiver.had() {
		players = append(players, m.Data["player"].(string))
	}
	return players
}

// title is the title of the badge of every test.
func title(string) (string, bool) { return "A week", true }
