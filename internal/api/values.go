package api

import (
	"encoding/json"
	"errors"

	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/problem"
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

// sentScore is what a body says of its score: one number, or values in its place.
type sentScore struct {
	number    string
	values    json.RawMessage
	hasNumber bool
	hasValues bool
}

// readSent takes the score out of a body. Where the mode ranks by several values they
// are asked for, and else one number; a mode that is not known may have either.
func readSent(f *fields.Object, mode *game.Mode) (s sentScore) {
	s.values, s.hasValues = f.Take("values", false)
	s.number, s.hasNumber = f.Number("score", !s.hasValues && (mode == nil || !mode.Composite()))
	switch {
	case s.hasNumber && s.hasValues:
		f.Fault("values", "send either a score or values")
	case mode == nil:
	case s.hasNumber && mode.Composite():
		f.Fault("score", "the mode "+mode.Called()+" ranks by "+game.ValueNames(mode)+"; send these as values, as in "+sampleValues(mode))
	case s.hasValues && !mode.Composite():
		f.Fault("values", "the mode "+mode.Called()+" ranks by one number; send it as score")
	case !s.hasValues && mode.Composite() && f.Values != nil:
		f.Fault("values", "this field is required, as in "+sampleValues(mode))
	}
	return s
}

// sampleValues shows how values are written, by the highest ones.
func sampleValues(m *game.Mode) string {
	highest := make([]game.Score, len(m.Values))
	for i, v := range m.Values {
		highest[i] = v.Max
	}
	packed, _ := m.Pack(highest) // they are within their bounds
	return string(m.FormatValues(packed))
}

// read is the mode's score of what was sent. Nothing but faults comes of what the mode
// does not take.
func (s sentScore) read(f *fields.Object, mode *game.Mode) (score game.Score, outOfBounds error) {
	switch {
	case s.hasNumber && mode == nil:
		checkNumber(f, s.number)
	case s.hasNumber && !mode.Composite():
		return readScore(f, mode, s.number)
	case s.hasValues && !s.hasNumber && mode != nil && mode.Composite():
		return readValues(f, mode, s.values)
	}
	return 0, nil
}

// readValues reads one number for each of the mode's values.
func readValues(f *fields.Object, mode *game.Mode, raw json.RawMessage) (score game.Score, outOfBounds error) {
	of := fields.Open(raw, f.At+"/values")
	read := make([]game.Score, len(mode.Values))
	var beyond []problem.Field
	for i := range mode.Values {
		v := &mode.Values[i]
		number, ok := of.Number(v.Name, true)
		if !ok {
			continue
		}
		n, err := v.Parse(number)
		var fault *game.ScoreError
		switch {
		case err == nil:
			read[i] = n
		case errors.As(err, &fault) && fault.Kind == game.OutOfBounds:
			beyond = append(beyond, problem.At(of.At+"/"+v.Name, fault.Detail))
		default:
			of.Fault(v.Name, err.Error())
		}
	}
	if of.Done() != nil {
		f.Faults = append(f.Faults, of.Faults...)
		return 0, nil
	}
	if len(beyond) > 0 {
		return 0, problem.ValuesOutOfBounds(beyond)
	}
	score, err := mode.Pack(read)
	if err != nil { // nothing is left that could be wrong
		f.Fault("values", err.Error())
	}
	return score, nil
}
