package matches

// The cursor of a player's duels, as tests look at it.
var (
	DuelCursor      = duelCursor
	ParseDuelCursor = parseDuelCursor
)
