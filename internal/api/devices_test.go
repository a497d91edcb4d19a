package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

const deviceKey = "a-device-key-of-32-or-more-characters"

func devices(s *stack) *auth.Devices {
	d, err := auth.NewDevices([]string{deviceKey})
	require.NoError(s, err)
	return d
}

type deviceBody struct{ Player, Token string }

// device is a new anonymous player.
func (s *stack) device() (d deviceBody) {
	s.Helper()
	s.want(http.StatusCreated, post(devicesPath, "")).into(s, &d)
	return d
}

func (s *stack) claim(d deviceBody) call {
	return post(claimPath, fmt.Sprintf(`{"device_token":%q}`, d.Token))
}

type claimBody struct {
	Player, Device string
	ClaimedAt      time.Time `json:"claimed_at"`
	Merged         []struct {
		Mode, Date, Status string
		Score              float64
	}
}

// submission is a score of one mode, under an idempotency key.
func submission(mode string, score int, key string) call {
	return post(scores, fmt.Sprintf(`{"mode":%q,"score":%d}`, mode, score)).with("Idempotency-Key", key)
}

func TestADevicePlaysAndIsClaimed(t *testing.T) {
	s := newStack(t)
	device := s.device()
	require.True(t, auth.IsDevice(device.Player))
	var again deviceBody
	s.want(http.StatusOK, post(devicesPath, "").bearer(device.Token)).into(s, &again)
	require.Equal(t, device, again)

	s.want(http.StatusCreated, submission("daily", 700, "a").bearer(device.Token))
	s.want(http.StatusOK, submission("daily", 900, "b").bearer(device.Token))
	s.want(http.StatusCreated, submission("coins", 30, "c").bearer(device.Token))
	s.want(http.StatusCreated, submission("longest", 30, "d").bearer(device.Token))
	s.want(http.StatusForbidden, submission("judged", 30, "e").bearer(device.Token)).problem(t, "forbidden")
	for _, own := range []string{daily + "/players/me", daily + "/around/me"} {
		require.Contains(t, string(s.want(http.StatusOK, get(own).bearer(device.Token)).body), device.Player)
	}
	var me meBody
	s.want(http.StatusOK, get(myself).bearer(device.Token)).into(s, &me)
	require.Equal(t, device.Player, me.Player)
	require.EqualValues(t, 700, me.XP)

	s.want(http.StatusCreated, s.as("user_a", submission("longest", 99, "f")))
	s.want(http.StatusCreated, s.as("user_a", submission("coins", 12, "g")))
	first := s.want(http.StatusOK, s.as("user_a", s.claim(device)).with("Idempotency-Key", "claim"))
	var claimed claimBody
	first.into(s, &claimed)
	require.Equal(t, "user_a", claimed.Player)
	require.Equal(t, device.Player, claimed.Device)
	told := map[string]string{}
	for _, day := range claimed.Merged {
		require.Equal(t, today, day.Date)
		told[day.Mode] = fmt.Sprint(day.Status, " ", day.Score)
	}
	require.Equal(t, map[string]string{"daily": "accepted 700", "coins": "improved 42", "longest": "kept 99"}, told)

	replayed := s.want(http.StatusOK, s.as("user_a", s.claim(device)).with("Idempotency-Key", "claim"))
	require.Equal(t, "true", replayed.header.Get("Idempotency-Replayed"))
	require.Equal(t, first.body, replayed.body)
	require.Equal(t, first.body, s.want(http.StatusOK, s.as("user_a", s.claim(device))).body, "claimed again")
	s.want(http.StatusConflict, s.as("user_b", s.claim(device))).problem(t, "device-taken")

	require.EqualValues(t, 700, s.me("user_a").XP)
	require.Contains(t, string(s.want(http.StatusOK, get(daily+"/players/me").bearer(device.Token)).body), `"rank":null`)
	for _, process := range []http.Handler{s.handler, s.process()} {
		s.handler = process
		s.want(http.StatusForbidden, submission("longest", 500, "h").bearer(device.Token)).problem(t, "device-claimed")
		commands, _ := s.spent(func() {
			s.want(http.StatusForbidden, submission("longest", 500, "h").bearer(device.Token))
		})
		require.Zero(t, commands, "what a process knows of a device costs nothing")
	}
}

// Who has never played is shown with name and country once a device is claimed.
func TestAClaimBringsTheOwnersNameAlong(t *testing.T) {
	s := newStack(t)
	device := s.device()
	s.want(http.StatusCreated, submission("daily", 700, "a").bearer(device.Token))
	token := s.tokenWith("user_a", map[string]any{"name": "Ana", "country": "BR"})
	s.want(http.StatusOK, s.claim(device).bearer(token))
	page := string(s.want(http.StatusOK, get(daily+"?scope=country:BR")).body)
	require.Contains(t, page, `{"rank":1,"player":"user_a","score":700,"name":"Ana","country":"BR"}`)
}

