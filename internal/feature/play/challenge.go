package play

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math/big"

	"github.com/framedle/leaderboards/internal/game"
)

// Challenge is the task of a play, in the form in which the player gets it. The zero
// Challenge is no particular task.
type Challenge struct {
	Text    string `json:"text,omitempty"`    // a text, for instance to type; empty: none
	Seed    string `json:"seed,omitempty"`    // hexadecimal, for the game to derive the task from; empty: none
	Seconds int    `json:"seconds,omitempty"` // the time it takes; 0: as long as the player likes
}

// seedBytes is enough that nobody can prepare for every seed.
const seedBytes = 8

// Challenge draws the challenge of a play of the mode.
func (d *Dealer) Challenge(m *game.Mode) (Challenge, error) {
	c := Challenge{Seconds: m.Challenge.Seconds}
	if m.Challenge.Seed {
		seed, err := d.draw(seedBytes)
		c.Seed = hex.EncodeToString(seed)
		return c, err
	}
	pool, ok := d.game.Challenges.Named(m.Challenge.Texts)
	if !ok {
		return c, nil
	}
	i, err := rand.Int(d.random, big.NewInt(int64(len(pool.Texts))))
	if err != nil {
		return c, err
	}
	c.Text = pool.Texts[i.Int64()]
	return c, nil
}

// digest identifies a text in a token, which has no room for the text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// textOf finds the text of the mode that has a digest.
func textOf(g *game.Game, m *game.Mode, of string) (string, bool) {
	pool, _ := g.Challenges.Named(m.Challenge.Texts)
	for _, text := range pool.Texts {
		if digest(text) == of {
			return text, true
		}
	}
	return "", false
}

// Bind draws a text of the mode and returns its digest, for a record that gives the same text
// to several players; "" if the mode has no texts.
func (d *Dealer) Bind(m *game.Mode) (string, error) {
	c, err := d.Challenge(m)
	if err != nil || c.Text == "" {
		return "", err
	}
	return digest(c.Text), nil
}

// Bound is the challenge of a mode with a text that Bind has returned, and whether the game
// still has that text.
func (d *Dealer) Bound(m *game.Mode, text string) (Challenge, bool) {
	found, ok := textOf(d.game, m, text)
	return Challenge{Seconds: m.Challenge.Seconds, Text: found}, ok
}
