package importer_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/gamefile"
)

func ExampleReader() {
	reader, err := importer.NewReader(strings.NewReader("player,mode,date,score\nuser_a,daily_frame,2026-11-21,800\nuser_b,daily_frame,yesterday,600\n"), nil)
	for err == nil {
		var line importer.Line
		if line, err = reader.Next(); err != nil {
			break
		}
		if line.Fault != nil {
			fmt.Printf("line %d: %v\n", line.Number, line.Fault)
			continue
		}
		fmt.Printf("line %d: %s has %s\n", line.Number, line.Row.Player, line.Row.Score)
	}
	// Output:
	// line 2: user_a has 800
	// line 3: date: "yesterday" is not a date; use YYYY-MM-DD
}

func lines(t *testing.T, text string) []importer.Line {
	reader, err := importer.NewReader(strings.NewReader(text), nil)
	require.NoError(t, err)
	var all []importer.Line
	for {
		line, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, line)
	}
}

func TestRowsAreReadAlikeFromEveryForm(t *testing.T) {
	plain := importer.Row{Player: "user_a", Mode: "puzzle", Date: "2026-11-20", Score: "12.50", PlayedAt: "2026-11-20T10:00:00.5Z", Country: "BR"}
	bare := importer.Row{Player: "user_a", Mode: "puzzle", Date: "2026-11-20", Score: "8e2"}
	for name, test := range map[string]struct {
		text string
		want importer.Row
		at   int64
	}{
		"CSV":                        {"player,mode,date,score,played_at,country\nuser_a,puzzle,2026-11-20,12.50,2026-11-20T10:00:00.5Z,BR\n", plain, 2},
		"columns in another order":   {"country,played-at,score,date,mode,player\nBR,2026-11-20T10:00:00.5Z,12.50,2026-11-20,puzzle,user_a", plain, 2},
		"capital letters and spaces": {"Player, Mode ,Date,Score,Played_At,Country\n user_a , puzzle,2026-11-20 ,12.50,2026-11-20T10:00:00.5Z,BR\n", plain, 2},
		"byte order mark and CRLF":   {"\xef\xbb\xbfplayer,mode,date,score\r\nuser_a,puzzle,2026-11-20,8e2\r\n", bare, 2},
		"quotes":                     {`"player","mode","date","score"` + "\n" + `"user_a","puzzle","2026-11-20","8e2"`, bare, 2},
		"empty cells":                {"player,mode,date,score,played_at,country\nuser_a,puzzle,2026-11-20,8e2,,\n", bare, 2},
		"blank lines":                {"\n\nplayer,mode,date,score\n\n \r\nuser_a,puzzle,2026-11-20,8e2\n\n", bare, 6},
		"JSON lines":                 {`{"player":"user_a","mode":"puzzle","date":"2026-11-20","score":12.50,"played_at":"2026-11-20T10:00:00.5Z","country":"BR"}`, plain, 1},
		"JSON with played-at":        {`{"player":"user_a","mode":"puzzle","date":"2026-11-20","score":12.50,"played-at":"2026-11-20T10:00:00.5Z","country":"BR"}`, plain, 1},
		"JSON with nulls":            {"\xef\xbb\xbf\r\n" + `{ "player" : "user_a" , "mode":"puzzle","date":"2026-11-20","score":8e2,"played_at":null,"country":null}` + "\r\n", bare, 2},
	} {
		t.Run(name, func(t *testing.T) {
			all := lines(t, test.text)
			require.Len(t, all, 1)
			require.Nil(t, all[0].Fault)
			require.Equal(t, test.want, all[0].Row)
			require.Equal(t, test.at, all[0].Number)
		})
	}
}

