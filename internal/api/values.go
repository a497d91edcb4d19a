package api

import (
	"encoding/json"

	"github.com/framedle/leaderboards/internal/game"
)

// valueAnswer is one of the values that a mode ranks by.
type valueAnswer struct {
	Name     string          `json:"name"`
	Decimals int             `json:"decimals"`
	Min      json.RawMessage `json:"min"`
	Max      json.RawMessage `json:"max"`
	Order    game.Order      `json:"order"`
}

func newValueAnswers(m *game.Mode) []valueAnswer {
	var answers []valueAnswer
	for _, v := range m.Values {
		answers = append(answers, valueAnswer{
			v.Name, v.Decimals, json.RawMessage(v.Format(v.Min)), json.RawMessage(v.Format(v.Max)), v.Order,
		})
	}
	return answers
}
