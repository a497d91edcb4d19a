package play

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math/big"

	"github.com/framedle/leaderboards/internal/game"
)

// Challenge is what a player is given to do, as the player is sent it. The zero Challenge
// is nothing in particular.
type Challenge struct {
	Text    string `json:"text,omitempty"`    // to be typed, say; empty: none
	Seed    string `json:"seed,omitempty"`    // hexadecimal, of which the game makes what it likes; empty: none
	Seconds int    `json:"seconds,omitempty"` // how long it takes; 0: as long as the player likes
}

// seedBytes are enough for nobody to have all challenges at hand.
const seedBytes = 8

// Challenge draws what a player of the mode is given to do.
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

// digest stands for the text in a token, which has no room for it.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// textOf finds the text with a digest among those of the mode.
func textOf(g *game.Game, m *game.Mode, of string) (string, bool) {
	pool, _ := g.Challenges.Named(m.Challenge.Texts)
	for _, text := range pool.Texts {
		if digest(text) == of {
			return text, true
		}
	}
	return "", false
}
