package xp

import "github.com/framedle/leaderboards/internal/game"

// DuelXP lists the board of the XP that duels have given, if the game gives any for them. XP of
// duels belongs to no day, so this board is one more source of XP, beside the base. Each duel
// is in it once: the process that takes a duel off the list of duels under way adds it.
func (xp *XP) DuelXP() []string {
	if !xp.db.Game.Duels.GiveXP() {
		return nil
	}
	return []string{game.DuelXPKey}
}
