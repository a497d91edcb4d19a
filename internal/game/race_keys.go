package game

// RaceRecordKey is a hash: everything about one race.
func RaceRecordKey(id string) string { return "race:" + id }

// RacesOfKey is a sorted set of a player's newest races, by the milliseconds of
// when they took a seat.
func RacesOfKey(player string) string { return "races:of:" + player }

// RacesOpenKey is a sorted set of the races of a mode that the queue may fill, by the rating
// of the players who opened them.
func RacesOpenKey(mode string) string { return "races:open:" + mode }

// RacesDueKey is a sorted set of the races that are not in the history yet, by the
// milliseconds of when their time is over.
const RacesDueKey = "races:due"
