package game

import "math"

// LevelCurve turns XP into levels: level n needs Base*n*n XP.
type LevelCurve struct {
	Base int64 // XP of level 1; at least 1
}

// XP is the XP at which a level begins, or the largest number there is, if the level begins
// beyond that.
func (c LevelCurve) XP(level int64) int64 {
	if c.Base < 1 || level < 1 {
		return 0
	}
	if level > math.MaxInt64/c.Base/level {
		return math.MaxInt64
	}
	return c.Base * level * level
}

// Level is the largest n with Base*n*n <= xp, and 0 for XP below Base.
func (c LevelCurve) Level(xp int64) int64 {
	if c.Base < 1 || xp < c.Base {
		return 0
	}
	quotient := xp / c.Base
	n := int64(math.Sqrt(float64(quotient)))
	// A quotient beyond 2^53 may have been rounded up to the next square.
	if n > quotient/n {
		n--
	}
	return n
}
