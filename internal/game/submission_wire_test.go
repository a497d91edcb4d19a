package game_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// waitingGame has what the form of a submission depends on: decimals, both orders,
// sums, details and groups.
func waitingGame(t require.TestingT) *game.Game {
	plain, coins, golf := plainMode(), plainMode(), plainMode()
	plain.Name, plain.Details, plain.Scopes = "a", true, []game.ScopeKind{game.Group}
	coins.Name, coins.Policy, coins.Decimals, coins.Min, coins.Max, coins.DayMin, coins.DayMax = "b", game.Sum, 2, -500, 500, -5000, 5000
	golf.Name, golf.Order, golf.Min, golf.Max, golf.XP = "c", game.Asc, -20, 20, game.XPRule{}
	return newGame(t, description(plain, coins, golf))
}

// anySubmission is a submission that a form must bring back whole: it was played at a whole
// number of units since 1970.
func anySubmission(t *rapid.T, g *game.Game, unit time.Duration) game.Submission {
	m := rapid.SampledFrom(g.Modes).Draw(t, "mode")
	at := time.Unix(0, rapid.Int64Range(0, (1<<62)/int64(unit)).Draw(t, "at")*int64(unit)).UTC()
	s := game.Submission{
		Mode: m, Player: rapid.StringMatching(`[A-Za-z0-9_.:@-]{1,128}`).Filter(func(id string) bool { return game.ValidPlayer(id) == nil }).Draw(t, "player"), At: at,
		Date:  game.DateOf(at).AddDays(rapid.IntRange(-2, 2).Draw(t, "days")),
		Score: game.Score(rapid.Int64Range(int64(m.Min), int64(m.Max)).Draw(t, "score")),
	}
	if m.Details && rapid.Bool().Draw(t, "details") {
		text, err := json.Marshal(map[string]string{"text": rapid.StringMatching(`[a-zä-ü😀]*`).Draw(t, "text")})
		require.NoError(t, err)
		s.Details = text
	}
	if m.Policy == game.Sum {
		s.Idempotency = game.IdempotencyRecord{ID: rapid.StringMatching(`[0-9a-f]{8}`).Draw(t, "id"), Fingerprint: rapid.StringMatching(`[0-9a-f]{8}`).Draw(t, "fingerprint")}
	}
	for _, id := range rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Za-z0-9_-]{1,64}`), 0, 3, rapid.ID[string]).Draw(t, "groups") {
		scope, err := game.GroupScope(id)
		require.NoError(t, err)
		if m.HasScope(game.Group) {
			s.Scopes = append(s.Scopes, scope)
		}
	}
	return s
}

// same compares what was read with what was written.
func same(t require.TestingT, g *game.Game, want, got game.Submission, stored float64) {
	if want.Details != nil {
		require.JSONEq(t, string(want.Details), string(got.Details))
		got.Details = want.Details
	}
	require.Equal(t, want, got)
	require.Equal(t, want.Stored(g), stored)
}

func TestASubmissionThatWaitedInAQueueIsTheSame(t *testing.T) {
	g := waitingGame(t)
	rapid.Check(t, func(t *rapid.T) {
		s := anySubmission(t, g, time.Nanosecond)
		s.Profile = game.Profile{Name: rapid.String().Draw(t, "name"), Picture: rapid.String().Draw(t, "picture"), Country: rapid.SampledFrom([]string{"", "BR"}).Draw(t, "country")}
		record, err := game.EncodeSubmission(s)
		require.NoError(t, err)
		require.Regexp(t, `^[ -~]+$`, record, "SQS takes it")
		read, stored, err := game.DecodeSubmission(g, []byte(record))
		require.NoError(t, err)
		same(t, g, s, read, stored)
		require.NoError(t, read.Recheck(), "its mode has not changed")
		same(t, g, s, read, stored)
	})
}

func TestSubmissionsThatWaitedInTheOutboxAreTheSame(t *testing.T) {
	g := waitingGame(t)
	rapid.Check(t, func(t *rapid.T) {
		list := make([]game.Submission, rapid.IntRange(1, 3).Draw(t, "submissions"))
		for i := range list {
			list[i] = anySubmission(t, g, time.Microsecond)
			list[i].Profile = game.Profile{Name: "Ana"}
		}
		entry, err := game.EncodePosted(g, list)
		require.NoError(t, err)
		require.NotContains(t, entry, "Ana", "nobody's name waits there")
		records, err := game.DecodePosted(entry)
		require.NoError(t, err)
		require.Len(t, records, len(list))
		for i, record := range records {
			read, stored, err := game.DecodeSubmission(g, record)
			require.NoError(t, err)
			list[i].Profile, list[i].Idempotency.Fingerprint = game.Profile{}, ""
			same(t, g, list[i], read, stored)
		}
	})
}

// These records were written before submissions had one form: they wait in queues, up to 14
// days, and in outboxes. The programs of that time read what this one writes.
const (
	queuedBefore    = `{"v":1,"m":"a","d":"2026-11-18","p":"ana","s":"800","t":1795003200123456789,"c":["group:guild-1"],"x":{"text":"\u00e4\u003c\ud83d\ude00"},"w":{"name":"Ana \u00e9","country":"BR"}}`
	queuedSumBefore = `{"v":1,"m":"b","d":"2026-11-18","p":"user_2","s":"-1.25","t":1795003200123456789,"w":{},"o":{"i":"id","f":"f"}}`
	postedBefore    = `[{"m":"a","d":"2026-11-18","p":"ana","s":"800.0157874720971","c":["group:guild-1"],"x":{"text":"ä\u003c😀"},"t":1795003200123456}]`
	postedSumBefore = `[{"m":"b","d":"2026-11-18","p":"user_2","s":"-124.98421385916299","t":1795003200123456,"o":"id"}]`
)

// waiting are the two submissions that those records are of.
func waiting(t *testing.T, g *game.Game) (plain, sum game.Submission) {
	at := time.Date(2026, 11, 18, 12, 0, 0, 123456789, time.UTC)
	guild, err := game.GroupScope("guild-1")
	require.NoError(t, err)
	a, _ := g.Mode("a")
	b, _ := g.Mode("b")
	plain = game.Submission{
		Mode: a, Player: "ana", Date: game.DateOf(at), Score: 800, At: at, Scopes: []game.Scope{guild},
		Details: json.RawMessage(`{"text":"ä<😀"}`), Profile: game.Profile{Name: "Ana é", Country: "BR"},
	}
	sum = game.Submission{
		Mode: b, Player: "user_2", Date: game.DateOf(at), Score: -125, At: at, Idempotency: game.IdempotencyRecord{ID: "id", Fingerprint: "f"},
	}
	return plain, sum
}

func TestMessagesOfTheVersionBeforeAreRead(t *testing.T) {
	g := waitingGame(t)
	plain, sum := waiting(t, g)
	for record, want := range map[string]game.Submission{queuedBefore: plain, queuedSumBefore: sum} {
		read, stored, err := game.DecodeSubmission(g, []byte(record))
		require.NoError(t, err)
		same(t, g, want, read, stored)
	}
}

func TestEntriesOfTheVersionBeforeAreRead(t *testing.T) {
	g := waitingGame(t)
	plain, sum := waiting(t, g)
	plain.Profile, sum.Idempotency.Fingerprint = game.Profile{}, ""
	for entry, want := range map[string]game.Submission{postedBefore: plain, postedSumBefore: sum} {
		records, err := game.DecodePosted(entry)
		require.NoError(t, err)
		require.Len(t, records, 1)
		read, stored, err := game.DecodeSubmission(g, records[0])
		require.NoError(t, err)
		var fields struct {
			S float64 `json:"s,string"`
		}
		require.NoError(t, json.Unmarshal(records[0], &fields))
		require.Equal(t, fields.S, stored, "as it stood on the board, whatever the rules are now")
		want.At = want.At.Truncate(time.Microsecond)
		same(t, g, want, read, want.Stored(g))
	}
}

// Old and new programs run side by side while a version is deployed, and a rollback brings
// back the version before: so what is written is what that version reads, to the letter.
func TestTheVersionBeforeReadsWhatIsWritten(t *testing.T) {
	g := waitingGame(t)
	plain, sum := waiting(t, g)
	for before, s := range map[string]game.Submission{queuedBefore: plain, queuedSumBefore: sum} {
		record, err := game.EncodeSubmission(s)
		require.NoError(t, err)
		var was, is map[string]any
		require.NoError(t, json.Unmarshal([]byte(before), &was))
		require.NoError(t, json.Unmarshal([]byte(record), &is))
		if len(was["w"].(map[string]any)) == 0 {
			delete(was, "w") // an empty profile need not be there
		}
		require.Equal(t, was, is)
	}
	for before, s := range map[string]game.Submission{postedBefore: plain, postedSumBefore: sum} {
		entry, err := game.EncodePosted(g, []game.Submission{s})
		require.NoError(t, err)
		require.JSONEq(t, before, entry)
	}
}

func TestAnUnknownVersionIsRefused(t *testing.T) {
	_, _, err := game.DecodeSubmission(waitingGame(t), []byte(`{"v":2,"m":"a"}`))
	require.EqualError(t, err, "its version is 2: this program reads version 1")
}

func TestAModeThatIsNoMoreIsNamed(t *testing.T) {
	_, _, err := game.DecodeSubmission(waitingGame(t), []byte(`{"m":"gone"}`))
	require.ErrorIs(t, err, game.ErrNoMode)
	require.EqualError(t, err, `the game has no mode "gone"`)
}

func FuzzDecodeSubmission(f *testing.F) {
	f.Add(queuedBefore)
	f.Add(queuedSumBefore)
	f.Add(postedBefore[1 : len(postedBefore)-1])
	f.Add(postedSumBefore[1 : len(postedSumBefore)-1])
	g := waitingGame(f)
	f.Fuzz(func(t *testing.T, record string) {
		s, _, err := game.DecodeSubmission(g, []byte(record))
		if err != nil || s.Recheck() != nil || !time.Unix(0, s.At.UnixNano()).Equal(s.At) {
			return // queues know moments until the year 2262
		}
		again, err := game.EncodeSubmission(s)
		if err != nil {
			t.Fatalf("%+v cannot be written: %v", s, err)
		}
		read, _, err := game.DecodeSubmission(g, []byte(again))
		if err != nil {
			t.Fatalf("%q cannot be read again as %q: %v", record, again, err)
		}
		if fmt.Sprint(read.Score, read.At, read.Date, read.Scopes) != fmt.Sprint(s.Score, s.At, s.Date, s.Scopes) {
			t.Fatalf("%q was read as %+v, and again as %+v", record, s, read)
		}
	})
}
