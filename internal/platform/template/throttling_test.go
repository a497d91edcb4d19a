package template_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The gateway bounds what an attack can cost before it starts a function.
func TestTheGatewayThrottlesAndFunctionsCanBeReserved(t *testing.T) {
	given := map[string]string{"ThrottlingRate": "70", "ThrottlingBurst": "90", "ReservedConcurrency": "7"}
	resources := map[string]map[string]any{}
	for _, r := range project(t).Resources {
		resources[r.LogicalID] = r.Properties
	}
	defaults := map[string]string{}
	for _, p := range project(t).Parameters {
		defaults[p.Name] = p.Default
	}
	require.Equal(t, "200", defaults["ThrottlingRate"])
	require.Equal(t, "400", defaults["ThrottlingBurst"])
	require.Equal(t, "0", defaults["ReservedConcurrency"])
	settings, ok := render(t, resources["HttpApi"]["DefaultRouteSettings"], given).(map[string]any)
	require.True(t, ok)
	require.Equal(t, map[string]any{"ThrottlingRateLimit": "70", "ThrottlingBurstLimit": "90"}, settings)

	reached := 0
	for _, f := range project(t).Functions {
		reserved, there := resources[f.LogicalID]["ReservedConcurrentExecutions"]
		require.Equal(t, len(f.Routes) > 0, there, "%s: functions of the API, and no others", f.LogicalID)
		for _, name := range []string{"TRUSTED_PROXY_HOPS", "ORIGIN_SECRET"} {
			_, there := f.Env[name]
			require.Equal(t, len(f.Routes) > 0, there, "%s: %s", f.LogicalID, name)
		}
		if there {
			reached++
			require.Equal(t, map[string]any{"!If": []any{"HasReservedConcurrency", "!Ref ReservedConcurrency", "!Ref AWS::NoValue"}}, reserved, f.LogicalID)
		}
	}
	require.Greater(t, reached, 5)
}
