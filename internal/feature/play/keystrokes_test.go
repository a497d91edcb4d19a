package play_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/game"
)

const text = "The quick brown fox jumps over the lazy dog, and the dog does not mind it in the least. " +
	"Whoever types this has seen it before, and will see it again, for it has every letter there is. " +
	"A second time: the quick brown fox jumps over the lazy dog, and the dog sleeps on as if nothing had happened."

type sent struct {
	Typed    string  `json:"typed"`
	Gaps     []int64 `json:"gaps"`
	Holds    []int64 `json:"holds"`
	Composed *int64  `json:"composed,omitempty"`
}

func of(seconds int) play.Play {
	return play.Play{Mode: &game.Mode{Challenge: game.ChallengeRule{Keys: game.UsualKeys}}, Challenge: play.Challenge{Seconds: seconds, Text: text}}
}

func prove(p play.Play, s sent, passed time.Duration) ([]game.Score, play.Verdict, error) {
	raw, _ := json.Marshal(s)
	return play.Prove(p, play.Submission{Proof: raw, Passed: passed})
}

// typedBy is a test of 30 s in which each key down is right.
func typedBy(keys int, gap, hold func(i int) int64) sent {
	s := sent{Typed: string([]rune(text)[:min(keys, len(text))])}
	for i := range keys {
		s.Gaps, s.Holds = append(s.Gaps, gap(i)), append(s.Holds, hold(i))
	}
	s.Gaps[0] = 0
	return s
}

func steady(n int64) func(int) int64 { return func(int) int64 { return n } }

func refusedFor(t require.TestingT, err error) string {
	var refused *play.Refusal
	require.ErrorAs(t, err, &refused)
	require.NotEmpty(t, refused.Detail)
	return refused.Reason
}

// person is a stand-in for people, not a model of them: gaps are drawn lognormally around
// a speed of their own, slower and faster by turns; keys stay down some 60 to 140 ms,
// whatever comes next, so that fast hands overlap; one in so many keys is wrong and taken
// back, and now and then there is a pause.
func person(r *rand.Rand) (s sent, wpm float64) {
	wpm = math.Exp(math.Log(55) + 0.45*r.NormFloat64())
	wpm = min(max(wpm, 12), 190)
	gap, spread := 12000/wpm, 0.28+0.3*r.Float64()
	hold, holdSpread := 70+50*r.Float64(), 0.14+0.2*r.Float64()
	right, at, wrong := []rune(text), 0.0, 0.01+0.07*r.Float64()
	var typed []rune
	for len(typed) < len(right) && len(s.Gaps) < game.UsualKeys {
		g := max(gap*math.Exp(spread*r.NormFloat64()), 12)
		if r.Float64() < 0.01 {
			g += 300 + 1500*r.Float64()
		}
		if len(s.Gaps) == 0 {
			g = 0
		}
		if at += g; at > 30_000 {
			break
		}
		s.Gaps = append(s.Gaps, int64(g))
		s.Holds = append(s.Holds, int64(max(hold*math.Exp(holdSpread*r.NormFloat64()), 25)))
		if r.Float64() >= wrong { // else it is taken back, by a Backspace that is left out
			typed = append(typed, right[len(typed)])
		}
	}
	s.Typed = string(typed)
	return s, wpm
}

func TestWhoTypesLikePeopleIsNeitherRefusedNorHeld(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	held := 0
	for range 20_000 {
		s, wpm := person(r)
		_, verdict, err := prove(of(30), s, 31*time.Second)
		require.NoError(t, err, "%.0f wpm: %v", wpm, s)
		if verdict.Held != "" {
			held++
		}
	}
	require.LessOrEqual(t, held, 2, "at most one in 10,000")
}

func TestProgramsThatTypeAreHeldOrRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 2))
	around := func(mean, by float64) func(int) int64 {
		return func(int) int64 { return int64(mean + by*(2*r.Float64()-1)) }
	}
	for name, s := range map[string]sent{
		"a fixed clock":                              typedBy(250, steady(100), steady(50)),
		"a fixed clock, slowly":                      typedBy(60, steady(400), steady(90)),
		"a clock with a little noise":                typedBy(250, around(100, 5), around(80, 20)),
		"noise of 20 ms":                             typedBy(250, around(100, 20), around(80, 20)),
		"gaps drawn, keys that are down for no time": typedBy(250, around(110, 60), steady(0)),
		"gaps drawn, keys that are down for long":    typedBy(250, around(110, 60), steady(70)),
		"gaps drawn, holds with noise":               typedBy(250, around(110, 60), around(30, 5)),
		"fast and one key after the other":           typedBy(280, around(100, 45), around(45, 9)),
		"a script that sends events":                 typedBy(280, around(100, 40), around(3, 3)),
		"all at once":                                typedBy(280, steady(0), steady(50)),
		"a paste":                                    {Typed: text[:280], Gaps: []int64{0, 90}, Holds: []int64{80, 70}},
		"faster than anybody":                        typedBy(280, around(30, 15), around(60, 20)),
		"a clock of 16 ms":                           typedBy(250, steady(96), steady(80)),
	} {
		values, verdict, err := prove(of(30), s, 31*time.Second)
		require.True(t, err != nil || verdict.Held != "", "%s passes with %v", name, values)
	}
}

// Gaps of which the standard deviation is a small part of the mean, at any speed.
func TestProgramsOfAnySpeedAreHeld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mean := rapid.IntRange(50, 900).Draw(t, "mean")
		by := rapid.IntRange(0, 20).Draw(t, "percent") * mean / 100
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(16, seed))
		s := typedBy(min(29_000/(mean+by), 250), func(int) int64 { return int64(mean - by + r.IntN(2*by+1)) }, func(int) int64 { return 60 + r.Int64N(80) })
		_, verdict, err := prove(of(30), s, 31*time.Second)
		require.NoError(t, err)
		require.NotEmpty(t, verdict.Held, "%d ms, give or take %d", mean, by)
	})
}

// A clock that rounds does not hide a program: it rounds how long keys stay down, too, and the
// mean of what is rounded stays.
func TestARoundedClockHidesNoProgram(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 5))
	drawn := func(tick, least, more int64) func(int) int64 {
		return func(int) int64 { return tick * (least + r.Int64N(more+1)) }
	}
	for name, s := range map[string]sent{
		"16 ms, keys that are down for no time":       typedBy(200, drawn(16, 2, 6), steady(0)),
		"16 ms, 12 keys that are down for no time":    typedBy(12, drawn(16, 2, 6), steady(0)),
		"100 ms, keys that are down for no time":      typedBy(200, drawn(100, 0, 2), steady(0)),
		"100 ms, one key in nine is down":             typedBy(200, drawn(100, 0, 2), func(i int) int64 { return 100 * int64(i%9/8) }),
		"16 ms, keys that are down for 64 ms":         typedBy(200, drawn(16, 2, 6), steady(64)),
		"100 ms, keys that are down for 100 ms":       typedBy(200, drawn(100, 0, 2), steady(100)),
		"gaps of 16 ms, holds of any":                 typedBy(50, drawn(16, 2, 12), steady(70)),
		"gaps of 16 ms, fast and one after the other": typedBy(280, drawn(16, 4, 4), func(i int) int64 { return 31 + int64(i*7%30) }),
		"16 ms, fast and one after the other":         typedBy(280, drawn(16, 4, 4), func(i int) int64 { return 16 * (2 + int64(i*7%3)) }),
	} {
		values, verdict, err := prove(of(30), s, 31*time.Second)
		require.True(t, err != nil || verdict.Held != "", "%s passes with %v", name, values)
	}
}

