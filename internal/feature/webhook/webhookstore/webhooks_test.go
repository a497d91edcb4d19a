package webhookstore_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/feature/webhook/webhookstore"
	"github.com/framedle/leaderboards/internal/game"
	signed "github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

// Each event is delivered once, with an id that stays, in a message that the endpoint's secret
// has signed.
func TestWhatHappensIsTold(t *testing.T) {
	w := newWorld(t)
	day := game.DateOf(noon).AddDays(-1)
	for range 2 { // what happens twice has happened
		w.closeDay(day, 3)
		for _, p := range []game.Period{game.Week.Of(day), w.game.AllSeasons()[0]} {
			board := game.BoardOf(w.game.Modes[0], p, game.Scope{})
			require.NoError(t, w.kept.Snapshots.Put(t.Context(), board, archive.Snapshot{Total: 3, TakenAt: w.now()}))
		}
		w.give("user_a")
		w.pass(time.Minute)
	}
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 4}, w.run())
	require.Equal(t, webhookstore.DeliveryReport{}, w.run())
	data := map[string]map[string]any{}
	seen := map[string]bool{}
	for _, m := range w.receiver.had() {
		period, _ := m.Data["period"].(string)
		data[strings.TrimSpace(m.Type+" "+period)] = m.Data
		require.Equal(t, "2026-11-21T12:00:00Z", m.At)
		require.Regexp(t, `^evt_[0-9a-f]{32}$`, m.ID)
		require.False(t, seen[m.ID])
		seen[m.ID] = true
	}
	require.Equal(t, map[string]map[string]any{
		"period.closed day":    {"mode": "daily", "period": "day", "key": "2026-11-20", "first": "2026-11-20", "last": "2026-11-20", "players": 3.0},
		"period.closed week":   {"mode": "daily", "period": "week", "key": "2026-W47", "first": "2026-11-16", "last": "2026-11-22", "players": 3.0},
		"season.closed season": {"mode": "daily", "period": "season", "key": "autumn", "first": "2026-11-01", "last": "2026-11-20", "players": 3.0},
		"badge.given":          {"badge": "week", "title": "A week", "player": "user_a", "earned": "2026-11-21"},
	}, data)
	require.Empty(t, w.receiver.wrong)
}

func TestADayOfLongAgoIsTakenInWithoutAWord(t *testing.T) {
	w := newWorld(t)
	w.closeDay(game.DateOf(noon).AddDays(-40), 2)
	require.Equal(t, webhookstore.DeliveryReport{}, w.run())
}

// A failed delivery is tried again after growing pauses, and no other event of its kind
// overtakes it.
func TestWhatFailsIsTriedAgainInItsOrder(t *testing.T) {
	for name, answer := range map[string]func(int, http.ResponseWriter, *http.Request){
		"it is down": func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
		"it redirects": func(_ int, w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"it hangs up": func(int, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"it promises more": func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "x")
			w.WriteHeader(400)
		},
		"its headers are heavy": func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 1<<16))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.give("user_a", "user_b")
			w.closeDay(game.DateOf(noon).AddDays(-1), 1)
			w.receiver.answers(func(try int, rw http.ResponseWriter, r *http.Request) {
				answer(try, rw, r)
			})
			require.Equal(t, webhookstore.DeliveryReport{Failed: 2}, w.run(), "each kind by itself")
			require.Len(t, w.receiver.had(), 2)
			require.Equal(t, webhookstore.DeliveryReport{}, w.run(), "not at once")
			require.Empty(t, w.receiver.had())
			w.pass(time.Minute)
			require.Equal(t, webhookstore.DeliveryReport{Failed: 2}, w.run())
			w.pass(time.Minute)
			require.Equal(t, webhookstore.DeliveryReport{}, w.run(), "and then after two minutes")
			w.pass(time.Minute)
			w.receiver.had()
			w.receiver.answers(nil)
			require.Equal(t, webhookstore.DeliveryReport{Delivered: 3}, w.run())
			require.Empty(t, w.receiver.wrong)
			var order []any
			for _, m := range w.receiver.had() {
				order = append(order, m.Data["player"])
			}
			require.ElementsMatch(t, []any{"user_a", "user_b", nil}, order)
			require.Less(t, index(order, "user_a"), index(order, "user_b"))
			states, err := webhookstore.In(w.kept).States(t.Context())
			require.NoError(t, err)
			require.Zero(t, states[0].Failures+states[0].Waiting)
		})
	}
}

