package xp

import "github.com/framedle/leaderboards/internal/game"

// DuelXP lists the board of the XP that duels have given, if the game gives any for them. It
// belongs to no day, and each duel is in it once: the process that took the duel off the list
// of those under way has added it. So it is one more source of XP, beside the base.
func (xp *XP) DuelXP() []string {
	if !xp.db.Game.Duels.GiveXP() {
		return nil
	}
	return []string{game.DuelXPKey}
}
