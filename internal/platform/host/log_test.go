package host

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAnOutageFillsNoLog(t *testing.T) {
	var out bytes.Buffer
	log := NewLog(&out)
	failed := func(at time.Time) {
		r := slog.NewRecord(at, slog.LevelError, requestFailed, 0)
		require.NoError(t, log.With("a", 1).Handler().Handle(t.Context(), r))
	}
	began := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for i := range 2410 {
		failed(began.Add(time.Duration(i) * 4 * time.Millisecond)) // 9.6 s
		if i%100 == 0 {
			log.Error("something else")
		}
	}
	require.Equal(t, 100, strings.Count(out.String(), requestFailed))
	require.Equal(t, 25, strings.Count(out.String(), "something else"), "other lines are all written")
	require.NotContains(t, out.String(), "left_out")
	out.Reset()
	failed(began.Add(failureWindow))
	failed(began.Add(failureWindow))
	require.Equal(t, 1, strings.Count(out.String(), `"left_out":2310`), out.String())
	require.Equal(t, 2, strings.Count(out.String(), requestFailed))
}

func TestTheLevelIsTheSeverityWhereTheHostReadsIt(t *testing.T) {
	line := func() (fields map[string]any) {
		var out bytes.Buffer
		NewLog(&out).Warn("a thing", "level", 3)
		require.NoError(t, json.Unmarshal(out.Bytes(), &fields))
		delete(fields, "time")
		return fields
	}
	t.Setenv("K_SERVICE", "")
	require.Equal(t, map[string]any{"msg": "a thing", "level": 3.0}, line(), "the later of two fields")
	t.Setenv("K_SERVICE", "leaderboards")
	require.Equal(t, map[string]any{"severity": "WARNING", "msg": "a thing", "level": 3.0}, line())
}
