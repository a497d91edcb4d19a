package live

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Notifications have Redis itself tell which boards have changed: its keyspace
// notifications, on one subscription for the whole process.
//
// That it hears is proved, not believed: by a key that it writes and must hear of. What
// is set in Redis it looks at twice a second, which Upstash does not bill, and sets
// again when somebody else has reset it.
//
// Cost while anybody watches: 1 billed command for each subscription, and 1 for each
// probe: at its start, and after every 20 s in which nothing was heard.
type Notifications struct {
	Redis   *upstash.Client
	Log     *slog.Logger
	Writers Writers // nil: nobody to ask
	Probes  ProbeTiming
	Of      Subject // zero: OfBoards
}

// Subject is which keys are told of. A subscription of its own for each keeps those who
// watch one kind from being sent the news of another.
type Subject struct {
	Pattern string // of the channels
	Classes string // of what happens to such keys, beside g and z
}

// The subjects.
var (
	OfBoards = Subject{game.BoardNews, ""}
	OfDuels  = Subject{game.DuelNews, "h"}
)

// ProbeTiming is how Redis is looked after. Zero fields are the product's own.
type ProbeTiming struct {
	Look  time.Duration // between two looks at what is set: half a second
	Hear  time.Duration // in which a probe must be heard of: 2 s
	Quiet time.Duration // after which silence is to be proved to be one: 20 s
	Retry time.Duration // until what was refused is tried again: 30 s
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
	// neededFlags are what is always needed: by key (K), what happens to sorted sets (z),
	// as the probe is one, and that keys are deleted or renamed (g).
	neededFlags = "Kzg"
	// allClasses are what Redis writes A for.
	allClasses = "g$lshzxetd"
)

// withFlags is a setting that tells what is needed beside what it told before, and
// whether it did already.
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

// ear is one listening.
type ear struct {
	Notifications
	heard func(string)
	hears func(bool)

	mu         sync.Mutex
	subscribed bool
	last       time.Time     // when anything was heard
	probed     chan struct{} // closed when the probe under way is heard of
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
	e.ask(ctx, false) // nobody watches any more
}

// attend is one subscription, which is given up when it hears nothing.
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
	if e.Writers != nil {
		channels = append(channels, game.LiveToldChannel)
	}
	for event, err := range e.Redis.PSubscribe(ctx, channels...) {
		if err != nil {
			if ctx.Err() == nil {
				e.Log.Warn("live boards: the subscription was refused", slog.String("error", err.Error()))
				e.pause(ctx, e.Probes.Retry)
			}
			break
		}
		e.take(event)
	}
	e.set(false)
	giveUp()
}

// take is quick: what has to be done is done elsewhere.
func (e *ear) take(event upstash.Event) {
	switch event.Kind {
	case upstash.EventSubscribed:
		e.set(true)
	case upstash.EventLost:
		e.set(false)
		e.hears(false)
	case upstash.EventMessage:
		if event.Message.Channel == game.LiveToldChannel {
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

// state is whether there is a subscription, and since when it is silent.
func (e *ear) state() (subscribed bool, last time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.subscribed, e.last
}

// tend proves that changes are told, and returns when they are not.
func (e *ear) tend(ctx context.Context) {
	proved := false // since the subscription began, and nobody has touched the setting
	defer e.hears(false)
	for ; ctx.Err() == nil; e.pause(ctx, e.Probes.Look) {
		subscribed, last := e.state()
		if !subscribed {
			proved = false
			continue
		}
		had, err := e.ensure(ctx)
		switch {
		case upstash.KindOf(err) == upstash.KindItem, upstash.KindOf(err) == upstash.KindAuth:
			// It cannot be set from here; somebody else may have.
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
			if !wasProved { // nor is another subscription likely to hear
				e.ask(ctx, true)
				e.pause(ctx, e.Probes.Retry)
			}
			return
		}
		if !wasProved {
			e.ask(ctx, false)
			e.heard("") // whatever has changed while nobody told
		}
		e.hears(true)
	}
}

// ensure has Redis tell of changes. It reports whether it did.
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

// probe reports whether a change that this process makes is told to it.
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

func (e *ear) pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
