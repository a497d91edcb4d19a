package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/lab/people"
)

// connections is how many connections an attack keeps busy with each process.
const connections = 12

// attacker has an id with a session token (which it falsifies), a device, and an address.
// Forged entries before this address do not hide it.
type attacker struct {
	player, token, device, address string
}

// attackers send requests as fast as they are answered.
type attackers struct {
	*product
	all    []attacker
	turn   atomic.Int64
	sent   atomic.Int64
	counts [600]atomic.Int64 // by status
	half   chan struct{}
	halved sync.Once
}

func newAttackers(s *product, o settings) (*attackers, error) {
	a := &attackers{product: s, half: make(chan struct{})}
	for i := range o.ids {
		player := people.Series("hostile_").ID(i)
		token, err := s.token(player)
		if err != nil {
			return nil, err
		}
		device, err := s.devices.Issue(rand.Reader)
		if err != nil {
			return nil, err
		}
		a.all = append(a.all, attacker{player, token, device.Token, people.Address(i)})
	}
	return a, nil
}

// request draws a request of the mixture, for the attacker whose turn it is.
func (a *attackers) request(random *mathrand.Rand) []byte {
	n := a.turn.Add(1)
	me, other := a.all[n%int64(len(a.all))], a.all[random.IntN(len(a.all))]
	as := "Authorization: Bearer " + me.token[:len(me.token)-8] + "AAAAAAAA\r\n" // forged
	aDevice := "Authorization: Bearer " + me.device + "\r\n"
	const board = "/v1/leaderboards/daily_frame"
	const scores = "/v1/scores"
	score := func(mode string, points int) string { return fmt.Sprintf(`{"mode":%q,"score":%d}`, mode, points) }
	switch random.IntN(28) {
	case 0, 1, 2: // the same play again
		return me.write("POST", scores, as, score("daily_frame", 100+random.IntN(400)))
	case 3, 4, 5: // a better play each time
		return me.write("POST", scores, as, score("streak", 1+int(n%90_000)))
	case 6:
		return me.write("POST", scores, as, `{"mode":"daily_frame","score":`)
	case 7:
		return me.write("POST", scores, as, score("no_such_mode", 1))
	case 8:
		return me.write("POST", scores, as, `{"mode":"daily_frame","score":1,"date":"2020-01-01"}`)
	case 9:
		return me.write("POST", scores, "Authorization: Bearer "+me.token[:len(me.token)-8]+"AAAAAAAA\r\n", score("daily_frame", 1))
	case 10:
		return me.write("POST", scores+"/batch", "Framedle-Signature: t=1,v1=00\r\n", `{"scores":[]}`)
	case 11:
		return me.write("GET", board, "", "")
	case 12:
		return me.write("GET", fmt.Sprint(board, "?offset=", random.IntN(1_000_000)), "", "")
	case 13:
		return me.write("GET", board+"/players/"+other.player, "", "")
	case 14:
		return me.write("GET", fmt.Sprint(board, "/players/nobody_", n), "", "")
	case 15:
		return me.write("GET", board+"/around/"+other.player+"?range=50", "", "")
	case 16:
		return me.write("POST", board+"/lookup", "", `{"players":["`+other.player+`"]}`)
	case 17:
		return me.write("GET", board+"/friends", as, "")
	case 18:
		return me.write("GET", "/v1/me", as, "")
	case 19:
		return me.write("POST", "/v1/webhooks/clerk", "svix-id: msg_1\r\nsvix-timestamp: 1\r\nsvix-signature: v1,AAAA\r\n", `{"type":"user.deleted","data":{"id":"user_a"}}`)
	case 20:
		return me.write("POST", "/v1/devices", "", "")
	case 21: // the attacker's own device, and another attacker's
		return me.write("POST", scores, aDevice, score("clip_guesser", random.IntN(500)))
	case 22:
		return me.write("POST", "/v1/me/claim", as, `{"device_token":"`+other.device+`"}`)
	case 23:
		return me.write("POST", "/v1/duels", as, `{"opponent":"`+other.player+`x"}`)
	case 24:
		return me.write("POST", "/v1/duels/queue", as, "")
	case 25:
		return me.write("GET", fmt.Sprint("/v1/duels/unknown-", n), as, "")
	case 26:
		return me.write("POST", "/v1/friends/requests", as, `{"player":"`+other.player+`x"}`)
	default:
		return me.write("POST", "/v1/friends/invites/AAAAAAAAAA/accept", as, "")
	}
}

// write is a request as it goes over the network. Before the proxy's own entry in
// X-Forwarded-For it has one that the attacker made up.
func (a attacker) write(method, target, header, body string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: api\r\nX-Forwarded-For: 203.0.%d.%d, %s\r\n%s",
		method, target, mathrand.IntN(256), mathrand.IntN(256), a.address, header)
	if method == http.MethodPost {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n" + body)
	return []byte(b.String())
}

// attack runs until ctx ends or the requests are sent.
func (a *attackers) attack(ctx context.Context, requests int64) error {
	var wait sync.WaitGroup
	errs := make([]error, connections*len(a.addresses))
	for i := range errs {
		wait.Go(func() { errs[i] = a.connect(ctx, a.addresses[i%len(a.addresses)], requests, uint64(i)) })
	}
	wait.Wait()
	a.halved.Do(func() { close(a.half) })
	return errors.Join(errs...)
}

func (a *attackers) connect(ctx context.Context, address string, requests int64, seed uint64) error {
	random := mathrand.New(mathrand.NewPCG(seed, 1))
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for ctx.Err() == nil {
		n := a.sent.Add(1)
		a.tick()
		if requests > 0 && n > requests {
			a.sent.Add(-1)
			return nil
		}
		if requests > 0 && n == requests/2 {
			a.halved.Do(func() { close(a.half) })
		}
		if _, err := conn.Write(a.request(random)); err != nil {
			return err
		}
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			return err
		}
		a.counts[min(answer.StatusCode, len(a.counts)-1)].Add(1)
		if answer.Close {
			return errors.New("the product closed an attacker's connection")
		}
	}
	return nil
}

// waitHalf returns when half of the attack is over.
func (a *attackers) waitHalf(ctx context.Context, o settings) {
	var half <-chan time.Time
	if o.requests == 0 {
		half = time.After(o.lasts / 2)
	}
	select {
	case <-half:
	case <-a.half:
	case <-ctx.Done():
	}
}
