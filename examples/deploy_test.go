package examples_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	leaderboards "github.com/framedle/leaderboards"
	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/product/app"
)

func parse(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, into))
}

// at follows names through mappings.
func at(t *testing.T, node any, names ...string) any {
	t.Helper()
	for _, name := range names {
		children, ok := node.(map[string]any)
		require.True(t, ok, "there is nothing below which %s could stand", name)
		require.Contains(t, children, name)
		node = children[name]
	}
	return node
}

type workflow struct {
	On          map[string]any
	Permissions map[string]string
	Jobs        map[string]struct {
		Needs, If, Environment string
		Permissions            map[string]string
		Env                    map[string]string
		Steps                  []struct {
			Uses, Run string
			With, Env map[string]string
		}
	}
}

// A workflow that omits a parameter would replace the deployed value by the template's
// default, and a secret among the variables would appear in logs.
func TestTheWorkflowDeploysEveryParameter(t *testing.T) {
	var w workflow
	parse(t, "github/deploy.yml", &w)
	tmpl, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	want := map[string]string{"AWS_REGION": "vars", "STACK_NAME": "vars", "DATABASE_URL_DIRECT": "secrets"}
	for _, p := range tmpl.Parameters {
		name := strings.ToUpper(strings.TrimPrefix(regexp.MustCompile(`[A-Z]`).ReplaceAllString(p.Name, "_$0"), "_"))
		want[name] = "vars"
		if p.NoEcho {
			want[name] = "secrets"
		}
	}
	deploy := w.Jobs["deploy"]
	got := map[string]string{}
	tested, deployed := false, false
	for _, step := range deploy.Steps {
		if step.Run != "make deploy" {
			continue
		}
		deployed = true
		for name, value := range step.Env {
			from := regexp.MustCompile(`^\$\{\{ (vars|secrets)\.` + name + ` }}$`).FindStringSubmatch(value)
			require.Len(t, from, 2, "%s: %s", name, value)
			got[name] = from[1]
		}
	}
	for _, step := range w.Jobs["test"].Steps {
		tested = tested || step.Run == "make test"
	}
	require.True(t, tested && deployed)
	require.Equal(t, want, got)

	require.Equal(t, "test", deploy.Needs)
	require.Equal(t, "github.event_name != 'pull_request'", deploy.If, "a pull request deploys nothing")
	require.Equal(t, map[string]string{"contents": "read"}, w.Permissions)
	require.Equal(t, map[string]string{"contents": "read", "id-token": "write"}, deploy.Permissions)
	require.Empty(t, deploy.Env, "only the steps that need a secret have it")
	require.NotContains(t, w.On, "pull_request_target")
	own, err := filepath.Glob("../.github/workflows/*")
	require.NoError(t, err)
	for _, file := range own {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotRegexp(t, `make deploy|aws-actions|secrets\.`, string(text), "%s: a fork's first push would deploy unasked", file)
	}
}

// A tag can be moved to other code; a digest cannot.
func TestActionsArePinnedByDigest(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*")
	require.NoError(t, err)
	uses := regexp.MustCompile(`(?m)^\s*-? uses: .*$`)
	found := 0
	for _, file := range append(files, "github/deploy.yml") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, line := range uses.FindAllString(string(text), -1) {
			found++
			require.Regexp(t, `@[0-9a-f]{40} # v\d`, line, file)
		}
		require.Equal(t, strings.Count(string(text), "actions/checkout@"), strings.Count(string(text), "persist-credentials: false"), file)
	}
	require.Greater(t, found, 10)
}

