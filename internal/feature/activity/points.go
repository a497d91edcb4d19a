package activity

import (
	"encoding/json"

	"github.com/framedle/leaderboards/internal/game"
)

// pointsAnswer is how the points of a day come about: from counters, or from other modes.
type pointsAnswer struct {
	Counters []counterAnswer `json:"counters,omitempty"`
	Modes    []string        `json:"modes,omitempty"` // the points of these are added up
	Streak   *bonusAnswer    `json:"streak,omitempty"`
}

type counterAnswer struct {
	Name   string            `json:"name"`
	Title  string            `json:"title,omitempty"`
	Titles map[string]string `json:"titles,omitempty"` // by language
	Weight json.RawMessage   `json:"weight"`           // points for each
	Cap    int64             `json:"cap,omitempty"`    // how many of a day count; 0: all
}

// bonusAnswer multiplies points by 1 on the first day, growing to times on day days.
type bonusAnswer struct {
	Days  int             `json:"days"`
	Times json.RawMessage `json:"times"`
}

// PointsOf is how the points of a day of a mode come about, as GET /v1/game shows it.
func (a *Rules) PointsOf(m *game.Mode) any {
	mode := m.Called()
	millionths := func(n int64) json.RawMessage { return json.RawMessage(game.FormatScaled(game.Score(n), 6)) }
	answer := pointsAnswer{}
	for _, p := range a.Pillars {
		if mode == a.Overall.Mode {
			answer.Modes = append(answer.Modes, p.Mode)
		}
		if mode != p.Mode {
			continue
		}
		for _, t := range p.Terms {
			answer.Counters = append(answer.Counters, counterAnswer{t.Counter, t.Title, t.Titles, millionths(t.Weight), t.Cap})
		}
	}
	if mode == a.Overall.Mode && a.Overall.Days > 0 {
		answer.Streak = &bonusAnswer{a.Overall.Days, millionths(a.Overall.Times)}
	}
	return &answer
}
