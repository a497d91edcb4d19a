package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

// signedBy signs a request with a key: method, path and body.
func (s *stack) signedBy(key string, c call) call {
	path, _, _ := strings.Cut(c.target, "?")
	return c.with("Framedle-Signature", auth.SignRequest(key, s.clock.Now(), auth.Request{Method: c.method, Path: path, Body: []byte(c.body)}))
}

// sum is the hex of a header with a v1 alone.
func sum(header string) string {
	_, hex, _ := strings.Cut(header, ",v1=")
	return hex
}

// A recorded request with the result of one duel cannot decide another duel.
func TestARecordedResultDecidesNoOtherDuel(t *testing.T) {
	s := newStack(t)
	for _, id := range []string{"d1", "d2"} {
		s.want(201, post(duelsPath, `{"id":"`+id+`","players":["user_a","user_b"]}`).signed())
	}
	recorded := s.request(post(duelsPath+"/d1/result", won).signed()).Header.Get("Framedle-Signature")
	s.want(200, post(duelsPath+"/d1/result", won).with("Framedle-Signature", recorded))
	commands, _ := s.spent(func() {
		replayed := post(duelsPath+"/d2/result", won).with("Framedle-Signature", recorded)
		require.Contains(t, string(s.want(401, replayed).body), "does not match method, path and body")
		besideV1 := recorded + ",v1=" + sum(auth.Sign(signingKey, s.clock.Now(), []byte(won)))
		s.want(401, replayed.with("Framedle-Signature", besideV1))
	})
	require.Zero(t, commands)
	require.Equal(t, "ready", s.duel(200, get(duelsPath+"/d2").signed()).Status)
}

func TestASignatureHoldsHoweverThePathIsWritten(t *testing.T) {
	s := newStack(t)
	s.want(201, post(duelsPath, `{"id":"a:1","players":["user_a","user_b"]}`).signed())
	plain := s.signedBy(signingKey, post(duelsPath+"/a:1/result", won))
	plain.target = duelsPath + "/a%3A1/result"
	s.want(200, plain)
}

// A body without a type is taken for JSON, and charset may name its only encoding.
func TestABodyIsJSONInUTF8(t *testing.T) {
	s := newStack(t)
	for _, kind := range []string{"", "application/json", "application/json; charset=UTF-8", `application/json;charset="utf-8"`, "Application/JSON"} {
		c := s.as("user_a", post(scores, goodScore)).with("Content-Type", kind)
		require.Less(t, s.send(c).status, 300, kind)
	}
	require.Contains(t, string(s.want(415, s.as("user_a", post(scores, goodScore)).with("Content-Type", "application/json; charset=utf-16")).body), "in UTF-8")
}

// Whoever sends a player's token with a signature is told what is wrong.
func TestASignedRequestTakesNoPlayersToken(t *testing.T) {
	s := newStack(t)
	c := s.as("user_b", post(scores, `{"mode":"daily","player":"user_a","score":800}`)).signed()
	require.Contains(t, string(s.want(401, c).body), "send either the signature or a player's token")
}

func TestAGameMayTakeBoundSignaturesOnly(t *testing.T) {
	s := newStack(t)
	bodyAlone := func(c call) call {
		return c.with("Framedle-Signature", auth.Sign(signingKey, s.clock.Now(), []byte(c.body)))
	}
	body := `{"mode":"daily","player":"user_a","score":800}`
	s.want(201, bodyAlone(post(scores, body)))

	s.game = strings.Replace(s.game, "grace:", "signatures: v2\ngrace:", 1)
	s.handler = s.process()
	commands, _ := s.spent(func() {
		require.Contains(t, string(s.want(401, bodyAlone(post(scores, body))).body), "send v2")
		s.want(401, bodyAlone(post(batch, goodBatch)))
	})
	require.Zero(t, commands)
	s.want(200, post(scores, body).signed())
	both := s.request(post(scores, body).signed()).Header.Get("Framedle-Signature")
	s.want(200, post(scores, body).with("Framedle-Signature", both+",v1="+sum(auth.Sign(signingKey, s.clock.Now(), []byte(body)))))
}

// Two game servers may choose the same idempotency key: each has its own effect
// and its own answer.
func TestAGameServersIdempotencyKeysAreThoseOfItsSigningKey(t *testing.T) {
	s := newStack(t)
	coins := post(scores, `{"mode":"coins","score":5,"player":"user_a"}`)
	longest := post(scores, `{"mode":"longest","score":5,"player":"user_a"}`)
	for i, key := range []string{signingKey, otherKey} {
		first := s.coins(201, s.signedBy(key, coins), "key-1")
		require.EqualValues(t, 5*(i+1), first.Score, "the other server's record is not seen")
		require.Equal(t, "replayed", s.coins(200, s.signedBy(key, coins), "key-1").Status)
		kept := s.want(201-i, s.signedBy(key, longest).with("Idempotency-Key", "key-2"))
		require.Empty(t, kept.header.Get("Idempotency-Replayed"))
	}
	// If two keys match, the first one of the configuration counts.
	s.clock.Stop()
	both := s.signedBy(signingKey, coins).header["Framedle-Signature"]
	_, second, _ := strings.Cut(s.signedBy(otherKey, coins).header["Framedle-Signature"], ",")
	require.Equal(t, "replayed", s.coins(200, coins.with("Framedle-Signature", both+","+second), "key-1").Status)
	require.EqualValues(t, 10, s.page("/v1/leaderboards/coins").Entries[0].Score)
}