// Whoever runs the workflow cannot make a role that may do more than the functions need.
func TestTheDeployRoleMakesNoRoleWithoutItsBoundary(t *testing.T) {
	var stack map[string]any
	parse(t, "aws/deploy-role.yaml", &stack)
	policies := at(t, stack, "Resources", "DeployRole", "Properties", "Policies").([]any)
	for _, s := range at(t, policies[0], "PolicyDocument", "Statement").([]any) {
		statement := s.(map[string]any)
		actions, _ := statement["Action"].([]any)
		bounded, _ := statement["Condition"].(map[string]any)
		for _, action := range actions {
			if slices.Contains([]any{"iam:CreateRole", "iam:PutRolePolicy", "iam:AttachRolePolicy", "iam:PutRolePermissionsBoundary", "iam:DeleteRolePermissionsBoundary"}, action) {
				require.Equal(t, "Boundary", at(t, bounded, "StringEquals", "iam:PermissionsBoundary"), action)
			}
		}
	}
	bounds := at(t, stack, "Resources", "Boundary", "Properties", "PolicyDocument", "Statement").([]any)
	allowed := fmt.Sprint(at(t, bounds[0], "Action"))
	tmpl, err := os.ReadFile("../template.yaml")
	require.NoError(t, err)
	for _, action := range regexp.MustCompile(`(?m)(?:logs|sqs):[A-Z]\w+`).FindAllString(string(tmpl), -1) {
		service, _, _ := strings.Cut(action, ":")
		require.True(t, strings.Contains(allowed, action) || strings.Contains(allowed, service+":*"), "the functions need %s", action)
	}
}

func TestOnlyOneEnvironmentOfOneRepositoryMayDeploy(t *testing.T) {
	text, err := os.ReadFile("aws/deploy-role.yaml")
	require.NoError(t, err)
	require.Regexp(t, `(?s)StringEquals:\s+"token\.actions\.githubusercontent\.com:aud": sts\.amazonaws\.com\s+"token\.actions\.githubusercontent\.com:sub": !Sub "repo:\$\{Repository}:environment:\$\{Environment}"`, string(text))
	require.NotContains(t, string(text), "StringLike")
}

// CloudFront has to pass on everything that the API reads of a request, and the cache key
// has to have everything by which answers differ.
func TestTheNetworkPassesOnWhatTheAPIReads(t *testing.T) {
	var stack map[string]any
	parse(t, "aws/cloudfront.yaml", &stack)
	keys := at(t, stack, "Resources", "Keys", "Properties", "CachePolicyConfig")
	require.Equal(t, []any{0, 0}, []any{at(t, keys, "MinTTL"), at(t, keys, "DefaultTTL")}, "only what the API says is kept")
	key := at(t, keys, "ParametersInCacheKeyAndForwardedToOrigin")
	require.Equal(t, "all", at(t, key, "QueryStringsConfig", "QueryStringBehavior"))
	apart := at(t, key, "HeadersConfig", "Headers").([]any)
	require.Equal(t, []any{"Authorization", "Origin"}, apart, "own answers differ by the first, CORS headers by the second")
	passed := at(t, stack, "Resources", "Passed", "Properties", "OriginRequestPolicyConfig", "HeadersConfig", "Headers").([]any)
	require.LessOrEqual(t, len(passed), 10, "CloudFront takes no more")

	reached := map[string]bool{"if-none-match": true} // CloudFront answers it itself, or passes it on
	for _, name := range append(passed, apart...) {
		reached[strings.ToLower(name.(string))] = true
	}
	require.NotContains(t, reached, "host", "API Gateway knows its own name alone")
	var document struct {
		Components struct {
			Parameters      map[string]struct{ In, Name string }
			SecuritySchemes map[string]struct{ In, Name, Scheme string } `yaml:"securitySchemes"`
		}
	}
	require.NoError(t, yaml.Unmarshal(openapi.Document, &document))
	found := 0
	for _, p := range document.Components.Parameters {
		if p.In == "header" {
			found++
			require.Contains(t, reached, strings.ToLower(p.Name), "the API reads it")
		}
	}
	for _, s := range document.Components.SecuritySchemes {
		if s.In == "header" {
			found++
			require.Contains(t, reached, strings.ToLower(s.Name), "callers prove themselves by it")
		}
	}
	require.GreaterOrEqual(t, found, 6)
	for _, name := range []string{"content-type", "cloudfront-viewer-country", "access-control-request-method"} {
		require.Contains(t, reached, name)
	}
	text, err := os.ReadFile("aws/cloudfront.yaml")
	require.NoError(t, err)
	require.Contains(t, string(text), "{HeaderName: "+app.OriginHeader+", HeaderValue: !Ref OriginSecret}")
}
