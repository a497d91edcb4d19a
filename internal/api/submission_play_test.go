package api_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

const rules = `
name: rules
challenges:
  english: [The quick brown fox jumps over the lazy dog.]
modes:
  plain: {policy: best, max: 100, scopes: [group], levels: 3}
  played: {policy: best, max: 100, play: required}
  timed: {policy: best, max: 100, play: required, challenge: {seconds: 30, seed: true}}
  typed: {policy: best, max: 350, decimals: 2, play: required, proof: keystrokes, challenge: {seconds: 30, texts: english}}
`

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// desk is where submissions are read, with plays at hand.
type desk struct {
	*testing.T
	game   *game.Game
	dealer *play.Dealer
	api.Reader
}

func newDesk(t *testing.T) desk {
	g := testkit.Game(t, rules)
	dealer := play.NewDealer(g, [][]byte{[]byte("a key")}, rand.NewChaCha8([32]byte{}))
	return desk{t, g, dealer, api.Reader{Game: g, Plays: play.Submitted{Game: g, Dealer: dealer}}}
}

// play is one of ana's that began a while ago.
func (d desk) play(mode string, day game.Date, ago time.Duration) string {
	m := testkit.Mode(d, d.game, mode)
	challenge, err := d.dealer.Challenge(m)
	require.NoError(d, err)
	_, token, err := d.dealer.Deal(play.Play{Mode: m, Player: "ana", Date: day, At: noon.Add(-ago), Challenge: challenge})
	require.NoError(d, err)
	return token
}

func (d desk) read(body map[string]any, by api.Sender) (api.Checked, error) {
	raw, err := json.Marshal(body)
	require.NoError(d, err)
	return d.ReadScore(raw, by)
}

func ana() api.Sender {
	return api.Sender{Caller: gate.Caller{Player: auth.Player{ID: "ana", Groups: []string{"own"}}}, Now: noon, Alone: true}
}

func server() api.Sender {
	return api.Sender{Caller: gate.Caller{Server: auth.Server{Key: "k"}}, Now: noon}
}

// refusal is the code of a problem, and of a play's the reason.
func refusal(err error) string {
	if err == nil {
		return ""
	}
	if p := problem.Of(err); p.Code != "play-refused" {
		return p.Code
	}
	return err.(*play.Refusal).Reason
}

// A body that is wrong in every way is repaired fault by fault. Groups, which may need a
// look-up, are checked when nothing else is wrong.
func TestTheFirstRuleThatRefusesIsTold(t *testing.T) {
	d := newDesk(t)
	body := map[string]any{
		"mode": "nope", "player": "bob", "score": 101, "play": d.play("played", game.DateOf(noon), time.Minute),
		"date": "2026-11-10", "groups": []string{"own", "theirs"}, "country": "nowhere",
	}
	by, asked := ana(), 0
	by.Belongs = func(groups []string) (bool, error) {
		asked++
		require.Equal(t, []string{"theirs"}, groups)
		return false, nil
	}
	for _, step := range []struct {
		refused, mended string
		with            any // nil: it is left out
	}{
		{"invalid-request", "country", "BR"},
		{"unknown-mode", "mode", "plain"},
		{"forbidden", "player", nil},
		{"score-out-of-bounds", "score", 7},
		{play.NotTaken, "play", nil},
		{"date-closed", "date", nil},
	} {
		_, err := d.read(body, by)
		require.Equal(t, step.refused, refusal(err), "%s is to be mended, and it says: %v", step.mended, err)
		if body[step.mended] = step.with; step.with == nil {
			delete(body, step.mended)
		}
	}
	require.Zero(t, asked)
	_, err := d.read(body, by)
	require.Equal(t, "forbidden", refusal(err))
	require.Equal(t, 1, asked)
	body["groups"] = []string{"own"}
	checked, err := d.read(body, by)
	require.NoError(t, err)
	require.Equal(t, 1, asked, "the token tells")
	require.Equal(t, "BR", checked.Submission.Profile.Country)
}

// Faults come in one order, whatever the order of the fields.
func TestFaultsAreToldInTheOrderOfReading(t *testing.T) {
	d := newDesk(t)
	_, err := d.read(map[string]any{
		"mode": "plain", "elapsed": -1, "values": map[string]any{}, "player": 1, "date": "x", "country": "xx", "groups": []string{"a b"},
		"level": 4, "details": map[string]any{"a": 1}, "view": []string{"all"}, "played_at": "x",
	}, ana())
	var pointers []string
	for _, fault := range problem.Of(err).Errors {
		pointers = append(pointers, fault.Pointer)
	}
	require.Equal(t, []string{"/elapsed", "/values", "/player", "/date", "/country", "/groups/0", "/level", "/view/0", "/details", "/played_at"}, pointers)
}

func TestAScoreThatFollowsFromAProofIsNotSent(t *testing.T) {
	d := newDesk(t)
	for name, value := range map[string]any{"score": 7, "values": map[string]any{}} {
		_, err := d.read(map[string]any{"mode": "typed", "play": "forged", name: value, "country": "nowhere"}, ana())
		require.Equal(t, "score-sent", refusal(err), "before anything else is said")
	}
	_, err := d.read(map[string]any{"mode": "typed", "details": string(make([]byte, 9<<10)), "unknown": 1}, ana())
	require.Equal(t, "too-large", refusal(err))
	checked, err := d.read(map[string]any{"mode": "typed", "player": "ana", "score": 71.5}, server())
	require.NoError(t, err, "a game server sends scores without a play")
	require.EqualValues(t, 7150, checked.Submission.Score)
}

