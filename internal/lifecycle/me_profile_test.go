package lifecycle_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
)

func of[T any](v T) *T { return &v }

func TestWhatAPlayerSetsSurvivesSubmissionsThatDoNotTellIt(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		submit := func(p *process, profile game.Profile) {
			sub := k.play("first", "ana", 5)
			sub.Profile = profile
			_, err := p.Boards.Submit(ctx, sub)
			require.NoError(t, err)
		}
		change := func(c player.ProfileChange) game.Profile {
			p := k.process()
			now, err := p.Players.ChangeProfile(ctx, "ana", c)
			require.NoError(t, err)
			me, err := k.process().Boards.Me(ctx, "ana", nil)
			require.NoError(t, err)
			require.Equal(t, me.Profile, now)
			return now
		}
		submit(k.process(), game.Profile{Name: "Ana"})
		require.Equal(t, game.Profile{Name: "Bea", Country: "PT"}, change(player.ProfileChange{Name: of("Bea"), Country: of("PT")}))
		require.Equal(t, game.Profile{Name: "Bea", Country: "PT"}, k.shown(t)["ana"])

		submit(k.process(), game.Profile{Name: "Ana"})
		require.Equal(t, game.Profile{Name: "Ana", Country: "PT"}, k.shown(t)["ana"], "credentials come first, and fill no gap with nothing")

		require.True(t, change(player.ProfileChange{Hidden: of(true)}).Hidden)
		submit(k.process(), game.Profile{Name: "Ana", Picture: "https://img.test/a.png"})
		require.Equal(t, game.Profile{Country: "PT", Hidden: true}, k.shown(t)["ana"], "whatever is sent, who is hidden stays so")

		require.Equal(t, game.Profile{Name: "Ana", Picture: "https://img.test/a.png"},
			change(player.ProfileChange{Hidden: of(false), Country: of("")}), "and what is taken back is gone")
		require.Equal(t, "Ana", k.shown(t)["ana"].Name)
	})
}

func TestAChangeCostsTwoCommands(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		p := k.process()
		commands, roundTrips := p.spent(func() {
			_, err := p.Players.ChangeProfile(context.Background(), "ana", player.ProfileChange{Name: of("Ana")})
			require.NoError(t, err)
		})
		require.EqualValues(t, 3, commands, "one more for whom there was no profile")
		require.EqualValues(t, 2, roundTrips)
		commands, roundTrips = p.spent(func() {
			_, err := p.Players.ChangeProfile(context.Background(), "ana", player.ProfileChange{Country: of("PT")})
			require.NoError(t, err)
		})
		require.EqualValues(t, 3, commands, "and one where the country changes")
		require.EqualValues(t, 2, roundTrips)
	})
}
