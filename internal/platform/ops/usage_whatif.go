package ops

import (
	"math"
	"slices"

	"github.com/framedle/leaderboards/internal/platform/price"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// mostPlayers bounds the number of daily players in a request.
const mostPlayers = 10_000_000

// whatIfPlayers are the numbers of daily players for which months are computed.
var whatIfPlayers = []int64{
	10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
}

// scoresAPlayer is how many scores a player sends on a day, if there are as many modes: that
// of the journey that docs/internals/costs.md measures.
const scoresAPlayer = 2.55

// storedAPlayer is the most bytes that Redis stores for a player, as docs/internals/costs.md measures.
// Without it, a plan with a price by size would be the cheapest for any number of players.
const storedAPlayer = 19_000

// whatIf is what a month would cost with other numbers of players.
type whatIf struct {
	Players float64       `json:"players"` // a day, now
	Guessed bool          `json:"guessed"` // from the scores, because the request does not give it
	Month   whatIfMonth   `json:"month"`   // the commands from which the months follow
	Months  []monthOfMany `json:"months"`
}

// whatIfMonth is the commands of a month.
type whatIfMonth struct {
	Fixed   float64 `json:"fixed"`    // regardless of the number of players
	APlayer float64 `json:"a_player"` // more for each daily player
}

type monthOfMany struct {
	Players          int64   `json:"players"`
	Commands         int64   `json:"commands"`
	Dollars          float64 `json:"dollars"`
	WithoutFreeTiers float64 `json:"dollars_without_free_tiers"`
	// CommandsDollars is what the commands alone cost at the pay-as-you-go price.
	CommandsDollars float64           `json:"commands_dollars"`
	Plans           map[string]string `json:"plans"`
}

// whatIfOf scales what the month uses, item by item, and prices each scaled month like this
// one. It is nil if the number of players is not given and does not follow from scores.
func whatIfOf(list price.List, g usage.Growth, unknown []string, players float64, modes int) (*whatIf, error) {
	guessed := players == 0
	if guessed {
		players = g.Accepted / min(scoresAPlayer, float64(max(modes, 1)))
	}
	if players == 0 {
		return nil, nil
	}
	fixed := g.Fixed[price.RedisCommands]
	answer := &whatIf{
		Players: tenThousandths(players), Guessed: guessed,
		Month: whatIfMonth{tenThousandths(fixed), tenThousandths((g.Now[price.RedisCommands] - fixed) / players)},
	}
	for _, n := range whatIfPlayers {
		q := g.Times(float64(n) / players)
		q[price.RedisStoredGB] = storedAPlayer * float64(n) / 1e9
		month, err := monthOf(list, q, unknown)
		if err != nil {
			return nil, err
		}
		month.Players = n
		answer.Months = append(answer.Months, month)
	}
	return answer, nil
}

func monthOf(list price.List, q price.Quantities, unknown []string) (monthOfMany, error) {
	with, err := list.Bill(q, price.Choice{})
	if err != nil {
		return monthOfMany{}, err
	}
	without, err := list.Bill(q, price.Choice{NoFreeTiers: true})
	if err != nil {
		return monthOfMany{}, err
	}
	commands := q[price.RedisCommands]
	m := monthOfMany{
		Commands: int64(math.Round(commands)), CommandsDollars: tenThousandths(commands * usage.DollarsPerCommand),
		Plans: with.Plans,
	}
	for vendor := range with.Plans {
		if slices.Contains(unknown, vendor) {
			delete(m.Plans, vendor)
			continue
		}
		m.Dollars += with.OfVendor(vendor)
		m.WithoutFreeTiers += without.OfVendor(vendor)
	}
	m.Dollars, m.WithoutFreeTiers = tenThousandths(m.Dollars), tenThousandths(m.WithoutFreeTiers)
	return m, nil
}