func TestBadLinesSpoilNoOthers(t *testing.T) {
	for name, test := range map[string]struct{ line, says string }{
		"too few fields":        {`user_a,puzzle`, "the line has 2 fields, the header 6"},
		"too many fields":       {`user_a,puzzle,2026-11-20,1,,,x`, "the line has 7 fields"},
		"an open quote":         {`"user_a,puzzle,2026-11-20,1,,`, "a quoted field does not end"},
		"text after a quote":    {`"user_a"x,puzzle,2026-11-20,1,,`, "a quoted field does not end"},
		"a quote inside":        {`user"a,puzzle,2026-11-20,1,,`, "a quote is inside an unquoted field"},
		"no player":             {`,puzzle,2026-11-20,1,,`, "player: this is required"},
		"a player with a slash": {`user/a,puzzle,2026-11-20,1,,`, "player: "},
		"a player with a quote": {`"user""a",puzzle,2026-11-20,1,,`, "player: "},
		"a mode in capitals":    {`user_a,Puzzle,2026-11-20,1,,`, "mode: "},
		"no date":               {`user_a,puzzle,,1,,`, "date: this is required"},
		"a date that is none":   {`user_a,puzzle,2026-02-29,1,,`, "date: "},
		"a score in words":      {`user_a,puzzle,2026-11-20,many,,`, "score: "},
		"NaN":                   {`user_a,puzzle,2026-11-20,NaN,,`, "score: "},
		"a plus sign":           {`user_a,puzzle,2026-11-20,+1,,`, "score: "},
		"beyond 2^53":           {`user_a,puzzle,2026-11-20,9007199254740993,,`, "score: "},
		"a score of 41 digits":  {`user_a,puzzle,2026-11-20,1.` + strings.Repeat("0", 39) + `,,`, "score: "},
		"a time without zone":   {`user_a,puzzle,2026-11-20,1,2026-11-20T10:00:00,`, "played_at: "},
		"a long time":           {`user_a,puzzle,2026-11-20,1,2026-11-20T10:00:00.` + strings.Repeat("0", 30) + `Z,`, "played_at: "},
		"a country of its own":  {`user_a,puzzle,2026-11-20,1,,XX`, "country: "},
		"a line of 70,000":      {strings.Repeat("x", 70_000), "the line is longer than 64 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			const good = "user_b,puzzle,2026-11-20,2,,\n"
			all := lines(t, "player,mode,date,score,played_at,country\n"+good+test.line+"\n"+good)
			require.Len(t, all, 3)
			require.Nil(t, all[0].Fault)
			require.NotNil(t, all[1].Fault)
			require.Contains(t, all[1].Fault.Error(), test.says)
			require.Nil(t, all[2].Fault)
			require.EqualValues(t, 4, all[2].Number)
		})
	}
}

func TestBadObjectsSpoilNoOthers(t *testing.T) {
	for name, test := range map[string]struct{ line, says string }{
		"half an object":      {`{"player":"user_a"`, "not one JSON object"},
		"two objects":         {`{} {}`, "not one JSON object"},
		"an array":            {`[1]`, "not one JSON object"},
		"null":                {`null`, "not one JSON object"},
		"an unknown field":    {`{"player":"user_a","points":1}`, `the field "points" is unknown`},
		"another case":        {`{"Player":"user_a"}`, `the field "Player" is unknown`},
		"a score as text":     {`{"player":"user_a","mode":"puzzle","date":"2026-11-20","score":"1"}`, "score: this must be a number"},
		"a player as number":  {`{"player":1,"mode":"puzzle","date":"2026-11-20","score":1}`, "player: this must be a string"},
		"played_at two times": {`{"played_at":"x","played-at":"x"}`, "played_at: this is there twice"},
		"no score":            {`{"player":"user_a","mode":"puzzle","date":"2026-11-20"}`, "score: this is required"},
	} {
		t.Run(name, func(t *testing.T) {
			const good = `{"player":"user_b","mode":"puzzle","date":"2026-11-20","score":1}` + "\n"
			all := lines(t, good+test.line+"\n"+good)
			require.Len(t, all, 3)
			require.NotNil(t, all[1].Fault)
			require.Contains(t, all[1].Fault.Error(), test.says)
			require.Nil(t, all[2].Fault)
		})
	}
}

func TestFilesThatAreNoScoresAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, says string }{
		"empty":             {"", "the file is empty"},
		"blank":             {"\n\r\n  \n", "the file is empty"},
		"a JSON array":      {`[{"player":"user_a"}]`, "JSON array"},
		"UTF-16":            {"\xff\xfep\x00l\x00", "UTF-16"},
		"semicolons":        {"player;mode;date;score\n", "unknown column"},
		"no score column":   {"player,mode,date\n", "has no column score"},
		"a column twice":    {"player,mode,date,score,Player\n", "column player twice"},
		"played_at twice":   {"player,mode,date,score,played_at,played-at\n", "column played_at twice"},
		"a header too long": {strings.Repeat("x", 70_000), "longer than 64 KiB"},
		"an open quote":     {`"player,mode`, "header cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := importer.NewReader(strings.NewReader(test.text), nil)
			require.ErrorContains(t, err, test.says)
		})
	}
}

func TestAGameFindsModesAndBoundsBeforeAnythingIsSent(t *testing.T) {
	text, err := os.ReadFile("testdata/game.yaml")
	require.NoError(t, err)
	g, err := gamefile.Parse("game.yaml", text)
	require.NoError(t, err)
	reader, err := importer.NewReader(strings.NewReader("player,mode,date,score\na,puzzle,2026-11-20,1000\na,puzzle,2026-11-20,1001\na,puzzle,2026-11-20,0.5\na,chess,2026-11-20,1\n"), g)
	require.NoError(t, err)
	for _, says := range []string{"", "score: 1001 is outside the bounds", "score: 0.5 has too many decimal places", `mode: the game importing has no mode "chess"`} {
		line, err := reader.Next()
		require.NoError(t, err)
		if says == "" {
			require.Nil(t, line.Fault)
			continue
		}
		require.Contains(t, line.Fault.Error(), says)
	}
}
