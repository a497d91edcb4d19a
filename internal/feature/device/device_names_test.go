package device_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// naming has a device call itself something.
func naming(d apitest.DeviceBody, name string) apitest.Call {
	return apitest.Patch(apitest.Myself, apitest.Object("name", apitest.Quoted(name))).Bearer(d.Token)
}

func TestADeviceTakesANameWhereTheGameAllowsIt(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(http.StatusForbidden, naming(issued(s), "Ana")).Problem(t, "forbidden")

	s = apitest.Named(t, false)
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Get("/v1/game")).Body), `"device_names"`)
	device := issued(s)
	s.Want(http.StatusCreated, apitest.Submission("daily", 700, "a").Bearer(device.Token))
	require.Empty(t, s.Shown(device.Player))
	s.Want(http.StatusOK, naming(device, "Ana"))
	require.Equal(t, "Ana", s.Shown(device.Player))
	s.Handler = s.Process()
	commands, _ := s.Spent(func() { s.Want(http.StatusOK, naming(device, "Ana")) })
	require.LessOrEqual(t, commands, int64(8), "the route's price, for a process that knows nothing")
	s.Want(http.StatusCreated, apitest.Submission("longest", 7, "b").Bearer(device.Token)) // whose token tells no name
	require.Equal(t, "Ana", s.Shown(device.Player))
	me := s.Want(http.StatusOK, apitest.Get(apitest.Myself).Bearer(device.Token))
	require.Contains(t, string(me.Body), `"name":"Ana"`)
	s.Want(http.StatusOK, naming(device, ""))
	require.Empty(t, s.Shown(device.Player))
}

func TestADeviceChangesItsNameAndNothingElse(t *testing.T) {
	s := apitest.Named(t, false)
	device := issued(s)
	for _, body := range []string{
		`{}`, `{"name":null}`, `{"name":"Ana","country":"PT"}`, `{"picture":"https://img.example/a.png"}`, `{"hidden":true}`, `{"name":"A\u202eB"}`,
		`{"name":"` + strings.Repeat("n", 81) + `"}`, `{"name":"...."}`, `{"name":7}`, `{"name":"Ana","hat":1}`,
	} {
		commands, _ := s.Spent(func() {
			s.Want(http.StatusBadRequest, apitest.Patch(apitest.Myself, body).Bearer(device.Token)).Problem(t, "invalid-request")
		})
		require.Zero(t, commands, body)
	}
	s.Want(http.StatusForbidden, apitest.Call{Method: http.MethodDelete, Target: apitest.Myself}.Bearer(device.Token))
}

func TestNamesOfDevicesAreBounded(t *testing.T) {
	s := apitest.Named(t, false)
	s.Clock.Stop()
	device := issued(s)
	for i := range 3 {
		s.Want(http.StatusOK, naming(device, fmt.Sprint("Ana", i)))
	}
	a := s.Want(http.StatusTooManyRequests, naming(device, "Zoe"))
	require.Contains(t, a.Problem(t, "rate-limited").Detail, "rate limit names-device: 3 per day")
	s.Handler = s.Process()
	s.Send(naming(device, "Ida")) // a process may let pass one of which it has not heard
	s.Want(http.StatusTooManyRequests, naming(device, "Zoe"))
	s.Clock.Set(s.Clock.Now().Add(29 * time.Hour))
	s.Want(http.StatusOK, naming(device, "Zoe"))

	s.Handler = s.Process()
	for range 10 { // new devices and their names count together, by address
		other := issued(s)
		s.Want(http.StatusOK, naming(other, "Zoe").CameFrom("192.0.2.7:1"))
		s.Want(http.StatusCreated, apitest.Post(apitest.DevicesPath, "").CameFrom("192.0.2.7:1"))
	}
	s.Want(http.StatusTooManyRequests, naming(issued(s), "Zoe").CameFrom("192.0.2.7:1")).Problem(t, "rate-limited")
	s.Want(http.StatusOK, naming(issued(s), "Zoe").CameFrom("192.0.2.8:1"))
}

func TestTheNameOfADeviceGoesWithIt(t *testing.T) {
	for _, database := range []bool{false, true} {
		t.Run(fmt.Sprint("with a database: ", database), func(t *testing.T) {
			s := apitest.Named(t, database)
			export := func(player string) string {
				return string(s.Want(http.StatusOK, apitest.Get("/v1/ops/players/"+player).Bearer(apitest.OpsToken)).Body)
			}
			play := func(name string) apitest.DeviceBody {
				device := issued(s)
				s.Want(http.StatusOK, naming(device, name))
				s.Want(http.StatusCreated, apitest.Submission("daily", 700, device.Player).Bearer(device.Token))
				require.Contains(t, export(device.Player), name)
				return device
			}
			claimed := play("Hattie")
			s.Want(http.StatusOK, s.As("user_a", s.Claim(claimed)))
			require.NotContains(t, export(claimed.Player), "Hattie")
			require.NotEqual(t, "Hattie", s.Shown("user_a"))
			s.Want(http.StatusForbidden, naming(claimed, "Ida")).Problem(t, "device-claimed")

			erased := play("Hattie")
			s.Want(http.StatusOK, apitest.Remove("/v1/ops/players/"+erased.Player, "").Bearer(apitest.OpsToken))
			require.NotContains(t, export(erased.Player), "Hattie")

			banned := play("Hattie")
			s.Want(http.StatusOK, apitest.Put("/v1/ops/bans/"+banned.Player, "").Bearer(apitest.OpsToken))
			s.Want(http.StatusForbidden, naming(banned, "Ida")).Problem(t, "banned")
			require.NotContains(t, string(s.Want(http.StatusOK, apitest.Get(apitest.Daily)).Body), "Hattie")
		})
	}
}
