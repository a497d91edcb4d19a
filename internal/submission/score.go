package submission

import (
	"encoding/json"
	"errors"

	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/problem"
)

// maxProven is the length of a body whose score follows from a proof of the usual number
// of keys, in bytes. A mode that allows more has as much more room.
const maxProven = 8 << 10

// sentScore is what a body says of its score: one number, or values in its place; neither
// where it follows from a proof.
type sentScore struct {
	number    string
	values    json.RawMessage
	hasNumber bool
	hasValues bool
}

// takeScore takes the score out of a body of so many bytes, unless it follows from a proof.
func (s sent) takeScore(f *fields.Object, length int, by Sender) (sentScore, error) {
	if s.proves(by) {
		return sentScore{}, s.checkProven(f, length)
	}
	return takeNumbers(f, s.mode), nil
}

// proves reports whether the score is to follow from a proof.
func (s sent) proves(by Sender) bool {
	return s.mode != nil && s.mode.Proof != "" && (s.play.sent() || !by.IsServer())
}

// checkProven refuses a body of a proof that is too long, and one that names a score too.
func (s sent) checkProven(f *fields.Object, length int) error {
	most := int64(maxProven) * int64(max(s.mode.Challenge.Keys, game.UsualKeys)) / game.UsualKeys
	if int64(length) > most {
		return problem.TooLarge(most)
	}
	for _, name := range []string{"score", "values"} {
		if _, there := f.Take(name, false); there && s.play.sent() {
			return play.Refuse(scoreSent, "leave %s out: in the mode %s it follows from the proof", name, s.mode.Called())
		}
	}
	return nil
}

// takeNumbers takes the score out of a body that has to say it. Where the mode ranks by
// several values they are asked for, and else one number; a mode that is not known may
// have either.
func takeNumbers(f *fields.Object, mode *game.Mode) (s sentScore) {
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
		return readNumber(f, mode, s.number)
	case s.hasValues && !s.hasNumber && mode != nil && mode.Composite():
		return readValues(f, mode, s.values)
	}
	return 0, nil
}

// checkNumber refuses what no mode takes for a score; bounds are a mode's own.
func checkNumber(f *fields.Object, number string) {
	_, err := game.ParseScaled(number, game.MaxDecimals)
	var fault *game.ScoreError
	if errors.As(err, &fault) && fault.Kind != game.OutOfBounds {
		f.Fault("score", fault.Detail)
	}
}

// readNumber reads the one number that a mode ranks by.
func readNumber(f *fields.Object, mode *game.Mode, number string) (score game.Score, outOfBounds error) {
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
