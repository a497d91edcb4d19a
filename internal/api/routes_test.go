package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// security is what the document says of a route for those who may call it.
var security = map[string][]string{
	"anyone": {}, "Clerk": {}, // Clerk's signature is a matter of headers
	"anyone; as `me` a player or a device": {"", "session", "device"},
	"anyone, device":                       {"", "device"},
	"player":                               {"session"},
	"player, device":                       {"session", "device"},
	"player, device that may have a name":  {"session", "device"},
	"player, game server":                  {"session", "signature"},
	"player, device, game server":          {"session", "device", "signature", "signature+operator"},
	"game server":                          {"signature", "signature+operator"},
	"operator: read":                       {"operator"},
	"operator: moderate":                   {"operator"},
	"operator: administer":                 {"operator"},
}

func TestTheDocumentSaysOfEachRouteWhatItsRowSays(t *testing.T) {
	operations := apitest.LoadContract(t).Operations()
	for _, row := range apitest.AllRows(t) {
		t.Run(row.Function+" "+row.Pattern, func(t *testing.T) {
			documented := operations[row.Pattern]
			require.NotNil(t, documented)
			require.NotNil(t, documented.Security, "it says who may call it")
			require.ElementsMatch(t, security[callers[row.Auth]], alternatives(*documented.Security))
			if role := row.Auth.Role(); role != auth.NoRole {
				require.Equal(t, []string{role.String()}, (*documented.Security)[0]["operator"])
			}
			require.Equal(t, row.Keyed, slices.ContainsFunc(documented.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Name == "Idempotency-Key" }))
			require.Equal(t, row.Limit != "", documented.Responses.Status(http.StatusTooManyRequests) != nil && row.Auth.Role() == auth.NoRole && row.Auth != gate.Clerk)
			body := documented.RequestBody
			if body == nil {
				require.True(t, row.Body.Most == 0 || row.Body.Bare, "it reads a body")
				return
			}
			require.Equal(t, "At most "+problem.SizeText(row.Body.Most)+".", body.Value.Description)
			require.Equal(t, !mayBeEmpty(row.Body), body.Value.Required)
		})
	}
}

// alternatives are the credentials that a route takes, each with those that it
// takes together.
func alternatives(all openapi3.SecurityRequirements) []string {
	names := []string{}
	for _, together := range all {
		var schemes []string
		for scheme := range together {
			schemes = append(schemes, scheme)
		}
		slices.Sort(schemes)
		slices.Reverse(schemes)
		names = append(names, strings.Join(schemes, "+"))
	}
	return names
}

// Callers with none of the credentials that the document names are refused for that reason,
// and no other callers are.
func TestWhoMayCallARouteIsWhoTheDocumentNames(t *testing.T) {
	s := apitest.Named(t, true)
	device := s.Device()
	path := strings.NewReplacer("{mode}", "daily", "{player}", "user_x", "{code}", "c", "{id}", "d")
	credentials := map[string]func(apitest.Call) apitest.Call{
		"":          func(c apitest.Call) apitest.Call { return c },
		"session":   func(c apitest.Call) apitest.Call { return s.As("user_a", c) },
		"device":    func(c apitest.Call) apitest.Call { return c.Bearer(device.Token) },
		"operator":  func(c apitest.Call) apitest.Call { return c.Bearer(apitest.OpsToken) },
		"signature": apitest.Call.Signed,
	}
	for _, row := range apitest.AllRows(t) {
		if row.Function == "enqueue" || row.Auth == gate.Clerk {
			continue
		}
		method, target, _ := strings.Cut(row.Pattern, " ")
		for name, credential := range credentials {
			t.Run(row.Pattern+" by "+name, func(t *testing.T) {
				s := s.On(t)
				body := ""
				if row.Body.Most > 0 && !mayBeEmpty(row.Body) {
					body = `{"no":"such"}` // it goes no further than it must
				}
				a := s.Do(credential(apitest.Post(path.Replace(target), body).By(method)))
				refused := a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden
				named := security[callers[row.Auth]]
				require.NotEqual(t, len(named) == 0 || slices.Contains(named, name) || passed(named, name), refused, "%s", a.Body)
			})
		}
	}
}

// passed reports whether a route passes over a credential that it does not name:
// where nobody has to show one, a signature is not looked at, and on a board a token
// neither.
func passed(named []string, name string) bool {
	return slices.Contains(named, "") && (name == "signature" || slices.Contains(named, "session"))
}

// What a request counts as is what its row says.
func TestRequestsCountAsTheirRoutesSay(t *testing.T) {
	shared, all := apitest.NewStack(t), dearest()
	shared.Keep()
	for _, row := range apitest.AllRows(t) {
		if row.Function == "enqueue" || trusted(row) {
			continue
		}
		t.Run(row.Pattern, func(t *testing.T) {
			require.NotEmpty(t, all[row.Pattern], "add the route's dearest request")
			s := shared.On(t)
			c := all[row.Pattern][0](s).CameFrom("192.0.2.7:4711")
			once := "player: 1/1h, ip: 1/1h"
			if row.Limit == limit.Devices {
				once = "ip: 1/1h"
			}
			if !strings.Contains(s.Game, "currencies:") {
				s.Game += "currencies: {coins: {daily: 20}}\n" // purchases are counted where something can be bought
			}
			s.Game = strings.Replace(s.Game, "limits: {submit: {player: off}, boards: {player: off}, commands: {player: off}}",
				fmt.Sprintf("limits: {%s: {%s}, commands: {player: off, ip: off, unverified: off}}", row.Limit, once), 1)
			require.Contains(t, s.Game, once)
			s.Handler = s.Process()
			for range 12 { // the first play of a day does not count, nor do ten reads that cost nothing
				a := s.Send(c)
				if a.Status == http.StatusTooManyRequests {
					require.Contains(t, a.Problem(t, "rate-limited").Detail, "rate limit "+string(row.Limit)+"-")
					return
				}
			}
			t.Fatal("it is not counted")
		})
	}
}
