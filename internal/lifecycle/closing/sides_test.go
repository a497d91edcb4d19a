package closing_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/clerk/clerkstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

// TestMain keeps property tests short.
func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "8", "12")) }

const sidesGame = `
name: testing
anonymous: true
modes: {daily: {max: 100, xp: 1, scopes: [group]}}
duels: {}
`

// kit is a product with both stores.
type twoSides struct {
	*testing.T
	app   *app.App
	redis *upstash.Client
	given *testkit.Redis
	kept  *archive.Archive
	now   time.Time
}

// onEngines runs a test over the embedded Redis and over a real one.
func onBothEngines(t *testing.T, test func(k *twoSides)) {
	testkit.OnEngines(t, func(t *testing.T, address string) { test(newSides(t, address)) })
}

func newSides(t *testing.T, address string) *twoSides {
	given := testkit.NewRedis(t, address)
	k := &twoSides{T: t, given: given, redis: given.Client, now: time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC)}
	k.anotherPostgres()
	k.restart()
	return k
}

// restart makes a new process, which remembers nothing.
func (k *twoSides) restart() {
	k.app = app.New(app.Parts{Game: testkit.Game(k, sidesGame), Redis: k.redis, Now: func() time.Time { return k.now }, Log: slog.New(slog.DiscardHandler)})
}

// anotherPostgres replaces a lost database by an empty one.
func (k *twoSides) anotherPostgres() {
	if k.kept != nil {
		k.kept.Close(context.Background()) // a test of many worlds has more than Postgres has connections
	}
	k.kept = testkit.Archive(k, archivetest.Database(k.T), jobs.Tables()...)
}

func (k *twoSides) loseRedis() {
	_, err := k.redis.Do(k.Context(), upstash.Cmd("FLUSHALL"))
	require.NoError(k, err)
	k.restart()
}

func (k *twoSides) sides() *closing.Sides { return jobs.Sides(k.app, k.kept) }

func (k *twoSides) daily() {
	_, err := jobs.New(k.app, k.kept).Daily(k.Context(), k.now)
	require.NoError(k, err)
}

func (k *twoSides) document(player string) playerdata.Document {
	d, err := jobs.People(k.app, k.kept).Player(k.Context(), player, "")
	require.NoError(k, err)
	return d
}

func (k *twoSides) play(player, device string) {
	m, _ := k.app.Game().Mode("daily")
	for _, who := range []string{player, device} {
		_, err := k.app.Store().Boards.Submit(k.Context(), game.Submission{
			Mode: m, Player: who, Date: game.DateOf(k.now), Score: 7, At: k.now, Profile: game.Profile{Name: "Name of " + who},
		})
		require.NoError(k, err)
	}
}

func (k *twoSides) join(id, player, group string) {
	require.NoError(k, jobs.Roster(k.app, k.kept).Apply(k.Context(), "join "+id, webhook.MembershipSaved{ID: id, Player: player, Group: group}))
}

// fill makes something of every kind; after a day both stores have it.
func (k *twoSides) fill() {
	ctx := k.Context()
	for _, player := range []string{"ana", "ben", "cleo"} {
		k.play(player, "dev_"+player)
	}
	k.claimsADevice("dev_ana", "ana")
	k.join("m1", "ana", "red")
	k.join("m2", "ben", "red")
	k.join("m3", "ana", "blue")
	require.NoError(k, jobs.Roster(k.app, k.kept).Apply(ctx, "leave", webhook.MembershipEnded{ID: "m2", Player: "ben"}))
	k.someFriends()
	removals := jobs.Removals(k.app, k.kept)
	for _, player := range []string{"mallory", "ivan"} {
		_, err := removals.Ban(ctx, player, "cheats", lifecycle.Act{ID: "ban " + player, Actor: "ops", At: k.now})
		require.NoError(k, err)
	}
	_, err := removals.Erase(ctx, "ivan", lifecycle.Act{ID: "erase", Actor: "ops", At: k.now})
	require.NoError(k, err)
	k.someDuels()
	k.now = k.now.Add(13 * time.Hour)
	k.daily()
}

