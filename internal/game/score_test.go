package game_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func scoreMode(t require.TestingT, decimals int, least, most game.Score) *game.Mode {
	m := plainMode()
	m.Decimals, m.Min, m.Max = decimals, least, most
	_, made := withMode(t, m)
	return made
}

func TestParseScoreReadsNumbersExactly(t *testing.T) {
	for _, c := range []struct {
		number   string
		decimals int
		want     game.Score
	}{
		{"800", 0, 800},
		{"800.0", 0, 800},
		{"800.000000000000000000000", 0, 800},
		{"1e2", 0, 100},
		{"1E+2", 0, 100},
		{"1e0000000000000000000000002", 0, 100},
		{"1000e-1", 0, 100},
		{"0.8e3", 0, 800},
		{"0", 0, 0},
		{"-0", 0, 0},
		{"0.0", 2, 0},
		{"0e99999999999", 0, 0},
		{"0e-99999999999", 0, 0},
		{"12.34", 2, 1234},
		{"12.3", 2, 1230},
		{"12.340", 2, 1234},
		{"-0.5", 1, -5},
		{"0.000001", 6, 1},
		{"0.0000010e1", 6, 10},
		{"1" + strings.Repeat("0", 30) + "e-28", 0, 100},
		{"0." + strings.Repeat("0", 30) + "1e33", 0, 100},
	} {
		m := scoreMode(t, c.decimals, -100_000, 100_000)
		got, err := m.ParseScore(c.number)
		require.NoError(t, err, c.number)
		require.Equal(t, c.want, got, c.number)
	}
}

func TestParseScoreTellsWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		number   string
		decimals int
		kind     game.ScoreFault
	}{
		{"", 0, game.NotANumber},
		{"NaN", 0, game.NotANumber},
		{"Infinity", 0, game.NotANumber},
		{"-Infinity", 0, game.NotANumber},
		{"0x10", 0, game.NotANumber},
		{" 1", 0, game.NotANumber},
		{"1 ", 0, game.NotANumber},
		{"1\n", 0, game.NotANumber},
		{"+1", 0, game.NotANumber},
		{"--1", 0, game.NotANumber},
		{"-", 0, game.NotANumber},
		{"01", 0, game.NotANumber},
		{"-01", 0, game.NotANumber},
		{".5", 1, game.NotANumber},
		{"5.", 1, game.NotANumber},
		{"1e", 0, game.NotANumber},
		{"1e+", 0, game.NotANumber},
		{"1e1.5", 0, game.NotANumber},
		{"1_000", 0, game.NotANumber},
		{"1,5", 1, game.NotANumber},
		{"१२", 0, game.NotANumber},
		{`"800"`, 0, game.NotANumber},
		{"null", 0, game.NotANumber},
		{"1e400", 0, game.NotANumber},
		{"-1e400", 0, game.NotANumber},
		{"1e99999999999999999999", 0, game.NotANumber},
		{"9007199254740993", 0, game.NotANumber},
		{"-9007199254740993", 0, game.NotANumber},
		{"9007199254740992.5", 1, game.NotANumber},
		{"10000000000000000", 0, game.NotANumber},
		{strings.Repeat("9", 60_000), 0, game.NotANumber},
		{"9007199254740992", 0, game.OutOfBounds},
		{"9007199254740992.0", 6, game.OutOfBounds},
		{"9007199254740991.999999", 6, game.OutOfBounds},
		{"-9007199254740992", 0, game.OutOfBounds},
		{"1001", 0, game.OutOfBounds},
		{"-1", 0, game.OutOfBounds},
		{"10.01", 2, game.OutOfBounds},
		{"12.345", 2, game.TooManyPlaces},
		{"0.5", 0, game.TooManyPlaces},
		{"1e-9", 0, game.TooManyPlaces},
		{"1e-400", 6, game.TooManyPlaces},
		{"1e-99999999999999999999", 6, game.TooManyPlaces},
	} {
		_, err := scoreMode(t, c.decimals, 0, 1000).ParseScore(c.number)
		var fault *game.ScoreError
		require.ErrorAs(t, err, &fault, "%.30q", c.number)
		require.Equal(t, c.kind, fault.Kind, "%.30q: %v", c.number, err)
		require.Contains(t, err.Error(), "use ")
		require.Less(t, len(err.Error()), 200)
	}
}

func TestParseScoreAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decimals := rapid.IntRange(0, 6).Draw(t, "decimals")
		number := rapid.OneOf(
			rapid.StringMatching(`-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,8})?([eE][+-]?[0-9]{1,2})?`),
			rapid.StringMatching(`-?90071992547409[0-9]{2}(\.0{0,3}[0-9]{0,3}1?)?`),
		).Filter(func(s string) bool { return json.Valid([]byte(s)) }).Draw(t, "number")
		exact, ok := new(big.Rat).SetString(number)
		require.True(t, ok)
		scaled := new(big.Rat).Mul(exact, new(big.Rat).SetInt64(int64(math.Pow10(decimals))))
		limit := new(big.Rat).SetInt64(1 << 53)
		within := new(big.Rat).Abs(exact).Cmp(limit) <= 0
		fits := new(big.Rat).Abs(scaled).Cmp(limit) <= 0

		got, err := game.ParseScaled(number, decimals)
		var fault *game.ScoreError
		switch {
		case within && scaled.IsInt() && fits:
			require.NoError(t, err)
			require.Equal(t, scaled.Num().Int64(), int64(got))
		case within && scaled.IsInt():
			if err == nil { // above 2^53 in scaled units, and still exact
				require.Equal(t, scaled.Num().Int64(), int64(got))
				return
			}
			require.ErrorAs(t, err, &fault)
			require.Equal(t, game.OutOfBounds, fault.Kind)
		case within:
			require.ErrorAs(t, err, &fault)
			require.Equal(t, game.TooManyPlaces, fault.Kind)
		default:
			require.ErrorAs(t, err, &fault)
			require.NotEqual(t, game.OutOfBounds, fault.Kind)
		}
	})
}

func TestFormatScoreIsTheShortestNumber(t *testing.T) {
	for _, c := range []struct {
		score    game.Score
		decimals int
		want     string
	}{
		{800, 0, "800"}, {0, 0, "0"}, {-7, 0, "-7"}, {1234, 2, "12.34"}, {1230, 2, "12.3"}, {1200, 2, "12"},
		{-5, 1, "-0.5"}, {5, 2, "0.05"}, {-5, 6, "-0.000005"}, {0, 6, "0"}, {math.MinInt64, 0, "-9223372036854775808"},
	} {
		require.Equal(t, c.want, game.FormatScaled(c.score, c.decimals))
	}
	m := scoreMode(t, 2, -5000, 5000)
	require.Equal(t, "-12.34", m.FormatScore(-1234))
}

func TestFormattedScoresReadBackAndAreJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decimals := rapid.IntRange(0, 6).Draw(t, "decimals")
		s := game.Score(rapid.Int64Range(-1<<53, 1<<53).Draw(t, "score"))
		text := game.FormatScaled(s, decimals)
		require.True(t, json.Valid([]byte(text)), text)
		got, err := game.ParseScaled(text, decimals)
		require.NoError(t, err)
		require.Equal(t, s, got)
	})
}

func FuzzParseScore(f *testing.F) {
	for _, s := range []string{"800", "-0.5", "1e400", "9007199254740993", "0x10", "1e-9", "01", "12.340e1"} {
		f.Add(s, uint8(2))
	}
	f.Fuzz(func(t *testing.T, number string, places uint8) {
		decimals := int(places % 7)
		s, err := game.ParseScaled(number, decimals)
		if err != nil {
			var fault *game.ScoreError
			require.ErrorAs(t, err, &fault)
			return
		}
		// encoding/json and math/big are the judges of form and value.
		require.True(t, json.Valid([]byte(number)))
		back := game.FormatScaled(s, decimals)
		again, err := game.ParseScaled(back, decimals)
		require.NoError(t, err)
		require.Equal(t, s, again)
		if len(number) < 40 && !strings.ContainsAny(number, "eE") {
			want, ok := new(big.Rat).SetString(number)
			require.True(t, ok)
			got, _ := new(big.Rat).SetString(back)
			require.Zero(t, want.Cmp(got), fmt.Sprintf("%s became %s", number, back))
		}
	})
}
