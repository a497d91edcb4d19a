package standings_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/profiles"
	"github.com/framedle/leaderboards/internal/repair"
	"github.com/stretchr/testify/require"
)

// aging makes the memories of processes as old as a test says.
func (k *kit) aging() (pass func(time.Duration)) {
	var now time.Duration = time.Second
	k.elapsed = func() time.Duration { return now }
	return func(d time.Duration) { now += d }
}

// inhabit puts players with names on a day's board.
func (k *kit) inhabit(t *testing.T, players int) {
	p := k.process()
	var subs []game.Submission
	for i := range players {
		sub := k.play("first", fmt.Sprintf("p%04d", i), game.Score(i%1000))
		sub.Profile = game.Profile{Name: fmt.Sprint("Name ", i), Country: "BR"}
		subs = append(subs, sub)
		if len(subs) == 1000 || i == players-1 {
			for _, o := range p.Boards.SubmitBatch(context.Background(), subs) {
				require.NoError(t, o.Err)
			}
			subs = nil
		}
	}
}

func (k *kit) submitNamed(t *testing.T, p *process, mode, player, name string) (commands, roundTrips int64) {
	sub := k.play(mode, player, 5)
	sub.Profile = game.Profile{Name: name, Country: "BR"}
	return p.spent(func() {
		_, err := p.Boards.Submit(context.Background(), sub)
		require.NoError(t, err)
	})
}

// Names of returning players cost a process next to nothing: with each player whom it does not
// know it reads one page of all profiles, until it knows them all.
func TestAProcessLearnsAllProfilesInPages(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.aging()
		k.inhabit(t, 12_500)
		p := k.process()
		k.submitNamed(t, p, "best", "p0000", "Name 0")
		var first []int64
		for i := 1; i <= 300; i++ { // so many that some are on each page
			commands, trips := k.submitNamed(t, p, "best", fmt.Sprintf("p%04d", i), fmt.Sprint("Name ", i))
			require.EqualValues(t, 1, trips)
			first = append(first, commands-2)
		}
		spent := int64(0)
		for _, extra := range first {
			spent += extra
		}
		require.LessOrEqual(t, spent, int64(2*(4+1)), "a question and a page each, until all pages have been read, three or four: %v", first)
		require.Zero(t, first[299])
		commands, trips := k.submitNamed(t, p, "best", "p12499", "Name 12499")
		require.Equal(t, []int64{2, 1}, []int64{commands, trips})
		commands, trips = k.submitNamed(t, p, "best", "stranger", "Stranger")
		require.Equal(t, []int64{4, 1}, []int64{commands, trips}, "who is known to be new is written at once")
		require.Equal(t, "Stranger", k.profile(t, "stranger").Name)
	})
}

func (k *kit) profile(t *testing.T, player string) game.Profile {
	p, err := k.process().Players.ProfileOf(context.Background(), player)
	require.NoError(t, err)
	return p
}

// A process sees changes by other processes after a quarter of an hour, for one command for
// all names of a board.
func TestNamesAreReadAnewAfterAQuarterOfAnHour(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		pass := k.aging()
		ctx := context.Background()
		k.inhabit(t, 300)
		p := k.process()
		page := func() (game.Page, int64) {
			var page game.Page
			commands, _ := p.spent(func() {
				var err error
				page, err = p.Boards.Page(ctx, k.dayBoard(p, "first"), game.PageRequest{Limit: 100, Offset: 1})
				require.NoError(t, err)
			})
			return page, commands
		}
		page()
		k.submitNamed(t, p, "best", "p0000", "Name 0")
		k.submitNamed(t, p, "best", "p0001", "Name 1") // the second question also reads everybody's names
		k.submitNamed(t, p, "best", "p0002", "Name 2")
		_, err := k.process().Players.ChangeProfile(ctx, "p0298", profiles.ProfileChange{Hidden: of(true)})
		require.NoError(t, err)
		before, commands := page()
		require.EqualValues(t, 1, commands)
		require.Equal(t, "Name 298", profileOf(before, "p0298").Name)
		pass(16 * time.Minute)
		_, err = p.Boards.Page(ctx, k.dayBoard(p, "first"), game.PageRequest{Limit: 1, Offset: 290}) // the total, and the page of names
		require.NoError(t, err)
		after, commands := page()
		require.EqualValues(t, 1, commands)
		require.Equal(t, game.Profile{Country: "BR", Hidden: true}, profileOf(after, "p0298"))
	})
}

func TestAPlayerErasedElsewhereIsWrittenAnew(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		pass := k.aging()
		ctx := context.Background()
		k.inhabit(t, 10)
		p := k.process()
		for i := range 3 {
			k.submitNamed(t, p, "best", fmt.Sprintf("p%04d", i), fmt.Sprint("Name ", i))
		}
		_, err := k.process().Repair.Erase(ctx, "p0005", repair.Erasure{})
		require.NoError(t, err)
		pass(16 * time.Minute)
		_, err = p.Boards.Page(ctx, k.dayBoard(p, "first"), game.PageRequest{Limit: 100})
		require.NoError(t, err)
		k.submitNamed(t, p, "best", "p0005", "Name 5")
		require.Equal(t, game.Profile{Name: "Name 5", Country: "BR"}, k.profile(t, "p0005"))
		of, err := p.Players.Countries(ctx)
		require.NoError(t, err)
		require.Contains(t, of, "p0005")
	})
}

func TestAProfileIsKeptWithoutASubmission(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		p := k.process()
		ana := game.Profile{Name: "Ana", Country: "BR"}
		require.NoError(t, p.Players.KeepProfile(ctx, "ana", ana))
		require.Equal(t, ana, k.profile(t, "ana"))
		of, err := p.Players.Countries(ctx)
		require.NoError(t, err)
		require.Equal(t, "BR", of["ana"])
		commands, _ := p.spent(func() { require.NoError(t, p.Players.KeepProfile(ctx, "ana", ana)) })
		require.Zero(t, commands)
		require.NoError(t, k.process().Players.KeepProfile(ctx, "ana", game.Profile{}))
		require.Equal(t, ana, k.profile(t, "ana"))
	})
}
