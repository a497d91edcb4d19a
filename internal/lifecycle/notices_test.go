package lifecycle_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

const keptGame = "name: kept\nmodes:\n  first: {max: 1000, xp: 1}\n"

// build is a process of a build with other rules. The test sets its clocks.
type build struct {
	*lifecycle.Parts
	k       *kit
	mode    *game.Mode
	elapsed time.Duration
}

func (k *kit) build(t *testing.T, change ...string) *build {
	g, err := gamefile.Parse("kept.yaml", []byte(strings.NewReplacer(change...).Replace(keptGame)))
	require.NoError(t, err)
	b := &build{k: k, mode: g.Modes[0]}
	b.Parts = lifecycle.New(lifecycle.Options{Redis: k.client, Game: g, Now: k.clock.Now, Elapsed: func() time.Duration { return b.elapsed }})
	return b
}

func (b *build) play(player string) error {
	_, err := b.Boards.Submit(context.Background(), game.Submission{Mode: b.mode, Player: player, Date: b.k.game.Today(noon), Score: 7, At: b.k.clock.Now()})
	return err
}

func (k *kit) keptRules(t *testing.T) string {
	kept, err := control.KeptRules(t.Context(), k.client)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	return kept[0].Stored()
}

func TestRulesThatDoNotFitWhatIsStoredStopEveryWrite(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		first := k.build(t)
		require.NoError(t, first.play("ana"), "the first write to an empty Redis has its rules kept")
		require.NoError(t, k.build(t).play("bea"))

		flipped := k.build(t, "xp: 1", "order: asc")
		err := flipped.play("cid")
		var changed *ruleset.ChangedError
		require.ErrorAs(t, err, &changed)
		require.Contains(t, err.Error(), "modes.first.order: desc -> asc")
		require.Contains(t, err.Error(), "instead: ")
		today := game.BoardOf(flipped.mode, game.Day.Of(k.game.Today(noon)), game.Scope{})
		require.ErrorAs(t, flipped.Boards.SubmitBatch(ctx, []game.Submission{{Mode: flipped.mode, Player: "cid", Date: k.game.Today(noon), Score: 7}})[0].Err, &changed)
		page, err := flipped.Boards.Page(ctx, today, game.PageRequest{Limit: 10})
		require.NoError(t, err, "reads go on")
		require.Len(t, page.Entries, 2)
		require.ErrorAs(t, flipped.Notices.KeepRules(ctx), &changed, "schedules do not put them in the place of the others")
		require.NoError(t, k.build(t).play("dan"))

		// The operator accepts them: each build notices by itself.
		require.NoError(t, control.AcceptRules(ctx, k.client, flippedGame(t)))
		require.ErrorAs(t, flipped.play("cid"), &changed, "it looks again after a minute")
		flipped.elapsed += time.Minute
		require.NoError(t, flipped.play("cid"))
		require.NoError(t, first.play("eve"))
		first.elapsed += 15 * time.Minute
		require.ErrorAs(t, first.play("eve"), &changed)
	})
}

func flippedGame(t *testing.T) *game.Game {
	g, err := gamefile.Parse("kept.yaml", []byte(strings.Replace(keptGame, "xp: 1", "order: asc", 1)))
	require.NoError(t, err)
	return g
}

// Builds with and without an added mode run side by side during a deployment.
func TestBuildsBeforeAndAfterAnAddedModeDoNotFight(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		old := k.build(t)
		require.NoError(t, old.play("ana"))
		added := k.build(t, "modes:\n", "modes:\n  extra: {max: 5}\n")
		require.NoError(t, added.play("bea"))
		require.NoError(t, added.Notices.KeepRules(ctx))
		kept := k.keptRules(t)
		require.Contains(t, kept, "modes.extra.order")
		for range 2 {
			require.NoError(t, old.Notices.KeepRules(ctx))
			require.NoError(t, added.Notices.KeepRules(ctx))
			require.NoError(t, k.build(t).play("cid"))
		}
		require.Equal(t, kept, k.keptRules(t), "nobody undoes what the other has kept")

		again := k.build(t, "modes:\n", "modes:\n  extra: {max: 5, order: asc}\n")
		var changed *ruleset.ChangedError
		require.ErrorAs(t, again.play("ana"), &changed, "a mode that was known keeps its rules")
	})
}

