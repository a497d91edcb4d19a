package client

// View is the parts that a submission asked for: each as its own route answers it, including
// the new score. A part that could not be read is nil, and Problems says why; the score counts
// all the same.
type View struct {
	Page     *Page               `json:"page"` // the top 100 of the score's day
	Around   *Around             `json:"around"`
	Friends  *Page               `json:"friends"` // all of it, without a cursor
	Week     *Card               `json:"week"`
	Me       *OwnStanding        `json:"me"`
	Problems map[string]*Problem `json:"problems"` // by the name of the part
}

// OwnStanding is a player's XP, level, streak and ranks of today.
type OwnStanding struct {
	Player      string       `json:"player"`
	XP          int64        `json:"xp"` // 0, as are Level and NextLevelXP, if the game has no XP
	Level       int64        `json:"level"`
	NextLevelXP int64        `json:"next_level_xp"` // the XP at which the next level begins
	XPRank      *int64       `json:"xp_rank"`       // nil: not on the board of XP yet
	Streak      *Streak      `json:"streak"`        // nil: the game has no streaks
	Today       []TodaysRank `json:"today"`
}

// TodaysRank is the rank in a mode that was played on a date that has not ended.
type TodaysRank struct {
	Mode   string  `json:"mode"`
	Date   string  `json:"date"`
	Rank   int64   `json:"rank"`
	Score  float64 `json:"score"`
	Values Values  `json:"values"`
}
