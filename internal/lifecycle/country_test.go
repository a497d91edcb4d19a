package lifecycle_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// The boards of a country and of a region, of any period, have the entries of the global board
// that belong to players of that country, wherever they have moved meanwhile.
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
				who := fmt.Sprint("p", rapid.IntRange(0, 5).Draw(rt, "player"))
				code := rapid.SampledFrom([]string{"", "BR", "DE", "PT"}).Draw(rt, "country")
				if rapid.IntRange(0, 5).Draw(rt, "act") == 0 {
					_, err := k.process().Players.ChangeProfile(ctx, who, player.ProfileChange{Country: &code})
					require.NoError(rt, err)
					lives[who] = code
					processes = []*process{k.process()} // others would learn of it in some minutes
					continue
				}
				k.clock.Set(noon.Add(time.Duration(step) * 5 * time.Hour))
				sub := k.play(rapid.SampledFrom(modes).Draw(rt, "mode"), who, game.Score(rapid.IntRange(1, 9).Draw(rt, "score")))
				sub.Profile.Country = code
				sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(step), Fingerprint: "f"}
				_, err := p.Boards.Submit(ctx, sub)
				require.NoError(rt, err)
				if code != "" && code != lives[who] {
					lives[who] = code
					processes = []*process{p}
				}
			}
			p := k.process()
			today := k.game.Today(k.clock.Now())
			for _, mode := range modes {
				for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month, game.AllTime} {
					everybody := wholeBoard(rt, p, game.BoardOf(k.mode(mode), kind.Of(today), game.Scope{}), 200)
					for text, codes := range map[string][]string{
						"country:BR": {"BR"}, "country:DE": {"DE"}, "country:FR": nil,
						"region:EU": {"DE", "PT"}, "region:SA": {"BR"}, "region:AF": nil,
					} {
						scope, err := game.ParseScope(text)
						require.NoError(rt, err)
						want := slices.DeleteFunc(slices.Clone(everybody), func(e game.Entry) bool { return !slices.Contains(codes, lives[e.Player]) })
						for i := range want {
							want[i].Rank = int64(i) + 1
						}
						require.ElementsMatch(rt, want, wholeBoard(rt, p, game.BoardOf(k.mode(mode), kind.Of(today), scope), 200), text)
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
		submit := func(who, code string) (commands, roundTrips int64) {
			sub := k.play("first", who, 5)
			sub.Profile = game.Profile{Name: "Name of " + who, Country: code}
			return p.spent(func() {
				_, err := p.Boards.Submit(context.Background(), sub)
				require.NoError(t, err)
			})
		}
		submit("p1", "BR")
		submit("p1", "BR") // which notes that the board has its housekeeping
		again, _ := submit("p1", "BR")
		require.EqualValues(t, 2, again, "who is known here")
		moved, trips := submit("p1", "DE")
		require.Equal(t, []int64{4, 1}, []int64{moved, trips}, "a move: the country and the profile")
	})
}

