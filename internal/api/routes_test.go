package api_test

import (
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
)

// security is what the document says of a route for those who may call it.
var security = map[string][]string{
	"anybody": {}, "Clerk": {}, // Clerk's signature is a matter of headers
	"anybody; as `me` a player or a device": {"", "session", "device"},
	"anybody, device":                       {"", "device"},
	"player":                                {"session"},
	"player, device":                        {"session", "device"},
	"player, device that may have a name":   {"session", "device"},
	"player, game server":                   {"session", "signature"},
	"player, device, game server":           {"session", "device", "signature", "signature+operator"},
	"game server":                           {"signature", "signature+operator"},
	"operator":                              {"operator"},
}

func TestTheDocumentSaysOfEachRouteWhatItsRowSays(t *testing.T) {
	operations := loadContract(t).operations()
	for _, row := range allRows(t) {
		t.Run(row.Function+" "+row.Pattern, func(t *testing.T) {
			documented := operations[row.Pattern]
			require.NotNil(t, documented)
			require.NotNil(t, documented.Security, "it says who may call it")
			require.ElementsMatch(t, security[callers[row.Auth]], alternatives(*documented.Security))
			require.Equal(t, row.Keyed, slices.ContainsFunc(documented.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Name == "Idempotency-Key" }))
			require.Equal(t, row.Limit != "", documented.Responses.Status(http.StatusTooManyRequests) != nil && row.Auth != gate.Operator && row.Auth != gate.Clerk)
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
	s := named(t, true)
	device := s.device()
	path := strings.NewReplacer("{mode}", "daily", "{player}", "user_x", "{code}", "c", "{id}", "d")
	credentials := map[string]func(call) call{
		"":          func(c call) call { return c },
		"session":   func(c call) call { return s.as("user_a", c) },
		"device":    func(c call) call { return c.bearer(device.Token) },
		"operator":  func(c call) call { return c.bearer(opsToken) },
		"signature": call.signed,
	}
	for _, row := range allRows(t) {
		if row.Function == "enqueue" || row.Auth == gate.Clerk {
			continue
		}
		method, target, _ := strings.Cut(row.Pattern, " ")
		for name, credential := range credentials {
			t.Run(row.Pattern+" by "+name, func(t *testing.T) {
				s := s.on(t)
				body := ""
				if row.Body.Most > 0 && !mayBeEmpty(row.Body) {
					body = `{"no":"such"}` // it goes no further than it must
				}
				a := s.do(credential(post(path.Replace(target), body).by(method)))
				refused := a.status == http.StatusUnauthorized || a.status == http.StatusForbidden
				named := security[callers[row.Auth]]
				require.NotEqual(t, len(named) == 0 || slices.Contains(named, name) || passed(named, name), refused, "%s", a.body)
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

// by is the call with another method.
func (c call) by(method string) call { c.method = method; return c }

// What a request counts as is what its row says.
func TestRequestsCountAsTheirRoutesSay(t *testing.T) {
	shared, all := newStack(t), dearest()
	shared.befriend()
	for _, row := range allRows(t) {
		if row.Function == "enqueue" || trusted(row) {
			continue
		}
		t.Run(row.Pattern, func(t *testing.T) {
			s := shared.on(t)
			c := all[row.Pattern][0](s).cameFrom("192.0.2.7:4711")
			once := "player: 1/1h, ip: 1/1h"
			if row.Limit == limit.Devices {
				once = "ip: 1/1h"
			}
			if !strings.Contains(s.game, "currencies:") {
				s.game += "currencies: {coins: {daily: 20}}\n" // purchases are counted where something can be bought
			}
			s.game = strings.Replace(s.game, "limits: {submit: {player: off}, boards: {player: off}, commands: {player: off}}",
				fmt.Sprintf("limits: {%s: {%s}, commands: {player: off, ip: off, unverified: off}}", row.Limit, once), 1)
			require.Contains(t, s.game, once)
			s.handler = s.process()
			for range 12 { // the first play of a day does not count, nor do ten reads that cost nothing
				a := s.send(c)
				if a.status == http.StatusTooManyRequests {
					require.Contains(t, a.problem(t, "rate-limited").Detail, "rate limit "+string(row.Limit)+"-")
					return
				}
			}
			t.Fatal("it is not counted")
		})
	}
}
