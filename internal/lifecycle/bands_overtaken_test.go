package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// alone puts the bands into the one Redis, and leaves one mode with bands.
func (l *large) alone() {
	l.further = nil
	delete(l.model, "fastest")
	l.process = l.fresh()
}

// erases erases a player in another process.
func (l *large) erases(player string) {
	p := l.fresh()
	erased, err := p.Repair.Erase(context.Background(), player, lifecycle.Erasure{})
	if errors.Is(err, lifecycle.ErrRollingUp) {
		erased, err = p.Repair.Erase(context.Background(), player, lifecycle.Erasure{})
	}
	require.NoError(l.tb, err, player)
	require.NoError(l.tb, p.Repair.EraseDone(context.Background(), player, erased))
	for mode := range l.model {
		delete(l.model[mode], player)
	}
}

// crowd makes players play on a day that is rolled up by now. Every second one has also played
// today, better or worse. Nothing of it is in bands yet.
func (l *large) crowd(players int) {
	for i := range players {
		l.plays("best", fmt.Sprintf("p%03d", i), 1000+37*i%5000)
	}
	for range 9 {
		l.clock.Pass(24 * time.Hour)
		_, err := runDaily(context.Background(), l.process, nil)
		require.NoError(l.tb, err)
	}
	for i := 0; i < players; i += 2 {
		l.plays("best", fmt.Sprintf("p%03d", i), 1000+53*i%6000)
	}
}

// nobody requires that no key of a board of all time has any of the players.
func (l *large) nobody(players []string) {
	keys, _ := l.redis.Do("KEYS", "*").([]any)
	for _, k := range keys {
		key := fmt.Sprint(k)
		if !strings.Contains(key, "alltime") || l.redis.Do("TYPE", key) != "zset" {
			continue
		}
		members, _ := l.redis.Do("ZRANGE", key, "0", "-1").([]any)
		for i, player := range players {
			require.False(l.tb, slices.Contains(members, any(player)), "%s has %s, who was erased as number %d", key, player, i)
		}
	}
}

// settles runs the schedules that follow.
func (l *large) settles() {
	l.clock.Pass(30 * time.Minute)
	l.process = l.fresh()
	_, err := l.Repair.LookAfterRemovals(context.Background(), nil, neverErased)
	require.NoError(l.tb, err)
	l.tend()
	l.process = l.fresh()
	l.clock.Pass(10 * time.Second)
}

// about returns the player whom a request writes to a band or a home; "" if it writes none.
func about(r upstashtest.Request) string {
	for _, c := range r.Commands {
		if c[0] == "ZADD" && strings.Contains(c[1], ":alltime:") {
			return c[len(c)-1]
		}
	}
	return ""
}

// tendedWhile gives a board of that many players its bands, splits them and carries days to
// them. Before each request of that it removes a player: if the request writes players, one of
// these.
func (l *large) tendedWhile(players int, takeOut func(player string)) (out []string) {
	l.crowd(players)
	next, idle := players-1, false
	for !idle {
		l.clock.Pass(31 * time.Second)
		p, doing := l.fresh(), false
		l.server.Inject(func(r upstashtest.Request) (none upstashtest.Fault) {
			if doing || len(out) == players/2 {
				return none
			}
			doing = true
			defer func() { doing = false }()
			player := about(r)
			if player == "" {
				player = fmt.Sprintf("p%03d", next)
				next--
			}
			if !slices.Contains(out, player) {
				takeOut(player)
				out = append(out, player)
			}
			return none
		})
		all, err := p.Rollup.Banded.TendBands(context.Background(), time.Second)
		l.server.Inject(nil)
		require.NoError(l.tb, err)
		idle = true
		for _, did := range all {
			idle = idle && !did.More && len(did.Did) == 0
		}
	}
	return out
}

// No player comes back who is erased while bands are tended.
func TestWhoIsErasedWhileBandsAreTendedIsInNone(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		l := newLarge(t, k)
		l.alone()
		erased := l.tendedWhile(460, l.erases)
		l.settles()
		l.nobody(erased)
		l.holds()
	})
}

// A ban removes what may still change, also if that is the better score of today: once
// removals have been looked after, only the older score stands, as the archive has it.
func TestWhoIsBannedWhileBandsAreTendedKeepsWhatIsOlder(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		l, ctx := newLarge(t, k), context.Background()
		l.alone()
		past := func(_ context.Context, player string) (*lifecycle.ArchivedPlayer, error) {
			return l.past("best", player), nil
		}
		l.tendedWhile(300, func(player string) {
			p := l.fresh()
			_, err := p.Repair.RemoveRecent(ctx, player, l.past("best", player))
			require.NoError(t, err)
			for d := range l.model["best"][player] {
				if p.Rollup.Calendar.Writable(d) {
					delete(l.model["best"][player], d)
				}
			}
		})
		l.clock.Pass(30 * time.Minute)
		_, err := l.fresh().Repair.LookAfterRemovals(ctx, past, neverErased)
		require.NoError(t, err)
		l.tend()
		l.process = l.fresh()
		l.clock.Pass(10 * time.Second)
		l.holds()
	})
}

// The same holds if bands are tended between the requests of an erasure.
func TestWhoIsErasedWhileBandsAreTendedInBetweenIsInNone(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		l, ctx := newLarge(t, k), context.Background()
		l.alone()
		l.crowd(300)
		var erased []string
		for n, more, last := 1, true, 299; more; last-- {
			l.clock.Pass(31 * time.Second)
			player := fmt.Sprintf("p%03d", last)
			end := testkit.Before(k.server, n, func() {
				_, err := l.fresh().Rollup.Banded.TendBands(ctx, time.Second)
				require.NoError(t, err)
				_, err = l.fresh().Boards.Page(ctx, l.board("best"), game.PageRequest{Limit: 10})
				require.NoError(t, err)
			})
			l.erases(player)
			erased = append(erased, player)
			if more = end(); last%2 == 0 {
				n++
			}
		}
		l.settles()
		l.nobody(erased)
		l.holds()
	})
}
