package play

import "github.com/framedle/leaderboards/internal/game"

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
