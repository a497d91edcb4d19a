package closing_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const claimIndexKind = "claim index"

func (k *twoSides) digests(words ...string) []string {
	found := []string{}
	for _, word := range k.given.Do(words...).([]any) {
		found = append(found, strings.TrimPrefix(word.(string), game.ClaimDigestKey("")))
	}
	slices.Sort(found)
	return found
}

// claimed are the digests of the devices that Redis has claims of.
func (k *twoSides) claimed() []string { return k.digests("KEYS", game.ClaimDigestKey("*")) }

func (k *twoSides) indexed() []string { return k.digests("SMEMBERS", game.ClaimIndexKey) }

func (k *twoSides) archived() []string {
	digests := []string{}
	require.NoError(k, k.kept.Claims.All(k.Context(), func(page []game.Claim) error {
		for _, c := range page {
			digests = append(digests, c.Device)
		}
		return nil
	}))
	slices.Sort(digests)
	return digests
}

// someClaims are claims of n devices.
func someClaims(n int) []game.Claim {
	claims := make([]game.Claim, n)
	for i := range claims {
		claims[i] = game.Claim{Device: game.BanMember(fmt.Sprint("dev_", i)), Player: game.BanMember("ana"), At: time.UnixMilli(1).UTC(), Days: map[string]string{}}
	}
	slices.SortFunc(claims, func(a, b game.Claim) int { return strings.Compare(a.Device, b.Device) })
	return claims
}

func devices(claims []game.Claim) []string {
	digests := make([]string, len(claims))
	for i, c := range claims {
		digests[i] = c.Device
	}
	return digests
}

func (k *twoSides) backflow() lifecycle.Backflow { return lifecycle.NewBackflow(k.app.Store().Restore) }

// both gives claims to both sides.
func (k *twoSides) both(claims []game.Claim) {
	_, err := k.backflow().RestoreClaims(k.Context(), claims)
	require.NoError(k, err)
	require.NoError(k, k.kept.Claims.Put(k.Context(), claims))
}

// fromBefore brings both sides into the state in which a version without the index leaves
// them.
func (k *twoSides) fromBefore() {
	k.given.Do("DEL", game.ClaimIndexKey)
	require.NoError(k, k.kept.Refills.Put(k.Context(), archive.Refill{Kind: claimIndexKind}))
}

func (k *twoSides) refill(o closing.SidesOptions) []closing.Filled {
	filled, err := k.sides().Refill(k.Context(), o)
	require.NoError(k, err)
	return filled
}

func (k *twoSides) claim(device, player string) error {
	_, err := jobs.Claims(k.app, k.kept).Claim(k.Context(), device, player)
	return err
}

// The cost of reading the claims depends on the number of claims, whatever else Redis has.
func TestReadingClaimsCostsTheirNumberAndNothingElse(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		const claims = 300
		k.both(someClaims(claims))
		read := func() (found []string) {
			commands, _ := k.given.Spent(func() {
				for cursor := ""; ; {
					page, next, err := k.backflow().Claims(k.Context(), cursor)
					require.NoError(k, err)
					found = append(found, devices(page)...)
					if cursor = next; next == "" {
						return
					}
				}
			})
			require.LessOrEqual(k, commands, int64(claims+claims/50+2))
			slices.Sort(found)
			return slices.Compact(found)
		}
		require.Equal(k, devices(someClaims(claims)), read())
		for n := range 3000 {
			k.given.Do("SET", fmt.Sprint("other:", n), "x")
		}
		require.Equal(k, devices(someClaims(claims)), read())
	})
}

// Verify, archive and the refill find every claim by the index. One run needs as few commands
// as one page.
func TestALostArchiveGetsEveryClaimBack(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		want := someClaims(300)
		k.both(want)
		require.Empty(k, k.differences())
		k.given.Do("DEL", game.ClaimIndexKey)
		k.both(want)
		require.Equal(k, devices(want), k.indexed(), "what was there is put into the index, too")
		for _, all := range []bool{false, true} {
			k.anotherPostgres()
			require.Equal(k, len(want), k.differences()["claims"].OnlyRedis.Count)
			// As a version left it that looked through all keys.
			require.NoError(k, k.kept.Refills.Put(k.Context(), archive.Refill{Kind: "claims", Cursor: "4096"}))
			for runs := 0; len(k.archived()) < len(want); runs++ {
				require.Less(k, runs, 20)
				commands, _ := k.given.Spent(func() { k.refill(closing.SidesOptions{All: all, Commands: map[bool]int64{false: 40}[all]}) })
				if !all && k.Name() == "TestALostArchiveGetsEveryClaimBack/real" { // the embedded one has no pages of sets
					require.LessOrEqual(k, commands, int64(40+2*50))
				}
			}
			require.Equal(k, devices(want), k.archived())
			require.Empty(k, k.differences())
		}
	})
}

