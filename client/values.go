package client

import (
	"cmp"
	"strconv"
	"strings"
)

// Values are the values of a score in a mode that ranks by several, by name: wpm and accuracy,
// for instance. The score itself is a whole number into which they are packed; it has the same
// order. nil in modes that rank by one number.
type Values map[string]float64

// Value is one of the values that a mode ranks by.
type Value struct {
	Name     string  `json:"name"`
	Decimals int     `json:"decimals"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Order    string  `json:"order"` // desc: the highest leads; asc
}

// Format formats a score for people: "92.5 wpm, 98.2 accuracy", or only the number if the mode
// ranks by one.
func (m Mode) Format(score float64, values Values) string {
	if len(m.Values) == 0 || values == nil {
		return strconv.FormatFloat(score, 'f', -1, 64)
	}
	shown := make([]string, len(m.Values))
	for i, v := range m.Values {
		shown[i] = strconv.FormatFloat(values[v.Name], 'f', -1, 64) + " " + v.Name
	}
	return strings.Join(shown, ", ")
}

// Compare returns a number below 0 if a leads b, above 0 if b leads a, and 0 if the earlier
// one leads.
func (m Mode) Compare(a, b Values) int {
	for _, v := range m.Values {
		if c := cmp.Compare(b[v.Name], a[v.Name]); c != 0 {
			if v.Order == "asc" {
				return -c
			}
			return c
		}
	}
	return 0
}
