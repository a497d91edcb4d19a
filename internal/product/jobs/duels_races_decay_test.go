package jobs_test

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/internal/redis"
)

const idleGame = `
name: testing
modes: {daily: {max: 10, play: required}}
duels: {start: 1500, k: 200, keep: 30d, decay: {after: 2, points: 30, floor: 1450}}
races: {players: 5, wait: 5s, timeout: 1m, silent: 30s, keep: 30d}
`

// idlers is a game whose ratings decay. Its model is a plain list of what each player's rating
// was after the last duel or race, and when: in whole units, which decay week by week.
type idlers struct {
	*racer
	left   map[string]int64 // units
	played map[string]time.Time
}

// week returns the Monday of a moment's week.
func week(at time.Time) time.Time {
	at = at.UTC().Truncate(24 * time.Hour)
	for at.Weekday() != time.Monday {
		at = at.AddDate(0, 0, -1)
	}
	return at
}

// rating is a player's rating in units.
func (d *idlers) rating(player string) int64 {
	units, known := d.left[player]
	if !known {
		return 1500 * game.RatingUnits
	}
	idle := 0
	for monday := week(d.played[player]).AddDate(0, 0, 7); monday.Before(week(d.now)); monday = monday.AddDate(0, 0, 7) {
		if idle++; idle > 2 && units > 1450*game.RatingUnits {
			units = max(1450*game.RatingUnits, units-30*game.RatingUnits)
		}
	}
	return units
}

// meet lets two players duel, and compares the answer with the list.
func (d *idlers) meet(a, b string, winner int) duel.Duel {
	id := fmt.Sprintf("d%d", d.made)
	d.made++
	players := [2]string{a, b}
	_, err := d.duels.Arrange(d.Context(), id, players, "")
	require.NoError(d, err)
	result := duel.Result{}
	if winner != duel.NoWinner {
		result.Winner = players[winner]
	}
	answer, err := d.duels.Report(d.Context(), id, result)
	require.NoError(d, err)
	again, err := d.duels.Report(d.Context(), id, result)
	require.NoError(d, err)
	require.Equal(d, answer, again)
	before := [2]int64{d.rating(a), d.rating(b)}
	won := []float64{0.5, 1, 0}[winner+1]
	expected := 1 / (1 + math.Pow(10, float64(before[1]-before[0])/game.RatingUnits/400))
	change := int64(math.Floor(200*(won-expected)*game.RatingUnits + 0.5))
	for i, moved := range []int64{change, -change} {
		require.Equal(d, float64(before[i])/game.RatingUnits, answer.Ratings[i].Before, "%s before", players[i])
		require.Equal(d, float64(before[i]+moved)/game.RatingUnits, answer.Ratings[i].After, "%s after", players[i])
		d.left[players[i]], d.played[players[i]] = before[i]+moved, answer.DecidedAt
	}
	return answer
}

// another makes a second process.
func (d *idlers) another() *app.App {
	return app.New(app.Parts{Game: d.app.Game(), Redis: d.app.Redis(), Now: func() time.Time { return d.now }, Log: d.app.Log()})
}

func (d *idlers) ladder(a *app.App) game.Page {
	mode, _ := d.app.Game().ModeNamed(game.DuelMode)
	page, err := a.Store().Boards.Page(d.Context(), game.BoardOf(mode, game.AllTime.Of(d.app.Game().Today(d.now)), game.Scope{}), game.PageRequest{Limit: 100})
	require.NoError(d, err)
	return page
}

// holds compares the ladder, cards, the queue and exports with the list.
func (d *idlers) holds() {
	a := d.another()
	page := d.ladder(a)
	require.Len(d, page.Entries, len(d.left))
	last := int64(math.MaxInt64)
	for i, e := range page.Entries {
		units := d.rating(e.Player)
		require.LessOrEqual(d, units, last, "the ladder is in order")
		require.EqualValues(d, i+1, e.Rank)
		require.Equal(d, game.Score(math.Round(float64(units)/game.RatingUnits)), e.Score, e.Player)
		last = units
	}
	for _, player := range slices.Sorted(maps.Keys(d.left)) {
		rating, rated, _, err := d.duels.StandingOf(d.Context(), player)
		require.NoError(d, err)
		require.True(d, rated)
		require.Equal(d, float64(d.rating(player))/game.RatingUnits, rating, player)
	}
	for _, e := range page.Entries[:min(3, len(page.Entries))] {
		card, err := a.Store().Boards.Card(d.Context(), page.Board, e.Player)
		require.NoError(d, err)
		require.Equal(d, e.Rank, card.Rank)
		require.Equal(d, e.Score, card.Score)
		_, place, err := d.duels.Queue().Join(d.Context(), e.Player, "daily")
		require.NoError(d, err)
		if place.Rating != 0 {
			require.Equal(d, float64(d.rating(e.Player))/game.RatingUnits, place.Rating)
		}
		require.NoError(d, d.duels.Queue().Leave(d.Context(), e.Player, "daily"))
	}
}