// Claims from before the index existed enter it once, from the archive; those of the last day
// from their notes. No run searches for them.
func TestClaimsOfAnEarlierVersionComeIntoTheIndex(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		old := someClaims(10_001)
		require.NoError(k, k.kept.Claims.Put(k.Context(), old))
		_, err := k.backflow().RestoreClaims(k.Context(), old[:200]) // Redis has lost the others
		require.NoError(k, err)
		require.NoError(k, k.claim("dev_new", "ana"))
		want := slices.Sorted(slices.Values(append(devices(old[:200]), game.BanMember("dev_new"))))
		k.fromBefore()
		require.Equal(k, 10_001-200, k.differences()["claims"].OnlyPostgres.Count, "what the index has not is there all the same")
		require.Empty(k, k.indexed())

		filled := k.refill(closing.SidesOptions{Commands: 1})
		require.Equal(k, []closing.Filled{{Kind: claimIndexKind, Entries: 10_000}}, filled, "a run is bounded, and goes on where it was")
		filled = k.refill(closing.SidesOptions{Commands: 100})
		require.Equal(k, closing.Filled{Kind: claimIndexKind, Entries: 2, Done: true}, filled[0])
		require.Subset(k, k.indexed(), want)
		k.differences()
		require.Equal(k, want, k.indexed(), "those without a claim have gone")

		for len(k.refill(closing.SidesOptions{Commands: 100})) > 0 {
		}
		commands, _ := k.given.Spent(func() { require.Empty(k, k.refill(closing.SidesOptions{})) })
		require.Zero(k, commands, "brought once, it costs nothing")
		k.anotherPostgres()
		k.refill(closing.SidesOptions{All: true})
		require.Equal(k, want, k.archived())
	})
}

// If the index is lost together with the database that has the claims, devices stay claimed.
// Each claim comes back to both sides when its owner claims the device again, or when its note
// is looked after.
func TestClaimsThatNobodyTellsOfComeBackOneByOne(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		for _, device := range []string{"dev_a", "dev_b"} {
			require.NoError(k, k.claim(device, "ana"))
		}
		k.now = k.now.Add(time.Hour)
		k.daily()
		require.NoError(k, k.claim("dev_noted", "ana"))
		k.fromBefore()
		k.anotherPostgres()
		k.now = k.now.Add(time.Hour)
		k.daily()
		require.Equal(k, []string{game.BanMember("dev_noted")}, k.indexed())
		require.Equal(k, k.indexed(), k.archived())
		require.NoError(k, k.claim("dev_beside", "ana")) // by a process of the earlier version, which still runs
		k.given.Do("SREM", game.ClaimIndexKey, game.BanMember("dev_beside"))
		k.now = k.now.Add(time.Hour)
		k.daily()
		require.ElementsMatch(k, []string{game.BanMember("dev_noted"), game.BanMember("dev_beside")}, k.indexed())
		require.ErrorIs(k, k.claim("dev_a", "ben"), lifecycle.ErrClaimed)
		require.NoError(k, k.claim("dev_a", "ana"))
		require.ElementsMatch(k, []string{game.BanMember("dev_noted"), game.BanMember("dev_beside"), game.BanMember("dev_a")}, k.indexed())
		require.Equal(k, k.indexed(), k.archived())
		require.Empty(k, k.differences())
	})
}

