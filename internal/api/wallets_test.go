package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	walletsPath  = "/v1/me/wallets"
	spendPath    = "/v1/me/wallets/coins/spend"
	presencePath = "/v1/presence"

	earning = "currencies: {coins: {daily: 20, longest: 5}}\npresence: true\n"
)

var others atomic.Int64

// another is a name that no test has had.
func another(prefix string) string { return fmt.Sprint(prefix, others.Add(1)) }

// earns has a call made in a game with currencies, where somebody has played.
func earns(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		if !strings.Contains(s.game, earning) {
			s.game += earning
			s.handler = s.process()
		}
		return c(s)
	}
}

// rich is earns, of a player of today who has some.
func rich(c func(s *stack, player string) call) func(*stack) call {
	return earns(func(s *stack) call {
		player := another("user_r")
		s.play(player, "daily", "5")
		return c(s, player)
	})
}

func spends(body string) func(*stack) call {
	return rich(func(s *stack, player string) call {
		return s.as(player, post(spendPath, body)).with("Idempotency-Key", another("k"))
	})
}

func walletScenarios() map[string]scenario {
	large := strings.Repeat(" ", 64<<10) + "{}"
	one := `{"amount":1}`
	mine := rich(func(s *stack, player string) call { return s.as(player, get(walletsPath)) })
	there := earns(plain(get(presencePath)))
	return map[string]scenario{
		"GET /v1/me/wallets 200": {call: mine},
		"GET /v1/me/wallets 304": {call: func(s *stack) call {
			c := mine(s)
			return c.with("If-None-Match", s.want(http.StatusOK, c).header.Get("ETag"))
		}},
		"GET /v1/me/wallets 400": {call: as("user_a", get(walletsPath+"?x=1")), kind: "invalid-request"},
		"GET /v1/me/wallets 401": {call: plain(get(walletsPath)), kind: "unauthenticated"},
		"GET /v1/me/wallets 429": {call: from("192.0.2.23:1", get(walletsPath)), kind: "rate-limited"},
		"GET /v1/me/wallets 500": {call: mine, fault: refusedCommand, kind: "internal"},
		"GET /v1/me/wallets 503": {call: mine, fault: redisDown, kind: "temporarily-unavailable"},

		"POST /v1/me/wallets/{currency}/spend 201": {call: spends(`{"amount":1,"item":"hat-3"}`)},
		"POST /v1/me/wallets/{currency}/spend 400": {call: spends(`{"amount":0}`), kind: "invalid-request"},
		"POST /v1/me/wallets/{currency}/spend 401": {call: plain(post(spendPath, one)), kind: "unauthenticated"},
		"POST /v1/me/wallets/{currency}/spend 403": {call: spends(`{"amount":1,"player":"user_b"}`), kind: "forbidden"},
		"POST /v1/me/wallets/{currency}/spend 404": {call: as("user_a", post("/v1/me/wallets/gold/spend", one).with("Idempotency-Key", "g")), kind: "not-found"},
		"POST /v1/me/wallets/{currency}/spend 409": {call: spends(`{"amount":21}`), kind: "too-little"},
		"POST /v1/me/wallets/{currency}/spend 413": {call: as("user_a", post(spendPath, large)), kind: "too-large"},
		"POST /v1/me/wallets/{currency}/spend 415": {call: as("user_a", post(spendPath, one).with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"POST /v1/me/wallets/{currency}/spend 422": {call: reused(rich(func(s *stack, player string) call { return s.as(player, post(spendPath, one)) }), `{"amount":2}`), kind: "idempotency-key-reused"},
		"POST /v1/me/wallets/{currency}/spend 429": {call: func(s *stack) call {
			c := spends(one)(s)
			for range 11 {
				s.send(c)
			}
			return c
		}, kind: "rate-limited"},
		"POST /v1/me/wallets/{currency}/spend 500": {call: spends(one), fault: refusedCommand, kind: "internal"},
		"POST /v1/me/wallets/{currency}/spend 503": {call: spends(one), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /v1/presence 200": {call: there},
		"GET /v1/presence 304": {call: func(s *stack) call {
			c := there(s)
			return c.with("If-None-Match", s.want(http.StatusOK, c).header.Get("ETag"))
		}},
		"GET /v1/presence 400": {call: plain(get(presencePath + "?x=1")), kind: "invalid-request"},
		"GET /v1/presence 404": {call: func(s *stack) call {
			s.game = strings.Replace(s.game, earning, "", 1)
			s.handler = s.process()
			return get(presencePath)
		}, kind: "not-found"},
		"GET /v1/presence 429": {call: from("192.0.2.24:1", get(presencePath)), kind: "rate-limited"},
		"GET /v1/presence 500": {call: there, fault: refusedCommand, kind: "internal"},
		"GET /v1/presence 503": {call: there, fault: redisDown, kind: "temporarily-unavailable"},
	}
}

func newEarningStack(t *testing.T) *stack {
	s := newStack(t)
	s.game += earning
	s.handler = s.process()
	return s
}

func TestAPlayerSpendsWhatThePlaysHaveEarned(t *testing.T) {
	s := newEarningStack(t)
	has := func() string { return string(s.want(http.StatusOK, s.as("user_a", get(walletsPath))).body) }
	require.JSONEq(t, `{"wallets":{"coins":{"balance":0,"earned":0,"spent":0}}}`, has())
	s.play("user_a", "daily", "5")
	s.play("user_a", "longest", "5")
	require.JSONEq(t, `{"wallets":{"coins":{"balance":25,"earned":25,"spent":0}}}`, has())

	c := s.as("user_a", post(spendPath, `{"amount":8,"item":"hat-3"}`)).with("Idempotency-Key", "one")
	first := s.want(http.StatusCreated, c)
	var said struct {
		ID, Player, Currency, Item string
		Amount, Balance            int64
		At                         time.Time
	}
	first.into(t, &said)
	require.Equal(t, []any{"user_a", "coins", "hat-3", int64(8), int64(17)}, []any{said.Player, said.Currency, said.Item, said.Amount, said.Balance})
	require.NotEmpty(t, said.ID)
	s.handler = s.process()
	again := s.want(http.StatusCreated, c)
	require.Equal(t, first.body, again.body)
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
	require.JSONEq(t, `{"wallets":{"coins":{"balance":17,"earned":25,"spent":8}}}`, has())

	p := s.want(http.StatusConflict, s.as("user_a", post(spendPath, `{"amount":18}`)).with("Idempotency-Key", "two")).problem(t, "too-little")
	require.Equal(t, "the player has 17 coins left", p.Detail)
	require.EqualValues(t, 17, *p.Balance)

	s.want(http.StatusCreated, post(spendPath, `{"player":"user_a","amount":17}`).with("Idempotency-Key", "three").signed())
	require.JSONEq(t, `{"wallets":{"coins":{"balance":0,"earned":25,"spent":25}}}`, has())
}

func TestABadSpendSaysWhatWouldBeRightAndCostsNothing(t *testing.T) {
	s := newEarningStack(t)
	s.play("user_a", "daily", "5")
	s.want(http.StatusOK, s.as("user_a", get(walletsPath)))
	for body, where := range map[string]string{
		`{}`:                             "/amount",
		`{"amount":"5"}`:                 "/amount",
		`{"amount":1.5}`:                 "/amount",
		`{"amount":-1}`:                  "/amount",
		`{"amount":1000000001}`:          "/amount",
		`{"amount":1,"item":""}`:         "/item",
		`{"amount":1,"item":"a\u0007b"}`: "/item",
		`{"amount":1,"price":2}`:         "/price",
		`{"amount":1,"item":["a"]}`:      "/item",
		fmt.Sprintf(`{"amount":1,"item":%q}`, strings.Repeat("x", 101)): "/item",
	} {
		commands, _ := s.spent(func() {
			p := s.want(http.StatusBadRequest, s.as("user_a", post(spendPath, body)).with("Idempotency-Key", "k")).problem(t, "invalid-request")
			require.Equal(t, where, p.Errors[0].Pointer, body)
		})
		require.Zero(t, commands, body)
	}
	commands, _ := s.spent(func() {
		p := s.want(http.StatusBadRequest, s.as("user_a", post(spendPath, `{"amount":1}`))).problem(t, "invalid-request")
		require.Contains(t, p.Detail, "Idempotency-Key is required")
		s.want(http.StatusNotFound, s.as("user_a", post("/v1/me/wallets/gold/spend", `{"amount":1}`)).with("Idempotency-Key", "k"))
		s.want(http.StatusBadRequest, post(spendPath, `{"amount":1}`).with("Idempotency-Key", "k").signed())
	})
	require.Zero(t, commands)
}

func TestWhoIsBannedOrADeviceDoesNotSpend(t *testing.T) {
	s := newEarningStack(t)
	device := s.device()
	s.want(http.StatusCreated, post(scores, goodScore).bearer(device.Token))
	require.Contains(t, string(s.want(http.StatusOK, get(walletsPath).bearer(device.Token)).body), `"earned":20`)
	s.want(http.StatusForbidden, post(spendPath, `{"amount":1}`).with("Idempotency-Key", "k").bearer(device.Token))
	commands, _ := s.spent(func() {
		p := s.want(http.StatusBadRequest, post(spendPath, fmt.Sprintf(`{"player":%q,"amount":1}`, device.Player)).with("Idempotency-Key", "k").signed()).problem(t, "invalid-request")
		require.Equal(t, "/player", p.Errors[0].Pointer)
	})
	require.Zero(t, commands)

	s.play("user_a", "longest", "5")
	s.want(http.StatusOK, s.as("user_a", s.claim(device)))
	require.Contains(t, string(s.want(http.StatusOK, s.as("user_a", get(walletsPath))).body), `"earned":25`, "a device's owner has what it has earned")

	s.want(http.StatusOK, operatorCall(put("/v1/ops/bans/user_a", `{"reason":"a script"}`)))
	s.want(http.StatusForbidden, s.as("user_a", post(spendPath, `{"amount":1}`)).with("Idempotency-Key", "k")).problem(t, "banned")
}

func operatorCall(c call) call { return c.bearer(opsToken) }

func TestAnErasedPlayerHasNoWallet(t *testing.T) {
	s := newEarningStack(t)
	s.play("user_a", "daily", "5")
	s.want(http.StatusCreated, s.as("user_a", post(spendPath, `{"amount":8}`)).with("Idempotency-Key", "k"))
	s.want(http.StatusOK, s.as("user_a", remove(myself, "")))
	require.JSONEq(t, `{"wallets":{"coins":{"balance":0,"earned":0,"spent":0}}}`, string(s.want(http.StatusOK, s.as("user_a", get(walletsPath))).body))
}

func TestAGameWithoutCurrenciesHasNoWalletsAtNoCost(t *testing.T) {
	s := newStack(t)
	s.want(http.StatusOK, s.as("user_a", get(walletsPath)))
	commands, _ := s.spent(func() {
		require.JSONEq(t, `{"wallets":{}}`, string(s.want(http.StatusOK, s.as("user_a", get(walletsPath))).body))
		s.want(http.StatusNotFound, s.as("user_a", post(spendPath, `{"amount":1}`)).with("Idempotency-Key", "k"))
	})
	require.Zero(t, commands)
}

func TestPresenceCountsWhoAsksWithACredential(t *testing.T) {
	s := newEarningStack(t)
	s.clock.Stop()
	there := func() (n struct {
		Players, Window_s int64
		As_of             time.Time
	}) {
		require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get(presencePath)).body, &n))
		return n
	}
	s.want(http.StatusOK, s.as("user_a", get(myself)))
	s.want(http.StatusOK, get(daily)) // nobody
	s.want(http.StatusOK, s.as("user_b", get(daily)))
	s.want(http.StatusCreated, post(scores, goodScore).bearer(s.device().Token))
	s.want(http.StatusUnauthorized, get(myself).bearer("not a token"))
	s.clock.Pass(31 * time.Second)
	require.EqualValues(t, 1, there().Players, "those who were seen since wait for their round")
	s.clock.Pass(30 * time.Second) // which tidied up
	n := there()
	require.EqualValues(t, []int64{3, 120}, []int64{n.Players, n.Window_s})
	require.Equal(t, s.clock.Now(), n.As_of)
	commands, _ := s.spent(func() {
		for range 20 {
			s.want(http.StatusOK, s.as("user_c", get(presencePath)))
		}
	})
	require.Zero(t, commands, "it is answered from memory")

	other := s.process()
	s.handler = other
	require.EqualValues(t, 3, there().Players, "as in any process")
	s.clock.Pass(10 * time.Minute)
	require.Zero(t, there().Players)
}

func TestPresenceIsNoOnesCost(t *testing.T) {
	s := newEarningStack(t)
	s.clock.Stop()
	s.want(http.StatusOK, s.as("user_a", get("/v1/game")))
	s.clock.Pass(time.Minute)
	s.want(http.StatusOK, s.as("user_a", get("/v1/game")))
	s.clock.Pass(time.Minute)
	commands, trips := s.spent(func() { s.want(http.StatusOK, s.as("user_a", get("/v1/game"))) })
	require.Equal(t, []int64{1, 1}, []int64{commands, trips}, "one write beside it, half a minute and process")
	commands, _ = s.spent(func() {
		for i := range 50 {
			s.want(http.StatusOK, s.as(fmt.Sprint("user_", i), get("/v1/game")))
		}
	})
	require.Zero(t, commands)
}
