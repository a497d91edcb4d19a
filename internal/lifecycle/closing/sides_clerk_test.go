package closing_test

import (
	"slices"
)

// clerkGroups are the groups that a player's document shows.
func clerkGroups(k *twoSides, player string) []string {
	return slices.Sorted(slices.Values(k.document(player).Features["groups"].([]string)))
}