func TestAPermittedChangeIsKeptByTheSchedule(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		require.NoError(t, k.build(t).play("ana"))
		wider := k.build(t, "max: 1000", "max: 5000")
		require.NoError(t, wider.play("bea"))
		require.NoError(t, wider.Notices.KeepRules(t.Context()))
		require.Contains(t, k.keptRules(t), `"modes.first.max":"5000"`)
		before := k.client.Meter().Usage().Commands
		require.NoError(t, wider.Notices.KeepRules(t.Context()))
		require.EqualValues(t, 1, k.client.Meter().Usage().Commands-before, "nothing differs")
	})
}

// A Redis from before rules were kept has an epoch and no rules.
func TestASchedulesFirstRunKeepsTheRulesOfAnOlderRedis(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		_, err := k.server.Redis().Do(t.Context(), "SADD", game.BansKey, game.EpochMember("old"))
		require.NoError(t, err)
		b := k.build(t)
		require.NoError(t, b.play("ana"))
		kept, err := control.KeptRules(t.Context(), k.client)
		require.NoError(t, err)
		require.Empty(t, kept)
		require.NoError(t, b.Notices.KeepRules(t.Context()))
		require.Contains(t, k.keptRules(t), `"name":"kept"`)
		require.NoError(t, b.Notices.BeginEpoch(t.Context()))
		require.Contains(t, k.keptRules(t), `"name":"kept"`, "a restore leaves them")
	})
}

func TestMaintenanceHasWritesWaitAndEndsByItself(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		here, elsewhere := k.build(t), k.build(t)
		require.NoError(t, here.play("ana"))
		require.NoError(t, elsewhere.play("bea"))
		until := k.clock.Now().Add(time.Hour)
		m, err := here.Notices.Maintain(ctx, control.Maintenance{Since: k.clock.Now(), Until: until, Reason: "moving"})
		require.NoError(t, err)

		var waits *control.MaintenanceError
		require.ErrorAs(t, here.play("ana"), &waits)
		require.Equal(t, "moving", waits.Reason)
		require.Positive(t, waits.Left)
		require.ErrorAs(t, k.build(t).play("new"), &waits, "a new process knows at once")
		require.NoError(t, elsewhere.play("bea"))
		elsewhere.elapsed += control.NoticedWithin
		require.ErrorAs(t, elsewhere.play("bea"), &waits)
		require.ErrorAs(t, elsewhere.Notices.Halted(), &waits)

		before := k.client.Meter().Usage().Commands
		require.Error(t, elsewhere.play("bea"))
		require.Zero(t, k.client.Meter().Usage().Commands-before, "a refused write costs nothing")

		longer, err := elsewhere.Notices.Maintain(ctx, control.Maintenance{Since: k.clock.Now(), Until: until.Add(time.Hour)})
		require.NoError(t, err)
		require.True(t, m.Since.Equal(longer.Since), "one that is on goes on")
		require.NoError(t, elsewhere.Notices.EndMaintenance(ctx))
		require.NoError(t, elsewhere.play("bea"))
		here.elapsed += time.Minute
		require.NoError(t, here.play("ana"), "its end is noticed within a minute")
		_, on, err := here.Notices.Maintenance(ctx)
		require.NoError(t, err)
		require.False(t, on)

		_, err = here.Notices.Maintain(ctx, control.Maintenance{Since: k.clock.Now(), Until: k.clock.Now().Add(time.Second)})
		require.NoError(t, err)
		require.Error(t, here.play("ana"))
		k.clock.Set(k.clock.Now().Add(time.Minute))
		require.NoError(t, here.play("ana"), "a forgotten one ends by itself")
	})
}

func TestAProcessMayBeToldToWaitByItsSettings(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		b := lifecycle.New(lifecycle.Options{Redis: k.client, Game: k.game, Now: k.clock.Now, Maintenance: "moving"})
		var waits *control.MaintenanceError
		require.ErrorAs(t, b.Notices.MayWrite(t.Context()), &waits)
		require.ErrorAs(t, b.Notices.Halted(), &waits)
	})
}
