package bands_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

func TestDatabasesNeedNamesOfTheirOwn(t *testing.T) {
	redis := new(upstash.Client)
	for _, all := range [][]bands.Database{{}, {{Name: "", Redis: redis}}, {{Name: "a"}}, {{Name: "a", Redis: redis}, {Name: "a", Redis: redis}}} {
		_, err := bands.NewDatabases(all...)
		require.Error(t, err)
	}
}

// Each player has to be found in the same home again, so the hash is for ever.
func TestPlayersKeepTheirHomes(t *testing.T) {
	k := newKit(t, "", "", "")
	ctx := context.Background()
	s := k.process()
	require.NoError(t, s.Create(ctx, highest, bands.Birth{Homes: 32}))
	for _, c := range []struct {
		player   string
		home     int
		database string
	}{{"user_ana", 12, "db1"}, {"user_bo", 18, "db2"}, {"user_2tFDkqJ", 0, "db2"}} {
		_, err := s.Submit(ctx, highest, bands.Entry{Player: c.player, Stored: 7}, redis.Place{})
		require.NoError(t, err)
		found := []string{}
		for n := range 32 {
			for i := range k.redis {
				database := fmt.Sprint("db", i)
				for _, e := range k.members(bands.Band{Key: game.BandHomesKey(highest.Key, n), Database: database}) {
					if e.Player == c.player {
						found = append(found, fmt.Sprint(database, " ", n))
					}
				}
			}
		}
		require.Equal(t, []string{fmt.Sprint(c.database, " ", c.home)}, found, c.player)
	}
}
