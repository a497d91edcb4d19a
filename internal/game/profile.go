package game

import "time"

// Profile is how a player is shown. Empty fields are unknown.
type Profile struct {
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"` // ISO 3166-1 alpha-2
	Hidden  bool   `json:"hidden,omitempty"`  // others see neither name nor picture
}

// PlayerProfile is how a player is shown from a moment on.
type PlayerProfile struct {
	Player string
	Profile
	UpdatedAt time.Time
}

// Shown is what others see of the profile.
func (p Profile) Shown() Profile {
	if p.Hidden {
		return Profile{Country: p.Country, Hidden: true}
	}
	return p
}

// Over fills the empty fields of p from an older profile.
func (p Profile) Over(older Profile) Profile {
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