func index(all []any, one any) int {
	for i, each := range all {
		if each == one {
			return i
		}
	}
	return -1
}

// A receiver that accepts and then keeps sending for ever counts as told.
func TestAnAnswerIsNotWaitedForToItsEnd(t *testing.T) {
	w := newWorld(t)
	w.give("user_a")
	w.receiver.answers(func(_ int, rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Length", "1000000")
		rw.WriteHeader(200)
		_ = http.NewResponseController(rw).Flush()
		<-r.Context().Done()
	})
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1}, w.run())
}

func TestWhoWantsNothingMoreIsLetBeForLong(t *testing.T) {
	w := newWorld(t)
	w.give("user_a")
	w.receiver.answers(func(_ int, rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusGone) })
	require.Equal(t, webhookstore.DeliveryReport{Failed: 1}, w.run())
	w.pass(4*time.Hour - time.Second)
	require.Equal(t, webhookstore.DeliveryReport{}, w.run())
	w.pass(time.Second)
	require.Equal(t, webhookstore.DeliveryReport{Failed: 1}, w.run())
}

// After three days an event is given up, and later ones are delivered; an operator can send it
// again.
func TestWhatCannotBeToldIsGivenUp(t *testing.T) {
	w := newWorld(t)
	w.give("user_a")
	w.receiver.answers(func(_ int, rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(500) })
	for range 18 {
		require.Equal(t, webhookstore.DeliveryReport{Failed: 1}, w.run())
		w.pass(4 * time.Hour)
	}
	first := w.receiver.had()
	require.Len(t, first, 18)
	w.give("user_b")
	w.receiver.answers(nil)
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1, Lost: 1}, w.run())
	require.Equal(t, []string{"user_b"}, w.players())
	require.Equal(t, 1, w.lost)
	require.Contains(t, w.log.String(), "is not retried")
	require.NotContains(t, w.log.String(), secretOne)

	n, err := webhookstore.In(w.kept).Resend(t.Context(), "shop", "", w.now())
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1}, w.run())
	again := w.receiver.had()
	require.Equal(t, first[0], again[0], "the same message, by the same id")
	n, err = webhookstore.In(w.kept).Resend(t.Context(), "shop", again[0].ID, w.now())
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1}, w.run())
	require.Equal(t, first[0], w.receiver.had()[0])
}

// A process that ends between a delivery and its note causes one second delivery with the same
// id, and of nothing else.
func TestACutOffRunTellsOneMessageAgain(t *testing.T) {
	postgres := archivetest.Server(t)
	w := worldAt(t, postgres.URL())
	w.give("user_a", "user_b", "user_c")
	w.receiver.answers(func(try int, _ http.ResponseWriter, _ *http.Request) {
		if try == 2 {
			postgres.Stop() // so that nothing which follows is noted
		}
	})
	_, err := w.sender.Run(t.Context(), time.Second)
	require.ErrorIs(t, err, archive.ErrUnavailable)
	had := w.receiver.had()
	require.Len(t, had, 2)
	w.receiver.answers(nil)
	postgres.Start()
	require.Equal(t, webhookstore.DeliveryReport{}, w.run(), "it may be that it is at work still")
	w.pass(time.Minute)
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 2}, w.run())
	after := w.receiver.had()
	require.Equal(t, had[1].ID, after[0].ID)
	require.Equal(t, []any{"user_b", "user_c"}, []any{after[0].Data["player"], after[1].Data["player"]})
}

