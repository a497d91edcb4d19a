package game

// PlaysKey is a sorted set, all with score 0, of one mode and day: a [SentPlay] of each
// play that was sent, and, if plays are counted (see [Currencies.Counts]), a [PlayOf]
// of each that was accepted. It lives as long as the day's board.
func PlaysKey(mode string, d Date) string { return "plays:" + mode + ":" + d.String() }

// PlayOf names a play of a player in [PlaysKey]. No id of a player has a space in it.
func PlayOf(player, play string) string { return player + " " + play }

// PlaysOf is the range of a player's plays in [PlaysKey], as ZLEXCOUNT takes it: '!' follows
// the space.
func PlaysOf(player string) (first, last string) { return "[" + player + " ", "(" + player + "!" }

// EarnedDayKey is a sorted set of one currency and day: player -> the part of [EarnedKey] that
// comes from the day.
func EarnedDayKey(currency string, d Date) string { return "earned:" + currency + ":" + d.String() }

// EarnedKey is a sorted set: player -> what all days that were taken in have earned.
func EarnedKey(currency string) string { return "earned:" + currency }

// SpentKey is a sorted set: player -> what the player has spent of a currency.
func SpentKey(currency string) string { return "spent:" + currency }

// SpendsKey is a stream of what was spent, on its way to the archive.
const SpendsKey = "spends"

// EarnedThrough, in the hash of [ClosedKey], is the newest day that is completely in
// [EarnedKey].
const EarnedThrough = "earned"

// PresenceKey is a sorted set: player -> when the player was last there, in Unix
// seconds.
const PresenceKey = "presence"