// known returns what Redis has of players, as texts.
func (k *twoSides) known() map[string]string {
	all := map[string]string{}
	ask := func(name string, cmd ...string) {
		reply, err := k.redis.Do(k.Context(), upstash.Cmd(cmd...))
		require.NoError(k, err)
		texts, err := reply.Strings()
		require.NoError(k, err)
		if cmd[0] == "HGETALL" {
			var pairs []string
			for i := 0; i < len(texts); i += 2 {
				pairs = append(pairs, texts[i]+"="+texts[i+1])
			}
			texts = pairs
		}
		slices.Sort(texts)
		all[name] = strings.Join(texts, " ")
	}
	for _, player := range []string{"ana", "ben", "cleo", "dan"} {
		ask("friends of "+player, "ZRANGE", game.FriendsKey(player), "0", "-1")
		ask("duels of "+player, "ZRANGE", game.DuelsOfKey(player), "0", "-1")
		maps.Copy(all, k.friendsMeeting(player))
	}
	ask("claim", "HGETALL", game.ClaimKey("dev_ana"))
	ask("memberships", "HGETALL", game.GroupsKey)
	ask("ratings", "ZRANGE", game.DuelKey, "0", "-1", "WITHSCORES")
	digests, err := lifecycle.NewBackflow(k.app.Store().Restore).Bans(k.Context())
	require.NoError(k, err)
	all["bans"] = strings.Join(digests, " ")
	for _, player := range []string{"ana", "ben", "cleo", "dev_ben"} {
		shown, err := k.app.Store().Players.ProfilesOf(k.Context(), []string{player})
		require.NoError(k, err)
		all["profile of "+player] = fmt.Sprint(shown)
	}
	return all
}

// differences returns what Compare reports, by kind.
func (k *twoSides) differences() map[string]closing.Difference {
	all, err := k.sides().Compare(k.Context())
	require.NoError(k, err)
	found := map[string]closing.Difference{}
	for _, d := range all {
		if d.OnlyRedis.Count+d.OnlyPostgres.Count > 0 {
			found[d.Kind] = d
		}
	}
	return found
}

// Whichever store is lost, the other one refills it; after that neither has anything that the
// other lacks.
func TestEitherSideFillsTheOther(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		k.fill()
		require.Empty(k, k.differences(), "both sides know all of it as it happens")
		before := k.known()

		k.anotherPostgres()
		lost := k.differences()
		kinds := map[string]string{
			"profiles":    "6: ana, ben, cleo, dev_ana, dev_ben, …",
			"bans":        "2: " + strings.Join(slices.Sorted(slices.Values([]string{game.BanMember("mallory"), game.BanMember("ivan")})), ", "),
			"claims":      "1: " + game.BanMember("dev_ana"),
			"memberships": "2: ana in blue, ana in red",
			"friends":     "8: ana has ben, ana has cleo, ben blocks cleo, ben has ana, cleo blocks ben, …",
			"duels":       "1: d1",
		}
		for kind, names := range kinds {
			require.Equal(k, names, lost[kind].OnlyRedis.String(), kind)
			require.Zero(k, lost[kind].OnlyPostgres.Count, kind)
		}
		_, err := jobs.New(k.app, k.kept).Restore(k.Context(), closing.RestoreOptions{})
		var lack *closing.LackError
		require.ErrorAs(k, err, &lack)
		for _, says := range []string{
			"profiles: 6 of 6, as ana", "bans: 2 of 2",
			"claims: 1 of 1",
			"memberships: 2 of 2, as ana in blue",
			"duels: ",
		} {
			require.ErrorContains(k, err, says)
		}
		require.ErrorContains(k, err, "friends: 8 of 8, as ana has ben")
		require.Equal(k, before, k.known(), "nothing has changed")

		k.daily()
		require.Empty(k, k.differences())
		_, err = jobs.Removals(k.app, k.kept).Archive.Past(k.Context(), "ana")
		require.NoError(k, err)

		k.loseRedis()
		lost = k.differences()
		require.Equal(k, "2: ana in blue, ana in red", lost["memberships"].OnlyPostgres.String())
		require.Equal(k, 1, lost["duels"].OnlyPostgres.Count, "the challenge")
		require.Len(k, lost, len(kinds))
		for range 2 {
			_, err = jobs.New(k.app, k.kept).Restore(k.Context(), closing.RestoreOptions{})
			require.NoError(k, err)
			k.restart()
			require.Equal(k, before, k.known())
			require.Empty(k, k.differences())
		}
		k.hasClaimedADevice("ana")
		require.Equal(k, []string{"blue", "red"}, clerkGroups(k, "ana"))
		k.cannotClaimTheDevice("dev_ana", "ben")
		banned, err := k.app.Store().Notices.IsBanned(k.Context(), "ivan")
		require.NoError(k, err)
		require.True(k, banned, "a ban outlives the player's erasure and both losses")
	})
}

// An erased player's claims, memberships and duels under way leave the archive too; digests
// still show who has claimed a device.
func TestAnErasureReachesWhatFlowedBack(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		k.fill()
		_, err := jobs.Removals(k.app, k.kept).Erase(k.Context(), "ana", lifecycle.Act{ID: "erase ana", Actor: "ana", At: k.now})
		require.NoError(k, err)
		require.Empty(k, k.differences())
		require.NoError(k, clerkstore.In(k.kept).All(k.Context(), func(page []game.Membership) error {
			require.Empty(k, page)
			return nil
		}))
		require.Empty(k, k.openDuels(k.kept))
		k.onlyDigestsOfADevice(k.kept)
	})
}
