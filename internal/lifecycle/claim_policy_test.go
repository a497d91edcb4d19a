package lifecycle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// If both have played a day, the mode's policy decides.
func TestClaimsFollowThePolicy(t *testing.T) {
	type play struct {
		hour  int
		score game.Score
	}
	onEngines(t, func(t *testing.T, k *kit) {
		for name, test := range map[string]struct {
			mode        string
			device, own play
			status      game.Status
			score       game.Score
		}{
			"the earlier play counts":                {"first", play{1, 10}, play{2, 900}, game.Improved, 10},
			"the player was earlier":                 {"first", play{2, 900}, play{1, 10}, game.Kept, 10},
			"both at one moment: the player's":       {"first", play{1, 900}, play{1, 10}, game.Kept, 10},
			"the earlier play counts, lowest leads":  {"golf", play{1, 5}, play{2, -3}, game.Improved, 5},
			"the better play counts":                 {"best", play{2, 900}, play{1, 10}, game.Improved, 900},
			"the player was better":                  {"best", play{1, 10}, play{2, 900}, game.Kept, 900},
			"equally good: the earlier":              {"best", play{1, 10}, play{2, 10}, game.Improved, 10},
			"the faster play counts":                 {"fastest", play{2, 100}, play{1, 200}, game.Improved, 100},
			"the player was faster":                  {"fastest", play{1, 200}, play{2, 100}, game.Kept, 100},
			"the later play counts":                  {"latest", play{2, -5}, play{1, 40}, game.Improved, -5},
			"the player was later":                   {"latest", play{1, 40}, play{2, -5}, game.Kept, -5},
			"plays are added up":                     {"coins", play{1, 300}, play{2, 40}, game.Improved, 340},
			"nothing is added":                       {"coins", play{1, 0}, play{2, 40}, game.Kept, 40},
			"where ranks are shared, the earlier":    {"shared", play{1, 3}, play{2, 20}, game.Improved, 3},
			"where ranks are shared, the better one": {"shared_fastest", play{2, 3}, play{1, 20}, game.Improved, 3},
		} {
			t.Run(name, func(t *testing.T) {
				ctx := context.Background()
				k.empty()
				k.clock.Set(noon)
				p := k.process()
				m := k.mode(test.mode)
				submit := func(player, scope string, played play) {
					sub := k.play(test.mode, player, played.score)
					sub.At = sub.Date.Midnight().Add(time.Duration(played.hour) * time.Hour)
					sub.Idempotency = game.IdempotencyRecord{ID: player, Fingerprint: "f"}
					if m.HasScope(game.Group) {
						sub.Scopes = []game.Scope{group(t, scope)}
					}
					if m.Details {
						sub.Details = json.RawMessage(fmt.Sprintf(`{"of":%q}`, player))
					}
					_, err := p.Boards.Submit(ctx, sub)
					require.NoError(t, err)
				}
				submit("dev", "red", test.device)
				submit("p1", "blue", test.own)
				answer, err := p.Repair.Claim(ctx, "dev", "p1", nil)
				require.NoError(t, err)
				require.Len(t, answer.Days, 1)
				require.Equal(t, test.status, answer.Days[0].Status)
				require.Equal(t, test.score, answer.Days[0].Score)

				day := k.dayBoard(p, test.mode)
				for _, reader := range []*process{p, k.process()} {
					card, err := reader.Boards.Card(ctx, day, "p1")
					require.NoError(t, err)
					require.Equal(t, test.score, card.Score)
					require.EqualValues(t, 1, card.Total)
					switch {
					case !m.Details:
					case test.status == game.Kept:
						require.JSONEq(t, `{"of":"p1"}`, string(card.Details))
					default:
						require.JSONEq(t, `{"of":"dev"}`, string(card.Details))
					}
					_, err = reader.Boards.Card(ctx, day, "dev")
					require.ErrorIs(t, err, leaderboard.ErrNotOnBoard)
				}
				if !m.HasScope(game.Group) {
					return
				}
				inRed := len(wholeBoard(t, p, game.BoardOf(m, day.Period, group(t, "red")), 9))
				inBlue := len(wholeBoard(t, p, game.BoardOf(m, day.Period, group(t, "blue")), 9))
				require.Equal(t, []int{1, 1}, []int{inRed, inBlue})
			})
		}
	})
}

