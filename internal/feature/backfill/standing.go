package backfill

import (
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// standing is the result of a player's plays of one mode and day, with the player's profile.
type standing struct {
	player  string
	stored  float64
	groups  []string
	details string
	country string
	name    string
	picture string
	moment  time.Time // of the newest play; the day's beginning if it has no time

	tick  int64 // of the entry
	timed bool  // the entry has a time
}

// take adds one more play; call it in the order of time. The result is the same as if the
// plays had been submitted then. It returns false for a play that it refuses because the day's
// total would leave its bounds.
func (s *standing) take(g *game.Game, m *game.Mode, p play) bool {
	// A play without a time counts as the last of its day.
	tick := m.Tick(g, p.date, g.Ends(game.Day.Of(p.date)).Add(g.Grace))
	if !p.at.IsZero() {
		tick = m.Tick(g, p.date, p.at)
	}
	if s.player == "" {
		if m.Policy == game.Sum && (p.score < m.DayMin || p.score > m.DayMax) {
			return false
		}
		s.player = p.player
		s.stand(m, p, p.score, tick)
	} else if !s.addRepeat(m, p, tick) {
		return false
	}
	for group := range strings.FieldsSeq(p.groups) {
		if !slices.Contains(s.groups, group) {
			s.groups = append(s.groups, group)
		}
	}
	if p.country != "" {
		s.country = p.country
	}
	if p.name != "" {
		s.name = p.name
	}
	if p.picture != "" {
		s.picture = p.picture
	}
	if s.moment = p.at; p.at.IsZero() {
		s.moment = g.Opens(p.date)
	}
	return true
}

// addRepeat adds a play of a player who already has an entry.
func (s *standing) addRepeat(m *game.Mode, p play, tick int64) bool {
	stored := m.Encode(p.score, tick)
	switch m.Policy {
	case game.Best:
		if better := stored > s.stored; better == (m.Order == game.Desc) && stored != s.stored {
			s.stand(m, p, p.score, tick)
		}
	case game.Latest:
		// Of two plays within a tick the first counts; of two without a time, the later line.
		if tick > s.tick || p.at.IsZero() && !s.timed {
			s.stand(m, p, p.score, tick)
		}
	case game.Sum:
		total := m.Decode(s.stored) + p.score
		if total < m.DayMin || total > m.DayMax {
			return false
		}
		details := s.details
		s.stand(m, p, total, tick)
		if s.details == "" {
			s.details = details // a total keeps the details it has
		}
	}
	return true
}

func (s *standing) stand(m *game.Mode, p play, score game.Score, tick int64) {
	s.stored, s.details, s.tick, s.timed = m.Encode(score, tick), p.details, tick, !p.at.IsZero()
}
