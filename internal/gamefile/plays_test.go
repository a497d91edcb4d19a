package gamefile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

const typed = `name: g
play: {life: 2m, slack: 3s}
challenges:
  english: [The quick brown fox., "Pack my box."]
modes:
  a:
    play: required
    proof: keystrokes
    challenge: {seconds: 30, texts: english}
    score: [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]
`

func TestAGameSaysWhatItsPlaysAre(t *testing.T) {
	g, err := parsed(t, "g.yaml", []byte(typed+"  b: {max: 5}\n  c: {max: 5, play: required, challenge: {seed: true}}\n"))
	require.NoError(t, err)
	require.Equal(t, game.PlayRule{Life: 2 * time.Minute, Slack: 3 * time.Second}, g.Play)
	require.Equal(t, game.Pools{{Name: "english", Texts: []string{"The quick brown fox.", "Pack my box."}}}, g.Challenges)
	a, b, c := g.Modes[0], g.Modes[1], g.Modes[2]
	require.True(t, a.NeedsPlay)
	require.Equal(t, "keystrokes", a.Proof)
	require.Equal(t, game.ChallengeRule{Seconds: 30, Texts: "english", Keys: game.UsualKeys}, a.Challenge)
	require.False(t, b.NeedsPlay)
	require.Equal(t, game.ChallengeRule{}, b.Challenge)
	require.Equal(t, game.ChallengeRule{Seed: true}, c.Challenge)

	plain, err := parsed(t, "g.yaml", []byte("name: g\nmodes: {a: {max: 5}}\n"))
	require.NoError(t, err)
	require.Equal(t, game.PlayRule{Life: 5 * time.Minute, Slack: 5 * time.Second}, plain.Play)
	require.False(t, game.HandsOutPlays(plain))
	require.False(t, game.HoldsPlays(plain))
}

func TestAWrongPlaySaysWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{"life: 2m", "life: 5s", "g.yaml:2: play.life: 5s is out of range; use 10s to 1h"},
		{"slack: 3s", "slack: 2m", "g.yaml:2: play.slack: 2m is out of range; use 0s to 1m"},
		{"slack: 3s", "lives: 3s", "g.yaml:2: play.lives: the key is unknown (did you mean life?); use life or slack"},
		{"english: [The quick brown fox., \"Pack my box.\"]", "english: text", `g.yaml:4: challenges.english: "text" is text; use a list of texts`},
		{"english: [The quick brown fox., \"Pack my box.\"]", "english: []", "g.yaml:4: challenges.english: there are 0 texts; use 1 to 2000"},
		{"Pack my box.", "The quick brown fox.", "g.yaml:4: challenges.english[1]: the text is there twice; keep one of them"},
		{"Pack my box.", " ", "g.yaml:4: challenges.english[1]: it has 1 characters; use 1 to 4000, and not blanks alone"},
		{"Pack my box.", `Pack\u200bmy box.`, "g.yaml:4: challenges.english[1]: it has characters that cannot be seen; use printable text and newlines"},
		{`"Pack my box."`, "5", "g.yaml:4: challenges.english[1]: 5 is a number; use a text"},
		{"english: [The", "English: [The", "g.yaml:4: challenges.English: \"English\" is not a name; use a letter a-z and up to 39 more of a-z, 0-9 and _\n" +
			"g.yaml:9: modes.a.challenge.texts: there are no texts \"english\"; declare them at the top, as in challenges: {english: [a text, another]}"},
		{"play: required", "play: maybe", `g.yaml:7: modes.a.play: "maybe" is not a choice; use required or off`},
		{"    play: required\n", "", "g.yaml:7: modes.a.proof: the mode has no plays; set play: required, or leave this out\n" +
			"g.yaml:8: modes.a.challenge: the mode has no plays; set play: required, or leave this out"},
		{"keystrokes", "mouse", `g.yaml:8: modes.a.proof: there is no proof "mouse"; use keystrokes`},
		{"seconds: 30", "seconds: 4", "g.yaml:9: modes.a.challenge.seconds: 4 is out of range; use 5 to 115"},
		{"seconds: 30", "seconds: 121", "g.yaml:9: modes.a.challenge.seconds: 121 is out of range; use 5 to 115"},
		{"texts: english", "texts: french", `g.yaml:9: modes.a.challenge.texts: there are no texts "french"; declare them at the top, as in challenges: {french: [a text, another]}`},
		{"texts: english", "texts: english, seed: true", "g.yaml:9: modes.a.challenge.seed: there is a text already; use texts or seed"},
		{"texts: english", "texts: english, keys: 2001", "g.yaml:9: modes.a.challenge.keys: 2001 is out of range; use 1 to 2000"},
		{"seconds: 30, texts: english", "texts: english", "g.yaml:8: modes.a.proof: keystrokes needs a text and a time; add a challenge, as in challenge: {seconds: 30, texts: english}"},
		{"    proof: keystrokes\n    challenge: {seconds: 30,", "    challenge: {seconds: 30, keys: 5,", "g.yaml:8: modes.a.challenge.keys: the mode has no proof that could have keys; leave it out"},
		{"name: accuracy, decimals: 2", "name: accuracy, decimals: 1", "g.yaml:10: modes.a.score[1]: keystrokes does not give accuracy with 1 decimals; use wpm or accuracy, with decimals: 2"},
		{"name: wpm", "name: speed", "g.yaml:10: modes.a.score[0]: keystrokes does not give speed with 2 decimals; use wpm or accuracy, with decimals: 2"},
		{"score: [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]", "max: 350", "g.yaml:8: modes.a.proof: keystrokes gives wpm with 2 decimals; use decimals: 2"},
	} {
		t.Run(c.now, func(t *testing.T) {
			require.Contains(t, typed, c.old)
			_, err := parsed(t, "g.yaml", []byte(strings.Replace(typed, c.old, c.now, 1)))
			require.EqualError(t, err, c.want)
		})
	}
}
