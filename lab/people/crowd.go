package people

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// FriendsEach is how many friends each player of a crowd has. Friendship is mutual.
const FriendsEach = 20

// Countries are the countries of a crowd, the most frequent first: the share of the k-th
// is proportional to 1/k.
var Countries = strings.Fields("BR US IN GB DE FR MX ID PH ES IT CA AR PL TR JP NL AU CO SE " +
	"PT CL BE VN TH CH AT PE CZ RO NO DK IE FI NZ ZA GR HU IL KR")

var (
	firstNames = strings.Fields("Ana Ben Carla Dimitri Elena Farid Greta Hugo Ines Jonas Kaori Luis Marta Nils Olga Pedro Rosa Samir Tiago Yuki")
	lastNames  = strings.Fields("Almeida Berg Costa Dubois Eriksen Ferrari Garcia Haas Ito Jansen Kaya Lopez Moreau Novak Okafor Popescu Rossi Silva Tanaka Weber")
)

// Crowd makes n players. Their ids, names and pictures are as long as Clerk's.
func Crowd(n int, r *rand.Rand) []Person {
	total := 0.0
	for k := range Countries {
		total += 1 / float64(k+1)
	}
	all := make([]Person, n)
	for i := range all {
		all[i] = Person{
			ID:      fmt.Sprintf("user_%07d%s", i, letters(r, 20)),
			Name:    firstNames[r.IntN(len(firstNames))] + " " + lastNames[r.IntN(len(lastNames))],
			Picture: "https://img.clerk.com/" + letters(r, 96),
			Country: country(r.Float64() * total),
		}
	}
	return all
}

func country(at float64) string {
	for k, code := range Countries {
		if at -= 1 / float64(k+1); at < 0 {
			return code
		}
	}
	return Countries[0]
}

func letters(r *rand.Rand, n int) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// Friends returns the ids of a player's friends, in order. Friendship is mutual. A crowd
// needs more than FriendsEach players.
func Friends(all []Person, player int) []string {
	n := len(all)
	ids := make([]string, 0, FriendsEach)
	for step := 1; step <= FriendsEach/2; step++ {
		ids = append(ids, all[(player+step)%n].ID, all[(player-step+n)%n].ID)
	}
	return ids
}