// Concurrent runs deliver everything once, in order, and the receiver never sees two of one
// kind at a time.
func TestRunsAtOnceTellEachEventOnce(t *testing.T) {
	w := newWorld(t)
	var players []string
	for i := range 40 {
		players = append(players, fmt.Sprintf("user_%02d", i))
	}
	w.give(players[:20]...)
	var at sync.Mutex
	w.receiver.answers(func(try int, _ http.ResponseWriter, _ *http.Request) {
		if !at.TryLock() {
			t.Error("two at a time")
			return
		}
		defer at.Unlock()
		time.Sleep(time.Millisecond)
	})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10 {
				if _, err := w.sender.Run(t.Context(), time.Second); err != nil {
					t.Error(err)
				}
			}
		})
	}
	w.give(players[20:]...)
	all.Wait()
	w.run()
	require.Equal(t, players, w.players())
}

// While a secret is being changed, a receiver with either secret accepts the message.
func TestBothSecretsSignWhileOneIsChanged(t *testing.T) {
	w := newWorld(t)
	w.sender.Secrets = []string{secretTwo, secretOne}
	w.give("user_a")
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1}, w.run())
	w.receiver.secret = webhookstore.SecretOf(secretTwo, "shop")
	w.give("user_b")
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1}, w.run())
	require.Empty(t, w.receiver.wrong)
	w.receiver.secret = webhookstore.SecretOf(secretTwo, "other")
	w.give("user_c")
	w.run()
	require.Equal(t, []string{"the webhook's signature does not match its body"}, w.receiver.wrong, "another endpoint's secret is another")
	w.sender.Secrets = nil
	w.give("user_d")
	require.Equal(t, webhookstore.DeliveryReport{}, w.run(), "without a secret it waits")
}

// A run ends in time for what follows it. A message that it cannot finish does not count
// against the endpoint.
func TestARunEndsInTime(t *testing.T) {
	w := newWorld(t)
	w.give("user_a", "user_b")
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	w.receiver.answers(func(try int, _ http.ResponseWriter, r *http.Request) {
		if try == 2 {
			<-r.Context().Done()
		}
	})
	done, err := w.sender.Run(ctx, 200*time.Millisecond)
	require.NoError(t, err)
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1}, done)
	require.NoError(t, ctx.Err())
	w.receiver.answers(nil)
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1}, w.run(), "the next one continues at once")
	done, err = w.sender.Run(ctx, time.Hour)
	require.NoError(t, err)
	require.Equal(t, webhookstore.DeliveryReport{}, done)
}

func TestOfAnErasedPlayerNothingIsTold(t *testing.T) {
	w := newWorld(t)
	w.give("user_a", "dev_b", "user_c")
	_, err := w.kept.ErasePlayer(t.Context(), "user_a", game.Act{At: w.now(), Actor: "operator", ID: "act"})
	require.NoError(t, err)
	require.NoError(t, badgesMoved(w, "dev_b", "user_b"))
	w.run()
	require.Equal(t, []string{"user_b", "user_c"}, w.players())
}

// After a player is erased during a run, no event of that player is delivered; a device's
// events name the player who has claimed it by then.
func TestOfWhoIsErasedDuringARunNothingIsToldFromThenOn(t *testing.T) {
	w := newWorld(t)
	w.give("user_a", "user_b", "dev_c", "user_d")
	w.receiver.answers(func(try int, _ http.ResponseWriter, _ *http.Request) {
		if try > 1 {
			return
		}
		_, err := w.kept.ErasePlayer(context.Background(), "user_b", game.Act{At: w.now(), Actor: "operator", ID: "act"})
		require.NoError(t, err)
		require.NoError(t, badgesMoved(w, "dev_c", "user_c"))
	})
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 3}, w.run())
	require.Equal(t, []string{"user_a", "user_c", "user_d"}, w.players())
}

