package attack_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	openapi "github.com/framedle/leaderboards/api"
)

// The credentials by their names in the document, and the signature of a webhook, which
// the document describes by headers.
const (
	session  = "session"
	device   = "device"
	signed   = "signature"
	operator = "operator"
	hook     = "webhook"
)

// route is an operation that needs a credential, with a request that is correct in
// everything else.
type route struct {
	request
	takes []string // each of these credentials is enough
	open  bool     // the route also answers without a credential, but refuses a bad one
}

func (r route) name() string { return r.method + " " + r.path }

func (r route) take(kind string) bool { return slices.Contains(r.takes, kind) }

// inPaths is the value of each name in a path. A route that everybody may read needs a
// session token for "me".
var inPaths = map[string]string{
	"{mode}": "daily_frame", "{id}": "a1", "{code}": strings.Repeat("a", 26), "{player}": "user_b", "{currency}": "coins",
}

// wanted are headers that a route requires of every caller.
var wanted = map[string]map[string]string{"/v1/me/wallets/{currency}/spend": {"Idempotency-Key": "k"}}

// routes are all operations of the document that need a credential.
func routes(t *testing.T) []route {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document)
	require.NoError(t, err)
	var all []route
	paths := doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		operations := paths[path].Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			operation := operations[method]
			takes, anybody := credentials(t, operation)
			if len(takes) == 0 {
				continue
			}
			concrete := path
			for name, value := range inPaths {
				if name == "{player}" && anybody {
					value = "me"
				}
				concrete = strings.ReplaceAll(concrete, name, value)
			}
			require.NotContains(t, concrete, "{", "%s %s: say in inPaths what stands for it", method, path)
			all = append(all, route{request{method: method, path: concrete, body: exampleBody(t, operation), header: wanted[path]}, takes, anybody && !strings.Contains(path, "{player}")})
		}
	}
	return all
}

// credentials returns which credentials open an operation, and whether it also answers
// without one.
func credentials(t *testing.T, operation *openapi3.Operation) (takes []string, anybody bool) {
	require.NotNil(t, operation.Security, "%s does not say who may call it", operation.OperationID)
	for _, choice := range *operation.Security {
		switch len(choice) {
		case 0:
			anybody = true
		case 1: // a credential that is listed together with another is also listed alone
			for kind := range choice {
				require.Contains(t, []string{session, device, signed, operator}, kind, "%s: a new kind of credential wants its own attacks", operation.OperationID)
				takes = append(takes, kind)
			}
		}
	}
	for _, parameter := range operation.Parameters {
		if parameter.Value.Name == "svix-signature" {
			takes = append(takes, hook)
		}
	}
	return takes, anybody
}

// exampleBody is the first example of a body in the document.
func exampleBody(t *testing.T, operation *openapi3.Operation) string {
	if operation.RequestBody == nil {
		return ""
	}
	examples := operation.RequestBody.Value.Content["application/json"].Examples
	if len(examples) == 0 {
		return "{}"
	}
	first := slices.Sorted(maps.Keys(examples))[0]
	text, err := json.Marshal(examples[first].Value.Value)
	require.NoError(t, err)
	return string(text)
}

// taking counts the routes that take each kind of credential.
func taking(t *testing.T) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, r := range routes(t) {
		for _, kind := range r.takes {
			counts[kind]++
		}
	}
	return counts
}

func TestEveryFunctionHasRoutesToAttack(t *testing.T) {
	counts := taking(t)
	require.GreaterOrEqual(t, counts[session], 12, "%v", counts)
	require.GreaterOrEqual(t, counts[signed], 5, "%v", counts)
	require.GreaterOrEqual(t, counts[operator], 6, "%v", counts)
	require.GreaterOrEqual(t, counts[device], 5, "%v", counts)
}
