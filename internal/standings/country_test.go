package standings_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/repair"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A country's boards, of any period, hold what everybody's boards hold of those
// whose country it is, wherever they have moved meanwhile.
func TestACountryRanksThoseWhoseCountryItIs(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			k.clock.Set(noon)
			processes := []*process{k.process(), k.process(), k.process()}
			lives := map[string]string{}
			modes := []string{"first", "best", "fastest", "coins"}
			for step := range rapid.IntRange(1, 25).Draw(rt, "steps") {
				p := rapid.SampledFrom(processes).Draw(rt, "process")
				player := fmt.Sprint("p", rapid.IntRange(0, 5).Draw(rt, "player"))
				code := rapid.SampledFrom([]string{"", "BR", "DE"}).Draw(rt, "country")
				if rapid.IntRange(0, 5).Draw(rt, "act") == 0 {
					_, err := k.process().Players.ChangeProfile(ctx, player, profiles.ProfileChange{Country: &code})
					require.NoError(rt, err)
					lives[player] = code
					processes = []*process{k.process()} // others would learn of it in some minutes
					continue
				}
				k.clock.Set(noon.Add(time.Duration(step) * 5 * time.Hour))
				sub := k.play(rapid.SampledFrom(modes).Draw(rt, "mode"), player, game.Score(rapid.IntRange(1, 9).Draw(rt, "score")))
				sub.Profile.Country = code
				sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(step), Fingerprint: "f"}
				_, err := p.Boards.Submit(ctx, sub)
				require.NoError(rt, err)
				if code != "" && code != lives[player] {
					lives[player] = code
					processes = []*process{p}
				}
			}
			p := k.process()
			today := k.game.Today(k.clock.Now())
			for _, mode := range modes {
				for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month, game.AllTime} {
					everybody := wholeBoard(rt, p, game.BoardOf(k.mode(mode), kind.Of(today), game.Scope{}), 200)
					for _, code := range []string{"BR", "DE", "FR"} {
						want := slices.DeleteFunc(slices.Clone(everybody), func(e game.Entry) bool { return lives[e.Player] != code })
						for i := range want {
							want[i].Rank = int64(i) + 1
						}
						require.ElementsMatch(rt, want, wholeBoard(rt, p, game.BoardOf(k.mode(mode), kind.Of(today), country(t, code)), 200))
					}
				}
			}
		})
	})
}

func TestACountryCostsASubmissionNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		p := k.process()
		submit := func(player, code string) (commands, roundTrips int64) {
			sub := k.play("first", player, 5)
			sub.Profile = game.Profile{Name: "Name of " + player, Country: code}
			return p.spent(func() {
				_, err := p.Boards.Submit(context.Background(), sub)
				require.NoError(t, err)
			})
		}
		submit("p1", "BR")
		again, _ := submit("p1", "BR")
		require.EqualValues(t, 2, again, "who is known here")
		moved, trips := submit("p1", "DE")
		require.Equal(t, []int64{4, 1}, []int64{moved, trips}, "a move: the country and the profile")
	})
}

func TestWhoIsErasedHasNoCountry(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		p := k.process()
		for _, player := range []string{"p1", "p2"} {
			sub := k.play("first", player, 5)
			sub.Profile.Country = "BR"
			_, err := p.Boards.Submit(ctx, sub)
			require.NoError(t, err)
		}
		_, err := p.Repair.Erase(ctx, "p1", repair.Erasure{})
		require.NoError(t, err)
		of, err := p.Players.Countries(ctx)
		require.NoError(t, err)
		require.Equal(t, map[string]game.Scope{"p2": country(t, "BR")}, of)
		b := game.BoardOf(k.mode("first"), game.Day.Of(k.game.Today(k.clock.Now())), game.Scope{})
		pages, err := p.Boards.TopsByCountry(ctx, b, of, 100)
		require.NoError(t, err)
		require.Len(t, pages, 1)
		require.Equal(t, "p2", pages[0].Entries[0].Player)
		require.EqualValues(t, 1, pages[0].Total)
	})
}

// Above the bound that one command may unite, a country's board is made here.
func TestTheCountryOfALargeBoardIsMadeInPages(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		p := k.process()
		b := k.dayBoard(p, "first")
		const players = 100_500
		everybody, countries := []string{"ZADD", b.Key}, []string{"ZADD", game.CountriesKey}
		for i := range players {
			id := fmt.Sprintf("p%06d", i)
			everybody = append(everybody, fmt.Sprintf("%d.03125", i%1000), id)
			countries = append(countries, fmt.Sprint(game.CountryNumber([]string{"BR", "DE", "FR"}[i%3])), id)
		}
		for _, command := range [][]string{everybody, countries} {
			_, err := k.server.Redis().Do(ctx, command...)
			require.NoError(t, err)
		}
		page, err := p.Boards.Page(ctx, game.BoardOf(b.Mode, b.Period, country(t, "DE")), game.PageRequest{Limit: 200})
		require.NoError(t, err)
		require.EqualValues(t, players/3, page.Total)
		want := make([]string, 0, 300)
		for score := 999; len(want) < 200; score-- {
			for i := players - 1; i >= 0; i-- { // equal stored scores stand by id, as everywhere
				if i%3 == 1 && i%1000 == score {
					want = append(want, fmt.Sprintf("p%06d", i))
				}
			}
		}
		for i, e := range page.Entries {
			require.EqualValues(t, i+1, e.Rank)
			require.Equal(t, want[i], e.Player)
		}
	})
}
