package limit

import (
	"context"
	"time"
)

// Spenders are the players whom every process knows: those who cost much, and those who may
// cost nothing more for now.
type Spenders interface {
	// Know reads them, if they were not read yet.
	Know(ctx context.Context)
	// Find returns until when a player is watched, and until when refused; zero: neither.
	Find(player string) (watch, refuse time.Time)
	// Add has all processes know of a player.
	Add(ctx context.Context, player string, watch, refuse time.Time) error
}

// nobody is Spenders without a player.
type nobody struct{}

func (nobody) Know(context.Context) {}

func (nobody) Find(string) (watch, refuse time.Time) { return watch, refuse }

func (nobody) Add(context.Context, string, time.Time, time.Time) error { return nil }

// Spend counts the most commands that a request may cost, before the first of them, or refuses
// it. The decision's Settle takes what the request has cost in the end. Strangers share what
// the process spends for all of them; see the package for who goes first.
//
// Cost: none for strangers. For a player see the package.
func (l *Limiter) Spend(ctx context.Context, who Caller, most int) (Decision, error) {
	if who.isStranger() {
		return l.spendStranger(ctx, who, most)
	}
	if who.Player == "" || l.budget.Count == 0 {
		return Decision{Allowed: true}, nil
	}
	if wait := l.refused(who.Player); wait > 0 { // without asking whether that still holds
		return Decision{Rule: l.budget, Wait: wait}, nil
	}
	l.spenders.Know(ctx)
	if wait := l.refused(who.Player); wait > 0 {
		return Decision{Rule: l.budget, Wait: wait}, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s, err := l.spender(ctx, who.Player)
	if err != nil {
		return Decision{}, err
	}
	at := l.now().UnixNano()
	verdict := s.decide(at, most)
	if verdict == ask {
		err := l.tell(ctx, s, at, most)
		if err == nil && s.remaining(at) < most {
			verdict = refuse
			// Without an answer it counts until its slot is over.
			_ = l.tell(ctx, s, at, askCosts+1-most)
		}
	}
	if verdict == refuse {
		return refusal(&s.caller, at, most), nil
	}
	s.add(at, most)
	if verdict == grant {
		s.held += most
	}
	d := Decision{Allowed: true, Rule: s.rule, Remaining: s.remaining(at)}
	d.settle = func(ctx context.Context, spent int) { l.settle(ctx, s, at, most, spent, verdict == ask) }
	return d, nil
}

// refused is how long all processes refuse a player, as far as this one knows.
func (l *Limiter) refused(player string) time.Duration {
	_, until := l.spenders.Find(player)
	return until.Sub(l.now())
}

// settle corrects what a player's request counts as, and tells Redis what has to be told.
func (l *Limiter) settle(ctx context.Context, s *spender, at int64, most, spent int, told bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.correct(at, most, spent)
	switch {
	case !told:
		s.held -= most
		l.draw(ctx, s, spent)
	case spent != most && l.free(ctx, s) == nil:
		_ = l.tell(ctx, s, at, spent+1-most) // 1 for this telling
	}
}

// draw tells Redis of commands by lot. If that fails, they are lost: the rule is open.
func (l *Limiter) draw(ctx context.Context, s *spender, spent int) {
	now := l.now().UnixNano()
	watch, _ := l.spenders.Find(s.id)
	watched := watch.UnixNano() > now
	n, drawn := s.oneIn(watched, now), 0
	for range spent {
		if l.random() < 1/float64(n) {
			drawn++
		}
	}
	if drawn == 0 || l.free(ctx, s) != nil {
		return
	}
	first := !watched && !s.knows(now)
	if first {
		// Most players are drawn once in many days: then the mark alone costs 1 command.
		got, err := l.exchangeAlone(ctx, s, Ask{Rule: s.rule, Caller: s.id, Now: now, Mark: true})
		if err != nil {
			return
		}
		if got.Created {
			drawn--
		}
	}
	if told := drawn * (n + askCosts); drawn > 0 && l.tell(ctx, s, now, told) == nil && first {
		if s.elsewhere.toldAt(now/s.rule.slot()) == told { // the mark stands for a draw that nobody has told
			_ = l.tell(ctx, s, now, n+askCosts)
		}
	}
}

// tell has Redis count n of a player, learns what Redis knows, and has other processes know of
// the player if they must. The lock is held before and after, and given up meanwhile.
func (l *Limiter) tell(ctx context.Context, s *spender, at int64, n int) error {
	a := s.question(at, n)
	got, err := l.exchangeAlone(ctx, s, a)
	if err != nil {
		return err
	}
	s.elsewhere.learn(a, got)
	s.asked = max(s.asked, at)
	watch, refuse := s.notice(at)
	if known, refused := l.spenders.Find(s.id); !watch.After(known) && !refuse.After(refused) {
		return nil
	}
	s.busy = make(chan struct{})
	l.mu.Unlock()
	_ = l.spenders.Add(ctx, s.id, watch, refuse) // else with the next question
	l.mu.Lock()
	close(s.busy)
	s.busy = nil
	return nil
}

// exchangeAlone asks Redis one thing about a player, about whom nothing else is asked
// meanwhile.
func (l *Limiter) exchangeAlone(ctx context.Context, s *spender, a Ask) (Answer, error) {
	s.busy = make(chan struct{})
	l.mu.Unlock()
	answers, err := l.store.Exchange(ctx, []Ask{a})
	l.mu.Lock()
	close(s.busy)
	s.busy = nil
	if err != nil {
		return Answer{}, err
	}
	return answers[0], nil
}

// spender returns a player about whom nothing is being asked. The lock is held before and
// after, and given up while waiting.
func (l *Limiter) spender(ctx context.Context, player string) (*spender, error) {
	s, ok := l.players.Get(player)
	if !ok {
		s = &spender{caller: caller{rule: l.budget, id: player}}
		l.players.Add(player, s)
	}
	return s, l.free(ctx, s)
}

// free waits until nothing is being asked about a player.
func (l *Limiter) free(ctx context.Context, s *spender) error {
	for s.busy != nil {
		busy := s.busy
		l.mu.Unlock()
		select {
		case <-busy:
			l.mu.Lock()
		case <-ctx.Done():
			l.mu.Lock()
			return context.Cause(ctx)
		}
	}
	return nil
}
