package importer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/gamefile"
)

func TestValuesAreReadAlikeFromEveryForm(t *testing.T) {
	want := []importer.RowValue{{Name: "accuracy", Number: "98.20"}, {Name: "wpm", Number: "92.5"}}
	for name, text := range map[string]string{
		"columns":               "player,mode,date,values.accuracy,values.wpm\na,time_30,2026-11-20,98.20,92.5\n",
		"capital letters":       "Player,Mode,Date,Values.Accuracy, Values.WPM\na,time_30,2026-11-20, 98.20 ,92.5\n",
		"columns of others":     "player,mode,date,score,values.accuracy,values.other,values.wpm\na,time_30,2026-11-20,,98.20,,92.5\n",
		"an object":             `{"player":"a","mode":"time_30","date":"2026-11-20","values":{"wpm":92.5,"accuracy":98.20}}`,
		"an object, and a null": `{"player":"a","mode":"time_30","date":"2026-11-20","score":null,"values":{"wpm":92.5,"accuracy":98.20}}`,
		"fields":                `{"player":"a","mode":"time_30","date":"2026-11-20","values.wpm":92.5,"values.accuracy":98.20}`,
	} {
		all := lines(t, text)
		require.Len(t, all, 1, name)
		require.Nil(t, all[0].Fault, name)
		require.Equal(t, want, all[0].Row.Values, name)
		require.Empty(t, all[0].Row.Score, name)
	}
}

const valuesGame = `
name: importing
modes:
  time_30: {policy: best, score: [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]}
  plain: {max: 100}
`

func TestWrongValuesAreFoundBeforeAnythingIsSent(t *testing.T) {
	g, err := gamefile.Parse("game.yaml", []byte(valuesGame))
	require.NoError(t, err)
	for line, says := range map[string]string{
		`"time_30","values":{"wpm":92.5,"accuracy":98.2}`: "",
		`"plain","score":5`:                                                          "",
		`"plain","score":null`:                                                       "score: this is required",
		`"plain","values":{}`:                                                        "score: this is required",
		`"plain","values":null`:                                                      "score: this is required",
		`"time_30","values":[1,2]`:                                                   "values: this must be an object of numbers",
		`"time_30","values":{"wpm":"92.5","accuracy":98.2}`:                          "values.wpm: this must be a number, without quotes",
		`"time_30","values":{"wpm":92.5}`:                                            "values.accuracy: this is required",
		`"time_30","values":{"wpm":92.5,"accuracy":98.2,"errors":1}`:                 "values.errors: the mode time_30 ranks by wpm and accuracy",
		`"time_30","values":{"wpm":92.5,"accuracy":100.01}`:                          "values.accuracy: 100.01 is outside the bounds; use 0 to 100",
		`"time_30","values":{"wpm":92.505,"accuracy":98.2}`:                          "values.wpm: 92.505 has too many decimal places",
		`"time_30","values":{"wpm":92.5,"accuracy":98.2},"score":1`:                  "score: values are set too; use one of the two",
		`"time_30","values":{"wpm":92.5},"values.wpm":1`:                             "values.wpm: this is there twice",
		`"time_30","values":{"Wpm":92.5}`:                                            `values: "Wpm" is not the name of a value`,
		`"time_30","score":92`:                                                       "score: the mode time_30 ranks by wpm and accuracy; give these as values.wpm and so on",
		`"plain","values":{"wpm":92.5}`:                                              "values.wpm: the mode plain ranks by one number; give it as score",
		`"time_30","values":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}`: "values: there are more than 8",
	} {
		reader, err := importer.NewReader(strings.NewReader(`{"player":"a","date":"2026-11-20","mode":`+line+"}\n"), g)
		require.NoError(t, err)
		read, err := reader.Next()
		require.NoError(t, err)
		if says == "" {
			require.Nil(t, read.Fault, line)
			continue
		}
		require.NotNil(t, read.Fault, line)
		require.Contains(t, read.Fault.Error(), says, line)
	}
	_, err = importer.NewReader(strings.NewReader("player,mode,date,values.wpm,values.wpm\n"), g)
	require.EqualError(t, err, "the header has the column values.wpm twice")
	_, err = importer.NewReader(strings.NewReader("player,mode,date,wpm\n"), g)
	require.ErrorContains(t, err, "in place of score, values.NAME for each value")
}

func TestValuesAreImported(t *testing.T) {
	product := startProductOf(t, valuesGame)
	text := "player,mode,date,score,values.wpm,values.accuracy\n" +
		"a,time_30,2026-11-20,,92.5,98.2\nb,time_30,2026-11-20,,92.5,98.21\nc,plain,2026-11-20,7,,\nd,time_30,2026-11-20,,,\n"
	done, err := importer.Run(t.Context(), options(signing(t, product, nil), write(t, text)))
	require.NoError(t, err)
	require.EqualValues(t, 3, done.Counts.Written())
	require.EqualValues(t, 1, done.Counts.Refused)
	require.Equal(t, []string{"1 b 9.2519071e+07", "2 a 9.251907e+07"}, board(t, product, "time_30", "2026-11-20", "global"))
}
