package gamefile

import "github.com/framedle/leaderboards/internal/game"

var playKey = Key{Name: "play", Kind: Mapping, Text: "[server-issued plays](../build/plays.md)", Keys: []Key{
	{Name: "life", Kind: Duration, Default: "5m", Min: "10s", Max: "1h", Text: "how long a play is valid"},
	{Name: "slack", Kind: Duration, Default: "5s", Min: "0s", Max: "1m", Text: "how much shorter than the measured time a reported play may be"},
}}

func readPlay(v Value, g *game.Game) {
	f := v.Fields()
	g.Play = game.PlayRule{Life: f.Field("life").Duration(), Slack: f.Field("slack").Duration()}
}

var challengesKey = Key{
	Name: "challenges", Kind: Table, Pattern: NameForm, Max: "32", Holds: "up to 32 pools of up to 2,000 texts of up to 4,000 characters: `{english: [a text, another]}`",
	Text: "the pools from which challenges draw texts", Of: &Key{
		Name: "pool", Kind: List, Advice: "use a list of texts", Min: "1", Max: "2000", Distinct: true, Of: &Key{Advice: "use a text", Min: "1", Max: "4000", Pattern: `\S`, Holds: "texts"}, Text: "the texts of a pool",
	},
}

func readChallenges(v Value, g *game.Game) {
	names, values := v.Entries()
	for i, name := range names {
		g.Challenges = append(g.Challenges, game.Pool{Name: name, Texts: Each(values[i], Value.Text)})
	}
}

// Keys of a mode.
var (
	modePlayKey = Key{Name: "play", Kind: Choice, Default: Off, Noun: "a choice", Words: []string{"required", Off},
		Text: "`required`: scores of players need a [server-issued play](../build/plays.md)"}
	modeProofKey = Key{Name: "proof", Kind: Choice, Advice: "use the name of a proof, such as keystrokes", Words: []string{"keystrokes"},
		Text: "evidence from which the server computes the values; only with `play: required`"}
	modeChallengeKey = Key{Name: "challenge", Kind: Mapping, Text: "what a play asks of the player; only with `play: required`", Keys: []Key{
		{Name: "seconds", Kind: Number, Absent: "no bound", Min: "5", Max: "3595", Holds: "`5` to `play.life` less 5 s", Text: "how long a challenge takes"},
		{Name: "texts", Advice: "use the name of a pool in challenges", Pattern: NameForm, Holds: "a pool of `challenges`", Text: "the pool from which a text is drawn"},
		{Name: "seed", Kind: Boolean, Default: "false", Text: "a number is drawn instead of a text"},
		{Name: "keys", Kind: Number, Absent: "`600` with a proof", Min: "1", Max: "2000", Text: "how many key downs a proof may have"},
	}}
)

// readPlays reads what a mode asks of its plays.
func readPlays(f Fields, m *game.Mode) {
	m.NeedsPlay = f.Field("play").Text() == "required"
	m.Proof = f.Field("proof").Text()
	rule := f.Field("challenge").Fields()
	m.Challenge = game.ChallengeRule{
		Seconds: rule.Field("seconds").Int(),
		Texts:   rule.Field("texts").Text(),
		Seed:    rule.Field("seed").Flag(),
		Keys:    rule.Field("keys").Int(),
	}
	if m.Proof != "" && !rule.Field("keys").Given() {
		m.Challenge.Keys = game.UsualKeys
	}
}
