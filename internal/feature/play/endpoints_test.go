package play_test

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// A play is refused for the first of its rules, in the order of a score's own.
func TestAPlayIsRefusedAsItsScoreWouldBe(t *testing.T) {
	g := testkit.Game(t, "name: rules\nmodes: {plain: {max: 5}, played: {max: 5, play: required}, servers: {max: 5, play: required, authoritative: true}}")
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	dealer := play.NewDealer(g, [][]byte{[]byte("a key")}, rand.Reader)
	plays := play.Endpoints{
		Game: g, Now: func() time.Time { return noon }, Dealer: dealer, Reader: api.Reader{Game: g, Plays: play.Submitted{Game: g, Dealer: dealer}},
	}
	for _, c := range []struct{ body, refused string }{
		{`{"mode":"nope","player":"bob","date":"x"}`, "invalid-request"},
		{`{"mode":"played","score":1}`, "invalid-request"},
		{`{"mode":"nope","player":"bob","date":"2026-11-10"}`, "unknown-mode"},
		{`{"mode":"plain","player":"bob","date":"2026-11-10"}`, "forbidden"},
		{`{"mode":"servers","date":"2026-11-10"}`, "forbidden"},
		{`{"mode":"plain","date":"2026-11-10"}`, play.NotTaken},
		{`{"mode":"played","date":"2026-11-10"}`, "date-closed"},
		{`{"mode":"played"}`, ""},
	} {
		w := httptest.NewRecorder()
		err := plays.PostPlay(w, &gate.Request{
			Request: httptest.NewRequest(http.MethodPost, "/v1/plays", nil), Sent: []byte(c.body), Caller: gate.Caller{Player: auth.Player{ID: "ana"}},
		})
		var refused *play.Refusal
		switch {
		case c.refused == "":
			require.NoError(t, err, c.body)
			require.Equal(t, http.StatusCreated, w.Code, c.body)
		case errors.As(err, &refused):
			require.Equal(t, c.refused, refused.Reason, c.body)
		default:
			require.Equal(t, c.refused, problem.Of(err).Code, c.body)
		}
	}
}
