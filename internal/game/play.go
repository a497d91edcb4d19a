package game

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// PlayRule is the rule for every play that is handed out: a player's leave to send one score,
// with the time at which it began.
type PlayRule struct {
	Life  time.Duration // how long a play may be sent in; 10 s to 1 h
	Slack time.Duration // how much less than the time that passed a player may say it took; 0 to 1 m
}

// ChallengeRule is the task that a mode gives its players. The zero rule gives none.
type ChallengeRule struct {
	Seconds int    // how long it takes, no more and no less; 0: as long as the player likes
	Texts   string // name of the pool that a text is drawn from; empty: none
	Seed    bool   // a number is drawn, from which the game makes the task
	Keys    int    // key downs that a proof may have, 1 to 2000; 0 without one
}

// Pool is a list of texts; each challenge gets one of them.
type Pool struct {
	Name  string // see ValidMode for the form
	Texts []string
}

// UsualKeys is how many key downs a proof may have if the mode does not say.
const UsualKeys = 600

const (
	minPlayLife  = 10 * time.Second
	maxPlayLife  = time.Hour
	maxPlaySlack = time.Minute
	sending      = 5 * time.Second // the part of a play's life that is left to send it in
	minSeconds   = 5               // a shorter task says nothing about the player
	maxKeys      = 2000
	maxPools     = 32
	maxTexts     = 2000 // of a pool
	maxText      = 4000 // characters
)

// ProofRule is what a mode must have to use a proof.
type ProofRule struct {
	Name  string
	Gives []string // the values that follow from it, each with 2 decimals; only the first if a mode has one number
	Timed bool     // it needs a text, and a challenge that takes a set time
}

// Proofs are those that a mode may name. What each does is in internal/feature/play.
func Proofs() []ProofRule {
	return []ProofRule{{Name: "keystrokes", Gives: []string{"wpm", "accuracy"}, Timed: true}}
}

// ProofNamed finds a proof by its name.
func ProofNamed(name string) (ProofRule, bool) {
	all := Proofs()
	i := slices.IndexFunc(all, func(p ProofRule) bool { return p.Name == name })
	if i < 0 {
		return ProofRule{}, false
	}
	return all[i], true
}

// ProofDecimals are the places of every value that follows from a proof.
const ProofDecimals = 2

// Pools are all that a game has, in the order of the file; most have none.
type Pools []Pool

// Named finds a pool of texts by its name.
func (all Pools) Named(name string) (Pool, bool) {
	i := slices.IndexFunc(all, func(p Pool) bool { return p.Name == name })
	if i < 0 {
		return Pool{}, false
	}
	return all[i], true
}

// HandsOutPlays reports whether any mode of a game needs plays.
func HandsOutPlays(g *Game) bool {
	return slices.ContainsFunc(g.Modes, func(m *Mode) bool { return m.NeedsPlay })
}

// HoldsPlays reports whether any mode of a game has a proof, so that plays can be held.
func HoldsPlays(g *Game) bool {
	return slices.ContainsFunc(g.Modes, func(m *Mode) bool { return m.Proof != "" })
}

// plays checks the rule for every play, and the pools.
func (c *Checker) plays(g *Game) {
	if HandsOutPlays(g) || g.Play != (PlayRule{}) {
		c.Duration("play.life", g.Play.Life, minPlayLife, maxPlayLife)
		c.Duration("play.slack", g.Play.Slack, 0, maxPlaySlack)
	}
	if n := len(g.Challenges); n > maxPools {
		c.Add("challenges", fmt.Sprintf("there are %d", n), fmt.Sprintf("use at most %d", maxPools))
	}
	for _, p := range g.Challenges {
		path := fmt.Sprintf("challenges.%.50s", p.Name)
		switch {
		case !ValidName(p.Name):
			c.Add(path, fmt.Sprintf("%.50q is not a name", p.Name), NameForm)
		case len(p.Texts) == 0 || len(p.Texts) > maxTexts:
			c.Add(path, fmt.Sprintf("there are %d texts", len(p.Texts)), fmt.Sprintf("use 1 to %d", maxTexts))
		}
		for i, text := range p.Texts {
			c.text(fmt.Sprintf("%s[%d]", path, i), text, p.Texts[:i])
		}
	}
}

