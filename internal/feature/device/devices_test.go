package device_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

type claimBody struct {
	Player, Device string
	ClaimedAt      time.Time `json:"claimed_at"`
	Merged         []struct {
		Mode, Date, Status string
		Score              float64
	}
}

// issued is a new anonymous player, by the route.
func issued(s *apitest.Stack) (d apitest.DeviceBody) {
	s.Helper()
	s.Want(http.StatusCreated, apitest.Post(apitest.DevicesPath, "")).Into(s, &d)
	return d
}

func TestADevicePlaysAndIsClaimed(t *testing.T) {
	s := apitest.NewStack(t)
	device := issued(s)
	require.True(t, auth.IsDevice(device.Player))
	var again apitest.DeviceBody
	s.Want(http.StatusOK, apitest.Post(apitest.DevicesPath, "").Bearer(device.Token)).Into(s, &again)
	require.Equal(t, device, again)

	s.Want(http.StatusCreated, apitest.Submission("daily", 700, "a").Bearer(device.Token))
	s.Want(http.StatusOK, apitest.Submission("daily", 900, "b").Bearer(device.Token))
	s.Want(http.StatusCreated, apitest.Submission("coins", 30, "c").Bearer(device.Token))
	s.Want(http.StatusCreated, apitest.Submission("longest", 30, "d").Bearer(device.Token))
	s.Want(http.StatusForbidden, apitest.Submission("judged", 30, "e").Bearer(device.Token)).Problem(t, "forbidden")
	for _, own := range []string{apitest.Daily + "/players/me", apitest.Daily + "/around/me"} {
		require.Contains(t, string(s.Want(http.StatusOK, apitest.Get(own).Bearer(device.Token)).Body), device.Player)
	}
	var me apitest.MeBody
	s.Want(http.StatusOK, apitest.Get(apitest.Myself).Bearer(device.Token)).Into(s, &me)
	require.Equal(t, device.Player, me.Player)
	require.EqualValues(t, 700, me.XP)

	s.Want(http.StatusCreated, s.As("user_a", apitest.Submission("longest", 99, "f")))
	s.Want(http.StatusCreated, s.As("user_a", apitest.Submission("coins", 12, "g")))
	first := s.Want(http.StatusOK, s.As("user_a", s.Claim(device)).With("Idempotency-Key", "claim"))
	var claimed claimBody
	first.Into(s, &claimed)
	require.Equal(t, "user_a", claimed.Player)
	require.Equal(t, device.Player, claimed.Device)
	answer := map[string]string{}
	for _, day := range claimed.Merged {
		require.Equal(t, apitest.Today, day.Date)
		answer[day.Mode] = fmt.Sprint(day.Status, " ", day.Score)
	}
	require.Equal(t, map[string]string{"daily": "accepted 700", "coins": "improved 42", "longest": "kept 99"}, answer)

	replayed := s.Want(http.StatusOK, s.As("user_a", s.Claim(device)).With("Idempotency-Key", "claim"))
	require.Equal(t, "true", replayed.Header.Get("Idempotency-Replayed"))
	require.Equal(t, first.Body, replayed.Body)
	require.Equal(t, first.Body, s.Want(http.StatusOK, s.As("user_a", s.Claim(device))).Body, "claimed again")
	s.Want(http.StatusConflict, s.As("user_b", s.Claim(device))).Problem(t, "device-taken")

	require.EqualValues(t, 700, s.Me("user_a").XP)
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/me").Bearer(device.Token)).Body), `"rank":null`)
	for _, process := range []http.Handler{s.Handler, s.Process()} {
		s.Handler = process
		s.Want(http.StatusForbidden, apitest.Submission("longest", 500, "h").Bearer(device.Token)).Problem(t, "device-claimed")
		commands, _ := s.Spent(func() {
			s.Want(http.StatusForbidden, apitest.Submission("longest", 500, "h").Bearer(device.Token))
		})
		require.Zero(t, commands, "what a process knows of a device costs nothing")
	}
}

// Who has never played is shown with name and country once a device is claimed.
func TestAClaimBringsTheOwnersNameAlong(t *testing.T) {
	s := apitest.NewStack(t)
	device := issued(s)
	s.Want(http.StatusCreated, apitest.Submission("daily", 700, "a").Bearer(device.Token))
	token := s.TokenWith("user_a", map[string]any{"name": "Ana", "country": "BR"})
	s.Want(http.StatusOK, s.Claim(device).Bearer(token))
	page := string(s.Want(http.StatusOK, apitest.Get(apitest.Daily+"?scope=country:BR")).Body)
	require.Contains(t, page, `{"rank":1,"player":"user_a","score":700,"name":"Ana","country":"BR"}`)
}

