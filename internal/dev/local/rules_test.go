package local_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/gamefile"
)

func TestOtherRulesThanThoseOfTheDataAreRefusedAtStart(t *testing.T) {
	o := options(t)
	o.Redis, o.Data = local.RedisAuto, t.TempDir()
	start := func(text string) (*local.Product, error) {
		g, err := gamefile.Parse("g.yaml", []byte("name: g\nmodes:\n  word: "+text+"\n"))
		require.NoError(t, err)
		o.Game = g
		return local.Start(t.Context(), o)
	}
	p, err := start("{max: 6}")
	require.NoError(t, err)
	c := &client{t, p.URL}
	status, answer := c.do("POST", "/v1/scores", `{"mode":"word","score":3}`, c.token("user_ana"))
	require.Equal(t, 201, status, answer)
	require.NoError(t, p.Close())
	_, err = start("{max: 6, order: asc}")
	require.ErrorContains(t, err, "modes.word.order: desc -> asc")
	require.ErrorContains(t, err, "-data")
	p, err = start("{max: 9}")
	require.NoError(t, err, "what is permitted starts")
	require.NoError(t, p.Close())
}
