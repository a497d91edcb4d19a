package game

// LeagueKey is a sorted set of a week's players, each with [LeagueSeat.Code]: who is
// in which cohort. The archive has it too.
func LeagueKey(week Date) string { return "league:" + Week.Of(week).Key() }

// LeagueXPKey is a sorted set of the XP that the days of a week have given so far.
func LeagueXPKey(week Date) string { return "league:xp:" + Week.Of(week).Key() }

// Code is a number that the players of one cohort have in common, and no other players of the
// week.
func (s LeagueSeat) Code() int64 { return int64(s.Tier)<<40 | int64(s.Pace)<<32 | int64(s.Cohort) }

// LeagueSeatOf is the inverse of [LeagueSeat.Code].
func LeagueSeatOf(player string, code int64) LeagueSeat {
	return LeagueSeat{Player: player, Tier: int(code >> 40), Pace: int(code >> 32 & 0xff), Cohort: int(code & 0xffffffff)}
}
