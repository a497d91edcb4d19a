package gamefile

import "github.com/framedle/leaderboards/internal/game"

var playKey = key{name: "play", kind: mapping, text: "[server-issued plays](../build/plays.md)", keys: []key{
	{name: "life", kind: duration, usual: "5m", min: "10s", max: "1h", text: "how long a play is valid"},
	{name: "slack", kind: duration, usual: "5s", min: "0s", max: "1m", text: "how much shorter than the measured time a reported play may be"},
}}

func readPlay(v value, g *game.Game) {
	f := v.fields()
	g.Play = game.PlayRule{Life: f.field("life").duration(), Slack: f.field("slack").duration()}
}

var challengesKey = key{
	name: "challenges", kind: table, form: nameForm, max: "32", holds: "up to 32 pools of up to 2,000 texts of up to 4,000 characters: `{english: [a text, another]}`",
	text: "the pools from which challenges draw texts", of: &key{
		name: "pool", kind: list, want: "use a list of texts", min: "1", max: "2000", distinct: true, of: &key{want: "use a text", min: "1", max: "4000", form: `\S`, holds: "texts"}, text: "the texts of a pool",
	},
}

func readChallenges(v value, g *game.Game) {
	names, values := v.entries()
	for i, name := range names {
		g.Challenges = append(g.Challenges, game.Pool{Name: name, Texts: each(values[i], value.text)})
	}
}

// Keys of a mode.
var (
	modePlayKey = key{name: "play", kind: choice, usual: off, noun: "a choice", words: []string{"required", off},
		text: "`required`: scores of players need a [server-issued play](../build/plays.md)"}
	modeProofKey = key{name: "proof", kind: choice, want: "use the name of a proof, such as keystrokes", words: []string{"keystrokes"},
		text: "evidence from which the server computes the values; only with `play: required`"}
	modeChallengeKey = key{name: "challenge", kind: mapping, text: "what a play asks of the player; only with `play: required`", keys: []key{
		{name: "seconds", kind: number, otherwise: "no bound", min: "5", max: "3595", holds: "`5` to `play.life` less 5 s", text: "how long a challenge takes"},
		{name: "texts", want: "use the name of a pool in challenges", form: nameForm, holds: "a pool of `challenges`", text: "the pool from which a text is drawn"},
		{name: "seed", kind: boolean, usual: "false", text: "a number is drawn instead of a text"},
		{name: "keys", kind: number, otherwise: "`600` with a proof", min: "1", max: "2000", text: "how many key downs a proof may have"},
	}}
)

// readPlays reads what a mode asks of its plays.
func readPlays(f fields, m *game.Mode) {
	m.NeedsPlay = f.field("play").text() == "required"
	m.Proof = f.field("proof").text()
	rule := f.field("challenge").fields()
	m.Challenge = game.ChallengeRule{
		Seconds: rule.field("seconds").int(),
		Texts:   rule.field("texts").text(),
		Seed:    rule.field("seed").flag(),
		Keys:    rule.field("keys").int(),
	}
	if m.Proof != "" && !rule.field("keys").given() {
		m.Challenge.Keys = game.UsualKeys
	}
}
