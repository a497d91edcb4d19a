package webhookstore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/feature/webhook/webhookstore"
	"github.com/framedle/leaderboards/internal/game"
)

// delivery is a message as somebody got it.
type delivery struct {
	to, id, kind string
	by           string // the process: "before" or "after" the change of the game file
}

// changing is an archive before and after a change of the game file.
type changing struct {
	*world
	database string
	urls     map[string]string // of receivers, by name

	mu        sync.Mutex
	got       []delivery
	posts, at int
	meanwhile func()
}

func newChanging(t *testing.T) *changing {
	database := archivetest.Database(t)
	c := &changing{world: worldAt(t, database), database: database, urls: map[string]string{}}
	for _, name := range []string{"shop", "moved", "bot"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.take(name, r) }))
		t.Cleanup(server.Close)
		c.urls[name] = server.URL
	}
	return c
}

// take takes a message, and does before the answer what is to be done.
func (c *changing) take(to string, r *http.Request) {
	var m struct{ Type string }
	_ = json.NewDecoder(r.Body).Decode(&m)
	by := "before"
	if strings.Contains(r.Header.Get("webhook-signature"), " ") {
		by = "after"
	}
	c.mu.Lock()
	c.got = append(c.got, delivery{to, r.Header.Get("webhook-id"), m.Type, by})
	var do func()
	if c.posts++; c.posts == c.at {
		do, c.meanwhile = c.meanwhile, nil
	}
	c.mu.Unlock()
	if do != nil {
		do()
	}
}

// before has do done before the answer to the n-th message from now on.
func (c *changing) before(n int, do func()) (end func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.posts, c.at, c.meanwhile = 0, n, do
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.at = 0
		return c.posts >= n
	}
}

// file is a game with such endpoints.
func (c *changing) file(endpoints string) *game.Game {
	text := "name: g\n" + givesBadges + "\nmodes: {daily: {max: 100, xp: 1}}\nwebhooks:\n" + endpoints
	for name, url := range c.urls {
		text = strings.ReplaceAll(text, "$"+name, url)
	}
	return testkit.Game(c, text)
}

func (c *changing) tell(g *game.Game, kept *archive.Archive, secrets ...string) {
	sender := webhookstore.Sender{Game: g, Books: webhookstore.In(kept), Now: c.now, Log: slog.New(slog.DiscardHandler), Secrets: secrets, Badge: title}
	_, err := sender.Run(context.Background(), time.Second)
	require.NoError(c, err)
}

// The game file is changed before the answer to any message, and before any query, of a run
// that tells events by the old one: a process with the new file comes and tells at once. Who
// is not concerned is told everything once; by the new file nobody is told what it does not
// name; who is told at another address, or by other secrets, is told everything once, by either
// process.
func TestAnEndpointThatIsChangedDuringARunIsToldByTheNewFile(t *testing.T) {
	const was = "  shop: {url: $shop, events: [badge.given, period.closed]}\n  bot: {url: $bot, events: [badge.given, period.closed]}\n"
	for change, is := range map[string]string{
		"taken out":            "  bot: {url: $bot, events: [badge.given, period.closed]}\n",
		"told elsewhere":       strings.ReplaceAll(was, "$shop", "$moved"),
		"told of fewer events": strings.Replace(was, "badge.given, ", "", 1),
		"told by more secrets": was,
	} {
		t.Run(change, func(t *testing.T) {
			c := newChanging(t)
			relay := testkit.NewRelay(t, c.database)
			relayed := testkit.Archive(t, relay.URL)
			before, after := c.file(was), c.file(is)
			day := game.DateOf(noon).AddDays(-20)
			tries := 0
			for name, interrupt := range map[string]func(int, func()) func() bool{"message": c.before, "query": relay.Before} {
				for n, more := 1, true; more; n++ {
					tries++
					c.got = nil
					c.kept.Announce(webhook.EndpointsOf(before).Listening)
					c.give(fmt.Sprint("a", tries), fmt.Sprint("b", tries), fmt.Sprint("c", tries))
					c.closeDay(day, 3)
					day = day.AddDays(-1)
					if day.DaysSince(game.DateOf(noon)) < -30 {
						day = game.DateOf(noon).AddDays(-1)
					}
					end := interrupt(n, func() { c.tell(after, c.kept, secretTwo, secretOne) })
					c.tell(before, relayed, secretOne)
					more = end()
					c.pass(time.Minute)
					c.tell(after, c.kept, secretTwo, secretOne)
					c.told(change, fmt.Sprintf("before %s %d", name, n))
				}
			}
			require.Greater(t, tries, 10)
		})
	}
}

// told checks what everybody was told of three badges and, mostly, a day that has closed.
func (c *changing) told(change, when string) {
	ids := map[string]map[string]int{}
	for _, d := range c.got {
		to := d.to
		if to == "moved" {
			to = "shop"
		}
		if ids[to] == nil {
			ids[to] = map[string]int{}
		}
		ids[to][d.id]++
		require.Equal(c, 1, ids[to][d.id], "%s: told twice, %s", d, when)
		if d.by == "after" {
			switch change {
			case "taken out":
				require.NotEqual(c, "shop", to, when)
			case "told elsewhere":
				require.NotEqual(c, "shop", d.to, when)
			case "told of fewer events":
				require.False(c, to == "shop" && d.kind == "badge.given", when)
			}
		}
	}
	require.GreaterOrEqual(c, len(ids["bot"]), 3, when)
	if change == "told elsewhere" || change == "told by more secrets" {
		require.Equal(c, ids["bot"], ids["shop"], when)
	}
}
