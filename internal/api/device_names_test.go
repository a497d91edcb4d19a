package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// named is a stack of a game whose devices may take names.
func named(t *testing.T, database bool) *stack {
	s := newStack(t)
	s.game = strings.Replace(testGame, "anonymous: true", "anonymous: true\ndevices: {names: true}", 1)
	if database {
		s.befriend()
	}
	s.handler = s.process()
	return s
}

// naming has a device call itself something.
func naming(d deviceBody, name string) call {
	return patch(myself, object("name", quoted(name))).bearer(d.Token)
}

// shown is the name of a device on the day's board, to a process that knew none.
func (s *stack) shown(player string) string { return s.nameOf(player) }

func TestADeviceTakesANameWhereTheGameAllowsIt(t *testing.T) {
	s := newStack(t)
	s.want(http.StatusForbidden, naming(s.device(), "Ana")).problem(t, "forbidden")

	s = named(t, false)
	require.Contains(t, string(s.want(http.StatusOK, get("/v1/game")).body), `"device_names"`)
	device := s.device()
	s.want(http.StatusCreated, submission("daily", 700, "a").bearer(device.Token))
	require.Empty(t, s.shown(device.Player))
	s.want(http.StatusOK, naming(device, "Ana"))
	require.Equal(t, "Ana", s.shown(device.Player))
	s.handler = s.process()
	commands, _ := s.spent(func() { s.want(http.StatusOK, naming(device, "Ana")) })
	require.LessOrEqual(t, commands, int64(8), "the route's price, for a process that knows nothing")
	s.want(http.StatusCreated, submission("longest", 7, "b").bearer(device.Token)) // whose token tells no name
	require.Equal(t, "Ana", s.shown(device.Player))
	me := s.want(http.StatusOK, get(myself).bearer(device.Token))
	require.Contains(t, string(me.body), `"name":"Ana"`)
	s.want(http.StatusOK, naming(device, ""))
	require.Empty(t, s.shown(device.Player))
}

func TestADeviceChangesItsNameAndNothingElse(t *testing.T) {
	s := named(t, false)
	device := s.device()
	for _, body := range []string{
		`{}`, `{"name":null}`, `{"name":"Ana","country":"PT"}`, `{"picture":"https://img.example/a.png"}`, `{"hidden":true}`, `{"name":"A\u202eB"}`,
		`{"name":"` + strings.Repeat("n", 81) + `"}`, `{"name":"...."}`, `{"name":7}`, `{"name":"Ana","hat":1}`,
	} {
		commands, _ := s.spent(func() {
			s.want(http.StatusBadRequest, patch(myself, body).bearer(device.Token)).problem(t, "invalid-request")
		})
		require.Zero(t, commands, body)
	}
	s.want(http.StatusForbidden, call{method: http.MethodDelete, target: myself}.bearer(device.Token))
}

func TestNamesOfDevicesAreBounded(t *testing.T) {
	s := named(t, false)
	s.clock.Stop()
	device := s.device()
	for i := range 3 {
		s.want(http.StatusOK, naming(device, fmt.Sprint("Ana", i)))
	}
	a := s.want(http.StatusTooManyRequests, naming(device, "Zoe"))
	require.Contains(t, a.problem(t, "rate-limited").Detail, "rate limit names-device: 3 per day")
	s.handler = s.process()
	s.send(naming(device, "Ida")) // a process may let pass one of which it has not heard
	s.want(http.StatusTooManyRequests, naming(device, "Zoe"))
	s.clock.Set(s.clock.Now().Add(29 * time.Hour))
	s.want(http.StatusOK, naming(device, "Zoe"))

	s.handler = s.process()
	for range 10 { // new devices and their names count together, by address
		other := s.device()
		s.want(http.StatusOK, naming(other, "Zoe").cameFrom("192.0.2.7:1"))
		s.want(http.StatusCreated, post(devicesPath, "").cameFrom("192.0.2.7:1"))
	}
	s.want(http.StatusTooManyRequests, naming(s.device(), "Zoe").cameFrom("192.0.2.7:1")).problem(t, "rate-limited")
	s.want(http.StatusOK, naming(s.device(), "Zoe").cameFrom("192.0.2.8:1"))
}

func TestTheNameOfADeviceGoesWithIt(t *testing.T) {
	for _, database := range []bool{false, true} {
		t.Run(fmt.Sprint("with a database: ", database), func(t *testing.T) {
			s := named(t, database)
			export := func(player string) string {
				return string(s.want(http.StatusOK, get("/v1/ops/players/"+player).bearer(opsToken)).body)
			}
			play := func(name string) deviceBody {
				device := s.device()
				s.want(http.StatusOK, naming(device, name))
				s.want(http.StatusCreated, submission("daily", 700, device.Player).bearer(device.Token))
				require.Contains(t, export(device.Player), name)
				return device
			}
			claimed := play("Hattie")
			s.want(http.StatusOK, s.as("user_a", s.claim(claimed)))
			require.NotContains(t, export(claimed.Player), "Hattie")
			require.NotEqual(t, "Hattie", s.shown("user_a"))
			s.want(http.StatusForbidden, naming(claimed, "Ida")).problem(t, "device-claimed")

			erased := play("Hattie")
			s.want(http.StatusOK, remove("/v1/ops/players/"+erased.Player, "").bearer(opsToken))
			require.NotContains(t, export(erased.Player), "Hattie")

			banned := play("Hattie")
			s.want(http.StatusOK, put("/v1/ops/bans/"+banned.Player, "").bearer(opsToken))
			s.want(http.StatusForbidden, naming(banned, "Ida")).problem(t, "banned")
			require.NotContains(t, string(s.want(http.StatusOK, get(daily)).body), "Hattie")
		})
	}
}
