package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

// A recorded request with the result of one duel cannot decide another duel.
func TestARecordedResultDecidesNoOtherDuel(t *testing.T) {
	s := apitest.NewStack(t)
	for _, id := range []string{"d1", "d2"} {
		s.Want(201, apitest.Post(apitest.DuelsPath, `{"id":"`+id+`","players":["user_a","user_b"]}`).Signed())
	}
	recorded := s.Request(apitest.Post(apitest.DuelsPath+"/d1/result", apitest.Won).Signed()).Header.Get("Framedle-Signature")
	s.Want(200, apitest.Post(apitest.DuelsPath+"/d1/result", apitest.Won).With("Framedle-Signature", recorded))
	commands, _ := s.Spent(func() {
		replayed := apitest.Post(apitest.DuelsPath+"/d2/result", apitest.Won).With("Framedle-Signature", recorded)
		require.Contains(t, string(s.Want(401, replayed).Body), "does not match method, path and body")
		besideV1 := recorded + ",v1=" + sum(auth.Sign(apitest.SigningKey, s.Clock.Now(), []byte(apitest.Won)))
		s.Want(401, replayed.With("Framedle-Signature", besideV1))
	})
	require.Zero(t, commands)
	require.Equal(t, "ready", s.Duel(200, apitest.Get(apitest.DuelsPath+"/d2").Signed()).Status)
}

func TestASignatureHoldsHoweverThePathIsWritten(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(201, apitest.Post(apitest.DuelsPath, `{"id":"a:1","players":["user_a","user_b"]}`).Signed())
	plain := s.SignedBy(apitest.SigningKey, apitest.Post(apitest.DuelsPath+"/a:1/result", apitest.Won))
	plain.Target = apitest.DuelsPath + "/a%3A1/result"
	s.Want(200, plain)
}
