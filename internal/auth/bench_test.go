package auth_test

import (
	"testing"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/auth/authtest"
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
	header := auth.Sign(keyTwo, noon, body)
	b.ReportAllocs()
	for b.Loop() {
		if err := signatures.Verify(header, body); err != nil {
			b.Fatal(err)
		}
	}
}
