package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

func TestAProductWithoutPlaysAcceptsScoresThatNeedNone(t *testing.T) {
	g := testkit.Game(t, "name: g\nmodes: {plain: {max: 9}, played: {max: 9, play: required}}\n")
	by := api.Sender{Caller: gate.Caller{Player: auth.Player{ID: "ana"}}, Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), Alone: true}
	r := api.Reader{Game: g}
	checked, err := r.ReadScore([]byte(`{"mode":"plain","score":7}`), by)
	require.NoError(t, err)
	require.EqualValues(t, 7, checked.Submission.Score)
	for _, body := range []string{
		`{"mode":"played","score":7}`, `{"mode":"plain","score":7,"play":"a.token"}`, `{"mode":"plain","score":7,"elapsed":3}`, `{"mode":"plain","score":7,"proof":{}}`,
	} {
		_, err := r.ReadScore([]byte(body), by)
		require.Equal(t, "play-refused", problem.Of(err).Code, body)
	}
	by.Caller = gate.Caller{Server: auth.Server{Key: "key"}}
	checked, err = r.ReadScore([]byte(`{"mode":"played","player":"ana","score":7}`), by)
	require.NoError(t, err, "a game server measures what its players do")
	require.EqualValues(t, 7, checked.Submission.Score)
}