func TestWhatDevicesCost(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(http.StatusCreated, s.As("user_a", apitest.Submission("longest", 5, "a")))
	var device apitest.DeviceBody
	commands, _ := s.Spent(func() { device = issued(s) })
	require.Zero(t, commands, "a new device")
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"longest","score":6}`).Bearer(device.Token))
	for _, test := range []struct {
		name       string
		call       apitest.Call
		status     int
		commands   int64
		roundTrips int64
	}{
		{"a play", apitest.Post(apitest.Scores, `{"mode":"longest","score":7}`).Bearer(device.Token), 201, 2, 1},
		{"a first play by this process", apitest.Post(apitest.Scores, `{"mode":"longest","score":8}`).Bearer(issued(s).Token), 201, 3, 2},
		{"a renewed token", apitest.Post(apitest.DevicesPath, "{}").Bearer(device.Token), 200, 0, 0},
		{"a forged token", apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(forgedToken(device.Token)), 401, 0, 0},
		{"a group", apitest.Post(apitest.Scores, `{"mode":"daily","score":8,"groups":["red"]}`).Bearer(device.Token), 403, 0, 0},
		{"a claim of something else", s.As("user_a", apitest.Post(apitest.ClaimPath, `{"device_token":"dev1.x"}`)), 400, 0, 0},
		{"a claim by a device", s.Claim(device).Bearer(device.Token), 403, 0, 0},
	} {
		commands, trips := s.Spent(func() { s.Want(test.status, test.call) })
		require.Equal(t, test.commands, commands, test.name)
		require.Equal(t, test.roundTrips, trips, test.name)
	}
	commands, _ = s.Spent(func() { s.Want(http.StatusOK, s.As("user_a", s.Claim(device))) })
	require.LessOrEqual(t, commands, int64(80), "a claim of one day")
}

// Whoever has any number of devices is held back by the address.
func TestDevicesAreLimitedByAddress(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game = strings.Replace(s.Game, "limits: {submit: {player: off}", "limits: {devices: {ip: 5/1h}, submit: {player: off, anonymous: 3/1m}", 1)
	s.Handler = s.Process()
	from := func(c apitest.Call) apitest.Call { return c.CameFrom("192.0.2.7:80") }
	var held []apitest.DeviceBody
	for range 5 {
		var d apitest.DeviceBody
		s.Want(http.StatusCreated, from(apitest.Post(apitest.DevicesPath, ""))).Into(s, &d)
		held = append(held, d)
	}
	s.Want(http.StatusTooManyRequests, from(apitest.Post(apitest.DevicesPath, ""))).Problem(t, "rate-limited")
	s.Want(http.StatusCreated, apitest.Post(apitest.DevicesPath, "").CameFrom("192.0.2.8:80"))
	for i, d := range held {
		status := http.StatusCreated
		if i >= 3 {
			status = http.StatusTooManyRequests
		}
		s.Want(status, from(apitest.Post(apitest.Scores, apitest.GoodScore)).Bearer(d.Token)) // first plays of the day count here
	}
	s.Want(http.StatusCreated, s.As("user_a", from(apitest.Post(apitest.Scores, apitest.GoodScore))))
}

func TestAGameWithoutDevicesTakesNone(t *testing.T) {
	s := apitest.NewStack(t)
	device := issued(s)
	s.Game = strings.Replace(s.Game, "anonymous: true", "anonymous: false", 1)
	s.Handler = s.Process()
	s.Want(http.StatusUnauthorized, apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(device.Token)).Problem(t, "unauthenticated")
	s.Want(http.StatusNotFound, apitest.Post(apitest.DevicesPath, "")).Problem(t, "not-found")
	s.Want(http.StatusNotFound, s.As("user_a", s.Claim(device))).Problem(t, "not-found")
}

func TestABanIsNotGotRoundByAClaim(t *testing.T) {
	s := apitest.NewStack(t)
	device, banned := issued(s), issued(s)
	for _, player := range []string{"user_b", banned.Player} {
		s.Want(http.StatusOK, apitest.Call{Method: http.MethodPut, Target: "/v1/ops/bans/" + player}.Bearer(apitest.OpsToken))
	}
	s.Want(http.StatusForbidden, s.As("user_b", s.Claim(device))).Problem(t, "banned")
	s.Want(http.StatusForbidden, s.As("user_a", s.Claim(banned))).Problem(t, "banned")
	s.Want(http.StatusForbidden, apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(banned.Token)).Problem(t, "banned")
}

// Of two players who claim one device at once, over HTTP and processes of their
// own, one gets it.
func TestTwoPlayersClaimAtOnce(t *testing.T) {
	s := apitest.NewStack(t)
	device := issued(s)
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(device.Token))
	var calls []apitest.Call
	for i := range 8 {
		calls = append(calls, s.As([]string{"user_a", "user_b"}[i%2], s.Claim(device)))
	}
	statuses := make([]int, len(calls))
	var wait sync.WaitGroup
	for i, c := range calls {
		wait.Go(func() { statuses[i] = s.Send(c).Status })
	}
	wait.Wait()
	loser := 0
	if statuses[0] == http.StatusOK {
		loser = 1
	}
	for i, status := range statuses {
		want := http.StatusOK
		if i%2 == loser {
			want = http.StatusConflict
		}
		require.Equal(t, want, status, "%v", statuses)
	}
}

// forgedToken is a device token with another last character, of those that a
// token can end in.
func forgedToken(token string) string {
	last := "A"
	if strings.HasSuffix(token, last) {
		last = "E"
	}
	return token[:len(token)-1] + last
}
