package upstash_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// A local server may be given any token. One that is a part of an error's words
// takes nothing from them: a script that Redis has not had yet is still sent whole.
func TestAShortTokenLeavesErrorsReadable(t *testing.T) {
	s := upstashtest.Start(t, upstashtest.Options{Token: "T"})
	client, err := upstash.New(upstash.Config{URL: s.URL(), Token: s.Token()})
	require.NoError(t, err)
	reply, err := client.Do(t.Context(), upstash.NewScript("return 7", nil).Command(nil))
	require.NoError(t, err)
	n, err := reply.Int64()
	require.NoError(t, err)
	require.EqualValues(t, 7, n)
}
