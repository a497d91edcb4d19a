package game

// Profile is how a player is shown. Empty fields are unknown.
type Profile struct {
	Name    string `json:"name,omitempty"`
	Picture string `json:"picture,omitempty"`
	Country string `json:"country,omitempty"` // ISO 3166-1 alpha-2
	Hidden  bool   `json:"hidden,omitempty"`  // others see neither name nor picture
}
