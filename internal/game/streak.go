package game

// StreakRule is how missed days are forgiven. The zero rule forgives none.
type StreakRule struct {
	Off     bool // the game counts no streaks
	Freezes int  // how many a player can hold; 0 to 30
	Every   int  // days of a streak that earn one; 1 to 366, unused without Freezes
}

// Streak counts the days on which a player had at least one accepted score in any mode, as long
// as a freeze covers each missed day. The zero Streak is that of somebody who has never played.
type Streak struct {
	Current int
	Best    int
	Last    Date // the newest day played
	Freezes int  // held; each covers one missed day
}

// Play adds a day that was played to a streak. The day must be newer than the last one played;
// other days change nothing. Days that a freeze covered do not count themselves.
func (r StreakRule) Play(s Streak, d Date) Streak {
	if !d.After(s.Last) {
		return s
	}
	s = r.At(s, d)
	s.Last = d
	s.Current++
	s.Best = max(s.Best, s.Current)
	if r.Freezes > s.Freezes && s.Current%r.Every == 0 {
		s.Freezes++
	}
	return s
}

// At is the streak on a date that is not over: each day between the last one played and this
// one has used up a freeze, or ended the streak.
func (r StreakRule) At(s Streak, today Date) Streak {
	if s.Last.IsZero() {
		return s
	}
	missed := int(today.rata-s.Last.rata) - 1
	switch {
	case missed <= 0:
	case missed <= s.Freezes:
		s.Freezes -= missed
	default:
		s.Current, s.Freezes = 0, 0
	}
	return s
}