// The sum of both stays inside the bounds of a day's total.
func TestClaimedSumsStayInsideTheDaysBounds(t *testing.T) {
	k := newKit(t, "")
	ctx := context.Background()
	p := k.process()
	for _, player := range []string{"dev", "p1"} {
		for n := range 8 {
			sub := k.play("coins", player, 500)
			sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(player, n), Fingerprint: "f"}
			_, err := p.Boards.Submit(ctx, sub)
			require.NoError(t, err)
		}
	}
	answer, err := p.Repair.Claim(ctx, "dev", "p1", nil)
	require.NoError(t, err)
	require.EqualValues(t, 5000, answer.Days[0].Score)
}

// A device plays on through a process that does not know of its claim yet: the daily job moves
// these plays to the owner, unless the owner was erased or banned.
func TestLatePlaysOfADeviceFollowTheirOwner(t *testing.T) {
	for name, test := range map[string]struct {
		between func(ctx context.Context, p *process) error
		owner   bool
		erased  []string
	}{
		"the owner stays": {func(context.Context, *process) error { return nil }, true, nil},
		"the owner is erased": {func(ctx context.Context, p *process) error {
			_, err := p.Repair.ForgetOwner(ctx, "p1", nil)
			return err
		}, false, []string{"dev"}},
		"the owner is banned": {func(ctx context.Context, p *process) error { return p.Notices.Ban(ctx, "p1") }, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, "")
			ctx := context.Background()
			p := k.process()
			_, err := p.Repair.Claim(ctx, "dev", "p1", nil)
			require.NoError(t, err)
			_, err = p.Boards.Submit(ctx, k.play("best", "dev", 70))
			require.NoError(t, err)
			require.NoError(t, test.between(ctx, p))
			var erased []string
			erase := func(ctx context.Context, device string) error {
				erased = append(erased, device)
				_, err := p.Repair.Erase(ctx, device, lifecycle.Erasure{})
				return err
			}
			done, err := p.Repair.LookAfterClaims(ctx, nil, erase, nil, nil)
			require.NoError(t, err)
			require.Zero(t, done, "it is too early")
			k.clock.Set(noon.Add(30 * time.Minute))
			for want := 1; want >= 0; want-- {
				done, err = p.Repair.LookAfterClaims(ctx, nil, erase, nil, nil)
				require.NoError(t, err)
				require.Equal(t, want, done)
			}
			require.Equal(t, test.erased, erased)
			entries := wholeBoard(t, k.process(), k.dayBoard(p, "best"), 9)
			if !test.owner {
				require.Empty(t, entries)
				return
			}
			require.Len(t, entries, 1)
			require.Equal(t, "p1", entries[0].Player)
		})
	}
}

// What a claim costs, by the client's meter and by Redis' own. The number of other players
// does not matter.
func TestTheCostOfAClaim(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		cost := func(others, plays int) (commands, trips int64) {
			k.empty()
			k.clock.Set(noon)
			p := k.process()
			var subs []game.Submission
			for i := range others {
				subs = append(subs, k.play("shared", fmt.Sprint("o", i), 3))
			}
			for _, mode := range []string{"shared", "golf", "best"}[:plays] {
				subs = append(subs, k.play(mode, "dev", 9))
			}
			for _, o := range p.Boards.SubmitBatch(ctx, subs) {
				require.NoError(t, o.Err)
			}
			require.NoError(t, k.process().Rollup.Calendar.ListDays(ctx)) // as the last closing did
			return p.spent(func() {
				_, err := p.Repair.Claim(ctx, "dev", "p1", nil)
				require.NoError(t, err)
			})
		}
		_, _ = cost(1, 3) // from now on Redis knows the scripts
		for plays, most := range []int64{33, 72, 96, 125} {
			few, trips := cost(1, plays)
			many, _ := cost(500, plays)
			require.Equal(t, few, many)
			require.LessOrEqual(t, few, most, "%d days played", plays)
			require.LessOrEqual(t, trips, int64(23))
		}
		p := k.process()
		commands, trips := p.spent(func() {
			_, err := p.Repair.Claim(ctx, "dev", "p2", nil)
			require.ErrorIs(t, err, lifecycle.ErrClaimed)
		})
		require.EqualValues(t, 2, commands)
		require.EqualValues(t, 1, trips)
	})
}