// People whose browser rounds its clock, to the ticks at which keys went down and came up, in
// tests of 15 s.
func TestWhoTypesLikePeopleIsNotHeldWhereTheClockIsRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 6))
	for tick, most := range map[int64]int{16: 2, 17: 2, 100: 20} { // of 20,000
		held := 0
		for range 20_000 {
			long, wpm := person(r)
			s, down, before := sent{}, r.Int64N(1000), int64(0)
			begin := down
			for i, gap := range long.Gaps {
				if down += gap; down-begin > 15_000 {
					break
				}
				at := down / tick * tick
				s.Gaps, s.Holds = append(s.Gaps, at-before), append(s.Holds, (down+long.Holds[i])/tick*tick-at)
				before = at
			}
			s.Gaps[0] = 0
			s.Typed = long.Typed[:min(len(long.Typed), len(s.Gaps))]
			_, verdict, err := prove(of(15), s, 16*time.Second)
			require.NoError(t, err, "%.0f wpm: %v", wpm, s)
			if verdict.Held != "" {
				held++
			}
		}
		require.LessOrEqual(t, held, most, "%d ms", tick)
	}
}

func TestWhatCannotHaveHappenedIsRefused(t *testing.T) {
	human := func(i int) int64 { return 60 + int64(i*37%90) }
	for name, c := range map[string]struct {
		keys   int
		gap    func(int) int64
		change func(*sent)
		passed time.Duration
		want   string
	}{
		"more than passed":                {200, human, nil, 20 * time.Second, play.Longer},
		"more than the challenge":         {200, func(i int) int64 { return human(i) + 60 }, nil, time.Minute, play.Longer},
		"a first key that came late":      {200, human, func(s *sent) { s.Gaps[0] = 20_000 }, time.Minute, play.Longer},
		"26 in a second":                  {200, func(i int) int64 { return []int64{39, human(i)}[min(i/26, 1)] }, nil, time.Minute, play.Burst},
		"25 in a second":                  {200, func(i int) int64 { return []int64{40, human(i)}[min(i/26, 1)] }, nil, time.Minute, ""},
		"more than 40 a second":           {20, steady(24), nil, time.Minute, play.TooFast},
		"a pause of four":                 {20, human, func(s *sent) { s.Gaps[1], s.Gaps[2], s.Gaps[3], s.Gaps[4] = 1e4, 1e4, 1e4, 1e4 }, 2 * time.Minute, play.ManyPauses},
		"nothing":                         {20, human, func(s *sent) { s.Gaps, s.Holds = nil, nil }, time.Minute, play.NoKeys},
		"a hold too few":                  {20, human, func(s *sent) { s.Holds = s.Holds[1:] }, time.Minute, play.Unreadable},
		"a gap before the one before":     {20, human, func(s *sent) { s.Gaps[5] = -1 }, time.Minute, play.Unreadable},
		"a hold without end":              {20, human, func(s *sent) { s.Holds[5] = math.MaxInt64 }, time.Minute, play.Unreadable},
		"601 keys":                        {601, steady(40), nil, time.Minute, play.TooManyKeys},
		"600 keys":                        {600, func(i int) int64 { return 40 + int64(i%2)*16 }, nil, time.Minute, ""},
		"more right characters than keys": {60, human, func(s *sent) { s.Typed = text[:66] }, time.Minute, play.MoreThanKeys},
		"an event or two got lost":        {60, human, func(s *sent) { s.Typed = text[:65] }, time.Minute, ""},
	} {
		p := of(30)
		if strings.Contains(name, "pause") {
			p.Challenge.Seconds = 90
		}
		s := typedBy(c.keys, c.gap, func(i int) int64 { return 70 + int64(i*53%60) })
		if c.change != nil {
			c.change(&s)
		}
		_, _, err := prove(p, s, c.passed)
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.Error(t, err, name)
		require.Equal(t, c.want, refusedFor(t, err), name)
	}
	p := of(115)
	s := typedBy(20, human, steady(70))
	s.Gaps[3] = 60_001
	_, _, err := prove(p, s, 2*time.Minute)
	require.Equal(t, play.LongPause, refusedFor(t, err))
}