// Weeks pass, whether somebody looks or not: every answer shows the rating after the last duel
// or race, less what the idle weeks since have cost. A lost Redis gets the same ratings back.
func TestRatingsDecayByIdleWeeks(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		chance := rand.New(rand.NewPCG(11, 24))
		base := newDuelist(t, address, idleGame)
		d := &idlers{racer: &racer{duelist: base, races: jobs.Races(base.app, base.history)}, left: map[string]int64{}, played: map[string]time.Time{}}
		for step := range 40 {
			for range chance.IntN(8) {
				a := chance.IntN(10)
				answer := d.meet(fmt.Sprint("p", a), fmt.Sprint("p", (a+1+chance.IntN(9))%10), chance.IntN(3)-1)
				require.Positive(d, answer.Ratings[0].Rank)
			}
			if chance.IntN(3) == 0 {
				d.runs(fmt.Sprint("p", chance.IntN(5)), fmt.Sprint("p", 5+chance.IntN(5)), fmt.Sprint("q", step%3))
			}
			d.now = d.now.Add(time.Duration(chance.IntN(24*24)) * time.Hour)
			if chance.IntN(3) > 0 {
				d.holds()
			}
			switch chance.IntN(6) {
			case 0:
				d.kept()
				d.agree()
			case 1:
				d.kept()
				d.lose()
				_, err := d.duels.Keeper().Restore(d.Context(), false)
				require.NoError(d, err)
				d.agree()
				again, err := d.duels.Keeper().Restore(d.Context(), false)
				require.NoError(d, err)
				require.Equal(d, duel.RestoreReport{}, again)
				d.holds()
			}
		}
		d.holds()
		d.ranks()
		d.crowd()
	})
}

// kept archives all duels that are over.
func (d *idlers) kept() {
	d.now = d.now.Add(2 * time.Hour)
	_, err := d.duels.Keeper().Keep(d.Context())
	require.NoError(d, err)
}

// runs lets players run a race; the first of them is the best.
func (d *idlers) runs(players ...string) {
	id := fmt.Sprintf("r%d", d.raced)
	d.raced++
	_, err := d.races.Create(d.Context(), race.Wanted{ID: id, Player: players[0], Mode: "daily", Size: len(players)})
	require.NoError(d, err)
	for _, player := range players[1:] {
		_, err = d.races.Join(d.Context(), id, player)
		require.NoError(d, err)
	}
	d.now = d.now.Add(race.Lead)
	var ratings, stakes []float64
	var places []int
	var over race.Race
	for i, player := range players {
		over, err = d.races.Report(d.Context(), id, "daily", player, game.Score(9-i))
		require.NoError(d, err)
		ratings, stakes, places = append(ratings, float64(d.rating(player))/game.RatingUnits), append(stakes, 200), append(places, i+1)
	}
	require.Equal(d, race.Decided, over.State)
	for i, change := range race.Changes(duel.RulesOf(d.app.Game()), places, ratings, stakes) {
		require.Equal(d, ratings[i], over.Seats[i].Rating.Before)
		require.Equal(d, ratings[i]+change, over.Seats[i].Rating.After)
		d.left[players[i]], d.played[players[i]] = int64((ratings[i]+change)*game.RatingUnits), over.DecidedAt
	}
}

// ranks compares the ranks in a duel's answer with the list. This week's losses are already
// written to the board.
func (d *idlers) ranks() {
	d.ladder(d.another())
	answer := d.meet("p0", "p1", 0)
	for i, r := range answer.Ratings {
		better := 0
		for player := range d.left {
			if cmp.Compare(float64(d.rating(player))/game.RatingUnits, r.After) > 0 {
				better++
			}
		}
		require.GreaterOrEqual(d, r.Rank, int64(better+1), answer.Players[i])
		require.LessOrEqual(d, r.Rank, int64(better+2), "equal ratings but one")
	}
}

// crowd lets processes look at the new week's ladder while duels are decided: no loss counts
// twice or is undone.
func (d *idlers) crowd() {
	for range 2 {
		d.now = d.now.AddDate(0, 0, 28)
		at := d.now
		var wait sync.WaitGroup
		for range 4 {
			a := app.New(app.Parts{Game: d.app.Game(), Redis: d.app.Redis(), Now: func() time.Time { return at }, Log: d.app.Log()})
			wait.Go(func() { d.ladder(a) })
		}
		for i := range 4 { // one player each, so that the order of duels does not matter
			d.meet(fmt.Sprint("p", 2*i), fmt.Sprint("p", 2*i+1), i%2)
		}
		wait.Wait()
		d.holds()
	}
}

// The first request of a week for the ladder pays for the week's losses; further ones cost
// hardly anything.
func TestSettlingALadderCostsWhatItSays(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		store := testkit.NewRedis(t, address)
		g := testkit.Game(t, idleGame)
		now := time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC)
		args := []string{"ZADD", game.DuelKey}
		for i := range 2500 { // of these 1,599 have points to lose
			rating := duel.RulesOf(g).Decay.Leaves(1000+float64(i)*0.5, game.RatingWeek(now))
			args = append(args, game.FormatStored(rating.Stored()), "p"+strconv.Itoa(i))
		}
		store.Do(args...)
		_, err := store.Client.Do(t.Context(), redis.MoveEntries(game.DuelKey, []string{"p0", "0", "1"})) // so that Redis knows the script
		require.NoError(t, err)
		mode, _ := g.ModeNamed(game.DuelMode)
		board := game.BoardOf(mode, game.AllTime.Of(g.Today(now)), game.Scope{})
		process := func() func() {
			a := app.New(app.Parts{Game: g, Redis: store.Client, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)})
			return func() {
				require.NoError(t, a.Store().Rollup.Refresh(t.Context(), board))
			}
		}
		one, other := process(), process()
		one()
		now = now.AddDate(0, 0, 28)
		for i, row := range []struct {
			look                 func()
			commands, roundTrips int64
		}{{one, 1 + 1 + 2*3 + 1, 5}, {one, 0, 0}, {other, 1, 1}, {process(), 1, 1}} {
			before := store.Ran()
			commands, roundTrips := store.Spent(row.look)
			require.Equal(t, store.Ran()-before, commands, "the meter and Redis itself disagree")
			require.Equal(t, row.commands, commands, i)
			require.Equal(t, row.roundTrips, roundTrips, i)
		}
	})
}
