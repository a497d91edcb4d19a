package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

// sum is the hex of a header with a v1 alone.
func sum(header string) string {
	_, hex, _ := strings.Cut(header, ",v1=")
	return hex
}

// A body without a type is taken for JSON, and charset may name its only encoding.
func TestABodyIsJSONInUTF8(t *testing.T) {
	s := apitest.NewStack(t)
	for _, kind := range []string{"", "application/json", "application/json; charset=UTF-8", `application/json;charset="utf-8"`, "Application/JSON"} {
		c := s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)).With("Content-Type", kind)
		require.Less(t, s.Send(c).Status, 300, kind)
	}
	require.Contains(t, string(s.Want(415, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)).With("Content-Type", "application/json; charset=utf-16")).Body), "in UTF-8")
}

// Whoever sends a player's token with a signature is told what is wrong.
func TestASignedRequestTakesNoPlayersToken(t *testing.T) {
	s := apitest.NewStack(t)
	c := s.As("user_b", apitest.Post(apitest.Scores, `{"mode":"daily","player":"user_a","score":800}`)).Signed()
	require.Contains(t, string(s.Want(401, c).Body), "send either the signature or a player's token")
}

func TestAGameMayTakeBoundSignaturesOnly(t *testing.T) {
	s := apitest.NewStack(t)
	bodyAlone := func(c apitest.Call) apitest.Call {
		return c.With("Framedle-Signature", auth.Sign(apitest.SigningKey, s.Clock.Now(), []byte(c.Body)))
	}
	body := `{"mode":"daily","player":"user_a","score":800}`
	s.Want(201, bodyAlone(apitest.Post(apitest.Scores, body)))

	s.Game = strings.Replace(s.Game, "grace:", "signatures: v2\ngrace:", 1)
	s.Handler = s.Process()
	commands, _ := s.Spent(func() {
		require.Contains(t, string(s.Want(401, bodyAlone(apitest.Post(apitest.Scores, body))).Body), "send v2")
		s.Want(401, bodyAlone(apitest.Post(apitest.Batch, goodBatch)))
	})
	require.Zero(t, commands)
	s.Want(200, apitest.Post(apitest.Scores, body).Signed())
	both := s.Request(apitest.Post(apitest.Scores, body).Signed()).Header.Get("Framedle-Signature")
	s.Want(200, apitest.Post(apitest.Scores, body).With("Framedle-Signature", both+",v1="+sum(auth.Sign(apitest.SigningKey, s.Clock.Now(), []byte(body)))))
}

// Two game servers may choose the same idempotency key: each has its own effect
// and its own answer.
func TestAGameServersIdempotencyKeysAreThoseOfItsSigningKey(t *testing.T) {
	s := apitest.NewStack(t)
	coins := apitest.Post(apitest.Scores, `{"mode":"coins","score":5,"player":"user_a"}`)
	longest := apitest.Post(apitest.Scores, `{"mode":"longest","score":5,"player":"user_a"}`)
	for i, key := range []string{apitest.SigningKey, apitest.OtherKey} {
		first := s.Coins(201, s.SignedBy(key, coins), "key-1")
		require.EqualValues(t, 5*(i+1), first.Score, "the other server's record is not seen")
		require.Equal(t, "replayed", s.Coins(200, s.SignedBy(key, coins), "key-1").Status)
		kept := s.Want(201-i, s.SignedBy(key, longest).With("Idempotency-Key", "key-2"))
		require.Empty(t, kept.Header.Get("Idempotency-Replayed"))
	}
	// If two keys match, the first one of the configuration counts.
	s.Clock.Stop()
	both := s.SignedBy(apitest.SigningKey, coins).Header["Framedle-Signature"]
	_, second, _ := strings.Cut(s.SignedBy(apitest.OtherKey, coins).Header["Framedle-Signature"], ",")
	require.Equal(t, "replayed", s.Coins(200, coins.With("Framedle-Signature", both+","+second), "key-1").Status)
	require.EqualValues(t, 10, s.Page("/v1/leaderboards/coins").Entries[0].Score)
}
