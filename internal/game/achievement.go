package game

import "time"

// Achievement is what a player has won on the board of a week, month or season.
type Achievement struct {
	Kind      string    `json:"kind"` // champion, podium, top10 or top100
	Mode      string    `json:"mode"`
	Period    string    `json:"period"`     // week, month or season
	PeriodKey string    `json:"period_key"` // 2026-W47, 2026-11
	Scope     string    `json:"scope"`      // global is everybody
	Rank      int64     `json:"rank"`
	AwardedAt time.Time `json:"awarded_at"`
}
