package importer_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/importer"
)

// A line without line ends reads as the standard library's reader has it.
func FuzzSplitCSV(f *testing.F) {
	for _, line := range []string{"a,b,,c", `"a","b""c",`, `"a`, `a"b`, `"a"b,c`, ",", " a , b"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if line == "" || strings.ContainsAny(line, "\r\n") {
			return
		}
		oracle := csv.NewReader(strings.NewReader(line))
		want, wrong := oracle.Read()
		got, err := importer.SplitCSV(line)
		if wrong != nil {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// Whatever a file holds, its lines are numbered upwards and end inside it, and
// a row that can be sent is one object of JSON that says the same.
func FuzzReader(f *testing.F) {
	f.Add([]byte("player,mode,date,score,played_at,country\nuser_a,puzzle,2026-11-20,12.5,2026-11-20T10:00:00Z,BR\n"))
	f.Add([]byte("\xef\xbb\xbfscore,date,mode,player\r\n1e2,2026-11-20,puzzle,\"a\"\r\n\r\nx\n"))
	f.Add([]byte(`{"player":"user_a","mode":"puzzle","date":"2026-11-20","score":1.50,"played-at":"2026-11-20T10:00:00Z"}` + "\n{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		reader, err := importer.NewReader(strings.NewReader(string(text)), nil)
		if err != nil {
			return
		}
		var last importer.Line
		for {
			line, err := reader.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			require.NoError(t, err)
			require.Greater(t, line.Number, last.Number)
			require.Greater(t, line.End, last.End)
			require.LessOrEqual(t, line.End, int64(len(text)))
			last = line
			if line.Fault != nil {
				require.NotEmpty(t, line.Fault.Detail)
				continue
			}
			requireSent(t, line.Row)
		}
	})
}

func requireSent(t *testing.T, row importer.Row) {
	require.Less(t, len(row.JSON()), 400)
	var sent struct {
		Player, Mode, Date, Country string
		Score                       json.Number
		PlayedAt                    string `json:"played_at"`
	}
	require.NoError(t, json.Unmarshal([]byte(row.JSON()), &sent), row.JSON())
	require.Equal(t, row, importer.Row{
		Player: sent.Player, Mode: sent.Mode, Date: sent.Date, Score: sent.Score.String(), PlayedAt: sent.PlayedAt, Country: sent.Country,
	})
}
