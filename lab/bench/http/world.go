package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/lab/people"
	"github.com/framedle/leaderboards/upstash"
)

const (
	largeMode = "daily_frame"
	smallMode = "clip_guesser"
	regulars  = people.Series("player_") // players on both boards, by number
	newcomers = people.Series("new_")
	signedIn  = 500 // how many of the regulars have tokens
)

// world is the contents of the boards, and the players who send requests.
type world struct {
	from    *deployed
	players int
	tokens  []string // of the first regulars
	next    int      // number of the next newcomer
	duels   int      // duels that have a result
	random  *rand.Rand
}

// fill writes players to two boards of today, and who is friends with whom. It does so directly in Redis;
// how the product takes a million scores is measured elsewhere.
func (h *deployed) fill(ctx context.Context, players int) (*world, error) {
	w := &world{from: h, players: players, random: rand.New(rand.NewPCG(1, 2))}
	g, err := app.LoadGame("")
	if err != nil {
		return nil, err
	}
	client, err := upstash.New(upstash.Config{URL: "http://" + h.parts["rest"].addr, Token: restToken, Timeout: time.Minute})
	if err != nil {
		return nil, err
	}
	for mode, size := range map[string]int{largeMode: players, smallMode: players / smallShare} {
		if err := w.fillBoard(ctx, client, g, mode, size); err != nil {
			return nil, err
		}
	}
	return w, w.signIn(ctx, client)
}

// perCommand is how many entries one command adds.
const perCommand = 2000

