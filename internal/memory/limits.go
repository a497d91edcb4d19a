package memory

// How much a process remembers. Each bound is a count of keys or players, a
// few MB together at the most but for profiles.
const (
	RememberBoards  = 4096
	RememberPlayers = 16384
)
