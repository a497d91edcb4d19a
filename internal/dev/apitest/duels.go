package apitest

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

type DuelBody struct {
	ID, Status, Opponent, Mode, Invite string
	Players, Reported                  []string
	CreatedAt                          time.Time `json:"created_at"`
	ExpiresAt                          time.Time `json:"expires_at"`
	Winner                             json.RawMessage
	Score                              []int64
	Ratings                            map[string]struct {
		Before, After float64
		Rank          int64
	}
	Points    map[string]int64
	XP        map[string]int64
	DecidedBy string    `json:"decided_by"`
	DecidedAt time.Time `json:"decided_at"`
}

func (s *Stack) Duel(status int, c Call) (d DuelBody) {
	s.Helper()
	s.Want(status, c).Into(s, &d)
	return d
}

// Challenge has a player open a duel and returns its address.
func (s *Stack) Challenge(player, body string) string {
	s.Helper()
	var d DuelBody
	s.Want(http.StatusCreated, s.As(player, Post(DuelsPath, body))).Into(s, &d)
	return DuelsPath + "/" + d.ID
}

// Arrange has a game server make a ready duel and returns its address.
func (s *Stack) Arrange(id, a, b string) string {
	s.Helper()
	body := `{"id":"` + id + `","players":["` + a + `","` + b + `"]}`
	s.Want(http.StatusCreated, Post(DuelsPath, body).Signed())
	return DuelsPath + "/" + id
}

const (
	DuelsPath = "/v1/duels"
	QueuePath = "/v1/duels/queue"
	Won       = `{"winner":"user_a","score":[3,1]}`
)

// Banned has a player who may not play make a call.
func Banned(c Call) func(*Stack) Call {
	return func(s *Stack) Call {
		a := s.Do(Call{Method: http.MethodPut, Target: "/v1/ops/bans/user_banned"}.Bearer(OpsToken))
		require.Equal(s, http.StatusOK, a.Status)
		return s.As("user_banned", c)
	}
}

// WatchDuel watches the duel that a path ends with.
func WatchDuel(path string) Call {
	return Get("/v1/live/duels" + path[strings.LastIndexByte(path, '/'):])
}
