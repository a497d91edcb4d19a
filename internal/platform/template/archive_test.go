package template_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Closed boards have a bucket if the parameters ask for one. It keeps them for five
// years. No function has access to it, and the user who runs lbctl may delete nothing
// from it.
func TestTheBucketOfClosedBoards(t *testing.T) {
	declared := project(t)
	found := 0
	for _, r := range declared.Resources {
		if strings.HasPrefix(r.LogicalID, "Archive") {
			found++
			require.Equal(t, "HasArchive", r.Condition, r.LogicalID)
		}
		if r.Type == "AWS::IAM::Role" {
			require.NotContains(t, r.LogicalID, "Archive")
		}
	}
	require.Equal(t, 2, found)
	all := rendered(t, map[string]string{"Archive": "on"})
	bucket := all["ArchiveBucket"]
	for _, open := range bucket["PublicAccessBlockConfiguration"].(map[string]any) {
		require.Contains(t, []any{true, "true"}, open)
	}
	rules := bucket["LifecycleConfiguration"].(map[string]any)["Rules"].([]any)
	years := rules[0].(map[string]any)
	require.Contains(t, []any{1827, "1827"}, years["ExpirationInDays"], "five years, one or two of them leap years")
	statements := all["ArchivePolicy"]["PolicyDocument"].(map[string]any)["Statement"].([]any)
	var actions []any
	for _, s := range statements {
		switch a := s.(map[string]any)["Action"].(type) {
		case []any:
			actions = append(actions, a...)
		default:
			actions = append(actions, a)
		}
	}
	require.Equal(t, []any{"s3:GetObject", "s3:PutObject", "s3:ListBucket"}, actions)
}
