package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func (w *world) says(id, group, from, to string) {
	taken, err := w.app.Activity().Take(w.Context(), []activity.Event{{ID: id, Type: "chat.message", At: w.now, Group: group, From: from, To: to}})
	require.NoError(w, err)
	require.Empty(w, taken.Refused)
}

// talkGame computes boards of everybody only: no mode has boards of groups.
const talkGame = `
name: talk
anonymous: true
modes:
  talk: {policy: latest, ties: shared, max: 10000}
activity:
  events:
    chat.message: {who: [from, to], message: true, count: {sent: from, got: to}}
  pillars:
    talk: {sent: 1, got: 1}
`

// stayErased requires that a player is nowhere, now and after the schedules of the next days,
// on one of which others have acts.
func (w *world) stayErased(player, when string) {
	w.Helper()
	w.isNowhere(player, when)
	w.says("later", "north", "user_y", "user_z")
	for _, passes := range []time.Duration{25 * time.Minute, 27 * time.Hour, 24 * time.Hour} {
		w.now = w.now.Add(passes)
		w.restart()
		w.compute()
		require.NoError(w, w.save())
		w.daily()
		w.isNowhere(player, fmt.Sprintf("%s, %s later", when, passes))
	}
}

// No act of an erased player is left, whichever boards the game has, whether or not it was
// computed, and whether or not the player was banned before that. Whoever the player met
// is on no board either, if that was all.
func TestActsOfWhoIsErasedAreFoundWithoutBoards(t *testing.T) {
	ban := func(w *world) {
		_, err := jobs.Removals(w.app, w.kept).Ban(w.Context(), "user_x", "spam", lifecycle.Act{ID: "ban", Actor: "operator", At: w.now})
		require.NoError(w, err)
	}
	letIn := func(w *world) {
		require.NoError(w, jobs.Removals(w.app, w.kept).Unban(w.Context(), "user_x", lifecycle.Act{ID: "unban", Actor: "operator", At: w.now}))
	}
	compute := func(w *world) { w.compute() }
	lose := func(w *world) { // the acts come back with the first ones that are new
		w.do("FLUSHALL")
		w.now = w.now.Add(time.Second)
		w.restart()
		w.says("m4", "south", "user_z", "user_y")
		w.compute()
	}
	for when, steps := range map[string][]func(w *world){
		"not computed":              {},
		"computed":                  {compute},
		"banned, not computed":      {ban},
		"banned, then computed":     {ban, compute},
		"computed, then banned":     {compute, ban},
		"banned, computed, let in":  {ban, compute, letIn},
		"computed and lost":         {compute, lose},
		"banned, computed and lost": {ban, compute, lose},
	} {
		t.Run(when, func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = talkGame
			w.restart()
			w.says("m1", "north", "user_x", "user_y")
			w.says("m2", "south", "user_z", "user_x")
			w.says("m3", "south", "user_y", "user_z")
			for _, step := range steps {
				step(w)
			}
			require.False(t, w.eraseOnce("user_x").Unknown)
			w.compute()
			current, err := w.app.Store().DB.ReadBoard(t.Context(), game.DayBoardKey("talk", game.DateOf(w.now)))
			require.NoError(t, err)
			require.Len(t, current, 2)
			w.stayErased("user_x", when)
		})
	}
}

// What a player has done, or others have done about the player, between two erasures on one
// date is found by the second one. Where nothing has been done, it says so.
func TestTheSecondErasureOfADateFindsWhatHasComeSince(t *testing.T) {
	for what, does := range map[string]func(w *world){
		"an event": func(w *world) { w.says("again", "north", "user_x", "user_y") },
		"a computed event": func(w *world) {
			w.says("again", "north", "user_x", "user_y")
			w.compute()
		},
		"the queue of duels": func(w *world) {
			_, _, err := jobs.Duels(w.app, w.kept).Queue().Join(w.Context(), "user_x", "")
			require.NoError(w, err)
		},
		"a request of friends, and a block by the other": func(w *world) {
			service := jobs.Friends(w.app, w.kept)
			_, err := service.Act(w.Context(), friend.Ask, "user_x", "user_y")
			require.NoError(w, err)
			_, err = service.Act(w.Context(), friend.Block, "user_y", "user_x")
			require.NoError(w, err)
		},
		"a claim of a device that has not played": func(w *world) {
			_, err := jobs.Claims(w.app, w.kept).Claim(w.Context(), "dev_1", "user_x")
			require.NoError(w, err)
		},
		"nothing": func(*world) {},
	} {
		t.Run(what, func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = talkGame
			w.restart()
			w.says("m1", "north", "user_x", "user_y")
			w.compute()
			require.False(t, w.eraseOnce("user_x").Unknown)
			w.now = w.now.Add(time.Minute)
			require.True(t, w.eraseOnce("user_x").Unknown)
			w.now = w.now.Add(time.Minute)
			does(w)
			w.now = w.now.Add(time.Minute)
			require.Equal(t, what == "nothing", w.eraseOnce("user_x").Unknown)
			w.stayErased("user_x", what)
		})
	}
}
