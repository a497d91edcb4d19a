package closing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// load makes Redis hold exactly what it held before.
func (k *kit) load(contents map[string]any) {
	k.t.Helper()
	k.lose()
	for key, value := range contents {
		command := []string{"HSET", key}
		switch value := value.(type) {
		case map[string]float64:
			command[0] = "ZADD"
			for player, stored := range value {
				command = append(command, game.FormatStored(stored), player)
			}
		case map[string]string:
			for field, text := range value {
				command = append(command, field, text)
			}
		}
		_, err := k.server.Redis().Do(context.Background(), command...)
		require.NoError(k.t, err)
	}
}

// lateModes has for each mode a late score that counts for a player who has already played;
// under first, the first play stands.
var lateModes = map[string]game.Score{"first": 40, "best": 60, "fastest": 30, "latest": 45, "coins": 42}

// A restore over a healthy Redis keeps scores that came in after a day had closed and been
// archived, until the day closes again and is archived with them.
func TestARestoreKeepsScoresThatCameInAfterTheClosing(t *testing.T) {
	onEngines(t, func(k *kit) {
		ctx, t := context.Background(), k.t
		k.at(monday, 12, 0)
		for mode := range lateModes {
			k.play(mode, "a", monday, 40)
			k.play(mode, "b", monday, 20)
		}
		k.at(monday.AddDays(1), 0, 20)
		_, err := k.process().Daily(ctx)
		require.NoError(t, err)
		k.at(monday.AddDays(1), 12, 0)
		for mode, score := range lateModes {
			if mode == "coins" {
				score -= 40 // the total is checked below
			}
			k.play(mode, "a", monday, score)
			k.play(mode, "new", monday, 7)
		}
		days := func() map[string]any {
			all := map[string]any{}
			for key, value := range k.contents() {
				for mode := range lateModes {
					if day := game.DayBoardKey(mode, monday); key == day || key == day+":group:green" ||
						key == day+":group:red" || key == game.DetailsKey(mode, monday) {
						all[key] = value
					}
				}
			}
			return all
		}
		before := days()
		require.Len(t, before, 5+3*2+2)
		for range 2 {
			k.restore()
			require.Equal(t, before, days())
		}
		k.at(monday.AddDays(2), 0, 20)
		_, err = k.process().Daily(ctx)
		require.NoError(t, err)
		for mode, score := range lateModes {
			require.Equal(t, map[string]game.Score{"a": score, "b": 20, "new": 7}, k.archived(mode, monday), mode)
		}
		k.agree()
	})
}

// A backup of Redis has a day as it was before it closed. A restore brings back what was
// archived since, and counts none of it twice.
func TestARestoreCompletesADayOfABackup(t *testing.T) {
	onEngines(t, func(k *kit) {
		ctx, t := context.Background(), k.t
		k.at(monday, 12, 0)
		for mode := range lateModes {
			k.play(mode, "a", monday, 40)
			k.play(mode, "b", monday, 20)
		}
		_, err := k.process().Save(ctx) // so that the backup has this Redis' name
		require.NoError(t, err)
		backup := k.contents()
		for mode, score := range lateModes {
			if mode == "coins" {
				score -= 40
			}
			k.play(mode, "a", monday, score)
			k.play(mode, "c", monday, 7)
		}
		k.at(monday.AddDays(1), 0, 20)
		_, err = k.process().Daily(ctx)
		require.NoError(t, err)
		k.load(backup)
		k.at(monday.AddDays(1), 12, 0)
		k.play("coins", "b", monday, 5) // before anybody restores
		k.restore()
		k.at(monday.AddDays(2), 0, 20)
		_, err = k.process().Daily(ctx)
		require.NoError(t, err)
		for mode, score := range lateModes {
			want := map[string]game.Score{"a": score, "b": 20, "c": 7}
			if mode == "coins" {
				want["b"] = 25
			}
			require.Equal(t, want, k.archived(mode, monday), mode)
		}
		k.agree()
	})
}