// A score that is taken out, a ban and a claim show at once on the boards of the countries and
// regions, of open and of closed periods, in the process that did it, whatever that process
// remembers; in others within the game's refresh.
func TestWhatIsTakenOutLeavesItsCountryAndRegionAtOnce(t *testing.T) {
	acts := map[string]func(p *process, m *game.Mode, d game.Date) error{
		"score": func(p *process, m *game.Mode, d game.Date) error {
			_, err := p.Repair.RemoveScore(context.Background(), m, d, "cheat", nil)
			return err
		},
		"ban": func(p *process, _ *game.Mode, _ game.Date) error {
			_, err := p.Repair.RemoveRecent(context.Background(), "cheat", nil)
			return err
		},
		"claim": func(p *process, _ *game.Mode, _ game.Date) error {
			_, err := p.Repair.Claim(context.Background(), "cheat", "owner", nil)
			return err
		},
	}
	scopes := []string{"country:DE", "country:PT", "region:EU", "region:SA"}
	onEngines(t, func(t *testing.T, k *kit) {
		for name, act := range acts {
			for _, daysAgo := range []int{0, 1, 3} { // open, closed, closed with its week
				t.Run(fmt.Sprint(name, " ", daysAgo), func(t *testing.T) {
					ctx := context.Background()
					var passed time.Duration
					k.elapsed = func() time.Duration { return passed }
					k.empty()
					played := noon.AddDate(0, 0, 4)
					k.clock.Set(played)
					p, other := k.process(), k.process()
					for who, code := range map[string]string{"cheat": "DE", "p1": "DE", "p2": "PT", "p3": "BR", "owner": "BR"} {
						sub := k.play("best", who, map[string]game.Score{"cheat": 9}[who]+1)
						sub.Profile.Country = code
						_, err := p.Boards.Submit(ctx, sub)
						require.NoError(t, err)
					}
					day := game.DateOf(played)
					k.clock.Set(played.AddDate(0, 0, daysAgo))
					looked := func(p *process) map[string][]string {
						seen := map[string][]string{}
						for _, period := range append(k.game.PeriodsOf(day), game.Day.Of(day)) {
							for _, text := range scopes {
								scope, err := game.ParseScope(text)
								require.NoError(t, err)
								b := game.BoardOf(k.mode("best"), period, scope)
								page, err := p.Boards.Page(ctx, b, game.PageRequest{Limit: 10})
								require.NoError(t, err)
								for _, e := range page.Entries {
									seen[b.Key] = append(seen[b.Key], fmt.Sprint(e.Player, " ", e.Score))
									card, err := p.Boards.Card(ctx, b, e.Player)
									require.NoError(t, err)
									require.Equal(t, e.Score, card.Score)
								}
							}
						}
						return seen
					}
					for _, process := range []*process{p, other} {
						require.Equal(t, "cheat 10", looked(process)[game.BoardKey("best", game.Day.Of(day), country(t, "DE"))][0])
					}
					require.NoError(t, act(p, k.mode("best"), day))
					want := map[string][]string{
						"country:DE": {"p1 1"}, "country:PT": {"p2 1"}, "region:EU": {"p1 1", "p2 1"}, "region:SA": {"owner 1", "p3 1"},
					}
					if name == "claim" {
						want["region:SA"] = []string{"owner 10", "p3 1"}
					}
					right := func(p *process) {
						for key, entries := range looked(p) {
							for text, of := range want {
								if strings.HasSuffix(key, text) {
									require.ElementsMatch(t, of, entries, key)
								}
							}
						}
					}
					right(p)
					passed += k.game.Refresh
					k.clock.Set(k.clock.Now().Add(k.game.Refresh))
					right(other)
				})
			}
		}
	})
}

func TestWhoIsErasedHasNoCountry(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		p := k.process()
		for _, who := range []string{"p1", "p2"} {
			sub := k.play("first", who, 5)
			sub.Profile.Country = "BR"
			_, err := p.Boards.Submit(ctx, sub)
			require.NoError(t, err)
		}
		_, err := p.Repair.Erase(ctx, "p1", lifecycle.Erasure{})
		require.NoError(t, err)
		of, err := p.Players.Countries(ctx)
		require.NoError(t, err)
		require.Equal(t, map[string]string{"p2": "BR"}, of)
		b := game.BoardOf(k.mode("first"), game.Day.Of(k.game.Today(k.clock.Now())), game.Scope{})
		pages, err := p.Boards.TopsByCountry(ctx, b, of, 100)
		require.NoError(t, err)
		require.Len(t, pages, 2)
		for i, scope := range []string{"country:BR", "region:SA"} {
			require.Equal(t, scope, pages[i].Board.Scope.String())
			require.Equal(t, "p2", pages[i].Entries[0].Player)
			require.EqualValues(t, 1, pages[i].Total)
		}
	})
}

