package keystrokes_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/play/keystrokes"
)

const text = "The quick brown fox jumps over the lazy dog, and the dog does not mind it in the least. " +
	"Whoever types this has seen it before, and will see it again, for it has every letter there is. " +
	"A second time: the quick brown fox jumps over the lazy dog, and the dog sleeps on as if nothing had happened."

type sent struct {
	Typed string  `json:"typed"`
	Gaps  []int64 `json:"gaps"`
	Holds []int64 `json:"holds"`
}

func of(seconds int) play.Play {
	return play.Play{Mode: &game.Mode{Challenge: game.ChallengeRule{Keys: game.UsualKeys}}, Challenge: play.Challenge{Seconds: seconds, Text: text}}
}

func prove(p play.Play, s sent, passed time.Duration) ([]game.Score, play.Verdict, error) {
	raw, _ := json.Marshal(s)
	return keystrokes.Prove(p, play.Submission{Proof: raw, Passed: passed})
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

// People with whom a browser's clock is rounded have gaps of 100 and 200 ms, and keys
// that are down for 0 or 100.
func TestWhereTheClockIsRoundedHoldsSayNothing(t *testing.T) {
	ticks := typedBy(200, func(i int) int64 { return 16 * (4 + int64(i*7%5)) }, steady(0))
	_, verdict, err := prove(of(30), ticks, 31*time.Second)
	require.NoError(t, err)
	require.Empty(t, verdict.Held)
	s := typedBy(200, func(i int) int64 { return 100 + 100*int64(i*7%3%2) }, steady(0))
	_, verdict, err = prove(of(30), s, 31*time.Second)
	require.NoError(t, err)
	require.Empty(t, verdict.Held)
	s.Gaps[7]++
	_, verdict, err = prove(of(30), s, 31*time.Second)
	require.NoError(t, err)
	require.NotEmpty(t, verdict.Held, "one gap that is none of its ticks, and it is a clock like any other")
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
		"more than passed":                {200, human, nil, 20 * time.Second, keystrokes.Longer},
		"more than the challenge":         {200, func(i int) int64 { return human(i) + 60 }, nil, time.Minute, keystrokes.Longer},
		"a first key that came late":      {200, human, func(s *sent) { s.Gaps[0] = 20_000 }, time.Minute, keystrokes.Longer},
		"26 in a second":                  {200, func(i int) int64 { return []int64{39, human(i)}[min(i/26, 1)] }, nil, time.Minute, keystrokes.Burst},
		"25 in a second":                  {200, func(i int) int64 { return []int64{40, human(i)}[min(i/26, 1)] }, nil, time.Minute, ""},
		"more than 40 a second":           {20, steady(24), nil, time.Minute, keystrokes.TooFast},
		"a pause of four":                 {20, human, func(s *sent) { s.Gaps[1], s.Gaps[2], s.Gaps[3], s.Gaps[4] = 1e4, 1e4, 1e4, 1e4 }, 2 * time.Minute, keystrokes.ManyPauses},
		"nothing":                         {20, human, func(s *sent) { s.Gaps, s.Holds = nil, nil }, time.Minute, keystrokes.NoKeys},
		"a hold too few":                  {20, human, func(s *sent) { s.Holds = s.Holds[1:] }, time.Minute, keystrokes.Unreadable},
		"a gap before the one before":     {20, human, func(s *sent) { s.Gaps[5] = -1 }, time.Minute, keystrokes.Unreadable},
		"a hold without end":              {20, human, func(s *sent) { s.Holds[5] = math.MaxInt64 }, time.Minute, keystrokes.Unreadable},
		"601 keys":                        {601, steady(40), nil, time.Minute, keystrokes.TooManyKeys},
		"600 keys":                        {600, func(i int) int64 { return 40 + int64(i%2)*16 }, nil, time.Minute, ""},
		"more right characters than keys": {60, human, func(s *sent) { s.Typed = text[:66] }, time.Minute, keystrokes.MoreThanKeys},
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
	require.Equal(t, keystrokes.LongPause, refusedFor(t, err))
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
		require.Equal(t, half(right*100*60, 5*int64(seconds)), keystrokes.WPM(right, seconds))
		require.Equal(t, half(right*10000, keys), keystrokes.Accuracy(right, keys))
	})
	require.EqualValues(t, 9240, keystrokes.WPM(231, 30))
	require.EqualValues(t, 6667, keystrokes.Accuracy(2, 3))
	require.EqualValues(t, 13, keystrokes.Accuracy(1, 800), "0.125, halves up")
	require.EqualValues(t, 10000, keystrokes.Accuracy(5, 4))
}

func TestCharactersAreComparedPositionByPosition(t *testing.T) {
	p := of(30)
	p.Challenge.Text = "näher, mein Hund"
	for typed, right := range map[string]int64{
		"näher, mein Hund": 16, "naher, mein Hund": 15, "äher, mein Hund": 0, "näher, mein Hunde!": 16, "": 0, "Näher": 4,
	} {
		s := typedBy(20, func(i int) int64 { return 80 + int64(i*37%90) }, func(i int) int64 { return 70 + int64(i*53%60) })
		s.Typed = typed
		values, _, err := prove(p, s, time.Minute)
		require.NoError(t, err, typed)
		require.Equal(t, []game.Score{keystrokes.WPM(right, 30), keystrokes.Accuracy(right, 20)}, values, typed)
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
	for _, body := range []string{`{"typed":"The","gaps":[0,112,90],"holds":[84,90,70]}`, `{"typed":null}`, `[]`, ``, `{"gaps":[1e3],"holds":[0],"typed":""}`, `{"typed":"","gaps":[0],"holds":[0],"more":1}`} {
		f.Add([]byte(body), int64(31_000))
	}
	f.Fuzz(func(t *testing.T, body []byte, passed int64) {
		values, _, err := keystrokes.Prove(of(30), play.Submission{Proof: body, Passed: time.Duration(passed%1e7) * time.Millisecond})
		if err != nil {
			refusedFor(t, err)
			return
		}
		require.Len(t, values, 2)
		require.True(t, values[0] >= 0 && values[1] >= 0 && values[1] <= 10000, fmt.Sprint(values))
	})
}
