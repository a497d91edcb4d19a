package demo

import (
	"math/rand/v2"
	"strings"
)

// Guest is the player that the greeting's token is of: the demo gives her days,
// friends and duels, and leaves playing today to whoever looks.
var Guest = Person{ID: "user_ana", Name: "Ana", Country: "BR", skill: 0.6, keen: 0.9}

// Person is somebody who plays.
type Person struct {
	ID, Name, Country string

	skill float64 // 0 to 1: how near to the best score plays come
	keen  float64 // 0 to 1: how likely each mode is played on a day
}

// homes are where players are from, the first ones more often, with given names that
// are heard there. Nobody in particular is meant.
var homes = []struct {
	country string
	names   []string
}{
	{"BR", []string{"Tainá", "Caio", "Iara", "Davi", "Luma"}},
	{"US", []string{"Maya", "Jonah", "Skye", "Tess", "Omar"}},
	{"IN", []string{"Asha", "Rohan", "Mira", "Dev", "Kavi"}},
	{"DE", []string{"Jörn", "Frieda", "Malte", "Svea", "Ayşe"}},
	{"JP", []string{"ハル", "Sora", "ミオ", "Ren", "Yui"}},
	{"MX", []string{"Ximena", "Beto", "Lucía", "Iker", "Noé"}},
	{"FR", []string{"Zoé", "Anaïs", "Loïc", "Maël", "Inès"}},
	{"GB", []string{"Isla", "Rhys", "Nia", "Theo", "Callum"}},
	{"NG", []string{"Ife", "Tobi", "Zainab", "Emeka", "Sade"}},
	{"KR", []string{"Haneul", "도윤", "Bora", "Jiho", "서아"}},
	{"PL", []string{"Kuba", "Łucja", "Iga", "Staś", "Ola"}},
	{"EG", []string{"ليان", "Karim", "Nour", "يوسف", "Dina"}},
	{"PT", []string{"Rui", "Inês", "Tomé", "Lia", "Gil"}},
	{"UA", []string{"Леся", "Taras", "Ярина", "Danylo", "Zlata"}},
	{"CA", []string{"Noor", "Émile", "Wren", "Kai", "Sienna"}},
	{"SE", []string{"Åsa", "Nils", "Tuva", "Elis", "Liv"}},
}

// endings make a given name a name of its own, as players do who find theirs taken.
var endings = []string{
	"", " Kite", " Fern", " Tam", " Onyx", " Pine", " Moth", " Reef", " Vale", " Juno", " Puck", " Birch", " Comet", " Dune", " Echo", " Flint",
}

// crowd invents a number of people, the same ones for the same seed. The first is
// the guest.
func crowd(seed uint64, number int) []Person {
	random := rand.New(rand.NewPCG(seed, 0))
	people, taken := []Person{Guest}, map[string]bool{Guest.ID: true}
	for len(people) < number {
		// The smaller of two draws: twice as many from the first half.
		home := homes[min(random.IntN(len(homes)), random.IntN(len(homes)))]
		name := home.names[random.IntN(len(home.names))] + endings[random.IntN(len(endings))]
		id := "user_" + plain(name)
		if taken[id] {
			id += "_" + string(rune('a'+random.IntN(26))) + string(rune('a'+random.IntN(26)))
		}
		if taken[id] {
			continue
		}
		taken[id] = true
		people = append(people, Person{
			ID: id, Name: name, Country: home.country,
			skill: 0.2 + 0.6*random.Float64(), keen: 0.2 + 0.75*random.Float64(),
		})
	}
	return people
}

// plain is a name as part of an id: what is no ASCII letter is left out, and a name of
// none is called p.
func plain(name string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '_'
		case 'a' <= r && r <= 'z':
			return r
		}
		return -1
	}, strings.ToLower(name))
	if id = strings.Trim(id, "_"); id == "" {
		return "p"
	}
	return id
}