func (c *Checker) text(path, text string, before []string) {
	switch {
	case strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > maxText:
		c.Add(path, fmt.Sprintf("it has %d characters", utf8.RuneCountInString(text)), fmt.Sprintf("use 1 to %d, and not blanks alone", maxText))
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' }):
		c.Add(path, "it has characters that cannot be seen", "use printable text and newlines")
	case slices.Contains(before, text):
		c.Add(path, "the text is there twice", "keep one of them")
	}
}

// play checks what a mode asks of its plays.
func (c *modeChecker) play(g *Game) {
	m, rule := c.m, c.m.Challenge
	if !m.NeedsPlay {
		for key, has := range map[string]bool{"proof": m.Proof != "", "challenge": rule != ChallengeRule{}} {
			if has {
				c.Add(c.path(key), "the mode has no plays", "set play: required, or leave this out", c.path("play"))
			}
		}
		return
	}
	if rule.Seconds != 0 {
		life := g.Play.Life
		if life < minPlayLife || life > maxPlayLife { // reported by itself
			life = maxPlayLife
		}
		c.Within(c.path("challenge.seconds"), float64(rule.Seconds), minSeconds, float64((life-sending)/time.Second))
	}
	switch _, known := g.Challenges.Named(rule.Texts); {
	case rule.Texts != "" && rule.Seed:
		c.Add(c.path("challenge.seed"), "there is a text already", "use texts or seed", c.path("challenge.texts"))
	case rule.Texts != "" && !known:
		c.Add(c.path("challenge.texts"), fmt.Sprintf("there are no texts %.50q", rule.Texts), "declare them at the top, as in challenges: {"+rule.Texts+": [a text, another]}", "challenges")
	}
	c.proof()
}

// proof checks that a mode has what its proof needs, and ranks by what it gives.
func (c *modeChecker) proof() {
	m := c.m
	if m.Proof == "" {
		if m.Challenge.Keys != 0 {
			c.Add(c.path("challenge.keys"), "the mode has no proof that could have keys", "leave it out", c.path("proof"))
		}
		return
	}
	proof, ok := ProofNamed(m.Proof)
	if !ok {
		var names []string
		for _, p := range Proofs() {
			names = append(names, p.Name)
		}
		c.Add(c.path("proof"), fmt.Sprintf("there is no proof %.50q", m.Proof), "use "+strings.Join(names, " or "))
		return
	}
	c.Within(c.path("challenge.keys"), float64(m.Challenge.Keys), 1, maxKeys)
	if proof.Timed && (m.Challenge.Seconds == 0 || m.Challenge.Texts == "") {
		c.Add(c.path("proof"), proof.Name+" needs a text and a time", "add a challenge, as in challenge: {seconds: 30, texts: english}", c.path("challenge"))
	}
	if !m.Composite() {
		if m.Decimals != ProofDecimals {
			c.Add(c.path("proof"), fmt.Sprintf("%s gives %s with %d decimals", proof.Name, proof.Gives[0], ProofDecimals),
				fmt.Sprintf("use decimals: %d", ProofDecimals), c.path("decimals"))
		}
		return
	}
	for i, v := range m.Values {
		if !slices.Contains(proof.Gives, v.Name) || v.Decimals != ProofDecimals {
			c.Add(fmt.Sprintf("%s[%d]", c.path("score"), i), fmt.Sprintf("%s does not give %s with %d decimals", proof.Name, v.Name, v.Decimals),
				fmt.Sprintf("use %s, with decimals: %d", strings.Join(proof.Gives, " or "), ProofDecimals), c.path("score"))
		}
	}
}
