package template_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/web"
)

// The pages can be read only through CloudFront, with the policy that the local product
// sends. The API has the same address.
func TestPagesAreServedBesideTheAPI(t *testing.T) {
	all := rendered(t, map[string]string{"Pages": "on", "OriginSecret": strings.Repeat("s", 32), "AWS::StackName": "game"})
	headers := at(t, all["PagesHeaders"], "ResponseHeadersPolicyConfig", "SecurityHeadersConfig", "ContentSecurityPolicy")
	require.Equal(t, web.Policy, headers["ContentSecurityPolicy"])
	for name, closed := range at(t, all["PagesBucket"], "PublicAccessBlockConfiguration") {
		require.Equal(t, "true", closed, name)
	}
	distribution := at(t, all["PagesDistribution"], "DistributionConfig")
	require.Equal(t, "pages", at(t, distribution, "DefaultCacheBehavior")["TargetOriginId"])
	api := distribution["CacheBehaviors"].([]any)[0].(map[string]any)
	require.Equal(t, "/v1/*", api["PathPattern"])
	require.Equal(t, "api", api["TargetOriginId"])
	require.Len(t, api["AllowedMethods"], 7)
	keys := at(t, all["PagesKeys"], "CachePolicyConfig", "ParametersInCacheKeyAndForwardedToOrigin", "HeadersConfig")
	require.Equal(t, []any{"Authorization", "Origin"}, keys["Headers"], "nobody is shown another's standing")
	for _, r := range project(t).Resources {
		if strings.HasPrefix(r.LogicalID, "Pages") {
			require.Equal(t, "HasPages", r.Condition, r.LogicalID)
		}
	}
}

// at follows a path of names into nested properties.
func at(t *testing.T, properties map[string]any, path ...string) map[string]any {
	t.Helper()
	for _, name := range path {
		next, ok := properties[name].(map[string]any)
		require.True(t, ok, "nothing at %s of %v", name, path)
		properties = next
	}
	return properties
}