// Events that happen, or are sent again, while a run is at work are delivered by it, in order.
func TestWhatIsToBeToldAgainDuringARunIsTold(t *testing.T) {
	w := newWorld(t)
	w.give("user_a", "user_b", "user_c")
	var first string
	w.receiver.answers(func(try int, _ http.ResponseWriter, r *http.Request) {
		switch try {
		case 1:
			first = r.Header.Get("webhook-id")
		case 2:
			_, err := webhookstore.In(w.kept).Resend(context.Background(), "shop", first, w.now())
			require.NoError(t, err)
			w.give("user_d")
		}
	})
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 5}, w.run())
	require.Equal(t, []string{"user_a", "user_b", "user_a", "user_c", "user_d"}, w.players())
}

// Delivered events are deleted in time, and are not delivered again.
func TestWhatWasToldIsForgotten(t *testing.T) {
	w := newWorld(t)
	w.closeDay(game.DateOf(noon).AddDays(-1), 1)
	require.Equal(t, webhookstore.DeliveryReport{Delivered: 1}, w.run())
	w.pass(36 * 24 * time.Hour)
	w.run()
	states, err := webhookstore.In(w.kept).States(t.Context())
	require.NoError(t, err)
	require.Len(t, states, 1, "the lane alone")
	w.closeDay(game.DateOf(noon).AddDays(-1), 1)
	require.Equal(t, webhookstore.DeliveryReport{}, w.run())
}

// A public name that resolves to an address in one's own network is refused.
func TestAnEndpointIsOfTheInternetUnlessItIsMeantOtherwise(t *testing.T) {
	for address, public := range map[string]bool{
		"127.0.0.1": false, "10.0.0.1": false, "172.16.5.5": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false,
		"0.0.0.0": false, "::1": false, "fe80::1": false, "fd00::1": false, "::ffff:10.0.0.1": false, "64:ff9b::a00:1": false, "2002:a00:1::": false,
		"224.0.0.1": false, "255.255.255.255": false, "198.18.0.1": false, "240.0.0.1": false,
		"192.0.0.8": false, "192.0.2.1": false, "192.88.99.1": false, "198.51.100.1": false, "203.0.113.1": false, "192.31.196.1": false,
		"::": false, "::127.0.0.1": false, "::a9fe:a9fe": false, "::ffff:0:127.0.0.1": false, "::ffff:0:0:0": false, "64:ff9b::8.8.8.8": false,
		"64:ff9b:1::1": false, "100::1": false, "100:0:0:1::1": false, "2001::1": false, "2001:0:4136:e378::1": false, "2001:2::1": false, "2001:10::1": false,
		"2001:20::1": false, "2001:db8::1": false, "2002:7f00:1::": false, "3fff::1": false, "3fff:fff::1": false, "5f00::1": false, "fec0::1": false,
		"ff02::1": false, "fe80::1%eth0": false, "4000::1": false, "2606:4700::1111%eth0": false,
		"8.8.8.8": true, "192.88.98.1": true, "2606:4700::1111": true, "2001:4860:4860::8888": true, "2a00:1450::1": true,
	} {
		require.Equal(t, public, webhookstore.Public(address), address)
	}
	w := newWorld(t)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(w.receiver.URL, "http://"))
	require.NoError(t, err)
	for private, why := range map[bool]string{false: "a private address", true: ""} {
		to := webhook.Endpoint{Name: "shop", URL: "http://shop.invalid:" + port, Private: private}
		conn, err := webhookstore.Dialer(to)(t.Context(), "tcp", "127.0.0.1:"+port)
		if why != "" {
			require.ErrorContains(t, err, why)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, conn.Close())
	}
}

func TestSecretsAreLongAndFew(t *testing.T) {
	_, err := webhookstore.Secrets([]string{secretOne, "short"})
	require.EqualError(t, err, "there is a secret of 5 characters: use at least 32, separated by commas")
	_, err = webhookstore.Secrets([]string{secretOne, secretOne, secretOne, secretOne, secretOne})
	require.EqualError(t, err, "there are 5 secrets: use up to 4")
	_, err = signed.NewVerifier([]string{webhookstore.SecretOf(secretOne, "shop")}, time.Now)
	require.NoError(t, err)
}
