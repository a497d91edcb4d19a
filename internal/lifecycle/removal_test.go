package lifecycle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

var (
	removalNoon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	errAway     = errors.New("it does not answer")
)

// history is an archive that records the order of calls.
type removalHistory struct {
	asked []string
	rows  []game.DayResult
	away  error
}

func (h *removalHistory) did(what string) error {
	if h.away == nil {
		h.asked = append(h.asked, what)
	}
	return h.away
}

func (h *removalHistory) Past(context.Context, string) (*lifecycle.ArchivedPlayer, error) {
	return &lifecycle.ArchivedPlayer{Results: h.rows}, h.did("past")
}

func (h *removalHistory) DeleteResult(_ context.Context, mode string, d game.Date, player string, act lifecycle.Act) (bool, error) {
	for i, row := range h.rows {
		if row.Mode == mode && row.Date == d && h.away == nil {
			h.rows = append(h.rows[:i:i], h.rows[i+1:]...)
			return true, h.did("delete " + player + " as " + act.ID)
		}
	}
	return false, h.did("delete nothing of " + player)
}

func (h *removalHistory) Erase(_ context.Context, player string, act lifecycle.Act) (int64, error) {
	if h.away != nil {
		return 0, h.away
	}
	n := len(h.rows)
	h.rows = nil
	return int64(n), h.did("erase " + player + " by " + act.Actor)
}

func (h *removalHistory) Ban(_ context.Context, player, reason string, _ lifecycle.Act) error {
	return h.did("ban " + player + " who " + reason)
}

func (h *removalHistory) Unban(_ context.Context, player string, _ lifecycle.Act) error {
	return h.did("unban " + player)
}

func (h *removalHistory) Ping(context.Context) error { return h.did("ping") }

// kit is removals over a real Redis.
type removals struct {
	*lifecycle.Removals
	store *lifecycle.Parts
	rest  *upstashtest.Server
	redis *upstash.Client
	game  *game.Game
	now   time.Time
	log   *bytes.Buffer
}

func newRemovals(t *testing.T, archive lifecycle.RemovalArchive) *removals {
	t.Helper()
	redis := testkit.NewRedis(t, testkit.RealRedis(t), testkit.AtOnce)
	k := &removals{rest: redis.Server, redis: redis.Client, now: removalNoon, log: new(bytes.Buffer)}
	k.game = testkit.Game(t, "name: testing\nmodes:\n  daily: {max: 1000, xp: 1, scopes: [country]}\n")
	k.store = k.process()
	k.Removals = &lifecycle.Removals{Notices: k.store.Notices, Repair: k.store.Repair, Archive: archive, Log: slog.New(slog.NewJSONHandler(k.log, nil))}
	return k
}

// process is a store with a memory of its own.
func (k *removals) process() *lifecycle.Parts {
	return lifecycle.New(lifecycle.Options{Redis: k.redis, Game: k.game, Now: func() time.Time { return k.now }})
}

func (k *removals) mode(t *testing.T) *game.Mode {
	m, ok := k.game.Mode("daily")
	require.True(t, ok)
	return m
}

func (k *removals) today() game.Date { return game.DateOf(k.now) }

func (k *removals) play(t *testing.T, player string, score game.Score) {
	t.Helper()
	_, err := k.store.Boards.Submit(t.Context(), game.Submission{Mode: k.mode(t), Player: player, Date: k.today(), Score: score, At: k.now})
	require.NoError(t, err)
}

// standing is a player's score on today's board; 0 for none.
func (k *removals) standing(t *testing.T, player string) game.Score {
	t.Helper()
	b := game.BoardOf(k.mode(t), game.Day.Of(k.today()), game.Scope{})
	entries, err := k.store.Boards.Lookup(t.Context(), b, []string{player})
	require.NoError(t, err)
	if len(entries) == 0 {
		return 0
	}
	return entries[0].Score
}

// row is what the archive has of a player's day.
func (k *removals) row(d game.Date) game.DayResult { return game.DayResult{Mode: "daily", Date: d} }

func (k *removals) act(id string) lifecycle.Act {
	return lifecycle.Act{ID: id, Actor: "operator", At: k.now}
}

