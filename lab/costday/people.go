package costday

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/framedle/leaderboards/internal/auth"
)

// friendsEach is how many friends a player has, who have the player in return.
const friendsEach = 20

// countries are where players come from, the most frequent first: the k-th has
// a share in proportion to 1/k.
var countries = strings.Fields("BR US IN GB DE FR MX ID PH ES IT CA AR PL TR JP NL AU CO SE " +
	"PT CL BE VN TH CH AT PE CZ RO NO DK IE FI NZ ZA GR HU IL KR")

var (
	firstNames = strings.Fields("Ana Ben Carla Dimitri Elena Farid Greta Hugo Ines Jonas Kaori Luis Marta Nils Olga Pedro Rosa Samir Tiago Yuki")
	lastNames  = strings.Fields("Almeida Berg Costa Dubois Eriksen Ferrari Garcia Haas Ito Jansen Kaya Lopez Moreau Novak Okafor Popescu Rossi Silva Tanaka Weber")
)

// people are the players of the game, known by their number.
type people struct {
	all     []auth.Player
	numbers map[string]int
}

// newPeople makes n players with ids, names and pictures as long as Clerk's.
func newPeople(n int, r *rand.Rand) people {
	total := 0.0
	for k := range countries {
		total += 1 / float64(k+1)
	}
	p := people{make([]auth.Player, n), make(map[string]int, n)}
	for i := range p.all {
		p.all[i] = auth.Player{
			ID:      fmt.Sprintf("user_%07d%s", i, letters(r, 20)),
			Name:    firstNames[r.IntN(len(firstNames))] + " " + lastNames[r.IntN(len(lastNames))],
			Picture: "https://img.clerk.com/" + letters(r, 96),
			Country: country(r.Float64() * total),
		}
		p.numbers[p.all[i].ID] = i
	}
	return p
}

func country(at float64) string {
	for k, code := range countries {
		if at -= 1 / float64(k+1); at < 0 {
			return code
		}
	}
	return countries[0]
}

func letters(r *rand.Rand, n int) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// friends are the ids of a player's friends, in order. Friendship goes both ways.
func (p people) friends(player int) []string {
	n := len(p.all)
	ids := make([]string, 0, friendsEach)
	for step := 1; step <= friendsEach/2; step++ {
		ids = append(ids, p.all[(player+step)%n].ID, p.all[(player-step+n)%n].ID)
	}
	return ids
}

// address is where the player's requests come from, each player's own.
func address(player int) string {
	return fmt.Sprintf("10.%d.%d.%d:40000", player>>16&255, player>>8&255, player&255)
}

var errNobody = errors.New("the token is nobody's")

// Verify takes a player's id for the player's session token: what a verification
// costs is not Redis' matter.
func (p people) Verify(_ context.Context, token string) (auth.Player, error) {
	i, ok := p.numbers[token]
	if !ok {
		return auth.Player{}, errNobody
	}
	return p.all[i], nil
}

// trusting takes every signature for a game server's.
type trusting struct{}

func (trusting) Verify(string, auth.Request) (auth.Server, error) {
	return auth.Server{Key: "any"}, nil
}

// newRand makes a source whose numbers are the same in every run.
func newRand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
