package gamefile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestANearMissIsNamed(t *testing.T) {
	for word, want := range map[string]string{
		"polcy": "policy", "policyy": "policy", "poilcy": "policy", "plicies": "", "orders": "order", "tilte": "title",
		"Max": "max", "mxa": "max", "m": "", "": "", "scroes": "score", "renamed-from": "renamed_from", "nonsense": "",
	} {
		require.Equal(t, want, nearest(word, modesKey.Of.names()), word)
	}
}
