package idempotency

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

func TestARecordTellsWhatBecameOfItsRequest(t *testing.T) {
	running := &RunningError{}
	for name, c := range map[string]struct {
		text string
		want *Answer
		err  error
		wait time.Duration
	}{
		"an answer":                      {"f done 201\n{\"a\":1}", &Answer{201, []byte(`{"a":1}`)}, nil, 0},
		"an answer of several lines":     {"f done 200\n{\n}\n", &Answer{200, []byte("{\n}\n")}, nil, 0},
		"no body":                        {"f done 204", &Answer{204, []byte{}}, nil, 0},
		"still running":                  {"f running 1795003204000 x", nil, running, 4 * time.Second},
		"about to end":                   {"f running 1795003200001 x", nil, running, time.Second},
		"a clock far ahead":              {"f running 1795999999000 x", nil, running, Deadline},
		"another request":                {"g done 201\n{}", nil, ErrReused, 0},
		"another request, still running": {"g running 1795003204000 x", nil, ErrReused, 0},
		"a sum":                          {"g accepted 5 0 1", nil, ErrReused, 0},
		"a sum of the same text":         {"f accepted 5 0 1", nil, ErrReused, 0},
		"a status that is none":          {"f done 2010\n", nil, ErrReused, 0},
		"nothing":                        {"", nil, ErrReused, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parse(c.text, "f", noon)
			require.Equal(t, c.want, got)
			var r *RunningError
			if errors.As(err, &r) {
				require.Equal(t, c.wait, r.Wait)
				require.IsType(t, running, c.err)
				return
			}
			require.Equal(t, c.err, err)
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"f done 201\n{}", "f running 1795003204000 x", "f accepted 5 0 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		answer, err := parse(text, "f", noon)
		require.Equal(t, answer == nil, err != nil)
		var running *RunningError
		if errors.As(err, &running) {
			require.GreaterOrEqual(t, running.Wait, time.Second)
			require.LessOrEqual(t, running.Wait, Deadline)
		}
	})
}