// noted are the lines that the log has.
func (k *removals) noted(t *testing.T) (lines []map[string]any) {
	t.Helper()
	decoder := json.NewDecoder(k.log)
	for decoder.More() {
		var line map[string]any
		require.NoError(t, decoder.Decode(&line))
		lines = append(lines, line)
	}
	return lines
}

func TestAScoreIsTakenOffTheBoardBeforeItLeavesTheArchive(t *testing.T) {
	h := &removalHistory{}
	k := newRemovals(t, h)
	k.play(t, "user_a", 800)
	k.play(t, "user_b", 700)
	h.rows = []game.DayResult{k.row(k.today())}
	report, err := k.Score(t.Context(), k.mode(t), k.today(), "user_a", k.act("r1"))
	require.NoError(t, err)
	require.Positive(t, report.Boards)
	require.EqualValues(t, 1, report.Results)
	require.Zero(t, k.standing(t, "user_a"))
	require.EqualValues(t, 700, k.standing(t, "user_b"))
	require.Equal(t, []string{"past", "delete user_a as r1"}, h.asked)

	report, err = k.Score(t.Context(), k.mode(t), k.today(), "user_a", k.act("r1"))
	require.NoError(t, err)
	require.Zero(t, report.Results, "a repetition finds nothing")
}

// The archive's part comes last; repeating the act catches up on it.
func TestAnActThatTheArchiveMissedIsFinishedByRepeatingIt(t *testing.T) {
	h := &removalHistory{}
	k := newRemovals(t, h)
	for name, act := range map[string]func() (lifecycle.Report, error){
		"score": func() (lifecycle.Report, error) {
			return k.Score(t.Context(), k.mode(t), k.today(), "user_a", k.act("r1"))
		},
		"ban":   func() (lifecycle.Report, error) { return k.Ban(t.Context(), "user_a", "cheats", k.act("r2")) },
		"erase": func() (lifecycle.Report, error) { return k.Erase(t.Context(), "user_a", k.act("r3")) },
	} {
		k.play(t, "user_a", 800)
		h.rows = []game.DayResult{k.row(k.today())}
		h.away = errAway
		_, err := act()
		require.ErrorIs(t, err, errAway, name)
		h.away = nil
		report, err := act()
		require.NoError(t, err, name)
		require.EqualValues(t, 1, report.Results, name)
		require.Zero(t, k.standing(t, "user_a"), name)
		require.Empty(t, h.rows, name)
		require.NoError(t, k.Unban(t.Context(), "user_a", k.act("r4")))
	}
}

func TestABanTakesWhatIsArchivedOfTheDaysItTakesOff(t *testing.T) {
	h := &removalHistory{}
	k := newRemovals(t, h)
	k.play(t, "user_a", 800)
	old := k.row(k.today().AddDays(-100))
	h.rows = []game.DayResult{old, k.row(k.today())}
	report, err := k.Ban(t.Context(), "user_a", "cheats", k.act("r1"))
	require.NoError(t, err)
	require.EqualValues(t, 1, report.Results)
	require.Equal(t, []game.DayResult{old}, h.rows, "what is older stays")
	require.Equal(t, []string{"ban user_a who cheats", "past", "delete user_a as r1 daily " + k.today().String()}, h.asked)
	banned, err := k.store.Notices.IsBanned(t.Context(), "user_a")
	require.NoError(t, err)
	require.True(t, banned)

	require.NoError(t, k.Unban(t.Context(), "user_a", k.act("r2")))
	require.Equal(t, "unban user_a", h.asked[len(h.asked)-1])
	require.Zero(t, k.standing(t, "user_a"), "it brings nothing back")
}

func TestNothingIsArchivedAsErasedThatIsNotErasedFromRedis(t *testing.T) {
	h := &removalHistory{}
	k := newRemovals(t, h)
	k.play(t, "user_a", 800)
	var also []string
	k.Also = func(_ context.Context, player string) error {
		also = append(also, player)
		require.Equal(t, []string{"past"}, h.asked, "the archive is told last")
		return errAway
	}
	_, err := k.Erase(t.Context(), "user_a", k.act("r1"))
	require.ErrorIs(t, err, errAway)
	require.Equal(t, []string{"user_a"}, also)

	k.rest.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{Status: 500} })
	_, err = k.Erase(t.Context(), "user_a", k.act("r1"))
	require.Error(t, err)
	require.Equal(t, []string{"user_a"}, also, "Redis comes first")
	require.NotContains(t, h.asked, "erase user_a by operator")

	k.rest.Inject(nil)
	k.Also = nil
	_, err = k.Erase(t.Context(), "user_a", k.act("r1"))
	require.NoError(t, err)
	require.Equal(t, []string{"past", "past", "past", "erase user_a by operator"}, h.asked)
}

