package xp

import "github.com/framedle/leaderboards/internal/game"

// DuelXP is the board of what duels have given in XP, where the game gives any
// for them. It belongs to no day, and what is in it has been counted once, by
// whoever took the duel off the list of those under way: so it is one more
// source of XP, beside the base.
func (xp *XP) DuelXP() []string {
	if !xp.db.Game.Duels.GiveXP() {
		return nil
	}
	return []string{game.DuelXPKey}
}