func TestSpeedAndAccuracyAreExact(t *testing.T) {
	half := func(a, b int64) game.Score { // by fractions, as a person would
		n := new(big.Rat).Add(big.NewRat(a, b), big.NewRat(1, 2))
		return game.Score(new(big.Int).Div(n.Num(), n.Denom()).Int64())
	}
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.Int64Range(1, 2000).Draw(t, "keys")
		right := rapid.Int64Range(0, keys).Draw(t, "right")
		seconds := rapid.IntRange(5, 3600).Draw(t, "seconds")
		require.Equal(t, half(right*100*60, 5*int64(seconds)), play.WPM(right, seconds))
		require.Equal(t, half(right*10000, keys), play.Accuracy(right, keys))
	})
	require.EqualValues(t, 9240, play.WPM(231, 30))
	require.EqualValues(t, 6667, play.Accuracy(2, 3))
	require.EqualValues(t, 13, play.Accuracy(1, 800), "0.125, halves up")
	require.EqualValues(t, 10000, play.Accuracy(5, 4))
}

func byHands(keys int, typed string) sent {
	s := typedBy(keys, func(i int) int64 { return 80 + int64(i*37%90) }, func(i int) int64 { return 70 + int64(i*53%60) })
	s.Typed = typed
	return s
}

func TestATextIsComparedByItsEdits(t *testing.T) {
	p := of(30)
	p.Challenge.Text = "näher, mein Hund"
	for typed, right := range map[string]int64{
		"näher, mein Hund":   16,
		"naher, mein Hund":   15, // a wrong letter
		"äher, mein Hund":    14, // of 15 characters, with one left out
		"näher mein Hund":    14,
		"näherr, mein Hund":  16, // one too many
		"näher, mein Hunde!": 16,
		"nähre, mein Hund":   14, // two that changed places
		"mein Hund":          9 - 7,
		"näher, ":            7,
		"xyz":                0,
		"":                   0,
		"Näher":              4,
	} {
		s, none := byHands(20, typed), int64(0)
		s.Composed = &none
		values, _, err := prove(p, s, time.Minute)
		require.NoError(t, err, typed)
		require.Equal(t, []game.Score{play.WPM(right, 30), play.Accuracy(right, 20)}, values, typed)
	}
}

// plainEdits is the edit distance of a text to the prefix that is closest to it, by the book.
func plainEdits(typed, text []rune) int {
	row := make([]int, len(text)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range typed {
		before := row[0]
		row[0] = i + 1
		for j, wanted := range text {
			change := before
			if c != wanted {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return slices.Min(row)
}

func TestRightCharactersAreThoseOfAPlainEditDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("ab cé한"))
		wanted := rapid.SliceOfN(letters, 1, 200).Draw(t, "text")
		typed := slices.Clone(wanted[:rapid.IntRange(0, len(wanted)).Draw(t, "typed")])
		for range rapid.IntRange(0, 40).Draw(t, "edits") {
			switch at := rapid.IntRange(0, len(typed)).Draw(t, "at"); {
			case rapid.Bool().Draw(t, "insert"):
				typed = slices.Insert(typed, at, letters.Draw(t, "letter"))
			case at < len(typed) && rapid.Bool().Draw(t, "delete"):
				typed = slices.Delete(typed, at, at+1)
			case at < len(typed):
				typed[at] = letters.Draw(t, "letter")
			}
		}
		p := of(30)
		p.Challenge.Text = string(wanted)
		none, right := int64(0), int64(len(typed)-plainEdits(typed, wanted))
		keys := rapid.IntRange(max(len(typed), 1), 260).Draw(t, "keys")
		s := byHands(keys, string(typed))
		s.Gaps, s.Holds, s.Composed = slices.Repeat([]int64{40}, keys), slices.Repeat([]int64{50}, keys), &none
		values, _, err := prove(p, s, time.Minute)
		require.NoError(t, err)
		require.Equal(t, []game.Score{play.WPM(right, 30), play.Accuracy(right, int64(keys))}, values)

		// It is never less than what is right position by position.
		same := 0
		for i := range min(len(typed), len(wanted)) {
			if typed[i] == wanted[i] {
				same++
			}
		}
		require.GreaterOrEqual(t, right, int64(same))
	})
}

