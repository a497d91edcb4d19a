package api_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
)

var update = flag.Bool("update", false, "write the golden files anew")

// everythingToldOfAPlayer has two players play and a duel decided, and returns every answer
// that could contain XP, a level or a streak.
func everythingToldOfAPlayer(s *stack, mode string) string {
	s.clock.Stop()
	var told strings.Builder
	tell := func(status int, c call) {
		a := s.want(status, c)
		fmt.Fprintf(&told, "%s %s\n%s\n", c.method, c.target, strings.TrimSuffix(string(a.body), "\n"))
	}
	tell(200, s.as("user_a", get(myself)))
	s.play("user_a", mode, "3")
	s.arrange("match", "user_a", "user_b")
	tell(200, post(duelsPath+"/match/result", won).signed())
	tell(200, s.as("user_a", get(duelsPath)))
	tell(200, s.as("user_a", get(myself)))
	tell(200, get("/v1/leaderboards/xp"))
	tell(200, s.as("user_a", get(myself)))
	tell(200, s.as("user_a", get(myExport)))
	tell(200, get("/v1/ops/players/user_a").bearer(opsToken))
	tell(200, get("/v1/ops/players/user_nobody").bearer(opsToken))
	return told.String()
}

// A game with XP and streaks answers in the same bytes as before.
func TestFramedleIsToldAsEver(t *testing.T) {
	text, err := games.FS.ReadFile("framedle.yaml")
	require.NoError(t, err)
	s := newStack(t)
	s.game = string(text)
	s.handler = s.process()
	got := everythingToldOfAPlayer(s, "daily_frame")
	const golden = "testdata/framedle.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func TestWhatAGameDoesNotHaveIsNotTold(t *testing.T) {
	const plain = "name: plain\nmodes:\n  word: {max: 6}\n"
	for _, c := range []struct {
		name, game string
		xp, streak bool
	}{
		{"neither", "streak: off\n" + plain, false, false},
		{"streaks", plain, false, true},
		{"XP", "streak: off\n" + strings.Replace(plain, "max: 6", "max: 6, xp: {play: 1}", 1), true, false},
		{"XP of duels", "streak: off\nduels: {xp: 1, points: {win: 5}}\n" + plain, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStack(t)
			s.game = c.game
			s.handler = s.process()
			told := everythingToldOfAPlayer(s, "word")
			for _, field := range []string{"xp", "level"} {
				require.Equal(t, c.xp, strings.Contains(told, `"`+field+`":`), "%s\n%s", field, told)
			}
			require.Equal(t, c.xp, strings.Contains(told, `"xp_rank":`), told)
			require.Equal(t, c.streak, strings.Contains(told, `"streak":{`), told)
			var me map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(s.want(http.StatusOK, s.as("user_a", get(myself))).body, &me))
			require.Contains(t, me, "today")
		})
	}
}
