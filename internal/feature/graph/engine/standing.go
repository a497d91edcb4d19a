package engine

import "github.com/framedle/leaderboards/internal/feature/graph"

// standing resolves the caller's XP and streak.
type standing struct{ is graph.Standing }

func (s *standing) XP() *raw {
	return s.ofXP(func(x *graph.XP) *raw { return maybe(whole(x.XP)) })
}

func (s *standing) Level() *raw {
	return s.ofXP(func(x *graph.XP) *raw { return maybe(whole(x.Level)) })
}

func (s *standing) NextLevelXP() *raw {
	return s.ofXP(func(x *graph.XP) *raw { return maybe(whole(x.NextLevelXP)) })
}

func (s *standing) XPRank() *raw {
	return s.ofXP(func(x *graph.XP) *raw { return maybeWhole(x.XPRank) })
}

// ofXP is a field that only games with XP have.
func (s *standing) ofXP(part func(*graph.XP) *raw) *raw {
	if s.is.XP == nil {
		return nil
	}
	return part(s.is.XP)
}

func (s *standing) Streak() *streak {
	if s.is.Streak == nil {
		return nil
	}
	return &streak{s.is.Streak}
}

func (s *standing) Today() []*today {
	days := make([]*today, len(s.is.Today))
	for i, t := range s.is.Today {
		days[i] = &today{t}
	}
	return days
}

type streak struct{ is *graph.Streak }

func (s *streak) Current() int32      { return int32(s.is.Current) }
func (s *streak) Best() int32         { return int32(s.is.Best) }
func (s *streak) LastPlayed() *string { return s.is.LastPlayed }
func (s *streak) Freezes() int32      { return int32(s.is.Freezes) }

// today resolves the caller's place on a day that has not ended.
type today struct{ is graph.Today }

func (t *today) Mode() string { return t.is.Mode }
func (t *today) Date() string { return t.is.Date }
func (t *today) Rank() raw    { return whole(t.is.Rank) }
func (t *today) Score() raw   { return raw(t.is.Score) }
func (t *today) Values() *raw { return maybe(t.is.Values) }
