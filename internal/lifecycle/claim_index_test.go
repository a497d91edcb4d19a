package lifecycle_test

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// claimsAreIndexed compares the index of claims with the claims that exist.
func (k *kit) claimsAreIndexed(t require.TestingT, message ...any) {
	claimed, indexed := []string{}, []string{}
	for _, key := range k.redis.Do("KEYS", game.ClaimDigestKey("*")).([]any) {
		claimed = append(claimed, strings.TrimPrefix(key.(string), game.ClaimDigestKey("")))
	}
	for _, digest := range k.redis.Do("SMEMBERS", game.ClaimIndexKey).([]any) {
		indexed = append(indexed, digest.(string))
	}
	require.ElementsMatch(t, claimed, indexed, message...)
}
