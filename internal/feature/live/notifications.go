package live

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/upstash"
)

// Notifications lets Redis itself say which boards have changed: by its keyspace
// notifications, on one subscription for the whole process.
//
// It does not trust the subscription but tests it: it writes a probe key and must receive its
// notification. Twice a second it reads the setting in Redis, which Upstash does not bill,
// and sets it again if somebody has reset it.
//
// Cost while anybody watches: 1 billed command for each subscription, and 1 for each probe:
// at its start, and after every 20 s in which nothing was received.
type Notifications struct {
	Redis  *upstash.Client
	Log    *slog.Logger
	Probes ProbeTiming
	Of     Subject // zero: OfBoards
	// Announced says that processes which write announce changes on [game.LiveChangesChannel].
	// While Redis sends no notifications, this process listens there too.
	Announced bool
}

// Subject selects the keys to be notified of. Each subject has its own subscription, so that
// viewers of one kind of record are not sent the news of another.
type Subject struct {
	Pattern string // patterns of the channels
	Classes string // classes of events of such keys, in addition to g and z
}

// The subjects that there are.
var (
	OfBoards = Subject{game.BoardNews, ""}
	OfDuels  = Subject{game.DuelNews, "h"}
)

// ProbeTiming has the intervals for checking Redis. Zero fields take the defaults named here.
type ProbeTiming struct {
	Look  time.Duration // between two reads of the setting: half a second
	Hear  time.Duration // in which the notification of a probe must arrive: 2 s
	Quiet time.Duration // of silence after which a probe is sent: 20 s
	Retry time.Duration // until a refused command is tried again: 30 s
}

func (t ProbeTiming) filled() ProbeTiming {
	set := func(d *time.Duration, own time.Duration) {
		if *d == 0 {
			*d = own
		}
	}
	set(&t.Look, 500*time.Millisecond)
	set(&t.Hear, 2*time.Second)
	set(&t.Quiet, 20*time.Second)
	set(&t.Retry, 30*time.Second)
	return t
}

const (
	notifyOption = "notify-keyspace-events"
	// neededFlags are always needed: notifications by key (K), of sorted sets (z), because
	// the probe is one, and of keys that are deleted or renamed (g).
	neededFlags = "Kzg"
	// allClasses is what Redis abbreviates as A.
	allClasses = "g$lshzxetd"
)

// withFlags adds the needed flags to a setting. had reports whether the setting had them
// already.
func withFlags(set, classes string) (flags string, had bool) {
	all := strings.ReplaceAll(set, "A", allClasses)
	flags, had = set, true
	for _, flag := range neededFlags + classes {
		if !strings.ContainsRune(all, flag) {
			flags, had = flags+string(flag), false
		}
	}
	return flags, had
}

// ear is one call of Listen.
type ear struct {
	Notifications
	heard func(string)
	hears func(bool)
	deaf  atomic.Bool // the last probe was not received

	mu         sync.Mutex
	subscribed bool
	last       time.Time     // when anything was last received
	probed     chan struct{} // closed when the current probe is received
}

// Listen implements [News].
func (n Notifications) Listen(ctx context.Context, heard func(string), hears func(bool)) {
	n.Probes = n.Probes.filled()
	if n.Of == (Subject{}) {
		n.Of = OfBoards
	}
	e := &ear{Notifications: n, heard: heard, hears: hears, probed: make(chan struct{})}
	for ctx.Err() == nil {
		e.attend(ctx)
	}
}

// attend runs one subscription, and gives it up when it receives nothing.
func (e *ear) attend(ctx context.Context) {
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	var tending sync.WaitGroup
	tending.Go(func() {
		defer giveUp()
		e.tend(ctx)
	})
	defer tending.Wait()
	channels := []string{e.Of.Pattern, game.ProbeNews}
	if e.Announced && e.deaf.Load() {
		channels = append(channels, game.LiveChangesChannel)
	}
	for event, err := range e.Redis.PSubscribe(ctx, channels...) {
		if err != nil {
			if ctx.Err() == nil {
				e.Log.Warn("live boards: the subscription was rejected", slog.String("error", err.Error()))
				_ = wait.Sleep(ctx, e.Probes.Retry)
			}
			break
		}
		e.take(event)
	}
	e.set(false)
	giveUp()
}

