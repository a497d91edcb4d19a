package game

import (
	"fmt"
	"time"
)

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

// CountryNumber is the score of a country in the sorted set [CountriesKey]: AA
// is 0, AB 1, ZZ 675. The code must be a valid one.
func CountryNumber(code string) int64 { return int64(code[0]-'A')*26 + int64(code[1]-'A') }

// CountryOf is the inverse of [CountryNumber].
func CountryOf(number int64) string {
	return string([]byte{byte('A' + number/26), byte('A' + number%26)})
}

// ValidCountry refuses a code that is neither an officially assigned ISO 3166-1 alpha-2 code,
// in upper case, nor XK.
func ValidCountry(code string) error {
	if continentOf(code) == "" {
		return fmt.Errorf("%.40q is not a country; use an ISO 3166-1 alpha-2 code in upper case, such as BR", code)
	}
	return nil
}

// The continent of every country with an officially assigned ISO 3166-1 alpha-2 code, as of
// November 2026: 249 of them, and XK. Countries are where the United Nations' standard M49 has them:
// so Cyprus, Georgia and Turkey are in Asia, and Russia is in Europe; the Americas are North,
// with Central America and the Caribbean, and South. Antarctica includes the islands around it
// on which nobody lives. XK, a code for users to assign, is Kosovo everywhere: content delivery
// networks, databases of addresses and operating systems send it, and its players have a board.

// continentOf is the continent of a country; empty for a code that is no country's. Reserved
// and user-assigned codes (EU, UK, ZZ) are no country's.
func continentOf(code string) string {
	switch code {
	case "AO", "BF", "BI", "BJ", "BW", "CD", "CF", "CG", "CI", "CM", "CV", "DJ", "DZ", "EG", "EH", "ER", "ET",
		"GA", "GH", "GM", "GN", "GQ", "GW", "IO", "KE", "KM", "LR", "LS", "LY", "MA", "MG", "ML", "MR", "MU",
		"MW", "MZ", "NA", "NE", "NG", "RE", "RW", "SC", "SD", "SH", "SL", "SN", "SO", "SS", "ST", "SZ", "TD",
		"TG", "TN", "TZ", "UG", "YT", "ZA", "ZM", "ZW":
		return "AF" // Africa
	case "AQ", "BV", "GS", "HM", "TF":
		return "AN" // Antarctica
	case "AE", "AF", "AM", "AZ", "BD", "BH", "BN", "BT", "CN", "CY", "GE", "HK", "ID", "IL", "IN", "IQ", "IR",
		"JO", "JP", "KG", "KH", "KP", "KR", "KW", "KZ", "LA", "LB", "LK", "MM", "MN", "MO", "MV", "MY", "NP",
		"OM", "PH", "PK", "PS", "QA", "SA", "SG", "SY", "TH", "TJ", "TL", "TM", "TR", "TW", "UZ", "VN", "YE":
		return "AS" // Asia
	case "AD", "AL", "AT", "AX", "BA", "BE", "BG", "BY", "CH", "CZ", "DE", "DK", "EE", "ES", "FI", "FO", "FR",
		"GB", "GG", "GI", "GR", "HR", "HU", "IE", "IM", "IS", "IT", "JE", "LI", "LT", "LU", "LV", "MC", "MD",
		"ME", "MK", "MT", "NL", "NO", "PL", "PT", "RO", "RS", "RU", "SE", "SI", "SJ", "SK", "SM", "UA", "VA", "XK":
		return "EU" // Europe
	case "AG", "AI", "AW", "BB", "BL", "BM", "BQ", "BS", "BZ", "CA", "CR", "CU", "CW", "DM", "DO", "GD", "GL",
		"GP", "GT", "HN", "HT", "JM", "KN", "KY", "LC", "MF", "MQ", "MS", "MX", "NI", "PA", "PM", "PR", "SV",
		"SX", "TC", "TT", "US", "VC", "VG", "VI":
		return "NA" // North America
	case "AS", "AU", "CC", "CK", "CX", "FJ", "FM", "GU", "KI", "MH", "MP", "NC", "NF", "NR", "NU", "NZ", "PF",
		"PG", "PN", "PW", "SB", "TK", "TO", "TV", "UM", "VU", "WF", "WS":
		return "OC" // Oceania
	case "AR", "BO", "BR", "CL", "CO", "EC", "FK", "GF", "GY", "PE", "PY", "SR", "UY", "VE":
		return "SA" // South America
	}
	return ""
}

// Continents are the codes of all continents.
var Continents = []string{"AF", "AN", "AS", "EU", "NA", "OC", "SA"}