// A character that several key downs make together counts as one, in whatever form the text is
// sent, and whether or not the player's page says what composed.
func TestComposedCharactersCountAsOneKeyDown(t *testing.T) {
	number := func(n int64) *int64 { return &n }
	for name, c := range map[string]struct {
		text     string
		keys     int
		composed *int64
		accuracy int64 // right characters
		of       int64 // key downs
	}{
		"Korean":                              {"다람쥐 헌 쳇바퀴에 타고파", 30, nil, 14, 14},
		"Korean, a key down taken back":       {"다람쥐 헌 쳇바퀴에 타고파", 31, nil, 14, 15},
		"Korean, as the page says":            {"다람쥐 헌 쳇바퀴에 타고파", 31, number(17), 14, 14},
		"Korean, compound vowels and finals":  {"값이 의외로", 15, nil, 6, 6},
		"French with dead keys":               {"Noël à la forêt, même là", 24 + 5, nil, 24, 24},
		"French with keys of its own":         {"Noël à la forêt, même là", 24, nil, 24, 24},
		"French, three dead keys, two wrong":  {"Noël à la forêt, même là", 24 + 5, number(3), 24, 26},
		"French, nothing composed, two wrong": {"Noël à la forêt, même là", 26, number(0), 24, 26},
		"Vietnamese":                          {"Tiếng Việt", 14, nil, 10, 10},
		"Japanese, as the page says":          {"漢字かな交じり", 18, number(11), 7, 7},
		"English, two wrong":                  {"The quick brown fox", 21, nil, 19, 21},
		"English, more than there are":        {"The quick brown fox", 21, number(21), 19, 19},
	} {
		for form, typed := range map[string]string{"NFC": norm.NFC.String(c.text), "NFD": norm.NFD.String(c.text)} {
			for wanted, text := range map[string]string{"NFC": norm.NFC.String(c.text), "NFD": norm.NFD.String(c.text)} {
				p := of(30)
				p.Challenge.Text = text
				s := byHands(c.keys, typed)
				s.Composed = c.composed
				values, _, err := prove(p, s, time.Minute)
				require.NoError(t, err, "%s, %s of %s", name, form, wanted)
				require.Equal(t, []game.Score{play.WPM(c.accuracy, 30), play.Accuracy(c.accuracy, c.of)}, values, "%s, %s of %s", name, form, wanted)
			}
		}
	}
	for _, composed := range []int64{-1, 21} {
		s := byHands(20, "The quick")
		s.Composed = &composed
		_, _, err := prove(of(30), s, time.Minute)
		require.Equal(t, play.Unreadable, refusedFor(t, err))
	}
}

func TestAFewKeysAreNotJudgedByHowTheyVary(t *testing.T) {
	_, verdict, err := prove(of(30), typedBy(9, steady(100), steady(0)), time.Minute)
	require.NoError(t, err)
	require.Empty(t, verdict.Held)
	_, verdict, err = prove(of(30), typedBy(10, steady(100), steady(0)), time.Minute)
	require.NoError(t, err)
	require.NotEmpty(t, verdict.Held)
}

func FuzzProve(f *testing.F) {
	for _, body := range []string{`{"typed":"The","gaps":[0,112,90],"holds":[84,90,70]}`, `{"typed":null}`, `[]`, ``, `{"gaps":[1e3],"holds":[0],"typed":""}`, `{"typed":"","gaps":[0],"holds":[0],"more":1}`, `{"typed":"한é","gaps":[0,1],"holds":[0,1],"composed":2}`} {
		f.Add([]byte(body), int64(31_000))
	}
	f.Fuzz(func(t *testing.T, body []byte, passed int64) {
		values, _, err := play.Prove(of(30), play.Submission{Proof: body, Passed: time.Duration(passed%1e7) * time.Millisecond})
		if err != nil {
			refusedFor(t, err)
			return
		}
		require.Len(t, values, 2)
		require.True(t, values[0] >= 0 && values[1] >= 0 && values[1] <= 10000, fmt.Sprint(values))
	})
}
