package apitest

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
)

const (
	WalletsPath = "/v1/me/wallets"
	SpendPath   = "/v1/me/wallets/coins/spend"

	Earning = "currencies: {coins: {daily: 20, longest: 5}}\n"
)

var others atomic.Int64

// Another is a name that no test has had.
func Another(prefix string) string { return fmt.Sprint(prefix, others.Add(1)) }

// Earns has a call made in a game with currencies.
func Earns(c func(*Stack) Call) func(*Stack) Call { return InGame(Earning, c) }

// Rich is earns, of a player of today who has some.
func Rich(c func(s *Stack, player string) Call) func(*Stack) Call {
	return Earns(func(s *Stack) Call {
		player := Another("user_r")
		s.Play(player, "daily", "5")
		return c(s, player)
	})
}

func Spends(body string) func(*Stack) Call {
	return Rich(func(s *Stack, player string) Call {
		return s.As(player, Post(SpendPath, body)).With("Idempotency-Key", Another("k"))
	})
}

func NewEarningStack(t *testing.T) *Stack {
	s := NewStack(t)
	s.Adds(Earning)
	return s
}

func (s *Stack) Wallet(player string) string {
	s.Helper()
	return string(s.Want(http.StatusOK, s.As(player, Get(WalletsPath))).Body)
}