func (w *world) fillBoard(ctx context.Context, client *upstash.Client, g *game.Game, name string, size int) error {
	mode, ok := g.ModeCalled(name)
	if !ok {
		return fmt.Errorf("the game has no mode %s", name)
	}
	now := time.Now()
	today := g.Today(now)
	opens := g.Opens(today)
	for from := 0; from < size; from += perCommand {
		args := []string{"ZADD", game.DayBoardKey(name, today)}
		for i := from; i < min(from+perCommand, size); i++ {
			played := opens.Add(time.Duration(w.random.Int64N(int64(now.Sub(opens)) + 1))) // today, before now
			stored := mode.Encode(game.Score(w.random.Int64N(int64(mode.Max)+1)), mode.Tick(g, today, played))
			args = append(args, game.FormatStored(stored), regulars.ID(i))
		}
		if _, err := client.Do(ctx, upstash.Cmd(args...).Idempotent()); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) signIn(ctx context.Context, client *upstash.Client) error {
	var err error
	if w.tokens, err = w.issue(regulars, 0, signedIn); err != nil {
		return err
	}
	if err := w.befriend(ctx, client); err != nil {
		return err
	}
	return nil
}

// issue makes session tokens.
func (w *world) issue(who people.Series, first, n int) ([]string, error) {
	tokens, errs := make([]string, n), make([]error, n)
	now := time.Now()
	var all sync.WaitGroup
	const at = 4
	for lane := range at {
		all.Go(func() {
			for i := lane; i < n; i += at {
				tokens[i], errs[i] = w.from.clerk.Token(who.ID(first+i), "Somebody", now)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

func (w *world) anyone() string { return regulars.ID(w.random.IntN(w.players)) }

// operation is one kind of request.
type operation struct {
	name     string
	function string
	target   float64 // for the function's CPU above hello's, in µs; 0: none is set
	podium   float64 // CPU of Podium and its Redis for the same, in µs; 0: Podium does not have it
	requests func(n int) ([][]byte, error)
}

func (w *world) operations(o settings) ([]operation, error) {
	board := func(path string) string { return "/v1/leaderboards/" + largeMode + path }
	small := func(path string) string { return "/v1/leaderboards/" + smallMode + path }
	get := func(path func() string) func(int) ([][]byte, error) {
		return each(func(int) ([]byte, error) { return w.request(http.MethodGet, path(), "", nil), nil })
	}
	asRegular := func(path string) func(int) ([][]byte, error) {
		return each(func(i int) ([]byte, error) {
			return w.request(http.MethodGet, path, w.tokens[i%len(w.tokens)], nil), nil
		})
	}
	all := []operation{
		{"hello", "hello", 0, 0, get(func() string { return "/" })},
		{"submit, signature", "submit", 80, 251, each(w.signedScore)},
		{"submit, session token", "submit", 80 + 44, 251, w.tokenScores},
		{"card", "leaderboard", 60, 179, get(func() string { return board("/players/" + w.anyone()) })},
		{"around", "leaderboard", 90, 254, get(func() string { return board("/around/" + w.anyone()) })},
		{"page of 100, cached", "leaderboard", 25, 485, get(func() string { return board("?limit=100") })},
		{"page of 100, anywhere", "leaderboard", 150, 485, get(func() string { return board("?limit=100&offset=" + strconv.Itoa(w.random.IntN(w.players-100))) })},
		{"look-up of 50", "leaderboard", 120, 3308, each(func(int) ([]byte, error) {
			return w.request(http.MethodPost, board("/lookup"), "", w.fifty()), nil
		})},
		{"friends, 50", friendsServedBy, 120, 3308, asRegular(board("/friends"))},
		{"me", "me", 0, 0, asRegular("/v1/me")},
		{"duel result", "duel", 0, 0, w.results},
		{"card, small board", "leaderboard", 0, 0, get(func() string { return small("/players/" + regulars.ID(w.random.IntN(w.players/smallShare))) })},
		{"around, small board", "leaderboard", 0, 0, get(func() string { return small("/around/" + regulars.ID(w.random.IntN(w.players/smallShare))) })},
	}
	return chosen(all, o.only)
}

// each turns a function that makes one request into one that makes a series.
func each(one func(i int) ([]byte, error)) func(int) ([][]byte, error) {
	return func(n int) ([][]byte, error) {
		all := make([][]byte, n)
		for i := range all {
			var err error
			if all[i], err = one(i); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
}

// chosen returns the operations that were asked for, and hello.
func chosen(all []operation, only []string) ([]operation, error) {
	if len(only) == 0 {
		return all, nil
	}
	some := all[:1]
	for _, name := range only {
		found := false
		for _, op := range all[1:] {
			if strings.HasPrefix(op.name, name) {
				some, found = append(some, op), true
			}
		}
		if !found {
			return nil, fmt.Errorf("-only names %q, with which no operation begins", name)
		}
	}
	return some, nil
}

// request is a request as it goes over the network, with a player's token if one is
// given. It comes from this machine, whose address no limit counts.
func (w *world) request(method, path, token string, body []byte, more ...string) []byte {
	var b strings.Builder
	b.WriteString(method + " " + path + " HTTP/1.1\r\nHost: bench\r\n")
	if token != "" {
		b.WriteString("Authorization: Bearer " + token + "\r\n")
	}
	for _, header := range more {
		b.WriteString(header + "\r\n")
	}
	if body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return []byte(b.String())
}

func (w *world) signed(path string, body []byte) []byte {
	signature := auth.SignRequest(signingKey, time.Now(), auth.Request{Method: http.MethodPost, Path: path, Body: body})
	return w.request(http.MethodPost, path, "", body, "Framedle-Signature: "+signature)
}

func (w *world) score() int { return w.random.IntN(1001) }

func (w *world) signedScore(int) ([]byte, error) {
	w.next++
	return w.signed("/v1/scores", fmt.Appendf(nil, `{"mode":%q,"player":%q,"score":%d}`, largeMode, newcomers.ID(w.next), w.score())), nil
}

func (w *world) tokenScores(n int) ([][]byte, error) {
	tokens, err := w.issue(newcomers, w.next+1, n)
	w.next += n
	if err != nil {
		return nil, err
	}
	return each(func(i int) ([]byte, error) {
		return w.request(http.MethodPost, "/v1/scores", tokens[i], fmt.Appendf(nil, `{"mode":%q,"score":%d}`, largeMode, w.score())), nil
	})(n)
}

func (w *world) fifty() []byte {
	body := []byte(`{"players":[`)
	for i := range 50 {
		if i > 0 {
			body = append(body, ',')
		}
		body = strconv.AppendQuote(body, w.anyone())
	}
	return append(body, `]}`...)
}