// For a region, each request first asks who belongs to it. For a country, a process asks once
// how many players it has.
func TestARegionCostsOneCommandMoreThanACountry(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.ageless()
		for i, code := range []string{"BR", "DE", "AR"} {
			for _, mode := range []string{"first", "best"} {
				sub := k.play(mode, fmt.Sprint("p", i), game.Score(i))
				sub.Profile.Country = code
				_, err := k.process().Boards.Submit(ctx, sub)
				require.NoError(t, err)
			}
		}
		look := func(p *process, mode string, scope game.Scope, total int64) (commands, roundTrips int64) {
			return p.spent(func() {
				page, err := p.Boards.Page(ctx, game.BoardOf(k.mode(mode), game.Day.Of(k.today()), scope), game.PageRequest{Limit: 10})
				require.NoError(t, err)
				require.Equal(t, total, page.Total)
			})
		}
		for _, mode := range []string{"first", "best"} {
			look(k.process(), mode, country(t, "DE"), 1) // besides, what the first look after a play does
		}
		p, other := k.process(), k.process()
		commands, trips := look(p, "first", country(t, "BR"), 1)
		ofRegion, tripsOfRegion := look(other, "first", region(t, "SA"), 2)
		require.Equal(t, []int64{commands, trips}, []int64{ofRegion, tripsOfRegion}, "the first time")
		nobodys, _ := look(k.process(), "first", region(t, "AN"), 0)
		require.LessOrEqual(t, nobodys, ofRegion, "a region of nobody")
		commands, trips = look(p, "best", country(t, "BR"), 1)
		ofRegion, tripsOfRegion = look(other, "best", region(t, "SA"), 2)
		require.Equal(t, []int64{commands + 1, trips + 1}, []int64{ofRegion, tripsOfRegion}, "later")
	})
}

// If a board has more players than one command may process, the process makes the board by
// country itself. It does so too for a country with very many players, however few of them
// play.
func TestTheCountryOfALargeBoardIsMadeInPages(t *testing.T) {
	for _, c := range []struct {
		players, residents int // on the board; with a country
		scope              game.Scope
		among              int // index, among three consecutive players, of the one in the scope
	}{
		{100_500, 100_500, country(t, "DE"), 1},
		{10_500, 10_500, region(t, "SA"), 0},
		{1_500, 301_500, country(t, "DE"), 1},
	} {
		t.Run(fmt.Sprint(c.scope, " of ", c.players), func(t *testing.T) {
			overREST(t, func(t *testing.T, k *kit) {
				ctx := context.Background()
				p := k.process()
				b := k.dayBoard(p, "first")
				everybody, countries := []string{"ZADD", b.Key}, []string{"ZADD", game.CountriesKey}
				for i := range c.residents {
					id := fmt.Sprintf("p%06d", i)
					if i < c.players {
						everybody = append(everybody, fmt.Sprintf("%d.03125", i%1000), id)
					}
					countries = append(countries, fmt.Sprint(game.CountryNumber([]string{"BR", "DE", "FR"}[i%3])), id)
				}
				for _, command := range [][]string{everybody, countries} {
					_, err := k.server.Redis().Do(ctx, command...)
					require.NoError(t, err)
				}
				k.server.Inject(func(r upstashtest.Request) (none upstashtest.Fault) {
					for _, command := range r.Commands {
						require.NotContains(t, []string{"ZRANGESTORE", "ZINTERSTORE", "ZINTER"}, command[0], "Redis would be held up")
					}
					return none
				})
				page, err := p.Boards.Page(ctx, game.BoardOf(b.Mode, b.Period, c.scope), game.PageRequest{Limit: 200})
				require.NoError(t, err)
				require.EqualValues(t, c.players/3, page.Total)
				want := make([]string, 0, 300)
				for score := 999; len(want) < 200; score-- {
					for i := c.players - 1; i >= 0; i-- { // equal stored scores are in the order of ids, as everywhere
						if i%3 == c.among && i%1000 == score {
							want = append(want, fmt.Sprintf("p%06d", i))
						}
					}
				}
				for i, e := range page.Entries {
					require.EqualValues(t, i+1, e.Rank)
					require.Equal(t, want[i], e.Player)
				}
			})
		})
	}
}
