package auth_test

import (
	"testing"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

func BenchmarkSessionsVerify(b *testing.B) {
	issuer := authtest.New(b)
	sessions := issuer.Sessions(atNoon)
	token := issuer.Token(authtest.Claims("user_a", noon, map[string]any{"name": "Ana", "country": "BR"}))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sessions.Verify(b.Context(), token); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSignaturesVerify(b *testing.B) {
	signatures := newSignatures(b, keyOne, keyTwo)
	body := []byte(`{"mode":"daily_frame","player":"user_a","score":800}`)
	request := auth.Request{Method: "POST", Path: "/v1/scores", Body: body}
	header := auth.SignRequest(keyTwo, noon, request)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := signatures.Verify(header, request); err != nil {
			b.Fatal(err)
		}
	}
}
