package lifecycle_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/player"
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

// The name of a returning player costs a process a command, once in a quarter of an hour.
func TestAPlayersNameIsAskedForOnceInAQuarterOfAnHour(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		pass := k.aging()
		k.inhabit(t, 3)
		p := k.process()
		keep := func() int64 {
			commands, _ := p.spent(func() {
				require.NoError(t, p.Players.KeepProfile(t.Context(), "p0001", game.Profile{Name: "Name 1", Country: "BR"}))
			})
			return commands
		}
		require.EqualValues(t, 1, keep())
		require.Zero(t, keep())
		pass(15*time.Minute + time.Second)
		require.EqualValues(t, 1, keep())
		require.Zero(t, keep())
	})
}

// Names that were learned at different times are asked for together.
func TestNamesAreAskedForTogether(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		pass := k.aging()
		k.inhabit(t, 4)
		p := k.process()
		names := func(players ...string) int64 {
			commands, _ := p.spent(func() {
				got, err := p.Boards.Names(t.Context(), players)
				require.NoError(t, err)
				for _, player := range players {
					require.NotEmpty(t, got[player].Name)
				}
			})
			return commands
		}
		require.EqualValues(t, 1, names("p0000"))
		pass(6 * time.Minute)
		require.EqualValues(t, 1, names("p0000", "p0001"), "the first one is still young")
		pass(6 * time.Minute)
		require.EqualValues(t, 1, names("p0000", "p0001", "p0002"), "the first one is asked for again with the third")
		pass(8 * time.Minute)
		require.Zero(t, names("p0000", "p0001", "p0002"))
		pass(2 * time.Minute)
		require.EqualValues(t, 1, names("p0000", "p0001", "p0002"), "the second one is too old")
		require.Zero(t, names("p0000", "p0001", "p0002"))
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
		_, err := k.process().Players.ChangeProfile(ctx, "p0298", player.ProfileChange{Hidden: of(true)})
		require.NoError(t, err)
		before, commands := page()
		require.EqualValues(t, 1, commands)
		require.Equal(t, "Name 298", profileOf(before, "p0298").Name)
		pass(16 * time.Minute)
		after, _ := page()
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
		_, err := k.process().Repair.Erase(ctx, "p0005", lifecycle.Erasure{})
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