func TestWhatDevicesCost(t *testing.T) {
	s := newStack(t)
	s.want(http.StatusCreated, s.as("user_a", submission("longest", 5, "a")))
	var device deviceBody
	commands, _ := s.spent(func() { device = s.device() })
	require.Zero(t, commands, "a new device")
	s.want(http.StatusCreated, post(scores, `{"mode":"longest","score":6}`).bearer(device.Token))
	for _, test := range []struct {
		name       string
		call       call
		status     int
		commands   int64
		roundTrips int64
	}{
		{"a play", post(scores, `{"mode":"longest","score":7}`).bearer(device.Token), 201, 2, 1},
		{"a first play by this process", post(scores, `{"mode":"longest","score":8}`).bearer(s.device().Token), 201, 3, 2},
		{"a renewed token", post(devicesPath, "{}").bearer(device.Token), 200, 0, 0},
		{"a forged token", post(scores, goodScore).bearer(forgedToken(device.Token)), 401, 0, 0},
		{"a group", post(scores, `{"mode":"daily","score":8,"groups":["red"]}`).bearer(device.Token), 403, 0, 0},
		{"a claim of something else", s.as("user_a", post(claimPath, `{"device_token":"dev1.x"}`)), 400, 0, 0},
		{"a claim by a device", s.claim(device).bearer(device.Token), 403, 0, 0},
	} {
		commands, trips := s.spent(func() { s.want(test.status, test.call) })
		require.Equal(t, test.commands, commands, test.name)
		require.Equal(t, test.roundTrips, trips, test.name)
	}
	commands, _ = s.spent(func() { s.want(http.StatusOK, s.as("user_a", s.claim(device))) })
	require.LessOrEqual(t, commands, int64(80), "a claim of one day")
}

// Whoever has any number of devices is held back by the address.
func TestDevicesAreLimitedByAddress(t *testing.T) {
	s := newStack(t)
	s.game = strings.Replace(s.game, "limits: {submit: {player: off}", "limits: {devices: {ip: 5/1h}, submit: {player: off, anonymous: 3/1m}", 1)
	s.handler = s.process()
	from := func(c call) call { return c.cameFrom("192.0.2.7:80") }
	var held []deviceBody
	for range 5 {
		var d deviceBody
		s.want(http.StatusCreated, from(post(devicesPath, ""))).into(s, &d)
		held = append(held, d)
	}
	s.want(http.StatusTooManyRequests, from(post(devicesPath, ""))).problem(t, "rate-limited")
	s.want(http.StatusCreated, post(devicesPath, "").cameFrom("192.0.2.8:80"))
	for i, d := range held {
		status := http.StatusCreated
		if i >= 3 {
			status = http.StatusTooManyRequests
		}
		s.want(status, from(post(scores, goodScore)).bearer(d.Token)) // first plays of the day count here
	}
	s.want(http.StatusCreated, s.as("user_a", from(post(scores, goodScore))))
}

func TestAGameWithoutDevicesTakesNone(t *testing.T) {
	s := newStack(t)
	device := s.device()
	s.game = strings.Replace(s.game, "anonymous: true", "anonymous: false", 1)
	s.handler = s.process()
	s.want(http.StatusUnauthorized, post(scores, goodScore).bearer(device.Token)).problem(t, "unauthenticated")
	s.want(http.StatusNotFound, post(devicesPath, "")).problem(t, "not-found")
	s.want(http.StatusNotFound, s.as("user_a", s.claim(device))).problem(t, "not-found")
}

func TestABanIsNotGotRoundByAClaim(t *testing.T) {
	s := newStack(t)
	device, banned := s.device(), s.device()
	for _, player := range []string{"user_b", banned.Player} {
		s.want(http.StatusOK, call{method: http.MethodPut, target: "/v1/ops/bans/" + player}.bearer(opsToken))
	}
	s.want(http.StatusForbidden, s.as("user_b", s.claim(device))).problem(t, "banned")
	s.want(http.StatusForbidden, s.as("user_a", s.claim(banned))).problem(t, "banned")
	s.want(http.StatusForbidden, post(scores, goodScore).bearer(banned.Token)).problem(t, "banned")
}

// Of two players who claim one device at once, over HTTP and processes of their
// own, one gets it.
func TestTwoPlayersClaimAtOnce(t *testing.T) {
	s := newStack(t)
	device := s.device()
	s.want(http.StatusCreated, post(scores, goodScore).bearer(device.Token))
	var calls []call
	for i := range 8 {
		calls = append(calls, s.as([]string{"user_a", "user_b"}[i%2], s.claim(device)))
	}
	statuses := make([]int, len(calls))
	var wait sync.WaitGroup
	for i, c := range calls {
		wait.Go(func() { statuses[i] = s.send(c).status })
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
