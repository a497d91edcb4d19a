package template_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretsAreNeverShownByCloudFormation(t *testing.T) {
	tmpl := project(t)
	for _, f := range tmpl.Functions {
		for name, value := range f.Env {
			if !slices.Contains([]string{"UPSTASH_REDIS_REST_TOKEN", "UPSTASH_API_KEY", "SIGNING_KEYS", "OPS_TOKEN"}, name) {
				continue
			}
			for _, p := range tmpl.Parameters {
				if value == "!Ref "+p.Name {
					require.True(t, p.NoEcho, p.Name)
				}
			}
			require.True(t, strings.HasPrefix(value, "!Ref "), "%s stands in the template itself", name)
		}
	}
}

func TestEveryFunctionHasARoleThatMayWriteItsOwnLogAndTellItsFailures(t *testing.T) {
	resources := map[string]map[string]any{}
	for _, r := range project(t).Resources {
		resources[r.LogicalID] = r.Properties
	}
	for _, f := range project(t).Functions {
		stem := strings.TrimSuffix(f.LogicalID, "Function")
		own := resources[f.LogicalID]
		require.Equal(t, "!GetAtt "+stem+"Role.Arn", own["Role"], f.LogicalID)
		require.Equal(t, map[string]any{"LogGroup": "!Ref " + stem + "LogGroup"}, own["LoggingConfig"])
		require.NotContains(t, own, "Policies", "SAM ignores them beside a Role")
		require.Equal(t, "!Ref LogRetentionDays", resources[stem+"LogGroup"]["RetentionInDays"])

		role := resources[stem+"Role"]
		require.NotContains(t, role, "ManagedPolicyArns")
		rights := []any{policy("own-log", []any{"logs:CreateLogStream", "logs:PutLogEvents"}, "!GetAtt "+stem+"LogGroup.Arn")}
		if len(f.Schedules) > 0 { // nobody waits for the answer: a run that failed for good goes to a queue
			require.Equal(t, map[string]any{"Type": "SQS", "TargetArn": "!GetAtt FailedRuns.Arn"}, own["DeadLetterQueue"])
			require.Contains(t, resources, "FailedRunsAlarm", "an alarm tells of failures")
			rights = append(rights, policy("failed-runs", "sqs:SendMessage", "!GetAtt FailedRuns.Arn"))
		}
		if _, sends := f.Env["QUEUE_URL"]; sends {
			rights = append(rights, policy("queue-in", "sqs:SendMessage", "!GetAtt QueuedScores.Arn"))
		}
		if len(f.Queues) > 0 {
			rights = append(rights, policy("queue-out", []any{"sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"}, "!GetAtt QueuedScores.Arn"))
		}
		if _, shows := f.Env["FAILED_RUNS_QUEUE_URL"]; shows {
			rights = append(rights, ofDeadLetters()...)
		}
		require.Equal(t, rights, role["Policies"])
	}
}

func policy(name string, action, resource any) map[string]any {
	return map[string]any{
		"PolicyName": name,
		"PolicyDocument": map[string]any{
			"Version":   "2012-10-17",
			"Statement": []any{map[string]any{"Effect": "Allow", "Action": action, "Resource": resource}},
		},
	}
}

// ofDeadLetters are the rights of ops, which shows dead letters, and makes SQS send scores among
// them again.
func ofDeadLetters() []any {
	scores := map[string]any{"!If": []any{"HasQueue", "!GetAtt DeadScores.Arn", "!Ref AWS::NoValue"}}
	redrive := policy("redrive", []any{"sqs:StartMessageMoveTask", "sqs:DeleteMessage"}, "!GetAtt DeadScores.Arn")
	document := redrive["PolicyDocument"].(map[string]any)
	document["Statement"] = append(document["Statement"].([]any), map[string]any{"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": "!GetAtt QueuedScores.Arn"})
	return []any{
		policy("dead-letters", []any{"sqs:GetQueueAttributes", "sqs:ReceiveMessage"}, []any{"!GetAtt FailedRuns.Arn", scores}),
		map[string]any{"!If": []any{"HasQueue", redrive, "!Ref AWS::NoValue"}},
	}
}

// objects matches all objects of one bucket: CloudFront may read any page, and the user
// who runs lbctl may write any board.
var objects = regexp.MustCompile(`^!Sub \$\{(Pages|Archive)Bucket\.Arn\}/\*$`)

func TestNoPolicyHasAWildcard(t *testing.T) {
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, child := range v {
				walk(path+"."+name, child)
			}
		case []any:
			for _, child := range v {
				walk(path, child)
			}
		case string:
			if regexp.MustCompile(`\.(Action|Resource|Principal)(\.|$)`).MatchString(path) {
				require.NotContains(t, objects.ReplaceAllString(v, ""), "*", path)
			}
		}
	}
	for _, r := range project(t).Resources {
		walk(r.LogicalID, r.Properties)
	}
}

func TestNothingBelongsToOneAccount(t *testing.T) {
	for _, r := range project(t).Resources {
		require.NotRegexp(t, `\d{12}|arn:aws:`, r.Properties)
	}
}

// What waits to be looked at outlives the stack: scores and runs in queues, and the logs
// that tell why they are there.
func TestQueuesAndLogsOutliveTheStack(t *testing.T) {
	kept := map[string]int{}
	for _, r := range project(t).Resources {
		switch r.Type {
		case "AWS::SQS::Queue", "AWS::Logs::LogGroup":
			kept[r.Type]++
			require.True(t, r.Retained, r.LogicalID)
		}
	}
	require.Positive(t, kept["AWS::SQS::Queue"])
	require.Equal(t, len(project(t).Functions), kept["AWS::Logs::LogGroup"])
}
