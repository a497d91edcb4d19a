package respond

import (
	"bytes"
	"encoding/json"
)

// Part is a field that a feature adds to an answer.
type Part struct {
	Key   string
	Value any
}

// With is an answer, which has fields of its own, with the parts of features behind these.
type With struct {
	Answer any
	Parts  []Part
	Then   any // fields behind the parts; nil: none
}

// MarshalJSON implements [json.Marshaler].
func (a With) MarshalJSON() ([]byte, error) {
	body, err := json.Marshal(a.Answer)
	if err != nil {
		return nil, err
	}
	all := bytes.NewBuffer(body[:len(body)-1])
	for _, part := range a.Parts {
		value, err := json.Marshal(part.Value)
		if err != nil {
			return nil, err
		}
		all.WriteString(`,"` + part.Key + `":`)
		all.Write(value)
	}
	if a.Then == nil {
		all.WriteByte('}')
		return all.Bytes(), nil
	}
	rest, err := json.Marshal(a.Then)
	if err != nil {
		return nil, err
	}
	all.WriteByte(',')
	all.Write(rest[1:])
	return all.Bytes(), nil
}
