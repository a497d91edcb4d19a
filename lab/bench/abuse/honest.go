package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/people"
)

// honestNetwork is the network of the players.
const honestNetwork = "198.18."

// player is an honest player.
type player struct {
	id, address string
	as          caller.As
	process     *caller.Caller
	score       int // of daily_frame; differs from every other player's
}

// players are honest players who play concurrently, each at their own pace.
type players struct {
	*product
	all []player

	ranked sync.Mutex // held while a score is sent, so that every rank is known
	scores []int

	mu         sync.Mutex
	times      []time.Duration // of scores, whatever their answer
	submits    int             // number of scores sent
	looks      int
	looksWaits int // looks that were refused for a while
	faults     []string
}

func newPlayers(s *product, o settings, from int) (*players, error) {
	p := &players{product: s}
	for i := range o.honest {
		n := from + i
		id := people.Series("honest_").ID(n)
		token, err := s.token(id)
		if err != nil {
			return nil, err
		}
		// No attacker has a score above 500, and no player of the group before has this
		// one.
		p.all = append(p.all, player{
			id: id, as: caller.As{Token: token}, address: fmt.Sprintf("%s%d.%d", honestNetwork, n>>8, n&255),
			process: s.callers[n%len(s.callers)], score: 501 + n*7%400,
		})
	}
	return p, nil
}

type answered struct {
	Status string
	Score  int
	Rank   int
}

// play lets every player make eight requests, pace apart.
func (p *players) play(ctx context.Context, pace time.Duration) {
	var playing sync.WaitGroup
	for i, who := range p.all {
		playing.Go(func() {
			_ = wait.Sleep(ctx, people.Evenly(i, len(p.all), pace))
			p.ranked.Lock()
			higher := 0
			for _, score := range p.scores {
				if score > who.score {
					higher++
				}
			}
			a := p.submit(ctx, who, "daily_frame", who.score, "accepted")
			if a.Rank != higher+1 {
				p.fault("%s with %d has the rank %d, not %d", who.id, who.score, a.Rank, higher+1)
			}
			p.scores = append(p.scores, who.score)
			p.ranked.Unlock()
			for _, step := range []func(){
				func() { p.look(ctx, who, "/v1/leaderboards/daily_frame") },
				func() { p.submit(ctx, who, "clip_guesser", 100, "accepted") },
				func() { p.submit(ctx, who, "daily_frame", who.score, "kept") }, // sent again, as when the answer got lost
				func() { p.look(ctx, who, "/v1/leaderboards/daily_frame/around/me") },
				func() { p.submit(ctx, who, "streak", 3, "accepted") },
				func() { p.look(ctx, who, "/v1/leaderboards/daily_frame/players/me") },
				func() { p.submit(ctx, who, "streak", 4, "improved") },
			} {
				_ = wait.Sleep(ctx, pace)
				step()
			}
		})
	}
	playing.Wait()
}

func (p *players) submit(ctx context.Context, who player, mode string, score int, want string) (a answered) {
	began := time.Now()
	status, body := p.send(ctx, who, http.MethodPost, "/v1/scores", fmt.Sprintf(`{"mode":%q,"score":%d}`, mode, score))
	took := time.Since(began)
	p.mu.Lock()
	p.submits++
	p.times = append(p.times, took)
	p.mu.Unlock()
	if status >= http.StatusMultipleChoices || json.Unmarshal(body, &a) != nil || a.Status != want || a.Score != score {
		p.fault("%s sent %d in %s, answered %d: %s", who.id, score, mode, status, body)
	}
	return a
}

func (p *players) look(ctx context.Context, who player, target string) {
	status, body := p.send(ctx, who, http.MethodGet, target, "")
	p.mu.Lock()
	p.looks++
	if status == http.StatusTooManyRequests {
		p.looksWaits++
	}
	p.mu.Unlock()
	if status != http.StatusOK && status != http.StatusTooManyRequests {
		p.fault("%s looked at %s, answered %d: %s", who.id, target, status, body)
	}
}

func (p *players) send(ctx context.Context, who player, method, target, body string) (status int, answer []byte) {
	got, err := who.process.Call(ctx, who.as, method, target, []byte(body), "X-Forwarded-For", who.address)
	if err != nil {
		return 0, []byte(err.Error())
	}
	return got.Status, got.Body
}

func (p *players) fault(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// check compares the board in Redis with what the players have sent.
func (p *players) check(ctx context.Context) error {
	board := "lb:daily_frame:" + p.Game.Today(p.now()).String()
	for _, who := range p.all {
		stored, err := p.Upstash.Redis().Do(ctx, "ZSCORE", board, who.id)
		if err != nil {
			return err
		}
		if text, _ := stored.(string); !strings.HasPrefix(text, fmt.Sprint(who.score)) {
			p.fault("%s stands with %v, not %d", who.id, stored, who.score)
		}
	}
	return nil
}

// quantile is the time within which this part of the requests was answered.
func (p *players) quantile(part float64) time.Duration {
	if len(p.times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(p.times))
	return sorted[int(part*float64(len(sorted)-1))]
}
