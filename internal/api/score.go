package api

import (
	"encoding/json"
	"errors"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/game"
)

// read turns what was sent into the mode's score. If the mode takes no such score, the faults
// are in f and the score is 0.
func (s sentScore) read(f *decode.Object, mode *game.Mode) (score game.Score, outOfBounds error) {
	switch {
	case s.hasNumber && mode == nil:
		checkNumber(f, s.number)
	case s.hasNumber && !mode.Composite():
		return readNumber(f, mode, s.number)
	case s.hasValues && !s.hasNumber && mode != nil && mode.Composite():
		return readValues(f, mode, s.values)
	}
	return 0, nil
}

// checkNumber checks a score whose mode is unknown. It refuses what no mode takes; bounds
// depend on the mode, so it ignores them.
func checkNumber(f *decode.Object, number string) {
	_, err := game.ParseScaled(number, game.MaxDecimals)
	var fault *game.ScoreError
	if errors.As(err, &fault) && fault.Kind != game.OutOfBounds {
		f.Fault("score", fault.Detail)
	}
}

// readNumber reads the one number that a mode ranks by.
func readNumber(f *decode.Object, mode *game.Mode, number string) (score game.Score, outOfBounds error) {
	score, err := mode.ParseScore(number)
	var fault *game.ScoreError
	switch {
	case err == nil:
	case errors.As(err, &fault) && fault.Kind == game.OutOfBounds:
		return 0, problem.ScoreOutOfBounds(f.At+"/score", fault.Detail)
	default:
		f.Fault("score", err.Error())
	}
	return score, nil
}

// readValues reads one number for each of the mode's values.
func readValues(f *decode.Object, mode *game.Mode, raw json.RawMessage) (score game.Score, outOfBounds error) {
	of := decode.Open(raw, f.At+"/values")
	read := make([]game.Score, len(mode.Values))
	var beyond []problem.Field
	for i := range mode.Values {
		v := &mode.Values[i]
		number, ok := of.Number(v.Name, decode.Required)
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
	if err != nil { // all values are right, so nothing else can be wrong
		f.Fault("values", err.Error())
	}
	return score, nil
}
