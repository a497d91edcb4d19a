package demo

import (
	"math/rand/v2"
	"strings"
)

// Guest is the player whose token the greeting shows. The demo gives her days, friends and
// duels; today's plays are left to the person who looks.
var Guest = Person{ID: "user_ana", Name: "Ana", Country: "BR", skill: 0.6, keen: 0.9}

// Person is an invented player.
type Person struct {
	ID, Name, Country string

	skill float64 // 0 to 1: how close plays come to the best score
	keen  float64 // 0 to 1: how likely the person plays a mode on a day
}

// homes are the countries of players, the first ones more frequent, with given names that are
// common there. They mean nobody in particular.
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

// endings make given names unique, as players do whose name is taken.
var endings = []string{
	"", " Kite", " Fern", " Tam", " Onyx", " Pine", " Moth", " Reef", " Vale", " Juno", " Puck", " Birch", " Comet", " Dune", " Echo", " Flint",
}

// crowd invents a number of people, the same ones for the same seed. The first is the guest.
func crowd(seed uint64, number int) []Person {
	random := rand.New(rand.NewPCG(seed, 0))
	people, taken := []Person{Guest}, map[string]bool{Guest.ID: true}
	for len(people) < number {
		// The smaller of two draws makes the first ones more frequent.
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

// plain turns a name into a part of an id: it drops everything but ASCII letters. A name
// without any becomes p.
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
