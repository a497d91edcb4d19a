package duel

import "context"

// Races move the same ratings as duels. So whatever a Keeper says of ratings, and of how many
// duels were begun, includes races.
type Races interface {
	// Keep hands finished races to the history.
	Keep(ctx context.Context) error
	// UnderWay counts, for each player, the races that have started and that the history does
	// not have yet, and says who has a decided one among them. The caller may change the
	// maps.
	UnderWay(ctx context.Context) (begun map[string]int64, decided map[string]bool, err error)
	// Restore restores races that Redis should still have, and counts them.
	Restore(ctx context.Context, dryRun bool) (int, error)
}

// noRaces are the Races of a game without races.
type noRaces struct{}

func (noRaces) Keep(context.Context) error { return nil }

func (noRaces) UnderWay(context.Context) (map[string]int64, map[string]bool, error) {
	return map[string]int64{}, map[string]bool{}, nil
}

func (noRaces) Restore(context.Context, bool) (int, error) { return 0, nil }
