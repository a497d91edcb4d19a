package play_test

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

const typing = `name: g
challenges:
  english: [The quick brown fox., Pack my box.]
modes:
  a: {max: 5, play: required, challenge: {seconds: 30, texts: english}}
  b: {max: 5, play: required, challenge: {seed: true}}
  c: {max: 5, play: required}
`

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func theGame(t require.TestingT, text string) *game.Game {
	g, err := gamefile.Parse("g.yaml", []byte(text))
	require.NoError(t, err)
	return g
}

func dealer(g *game.Game, keys ...string) *play.Dealer {
	if len(keys) == 0 {
		keys = []string{"a key"}
	}
	var all [][]byte
	for _, k := range keys {
		all = append(all, []byte(k))
	}
	return play.NewDealer(g, all, rand.Reader)
}

func reason(t require.TestingT, err error) string {
	var refused *play.Refusal
	require.ErrorAs(t, err, &refused)
	require.NotEmpty(t, refused.Detail)
	return refused.Reason
}

func TestWhatIsHandedOutIsWhatComesBack(t *testing.T) {
	g := theGame(t, typing)
	rapid.Check(t, func(t *rapid.T) {
		d := dealer(g)
		m := rapid.SampledFrom(g.Modes).Draw(t, "mode")
		c, err := d.Challenge(m)
		require.NoError(t, err)
		made, token, err := d.Deal(play.Play{
			Mode: m, Player: rapid.StringMatching(`[a-zA-Z0-9_-]{1,40}`).Draw(t, "player"),
			Date: game.DateOf(noon), At: noon.Add(time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "ns"))), Challenge: c,
			Race: rapid.StringMatching(`[a-z0-9]{0,20}`).Draw(t, "race"),
		})
		require.NoError(t, err)
		read, err := d.Open(token)
		require.NoError(t, err)
		require.True(t, made.At.Equal(read.At))
		read.At = made.At
		require.Equal(t, made, read)
		require.Less(t, len(token), 400)

		i := rapid.IntRange(0, len(token)-1).Draw(t, "at")
		changed := []byte(token)
		changed[i] = rapid.SampledFrom([]byte("ABCDEFabc019_-")).Draw(t, "letter")
		if string(changed) != token {
			_, err = d.Open(string(changed))
			require.Equal(t, play.Forged, reason(t, err))
		}
	})
}

func TestAChallengeIsDrawnAsTheModeSays(t *testing.T) {
	g := theGame(t, typing)
	d := dealer(g)
	texts := map[string]int{}
	for range 64 {
		c, err := d.Challenge(g.Modes[0])
		require.NoError(t, err)
		require.Equal(t, 30, c.Seconds)
		texts[c.Text]++
	}
	require.Len(t, texts, 2, "2^-63 is how likely one of two texts is never drawn")
	one, err := d.Challenge(g.Modes[1])
	require.NoError(t, err)
	other, err := d.Challenge(g.Modes[1])
	require.NoError(t, err)
	require.Regexp(t, "^[0-9a-f]{16}$", one.Seed)
	require.NotEqual(t, one, other)
	none, err := d.Challenge(g.Modes[2])
	require.NoError(t, err)
	require.Equal(t, play.Challenge{}, none)
}

func TestOnlyThisDeploymentsPlaysAreTaken(t *testing.T) {
	g := theGame(t, typing)
	_, token, err := dealer(g, "old").Deal(play.Play{Mode: g.Modes[2], Player: "ana", Date: game.DateOf(noon), At: noon})
	require.NoError(t, err)
	_, err = dealer(g, "new", "old").Open(token)
	require.NoError(t, err, "a secret that was replaced still opens")
	raw, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	for name, bad := range map[string]string{
		"empty": "", "no base64": "!!", "short": "AAAA", "two lines": token[:8] + "\n" + token[8:], "padded": token + "=",
		"the body alone": base64.RawURLEncoding.EncodeToString(raw[16:]), "long": string(make([]byte, 2000)),
	} {
		_, err := dealer(g, "old").Open(bad)
		require.Equal(t, play.Forged, reason(t, err), name)
	}
	_, err = dealer(g, "other").Open(token)
	require.Equal(t, play.Forged, reason(t, err))
}

func TestAPlayOfAGameThatHasChanged(t *testing.T) {
	g := theGame(t, typing)
	d := dealer(g)
	c, err := d.Challenge(g.Modes[0])
	require.NoError(t, err)
	_, token, err := d.Deal(play.Play{Mode: g.Modes[0], Player: "ana", Date: game.DateOf(noon), At: noon, Challenge: c})
	require.NoError(t, err)
	_, err = dealer(theGame(t, "name: g\nchallenges: {english: [Another.]}\nmodes: {a: {max: 5, play: required, challenge: {texts: english}}}")).Open(token)
	require.Equal(t, play.ChallengeGone, reason(t, err))
	_, err = dealer(theGame(t, "name: g\nmodes: {z: {max: 5}}")).Open(token)
	require.Equal(t, play.OtherMode, reason(t, err))
}

func TestTheServersClockHasTheLastWord(t *testing.T) {
	rule := game.PlayRule{Life: 5 * time.Minute, Slack: 5 * time.Second}
	s := time.Second
	said := func(d time.Duration) *time.Duration { return &d }
	for _, c := range []struct {
		name    string
		takes   int
		passed  time.Duration
		elapsed *time.Duration
		want    string
	}{
		{"at once, of no set time", 0, 0, nil, ""},
		{"its time", 30, 30 * s, nil, ""},
		{"a moment too early", 30, 30*s - time.Millisecond, nil, play.TooEarly},
		{"before it began, by a clock that is behind", 30, -s, nil, play.TooEarly},
		{"at the end of its life", 30, 300 * s, nil, ""},
		{"after it", 30, 300*s + time.Millisecond, nil, play.Expired},
		{"said as it was", 30, 31 * s, said(31 * s), ""},
		{"said longer than there was", 30, 31 * s, said(31*s + 1), play.TooLong},
		{"said longer, of no set time", 0, 0, said(1), play.TooLong},
		{"said shorter, within the slack", 0, 31 * s, said(26 * s), ""},
		{"said shorter", 0, 31 * s, said(26*s - 1), play.TooShort},
		{"faster than the clock", 30, 10 * s, said(10 * s), play.TooEarly},
		{"longer than its life", 0, 400 * s, said(400 * s), play.Expired},
	} {
		p := play.Play{At: noon, Challenge: play.Challenge{Seconds: c.takes}}
		err := p.Timely(rule, noon.Add(c.passed), c.elapsed)
		if c.want == "" {
			require.NoError(t, err, c.name)
			continue
		}
		require.Equal(t, c.want, reason(t, err), c.name)
	}
}

func FuzzOpen(f *testing.F) {
	g := theGame(f, typing)
	d := dealer(g)
	_, token, err := d.Deal(play.Play{Mode: g.Modes[0], Player: "ana", Date: game.DateOf(noon), At: noon, Challenge: play.Challenge{Seconds: 30, Text: "Pack my box."}})
	require.NoError(f, err)
	f.Add(token)
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := d.Open(text)
		var refused *play.Refusal
		require.Equal(t, text == token, err == nil)
		require.True(t, err == nil || errors.As(err, &refused))
	})
}
