package board

import "github.com/framedle/leaderboards/internal/game"

// Profile is how a player is shown. Empty fields are unknown.
type Profile game.Profile

// shown is what others see of it.
func (p Profile) shown() Profile {
	if p.Hidden {
		return Profile{Country: p.Country, Hidden: true}
	}
	return p
}

// over fills what p does not know from an older profile.
func (p Profile) over(older Profile) Profile {
	if p.Name == "" {
		p.Name = older.Name
	}
	if p.Picture == "" {
		p.Picture = older.Picture
	}
	if p.Country == "" {
		p.Country = older.Country
	}
	p.Hidden = p.Hidden || older.Hidden
	return p
}
