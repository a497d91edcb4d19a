package live_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/upstash"
)

// others are who subscribes to the channels.
type others struct {
	mu   sync.Mutex
	told map[string][]live.Update // by channel
}

func (k *kit) others(channels ...string) *others {
	k.t.Helper()
	o := &others{told: map[string][]live.Update{}}
	ready := make(chan struct{})
	subscribed := sync.OnceFunc(func() { close(ready) })
	client := k.redis.Connect()
	go func() {
		for event, err := range client.Subscribe(k.t.Context(), channels...) {
			if err != nil {
				return
			}
			switch event.Kind {
			case upstash.EventSubscribed:
				subscribed()
			case upstash.EventMessage:
				var u live.Update
				if json.Unmarshal([]byte(event.Message.Payload), &u) != nil {
					u.ID = "unreadable: " + event.Message.Payload
				}
				o.mu.Lock()
				o.told[event.Message.Channel] = append(o.told[event.Message.Channel], u)
				o.mu.Unlock()
			}
		}
	}()
	<-ready
	return o
}

func (o *others) of(channel string) []live.Update {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]live.Update(nil), o.told[channel]...)
}

// Subscribers are told of each change after it has happened, whichever hub has received it,
// and once for each second.
func TestOthersAreToldWhichModesHaveChanged(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		best, global := game.UpdatesChannel("best"), game.UpdatesGlobal
		o := k.others(best, game.UpdatesChannel("shared"), global)
		log := slog.New(slog.DiscardHandler)
		for range 2 {
			p := k.process()
			h := live.NewHub(live.Options{
				Game: k.game, Now: k.now, Reader: leaderboard.Current{Boards: p.Boards}, Log: log,
				News:    live.Notifications{Redis: p.client, Log: log},
				Updates: &live.Updates{Redis: p.client, Now: k.now, Log: log},
			})
			t.Cleanup(h.Close)
			k.hears(p) // though nobody watches
		}
		third := k.process()
		for n := range 3 {
			before := len(o.of(best))
			k.submit(third, "best", fmt.Sprint("user_", n), 100)
			require.Eventually(t, func() bool { return len(o.of(best)) > before }, eventually, tick)
		}
		k.submit(third, "shared", "ana", 5)
		require.Eventually(t, func() bool {
			all := o.of(global)
			return len(all) > 0 && all[len(all)-1].Game == "shared"
		}, eventually, tick)
		for channel, list := range map[string][]live.Update{best: o.of(best), global: o.of(global)} {
			seen := map[string]bool{}
			for _, u := range list {
				require.False(t, seen[u.ID], "%s is told twice on %s", u.ID, channel)
				seen[u.ID] = true
				require.Contains(t, u.ID, u.Game+"-")
				require.WithinDuration(t, k.now(), u.At, time.Hour)
			}
		}
		for _, u := range o.of(best) {
			require.Equal(t, "best", u.Game)
		}
	})
}
