package wallet_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func walletScenarios() map[string]apitest.Scenario {
	large := strings.Repeat(" ", 64<<10) + "{}"
	one := `{"amount":1}`
	mine := apitest.Rich(func(s *apitest.Stack, player string) apitest.Call {
		return s.As(player, apitest.Get(apitest.WalletsPath))
	})
	return map[string]apitest.Scenario{
		"GET /v1/me/wallets 200": {Call: mine},
		"GET /v1/me/wallets 304": {Call: func(s *apitest.Stack) apitest.Call {
			c := mine(s)
			return c.With("If-None-Match", s.Want(http.StatusOK, c).Header.Get("ETag"))
		}},
		"GET /v1/me/wallets 400": {Call: apitest.As("user_a", apitest.Get(apitest.WalletsPath+"?x=1")), Kind: "invalid-request"},
		"GET /v1/me/wallets 401": {Call: apitest.Plain(apitest.Get(apitest.WalletsPath)), Kind: "unauthenticated"},
		"GET /v1/me/wallets 429": {Call: apitest.From("192.0.2.23:1", apitest.Get(apitest.WalletsPath)), Kind: "rate-limited"},
		"GET /v1/me/wallets 500": {Call: mine, Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/me/wallets 503": {Call: mine, Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"POST /v1/me/wallets/{currency}/spend 201": {Call: apitest.Spends(`{"amount":1,"item":"hat-3"}`)},
		"POST /v1/me/wallets/{currency}/spend 400": {Call: apitest.Spends(`{"amount":0}`), Kind: "invalid-request"},
		"POST /v1/me/wallets/{currency}/spend 401": {Call: apitest.Plain(apitest.Post(apitest.SpendPath, one)), Kind: "unauthenticated"},
		"POST /v1/me/wallets/{currency}/spend 403": {Call: apitest.Spends(`{"amount":1,"player":"user_b"}`), Kind: "forbidden"},
		"POST /v1/me/wallets/{currency}/spend 404": {Call: apitest.As("user_a", apitest.Post("/v1/me/wallets/gold/spend", one).With("Idempotency-Key", "g")), Kind: "not-found"},
		"POST /v1/me/wallets/{currency}/spend 409": {Call: apitest.Spends(`{"amount":21}`), Kind: "too-little"},
		"POST /v1/me/wallets/{currency}/spend 413": {Call: apitest.As("user_a", apitest.Post(apitest.SpendPath, large)), Kind: "too-large"},
		"POST /v1/me/wallets/{currency}/spend 415": {Call: apitest.As("user_a", apitest.Post(apitest.SpendPath, one).With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"POST /v1/me/wallets/{currency}/spend 422": {Call: apitest.Reused(apitest.Rich(func(s *apitest.Stack, player string) apitest.Call {
			return s.As(player, apitest.Post(apitest.SpendPath, one))
		}), `{"amount":2}`), Kind: "idempotency-key-reused"},
		"POST /v1/me/wallets/{currency}/spend 429": {Call: func(s *apitest.Stack) apitest.Call {
			c := apitest.Spends(one)(s)
			for range 11 {
				s.Send(c)
			}
			return c
		}, Kind: "rate-limited"},
		"POST /v1/me/wallets/{currency}/spend 500": {Call: apitest.Spends(one), Fault: apitest.RefusedCommand, Kind: "internal"},
		"POST /v1/me/wallets/{currency}/spend 503": {Call: apitest.Spends(one), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

func TestEveryStatusOfWalletsHappens(t *testing.T) { apitest.EachStatus(t, walletScenarios()) }

func TestAPlayerSpendsWhatThePlaysHaveEarned(t *testing.T) {
	s := apitest.NewEarningStack(t)
	has := func() string {
		return string(s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.WalletsPath))).Body)
	}
	require.JSONEq(t, `{"wallets":{"coins":{"balance":0,"earned":0,"spent":0}}}`, has())
	s.Play("user_a", "daily", "5")
	s.Play("user_a", "longest", "5")
	require.JSONEq(t, `{"wallets":{"coins":{"balance":25,"earned":25,"spent":0}}}`, has())

	c := s.As("user_a", apitest.Post(apitest.SpendPath, `{"amount":8,"item":"hat-3"}`)).With("Idempotency-Key", "one")
	first := s.Want(http.StatusCreated, c)
	var said struct {
		ID, Player, Currency, Item string
		Amount, Balance            int64
		At                         time.Time
	}
	first.Into(t, &said)
	require.Equal(t, []any{"user_a", "coins", "hat-3", int64(8), int64(17)}, []any{said.Player, said.Currency, said.Item, said.Amount, said.Balance})
	require.NotEmpty(t, said.ID)
	s.Handler = s.Process()
	again := s.Want(http.StatusCreated, c)
	require.Equal(t, first.Body, again.Body)
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	require.JSONEq(t, `{"wallets":{"coins":{"balance":17,"earned":25,"spent":8}}}`, has())

	p := s.Want(http.StatusConflict, s.As("user_a", apitest.Post(apitest.SpendPath, `{"amount":18}`)).With("Idempotency-Key", "two")).Problem(t, "too-little")
	require.Equal(t, "the player has 17 coins left", p.Detail)
	require.EqualValues(t, 17, *p.Balance)

	s.Want(http.StatusCreated, apitest.Post(apitest.SpendPath, `{"player":"user_a","amount":17}`).With("Idempotency-Key", "three").Signed())
	require.JSONEq(t, `{"wallets":{"coins":{"balance":0,"earned":25,"spent":25}}}`, has())
}

func TestABadSpendSaysWhatWouldBeRightAndCostsNothing(t *testing.T) {
	s := apitest.NewEarningStack(t)
	s.Play("user_a", "daily", "5")
	s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.WalletsPath)))
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
		commands, _ := s.Spent(func() {
			p := s.Want(http.StatusBadRequest, s.As("user_a", apitest.Post(apitest.SpendPath, body)).With("Idempotency-Key", "k")).Problem(t, "invalid-request")
			require.Equal(t, where, p.Errors[0].Pointer, body)
		})
		require.Zero(t, commands, body)
	}
	commands, _ := s.Spent(func() {
		p := s.Want(http.StatusBadRequest, s.As("user_a", apitest.Post(apitest.SpendPath, `{"amount":1}`))).Problem(t, "invalid-request")
		require.Contains(t, p.Detail, "Idempotency-Key is required")
		s.Want(http.StatusNotFound, s.As("user_a", apitest.Post("/v1/me/wallets/gold/spend", `{"amount":1}`)).With("Idempotency-Key", "k"))
		s.Want(http.StatusBadRequest, apitest.Post(apitest.SpendPath, `{"amount":1}`).With("Idempotency-Key", "k").Signed())
	})
	require.Zero(t, commands)
}

func operatorCall(c apitest.Call) apitest.Call { return c.Bearer(apitest.OpsToken) }

func TestAnErasedPlayerHasNoWallet(t *testing.T) {
	s := apitest.NewEarningStack(t)
	s.Play("user_a", "daily", "5")
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.SpendPath, `{"amount":8}`)).With("Idempotency-Key", "k"))
	s.Want(http.StatusOK, s.As("user_a", apitest.Remove(apitest.Myself, "")))
	require.JSONEq(t, `{"wallets":{"coins":{"balance":0,"earned":0,"spent":0}}}`, string(s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.WalletsPath))).Body))
}

func TestAGameWithoutCurrenciesHasNoWalletsAtNoCost(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.WalletsPath)))
	commands, _ := s.Spent(func() {
		require.JSONEq(t, `{"wallets":{}}`, string(s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.WalletsPath))).Body))
		s.Want(http.StatusNotFound, s.As("user_a", apitest.Post(apitest.SpendPath, `{"amount":1}`)).With("Idempotency-Key", "k"))
	})
	require.Zero(t, commands)
}
