package queue_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/game"
)

const scopedGame = "name: scoped\nmodes: {a: {max: 1000, scopes: [group], details: true}, b: {policy: sum, decimals: 2, min: -5, max: 5, day_min: -50, day_max: 50}}\n"

func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	g := testkit.Game(t, scopedGame)
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(g.Modes).Draw(t, "mode")
		sub := game.Submission{
			Mode: m, Player: rapid.StringMatching(`[A-Za-z0-9_.:@-]{1,128}`).Filter(func(id string) bool { return game.ValidPlayer(id) == nil }).Draw(t, "player"),
			Date:  game.DateOf(noon).AddDays(rapid.IntRange(-400, 400).Draw(t, "days")),
			Score: game.Score(rapid.Int64Range(int64(m.Min), int64(m.Max)).Draw(t, "score")),
			At:    time.Unix(0, rapid.Int64Range(0, 1<<62).Draw(t, "at")).UTC(),
			Profile: game.Profile{
				Name: rapid.String().Draw(t, "name"), Picture: rapid.String().Draw(t, "picture"), Country: rapid.SampledFrom([]string{"", "BR"}).Draw(t, "country"),
			},
		}
		if m.Details && rapid.Bool().Draw(t, "details") {
			sub.Details = fmt.Appendf(nil, `{"text":%q}`, rapid.StringMatching(`[a-zä-ü😀]*`).Draw(t, "text"))
		}
		if m.Policy == game.Sum {
			sub.Idempotency = game.IdempotencyRecord{ID: "id", Fingerprint: "f"}
		}
		if m.HasScope(game.Group) {
			scope, err := game.GroupScope("guild-1")
			require.NoError(t, err)
			sub.Scopes = []game.Scope{scope}
		}
		body, err := queue.Encode(sub)
		require.NoError(t, err)
		require.Regexp(t, `^[ -~]+$`, body, "SQS takes it")
		read, err := queue.Decode(g, body)
		require.NoError(t, err)
		if sub.Details != nil {
			require.JSONEq(t, string(sub.Details), string(read.Details))
			read.Details = sub.Details
		}
		require.Equal(t, sub, read)
	})
}

func TestScopesThatTheModeHasNoMoreAreLeftOut(t *testing.T) {
	g := testkit.Game(t, scopedGame)
	m, _ := g.Mode("b")
	scope, err := game.GroupScope("guild-1")
	require.NoError(t, err)
	body, err := queue.Encode(game.Submission{
		Mode: m, Player: "ana", Date: game.DateOf(noon), At: noon, Scopes: []game.Scope{scope}, Idempotency: game.IdempotencyRecord{ID: "id", Fingerprint: "f"},
	})
	require.NoError(t, err)
	read, err := queue.Decode(g, body)
	require.NoError(t, err)
	require.Empty(t, read.Scopes)
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"v":1,"m":"a","d":"2026-11-18","p":"ana","s":"800","t":1795000000000000000,"c":["group:x"],"x":{"a":1},"w":{"name":"Ana"}}`)
	f.Add(`{"v":1,"m":"b","d":"2026-11-18","p":"ana","s":"-1.25","t":0,"w":{},"o":{"i":"id","f":"f"}}`)
	g := testkit.Game(f, scopedGame)
	f.Fuzz(func(t *testing.T, body string) {
		sub, err := queue.Decode(g, body)
		if err != nil {
			return
		}
		if game.ValidPlayer(sub.Player) != nil || sub.Score < sub.Mode.Min || sub.Score > sub.Mode.Max || sub.Mode.Policy == game.Sum && sub.Idempotency.ID == "" {
			t.Fatalf("%q was read as %+v", body, sub)
		}
		again, err := queue.Encode(sub)
		if err != nil {
			t.Fatalf("%+v cannot be written: %v", sub, err)
		}
		if _, err := queue.Decode(g, again); err != nil {
			t.Fatalf("%q cannot be read again as %q: %v", body, again, err)
		}
	})
}

func ExampleDecode() {
	_, err := queue.Decode(&game.Game{}, `{"v":2}`)
	fmt.Println(err)
	// Output: read a queued submission: its version is 2: this program reads version 1
}
