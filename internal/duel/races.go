package duel

import "context"

// Races move the ratings that duels move, and are kept beside them: so what the
// Keeper says of ratings, and of how many duels were begun, takes races in.
type Races interface {
	// Keep hands races that are over to the history.
	Keep(ctx context.Context) error
	// UnderWay counts the races that have started and that the history does not have
	// yet, by player, and tells who has one that is decided. The maps are the caller's.
	UnderWay(ctx context.Context) (begun map[string]int64, decided map[string]bool, err error)
	// Restore makes races again that Redis still should know, and counts them.
	Restore(ctx context.Context, dryRun bool) (int, error)
}

// noRaces are those of a game that has none.
type noRaces struct{}

func (noRaces) Keep(context.Context) error { return nil }

func (noRaces) UnderWay(context.Context) (map[string]int64, map[string]bool, error) {
	return map[string]int64{}, map[string]bool{}, nil
}

func (noRaces) Restore(context.Context, bool) (int, error) { return 0, nil }