// A digest without a claim is no claim, and is removed when it is met, unless the device is
// claimed just then.
func TestWhatIsNoClaimLeavesTheIndex(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		require.NoError(k, k.claim("dev_a", "ana"))
		gone, late := game.BanMember("dev_gone"), game.BanMember("dev_late")
		require.NoError(k, k.backflow().IndexClaims(k.Context(), []string{gone, late}))
		requests := 0
		k.given.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
			if requests++; requests == 3 { // the digests, their claims, and what has none
				k.given.Do("HSET", game.ClaimDigestKey(late), "player", game.BanMember("ben"), "at", "1")
			}
			return upstashtest.Fault{}
		})
		page, next, err := k.backflow().Claims(k.Context(), "")
		k.given.Server.Inject(nil)
		require.NoError(k, err)
		require.Empty(k, next)
		require.Equal(k, []string{game.BanMember("dev_a")}, devices(page))
		require.Greater(k, requests, 2)
		require.ElementsMatch(k, []string{game.BanMember("dev_a"), late}, k.indexed())
		require.Equal(k, k.claimed(), k.indexed())
	})
}

// Whatever happens to claims and to both sides, over connections that break: the index has
// every claim that it can know of, and after it has been read, nothing else.
func TestTheIndexHasTheClaimsThatThereAre(t *testing.T) {
	onBothEngines(t, func(k *twoSides) {
		whole := k.T
		rapid.Check(t, func(r *rapid.T) {
			k.T = whole
			k.indexFollowsClaims(r)
		})
	})
}

// follower is what the index has to have.
type follower struct {
	*twoSides
	must map[string]struct{}
}

func (k *twoSides) indexFollowsClaims(r *rapid.T) {
	k.given.Do("FLUSHALL")
	k.anotherPostgres()
	k.redis = k.given.Connect(testkit.AtOnce)
	k.restart()
	f := &follower{twoSides: k, must: map[string]struct{}{}}
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "faults"), 0))
	var mu sync.Mutex
	broken := func(upstashtest.Request) upstashtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		switch n := random.IntN(100); {
		case n < 6:
			return upstashtest.Fault{CutBefore: true}
		case n < 12:
			return upstashtest.Fault{CutAfter: true}
		}
		return upstashtest.Fault{}
	}
	steps := []struct {
		name string
		do   func(context.Context) error
	}{
		{"claim", f.claims(r)}, {"claim", f.claims(r)}, {"claim", f.claims(r)},
		{"erase", func(ctx context.Context) error {
			_, err := jobs.Removals(k.app, k.kept).Erase(ctx, f.player(r), lifecycle.Act{ID: fmt.Sprint("erase ", f.now.UnixNano()), Actor: "ops", At: k.now})
			return err
		}},
		{"daily", f.runs}, {"archive", f.refills}, {"verify", f.verifies}, {"restore", f.restores},
		{"upgrade", func(context.Context) error { f.fromBefore(); clear(f.must); return nil }},
		{"lose Redis", func(context.Context) error { k.loseRedis(); clear(f.must); return nil }},
		{"lose Postgres", func(context.Context) error { k.anotherPostgres(); return nil }},
	}
	for range rapid.IntRange(4, 10).Draw(r, "steps") {
		step := steps[rapid.IntRange(0, len(steps)-1).Draw(r, "step")]
		if rapid.Bool().Draw(r, "broken") && !strings.HasPrefix(step.name, "lose") && step.name != "upgrade" {
			k.given.Server.Inject(broken)
		}
		k.now = k.now.Add(time.Hour)
		err := step.do(k.Context())
		k.given.Server.Inject(nil)
		if err != nil { // a connection broke too often: the claim may or may not have been made
			err = step.do(k.Context())
		}
		require.NoError(r, err, step.name)
		require.Subset(r, f.indexed(), f.wanted(), step.name)
	}
	require.NoError(r, f.runs(k.Context()))
	require.NoError(r, f.refills(k.Context()))
	require.NoError(r, f.verifies(k.Context()))
	require.Subset(r, f.archived(), f.wanted())
}

func (f *follower) wanted() []string {
	digests := []string{}
	for digest := range f.must {
		digests = append(digests, digest)
	}
	return digests
}

// follow requires that the index has those of some digests that have a claim.
func (f *follower) follow(digests ...string) {
	for _, digest := range digests {
		if slices.Contains(f.claimed(), digest) {
			f.must[digest] = struct{}{}
		}
	}
}

