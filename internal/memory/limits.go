package memory

// How many boards and players a process remembers: a few MB together at most. Profiles have a
// bound of their own.
const (
	RememberBoards  = 4096
	RememberPlayers = 16384
)
