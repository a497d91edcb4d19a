package jobs_test

import "github.com/framedle/leaderboards/internal/lifecycle/playerdata"

// clerkList is the list that memberships add to a player's document.
func clerkList() string { return "groups" }

// clerkGroups are the groups that a document shows.
func clerkGroups(w *world, d playerdata.Document) []string { return part[[]string](w, d, clerkList()) }
