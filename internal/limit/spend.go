package limit

import (
	"context"
	"time"
)

// Spenders are the players whom every process watches, since they cost much, or refuses, since
// they have reached the limit.
type Spenders interface {
	// Know reads them, if they were not read yet.
	Know(ctx context.Context)
	// Find returns until when a player is watched, and until when refused; zero: not.
	Find(player string) (watch, refuse time.Time)
	// Add tells all processes about a player.
	Add(ctx context.Context, player string, watch, refuse time.Time) error
}

// nobody is Spenders without a player.
type nobody struct{}

func (nobody) Know(context.Context) {}

func (nobody) Find(string) (watch, refuse time.Time) { return watch, refuse }

func (nobody) Add(context.Context, string, time.Time, time.Time) error { return nil }

// Spend counts the most commands that a request may cost, before the first of them, or refuses
// the request. Afterwards the caller passes what the request has cost to the decision's Settle.
// Strangers share what the process spends for all of them; those who ask seldom go first.
//
// Cost: none for strangers. For a player see the package.
func (l *Limiter) Spend(ctx context.Context, who Caller, most int) (Decision, error) {
	if who.isStranger() {
		return l.spendStranger(ctx, who, most)
	}
	if who.Player == "" || l.budget.Count == 0 {
		return Decision{Allowed: true}, nil
	}
	if wait := l.refused(who.Player); wait > 0 { // known from memory: refuse without a command
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
		err := l.report(ctx, s, at, most)
		if err == nil && s.remaining(at) < most {
			verdict = refuse
			// If this fails, the refused request stays counted until its slot leaves the window.
			_ = l.report(ctx, s, at, askCosts+1-most)
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

// refused is for how long all processes refuse a player, as far as this one knows.
func (l *Limiter) refused(player string) time.Duration {
	_, until := l.spenders.Find(player)
	return until.Sub(l.now())
}

// settle corrects what a player's request counts as. If Redis was not told of the request, it
// draws by lot; else it tells Redis the difference.
func (l *Limiter) settle(ctx context.Context, s *spender, at int64, most, spent int, told bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.correct(at, most, spent)
	switch {
	case !told:
		s.held -= most
		l.draw(ctx, s, spent)
	case spent != most && l.free(ctx, s) == nil:
		_ = l.report(ctx, s, at, spent+1-most) // 1 for this command
	}
}

// draw tells Redis of commands by lot. If Redis does not answer, they are not counted, since
// the rule is open.
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
		// Most players are drawn once in many days. The mark alone costs 1 command.
		got, err := l.exchangeAlone(ctx, s, Ask{Rule: s.rule, Caller: s.id, Now: now, Mark: true})
		if err != nil {
			return
		}
		if got.Created {
			drawn--
		}
	}
	if told := drawn * (n + askCosts); drawn > 0 && l.report(ctx, s, now, told) == nil && first {
		if s.elsewhere.reportedAt(now/s.rule.slot()) == told { // no other draw was told: the mark is of a draw that was not
			_ = l.report(ctx, s, now, n+askCosts)
		}
	}
}

// report tells Redis n commands of a player, notes what Redis knows, and adds the player to the
// spenders if that is due. The caller holds l.mu; report releases it meanwhile.
func (l *Limiter) report(ctx context.Context, s *spender, at int64, n int) error {
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
	_ = l.spenders.Add(ctx, s.id, watch, refuse) // if it fails, the next tell tries again
	l.mu.Lock()
	close(s.busy)
	s.busy = nil
	return nil
}

// exchangeAlone asks Redis one question about a player, who is busy meanwhile. The caller holds
// l.mu; exchangeAlone releases it meanwhile.
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

// spender returns a player once nothing is being asked about the player. The caller holds l.mu;
// spender releases it while it waits.
func (l *Limiter) spender(ctx context.Context, player string) (*spender, error) {
	s, ok := l.players.Get(player)
	if !ok {
		s = &spender{caller: caller{rule: l.budget, id: player}}
		l.players.Add(player, s)
	}
	return s, l.free(ctx, s)
}

// free waits until nothing is being asked about a player. The caller holds l.mu; free releases
// it while it waits.
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