func (f *follower) player(r *rapid.T) string {
	return rapid.SampledFrom([]string{"ana", "ben"}).Draw(r, "player")
}

func (f *follower) claims(r *rapid.T) func(context.Context) error {
	return func(ctx context.Context) error {
		device := rapid.SampledFrom([]string{"dev_a", "dev_b", "dev_c", "dev_d"}).Draw(r, "device")
		player := f.player(r)
		before := f.claimed()
		_, err := jobs.Claims(f.app, f.kept).Claim(ctx, device, player)
		if errors.Is(err, lifecycle.ErrClaimed) {
			return nil
		}
		if err == nil || !slices.Contains(before, game.BanMember(device)) {
			f.follow(game.BanMember(device)) // made, even if the caller got no answer
		}
		return err
	}
}

// runs is cron-daily.
func (f *follower) runs(ctx context.Context) error {
	f.now = f.now.Add(time.Hour)
	notes := []string{}
	for i, word := range f.given.Do("HGETALL", game.ClaimsKey).([]any) {
		if i%2 == 0 {
			notes = append(notes, game.BanMember(word.(string)))
		}
	}
	archived := f.archived()
	undone := !slices.ContainsFunc(f.noted(), func(r archive.Refill) bool { return r.Kind == claimIndexKind && r.Done })
	_, err := jobs.New(f.app, f.kept).Daily(ctx, f.now)
	if err == nil {
		if f.follow(notes...); undone {
			f.follow(archived...)
		}
	}
	return err
}

func (f *follower) noted() []archive.Refill {
	noted, err := f.kept.Refills.All(f.Context())
	require.NoError(f, err)
	return noted
}

// refills is lbctl archive.
func (f *follower) refills(ctx context.Context) error {
	archived := f.archived()
	_, err := f.sides().Refill(ctx, closing.SidesOptions{All: true})
	if err == nil {
		f.follow(archived...)
		require.Subset(f, f.archived(), f.wanted(), "all that the index knows")
	}
	return err
}

// verifies is lbctl verify.
func (f *follower) verifies(ctx context.Context) error {
	all, err := f.sides().Compare(ctx)
	if err != nil {
		return err
	}
	require.Subset(f, f.claimed(), f.indexed(), "what is no claim has gone")
	for _, d := range all {
		if d.Kind == "claims" {
			require.Equal(f, len(without(f.indexed(), f.archived())), d.OnlyRedis.Count)
			require.Equal(f, len(without(f.archived(), f.claimed())), d.OnlyPostgres.Count)
		}
	}
	return nil
}

func (f *follower) restores(ctx context.Context) error {
	_, err := jobs.New(f.app, f.kept).Restore(ctx, closing.RestoreOptions{Force: true})
	if err == nil {
		require.Subset(f, f.claimed(), f.archived())
		f.follow(f.archived()...)
	}
	return err
}

func without(all, other []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(one string) bool { return slices.Contains(other, one) })
}

// claimsADevice has a player claim a device that has played for a day.
func (k *twoSides) claimsADevice(device, player string) {
	claimed, err := jobs.Claims(k.app, k.kept).Claim(k.Context(), device, player)
	require.NoError(k, err)
	require.Len(k, claimed.Days, 1)
}

// hasClaimedADevice requires that a player's document shows the device, and what was claimed
// with it.
func (k *twoSides) hasClaimedADevice(player string) {
	exported := k.document(player)
	require.Len(k, exported.Claims, 1)
	require.Equal(k, "kept", exported.Claims[0].Merged[0].Status)
}

// onlyDigestsOfADevice requires that the claim is kept without what was claimed.
func (k *twoSides) onlyDigestsOfADevice(kept *archive.Archive) {
	claims, err := kept.Claims.Of(k.Context(), game.BanMember("ana"))
	require.NoError(k, err)
	require.Len(k, claims, 1)
	require.Empty(k, claims[0].Days)
}

// cannotClaimTheDevice has another player claim it in vain.
func (k *twoSides) cannotClaimTheDevice(device, player string) {
	_, err := jobs.Claims(k.app, k.kept).Claim(k.Context(), device, player)
	require.ErrorIs(k, err, lifecycle.ErrClaimed, "a device is claimed once and for all")
}
