package game

import "fmt"

// CountryNumber is the score of a country in the sorted set [CountriesKey]: AA
// is 0, AB 1, ZZ 675. The code must be a valid one.
func CountryNumber(code string) int64 { return int64(code[0]-'A')*26 + int64(code[1]-'A') }

// CountryOf is the inverse of [CountryNumber].
func CountryOf(number int64) string {
	return string([]byte{byte('A' + number/26), byte('A' + number%26)})
}

// ValidCountry refuses a code that is not an officially assigned ISO 3166-1
// alpha-2 code, in upper case.
func ValidCountry(code string) error {
	if continentOf(code) == "" {
		return fmt.Errorf("%.40q is not a country; use an ISO 3166-1 alpha-2 code in upper case, such as BR", code)
	}
	return nil
}