// A late play may have come in time before: it is not refused, but marked with why it is
// late. A play that cannot have been in time is refused.
func TestALatePlayIsNotRefusedAtOnce(t *testing.T) {
	d := newDesk(t)
	today := game.DateOf(noon)
	for _, c := range []struct {
		name, token   string
		elapsed       any
		refused, late string
	}{
		{"in time", d.play("timed", today, time.Minute), 59_000, "", ""},
		{"of a day that is closed", d.play("timed", today.AddDays(-9), time.Minute), nil, "", "date-closed"},
		{"of a day to come", d.play("timed", today.AddDays(3), time.Minute), nil, "", "date-closed"},
		{"expired", d.play("timed", today, 24*time.Hour), nil, "", play.Expired},
		{"expired, of a day that is closed", d.play("timed", today.AddDays(-9), 24*time.Hour), nil, "", play.Expired},
		{"said to be short", d.play("timed", today, time.Minute), 31_000, "", play.TooShort},
		{"too early", d.play("timed", today, time.Second), nil, play.TooEarly, ""},
		{"said to be long", d.play("timed", today, time.Minute), 61_000, play.TooLong, ""},
		{"of another mode", d.play("played", today, time.Minute), nil, play.OtherMode, ""},
	} {
		body := map[string]any{"mode": "timed", "score": 7, "play": c.token}
		if c.elapsed != nil {
			body["elapsed"] = c.elapsed
		}
		checked, err := d.read(body, ana())
		require.Equal(t, c.refused, refusal(err), c.name)
		require.Equal(t, c.late, refusal(checked.Play.Late), c.name)
		require.Equal(t, err == nil, checked.Play.Sent(), c.name)
	}
}

// An entry is refused for the same reasons as a score, in the same order. Whether its date is
// open is checked separately.
func TestAnEntryIsNamedAsAScoreNamesIt(t *testing.T) {
	d := newDesk(t)
	for _, body := range []map[string]any{
		{}, {"mode": "nope"}, {"mode": "no pe"}, {"mode": "plain", "player": "bob"}, {"mode": "nope", "player": "bob"},
		{"mode": "plain", "date": "x"}, {"mode": "plain"}, {"mode": "plain", "date": "2026-11-22"}, {"mode": "plain", "player": ""},
	} {
		for _, by := range []api.Sender{ana(), server()} {
			raw, err := json.Marshal(body)
			require.NoError(t, err)
			of, refused := d.ReadEntry(raw, by)
			scored := maps.Clone(body)
			scored["score"] = 7
			checked, err := d.read(scored, by)
			require.Equal(t, problem.Of(err), problem.Of(refused), "%s", raw)
			sub := checked.Submission
			require.Equal(t, api.Target{Mode: sub.Mode, Player: sub.Player, Date: sub.Date}, of, "%s", raw)
		}
	}
	of, err := d.ReadEntry([]byte(`{"mode":"plain","date":"2026-11-10"}`), ana())
	require.NoError(t, err)
	require.Equal(t, "date-closed", refusal(d.CheckOpen(of.Date, ana())))
	operator := server()
	operator.Operator = auth.Operator{Role: auth.Administer}
	require.NoError(t, d.CheckOpen(of.Date, operator))
	require.Error(t, d.CheckOpen(game.DateOf(noon).AddDays(1), operator))
}

// Only a score in a request of its own may have a play and a view.
func TestOneOfManyScoresBringsNoPlayAndNoView(t *testing.T) {
	d := newDesk(t)
	for _, field := range []string{"play", "proof", "elapsed", "view"} {
		body := map[string]any{"mode": "plain", "player": "ana", "score": 7, field: nil}
		by := server()
		_, err := d.read(body, by)
		require.Equal(t, "invalid-request", refusal(err), field)
		by.Alone = true
		_, err = d.read(body, by)
		require.NoError(t, err, field)
	}
	by := ana()
	checked, err := d.read(map[string]any{"mode": "plain", "score": 7, "view": []string{"me", "page"}, "level": 2, "groups": []string{"own", "own"}}, by)
	require.NoError(t, err)
	require.True(t, checked.View.Has(api.ViewPage) && !checked.View.Has(api.ViewWeek))
	var scopes []string
	for _, scope := range checked.Submission.Scopes {
		scopes = append(scopes, scope.String())
	}
	require.Equal(t, []string{"level:2", "group:own"}, scopes)
}

// Null is what is not there, for a date as for all fields.
func TestAPlayNamesTheDateWhereTheScoreNamesNone(t *testing.T) {
	d := newDesk(t)
	yesterday := game.DateOf(noon).AddDays(-1)
	body := map[string]any{"mode": "played", "score": 7, "play": d.play("played", yesterday, 13*time.Hour), "date": nil}
	checked, err := d.read(body, ana())
	require.NoError(t, err)
	require.Equal(t, yesterday, checked.Submission.Date)
	body["date"] = game.DateOf(noon).String()
	_, err = d.read(body, ana())
	require.Equal(t, play.OtherDate, refusal(err))
}

// A country in the credential wins over one in the request, and both over the network's
// guess. One network may know what another does not.
func TestACountryIsGuessedLast(t *testing.T) {
	d := newDesk(t)
	country := func(by api.Sender, sent any) string {
		checked, err := d.read(map[string]any{"mode": "plain", "score": 7, "country": sent}, by)
		require.NoError(t, err)
		return checked.Submission.Profile.Country
	}
	by := ana()
	require.Empty(t, country(by, nil))
	by.Header = http.Header{"Cf-Ipcountry": {"T1"}, "X-Client-Geo-Country": {"SE"}}
	require.Equal(t, "SE", country(by, nil))
	by.Header.Set("CloudFront-Viewer-Country", "NO")
	require.Equal(t, "NO", country(by, nil))
	require.Equal(t, "BR", country(by, "BR"))
	by.Player.Country = "DE"
	require.Equal(t, "DE", country(by, "BR"))
}
