package costday

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/people"
)

// The day that the founding document of the typing game counts: the number of players,
// and each player's tests, views of a board and requests for presence, one every 30 s
// while the player stays.
const (
	TypingPlayers  = 100
	typingTests    = 5 // of each player
	typingPages    = 50
	typingPresence = 288
	presenceEvery  = 30 * time.Second

	// TypingRecord is the cost of that day in the document.
	TypingRecord = 118_200
	// TypingTarget is the product's budget for it.
	TypingTarget = 8_000
)

const (
	routeTest     = "test"
	routePlay     = "play"
	routePresence = "presence"
)

// typingEvent is one request of one player of the typing game.
type typingEvent struct {
	at     time.Duration // since midnight
	player int
	route  string
	mode   string
}

// testTakes is how long after the seconds of its challenge the test of a play is sent.
const testTakes = 2 * time.Second

// planTyping spreads each player's requests over the time in which the player asks for
// presence, and the players over the hours of a day.
func planTyping(g *game.Game, r *rand.Rand) (events []typingEvent) {
	stays := typingPresence * presenceEvery
	for place, player := range r.Perm(TypingPlayers) {
		came := Evenly.at(place, TypingPlayers)
		some := func() time.Duration { return came + time.Duration(r.Int64N(int64(stays))) }
		for n := range typingPresence {
			events = append(events, typingEvent{came + time.Duration(n)*presenceEvery, player, routePresence, ""})
		}
		for range typingTests {
			events = append(events, typingEvent{some(), player, routePlay, g.Modes[r.IntN(len(g.Modes))].Name})
		}
		for range typingPages {
			events = append(events, typingEvent{some(), player, routePage, g.Modes[r.IntN(len(g.Modes))].Name})
		}
	}
	slices.SortStableFunc(events, func(a, b typingEvent) int { return cmp.Compare(a.at, b.at) })
	return events
}

// typist is a day of the typing game in progress.
type typist struct {
	*run
	day   game.Date
	by    *deployment
	lots  *rand.Rand
	begun []begunPlay // sorted by the time at which their tests are sent
}

// begunPlay is a play with a test that is being typed.
type begunPlay struct {
	typingEvent
	play      string
	challenge struct {
		Text    string
		Seconds int
	}
}

// TypingDay plays the founding day of the typing game, as deployed or in one process.
// Errors: those of [Product].
func TypingDay(ctx context.Context, g *game.Game, t Setting, o Options) (day Day, err error) {
	o.Players = TypingPlayers
	s, err := newRun(ctx, o)
	if err != nil {
		return day, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	s.Game = g
	// The day before is played too, so that the product knows the players, as on any day.
	sunday := monday.AddDays(-1)
	s.clock.Forward(sunday.Midnight())
	if _, err := s.typingDay(ctx, sunday, t, counts{}); err != nil {
		return day, err
	}
	var started map[string]int
	day, err = measured(ctx, Day{Name: t.name(), Players: o.Players, Setting: t}, s.Upstash, s.spent, o.Through, func(c Counter) (err error) {
		started, err = s.typingDay(ctx, monday, t, counts{c})
		return err
	})
	day.Started = started
	return day, err
}

func (s *run) typingDay(ctx context.Context, day game.Date, t Setting, to counts) (map[string]int, error) {
	y := typist{run: s, day: day, by: s.deploy(t, to), lots: newRand(s.seed, uint64(day.Midnight().Unix()))}
	events := planTyping(s.Game, y.lots)
	for _, due := range s.dues(day.Midnight(), day.AddDays(1).Midnight()) {
		for len(events) > 0 && day.Midnight().Add(events[0].at).Before(due.at) {
			if err := y.next(ctx, events[0]); err != nil {
				return nil, err
			}
			events = events[1:]
			s.progress.Done(1)
		}
		if err := y.by.pass(ctx, due.at); err != nil {
			return nil, err
		}
		if err := s.fire(ctx, due, to); err != nil {
			return nil, err
		}
	}
	for _, e := range events {
		if err := y.next(ctx, e); err != nil {
			return nil, err
		}
	}
	if err := y.by.pass(ctx, day.AddDays(1).Midnight()); err != nil {
		return nil, err
	}
	return y.by.started(), y.by.close(ctx)
}

// next sends the request of an event, after the tests that are due before it.
func (y *typist) next(ctx context.Context, e typingEvent) error {
	for len(y.begun) > 0 && y.begun[0].at <= e.at {
		if err := y.test(ctx, y.begun[0]); err != nil {
			return err
		}
		y.begun = y.begun[1:]
	}
	switch e.route {
	case routePlay:
		return y.play(ctx, e)
	case routePresence:
		_, err := y.ask(ctx, e, http.MethodGet, "/v1/presence", "")
		return err
	}
	_, err := y.ask(ctx, e, http.MethodGet, "/v1/leaderboards/"+e.mode, "")
	return err
}

func (y *typist) play(ctx context.Context, e typingEvent) error {
	answer, err := y.ask(ctx, e, http.MethodPost, "/v1/plays", fmt.Sprintf(`{"mode":%q}`, e.mode))
	if err != nil {
		return err
	}
	begun := begunPlay{typingEvent: e}
	var got struct {
		Play      string
		Challenge struct {
			Text    string
			Seconds int
		}
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return fmt.Errorf("a play: %w", err)
	}
	begun.play, begun.challenge = got.Play, got.Challenge
	begun.at += time.Duration(got.Challenge.Seconds)*time.Second + testTakes
	begun.route = routeTest
	at, _ := slices.BinarySearchFunc(y.begun, begun.at, func(b begunPlay, at time.Duration) int { return cmp.Compare(b.at, at) })
	y.begun = slices.Insert(y.begun, at, begun)
	return nil
}

func (y *typist) test(ctx context.Context, b begunPlay) error {
	typing := people.NewTypist(y.lots).Type(y.lots, b.challenge.Text, b.challenge.Seconds*1000)
	proof, err := json.Marshal(map[string]any{"typed": typing.Typed, "gaps": typing.Gaps, "holds": typing.Holds})
	if err != nil {
		return fmt.Errorf("a proof: %w", err)
	}
	_, err = y.ask(ctx, b.typingEvent, http.MethodPost, "/v1/scores", fmt.Sprintf(`{"mode":%q,"play":%q,"proof":%s,"details":{"theme":"dark","layout":"qwerty"}}`, b.mode, b.play, proof))
	return err
}

// ask sends a request with the player's token.
func (y *typist) ask(ctx context.Context, e typingEvent, method, path, body string) ([]byte, error) {
	if err := y.by.pass(ctx, y.day.Midnight().Add(e.at)); err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.RemoteAddr = people.Address(e.player) + port
	r.Header.Set("Authorization", "Bearer "+y.crowd.all[e.player].ID)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return ask(y.by, e.route, r, y.by.to)
}