// take handles an event of the subscription. It must be quick, so it leaves longer work to
// tend.
func (e *ear) take(event upstash.Event) {
	switch event.Kind {
	case upstash.EventSubscribed:
		e.set(true)
	case upstash.EventLost:
		e.set(false)
		e.hears(false)
	case upstash.EventMessage:
		if event.Message.Channel == game.LiveChangesChannel {
			for key := range strings.Lines(event.Message.Payload) {
				e.heard(strings.TrimSuffix(key, "\n"))
			}
			return
		}
		key, ok := game.KeyOfNews(event.Message.Channel)
		if !ok {
			return
		}
		e.mu.Lock()
		e.last = time.Now()
		probe := key == game.LiveProbeKey
		if probe {
			close(e.probed)
			e.probed = make(chan struct{})
		}
		e.mu.Unlock()
		if !probe {
			e.heard(key)
		}
	}
}

func (e *ear) set(subscribed bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.subscribed = subscribed
}

// state reports whether the subscription is active, and when it last received anything.
func (e *ear) state() (subscribed bool, last time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.subscribed, e.last
}

// tend keeps testing that changes are notified, and returns when they are not.
func (e *ear) tend(ctx context.Context) {
	proved := false // since the subscription began and the setting was last right
	defer e.hears(false)
	for ; ctx.Err() == nil; _ = wait.Sleep(ctx, e.Probes.Look) {
		subscribed, last := e.state()
		if !subscribed {
			proved = false
			continue
		}
		had, err := e.ensure(ctx)
		switch {
		case upstash.KindOf(err) == upstash.KindItem, upstash.KindOf(err) == upstash.KindAuth:
			// this credential may not change the setting, but somebody else may have
		case err != nil:
			e.hears(false)
			proved = false
			continue
		case !had:
			proved = false
		}
		if proved && time.Since(last) < e.Probes.Quiet {
			continue
		}
		wasProved := proved
		if proved = e.probe(ctx); !proved {
			e.hears(false)
			if wasDeaf := e.deaf.Swap(true); !wasProved && (wasDeaf || !e.Announced) {
				_ = wait.Sleep(ctx, e.Probes.Retry) // another subscription would probably fail too
			}
			return
		}
		if !wasProved {
			e.deaf.Store(false)
			e.heard("") // any board may have changed before the probe was received
		}
		e.hears(true)
	}
}

// ensure sets the notifications that are needed. had reports whether they were already set.
func (e *ear) ensure(ctx context.Context) (had bool, err error) {
	reply, err := e.Redis.Do(ctx, upstash.Cmd("CONFIG", "GET", notifyOption))
	if err != nil {
		return false, err
	}
	words, err := reply.Strings()
	if err != nil {
		return false, fmt.Errorf("read %s: %w", notifyOption, err)
	}
	set := ""
	if len(words) == 2 {
		set = words[1]
	}
	flags, had := withFlags(set, e.Of.Classes)
	if had {
		return true, nil
	}
	_, err = e.Redis.Do(ctx, upstash.Cmd("CONFIG", "SET", notifyOption, flags).Idempotent())
	return false, err
}

// probe reports whether this process receives the notification of a change that it makes.
func (e *ear) probe(ctx context.Context) bool {
	e.mu.Lock()
	heard := e.probed
	e.mu.Unlock()
	now := strconv.FormatInt(time.Now().UnixNano()/1000, 10) // microseconds fit into a double
	if _, err := e.Redis.Do(ctx, upstash.Cmd("ZADD", game.LiveProbeKey, now, "probe").Idempotent()); err != nil {
		return false
	}
	timer := time.NewTimer(e.Probes.Hear)
	defer timer.Stop()
	select {
	case <-heard:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}