func TestWithoutAnArchiveTheLogNotesEachAct(t *testing.T) {
	k := newRemovals(t, nil)
	k.play(t, "user_a", 800)
	ctx := t.Context()
	_, err := k.Score(ctx, k.mode(t), k.today(), "user_a", k.act("r1"))
	require.NoError(t, err)
	_, err = k.Ban(ctx, "user_a", "cheats", k.act("r2"))
	require.NoError(t, err)
	require.NoError(t, k.Unban(ctx, "user_a", k.act("r3")))
	lines := k.noted(t)
	require.Len(t, lines, 3)
	for i, want := range []struct{ action, id string }{{"delete_result", "r1"}, {"ban", "r2"}, {"unban", "r3"}} {
		require.Equal(t, want.action, lines[i]["action"])
		require.Equal(t, want.id, lines[i]["id"])
		require.Equal(t, "operator", lines[i]["actor"])
		require.Equal(t, "user_a", lines[i]["player"])
	}
	require.Equal(t, "daily", lines[0]["mode"])
	require.Equal(t, "cheats", lines[1]["reason"])
}

// The log outlives erased players.
func TestTheLogDoesNotTellWhoWasErased(t *testing.T) {
	k := newRemovals(t, nil)
	k.play(t, "user_a", 800)
	_, err := k.Erase(t.Context(), "user_a", lifecycle.Act{ID: "r1", Actor: "user_a", At: k.now})
	require.NoError(t, err)
	require.NotContains(t, k.log.String(), "user_a")
	lines := k.noted(t)
	require.Len(t, lines, 1)
	require.Equal(t, "erase", lines[0]["action"])
	require.Equal(t, "the player", lines[0]["actor"])
	require.Zero(t, k.standing(t, "user_a"))
}

// What a banned player could still play, before every process knew of the ban, is removed
// later, also from the archive: otherwise it would come back when the ban is lifted.
func TestRemovalsAreLookedAfter(t *testing.T) {
	h := &removalHistory{}
	for name, archive := range map[string]lifecycle.RemovalArchive{"with an archive": h, "without one": nil} {
		t.Run(name, func(t *testing.T) {
			k := newRemovals(t, archive)
			late := *k
			late.store = k.process()
			banned, err := late.store.Notices.IsBanned(t.Context(), "user_a")
			require.NoError(t, err)
			require.False(t, banned)
			_, err = k.Ban(t.Context(), "user_a", "cheats", k.act("r1"))
			require.NoError(t, err)
			late.play(t, "user_a", 900)
			require.EqualValues(t, 900, k.standing(t, "user_a"))
			h.rows = []game.DayResult{k.row(k.today())} // as a schedule has saved it
			done, err := k.LookAfter(t.Context())
			require.NoError(t, err)
			require.Zero(t, done, "not before 20 minutes")
			k.now = k.now.Add(21 * time.Minute)
			done, err = k.LookAfter(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, done)
			require.Zero(t, k.standing(t, "user_a"))
			require.Equal(t, archive != nil, len(h.rows) == 0)
		})
	}
}

func TestHealthTellsTheTwoStoresApart(t *testing.T) {
	h := &removalHistory{}
	k := newRemovals(t, h)
	require.True(t, k.Archived())
	_, redis, archive := k.Health(t.Context())
	require.NoError(t, redis)
	require.NoError(t, archive)
	h.away = errAway
	_, redis, archive = k.Health(t.Context())
	require.NoError(t, redis)
	require.ErrorIs(t, archive, errAway)
	k.Archive = nil
	require.False(t, k.Archived())
	k.rest.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{Status: 500} })
	_, redis, archive = k.Health(t.Context())
	require.Error(t, redis)
	require.NoError(t, archive, "there is none to ask")
}
