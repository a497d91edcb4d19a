package template_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/template"
)

const small = `
Transform: AWS::Serverless-2016-10-31
Parameters:
  Token:
    Type: String
    NoEcho: true
    Description: a secret
  Daily:
    Type: String
    Default: rate(1 day)
  Window:
    Type: Number
    Default: 20
Globals:
  Function:
    CodeUri: .
    Handler: bootstrap
    Runtime: provided.al2023
    Architectures: [arm64]
    MemorySize: 128
    Environment:
      Variables:
        GAME: framedle
        LEVEL: info
Resources:
  Bucket:
    Type: AWS::S3::Bucket
    Properties:
      Tags: !If [Prod, [a], {b: !GetAtt C.D}]
  SubmitScoreFunction:
    Type: AWS::Serverless::Function
    Condition: Prod
    Metadata:
      BuildMethod: makefile
    Properties:
      MemorySize: 256
      Timeout: 10
      Environment:
        Variables:
          TOKEN: !Ref Token
          URL: !Sub "https://${Api}"
          LEVEL: debug
      Events:
        Post:
          Type: HttpApi
          Properties: {Method: post, Path: "/v1/boards/{mode}/scores"}
        Rest:
          Type: HttpApi
        Daily:
          Type: Schedule
          Properties:
            Schedule: !Ref Daily
        Scores:
          Type: SQS
          Properties: {Queue: !GetAtt Scores.Arn, BatchSize: 100, MaximumBatchingWindowInSeconds: !Ref Window}
`

func TestParseReadsWhatAFunctionDeclares(t *testing.T) {
	tmpl, err := template.Parse([]byte(small))
	require.NoError(t, err)
	f, ok := tmpl.Function("submit-score")
	require.True(t, ok)
	require.Equal(t, template.Function{
		LogicalID:     "SubmitScoreFunction",
		Name:          "submit-score",
		CodeURI:       ".",
		Handler:       "bootstrap",
		Runtime:       "provided.al2023",
		Architectures: []string{"arm64"},
		BuildMethod:   "makefile",
		MemoryMB:      256,
		TimeoutS:      10,
		Routes: []template.Route{
			{Method: "POST", Path: "/v1/boards/{mode}/scores"},
			{Method: "ANY", Path: "$default"},
		},
		Schedules: []template.Schedule{{Name: "Daily", Expression: "rate(1 day)"}},
		Queues:    []template.Queue{{Name: "Scores", BatchSize: 100, WindowS: 20}},
		Condition: "Prod",
		Env: map[string]string{
			"GAME": "framedle", "LEVEL": "debug", "TOKEN": "!Ref Token", "URL": "!Sub https://${Api}",
		},
		Line: f.Line,
	}, f)
	require.Equal(t, lineOf(t, "    Type: AWS::Serverless::Function"), f.Line)
}

func TestParseReadsParametersAndResources(t *testing.T) {
	tmpl, err := template.Parse([]byte(small))
	require.NoError(t, err)
	require.Equal(t, template.Parameter{
		Name: "Token", Type: "String", NoEcho: true, Description: "a secret", Line: tmpl.Parameters[0].Line,
	}, tmpl.Parameters[0])
	require.True(t, tmpl.Parameters[1].HasDefault)
	require.Equal(t, map[string]any{
		"Tags": map[string]any{"!If": []any{"Prod", []any{"a"}, map[string]any{"b": "!GetAtt C.D"}}},
	}, tmpl.Resources[0].Properties)
	_, ok := tmpl.Function("bucket")
	require.False(t, ok)
}

func TestParseSaysWhereAndWhatIsWrong(t *testing.T) {
	replace := func(old, with string) string {
		require.Contains(t, small, old)
		return strings.Replace(small, old, with, 1)
	}
	tests := []struct {
		name, text string
		line       string // a line of the changed text that the error names
		says       string
	}{
		{"nothing", "", "", "empty"},
		{"not yaml", "a: [", "", "yaml"},
		{"a list", "- a", "- a", "not a mapping"},
		{"no transform", replace("Transform: AWS::Serverless-2016-10-31", "Description: x"), "", "Transform"},
		{"no function", replace("    Type: AWS::Serverless::Function", "    Type: AWS::Lambda::Function"), "", "at least one"},
		{"resource that is text", replace("  Bucket:\n", "  Text: x\n  Bucket:\n"), "  Text: x", "not a mapping"},
		{"name twice", replace("  Bucket:\n", "  Bucket:\n    Type: a\n    Type: b\n"), "    Type: b", "is twice in"},
		{"alias", replace("      MemorySize: 256", "      A: &x 1\n      B: *x"), "      B: *x", "anchors and aliases"},
		{"name that fits no folder", replace("SubmitScoreFunction", "SubmitScore"), "    Type: AWS::Serverless::Function", "ends in Function"},
		{"memory below the least", replace("MemorySize: 256", "MemorySize: 64"), "    Type: AWS::Serverless::Function", "128 to 10240"},
		{"no timeout", replace("      Timeout: 10\n", ""), "    Type: AWS::Serverless::Function", "1 to 900"},
		{"event of another type", replace("Type: HttpApi", "Type: SNS"), "          Type: SNS", "HttpApi, Schedule and SQS"},
		{"no batch size", replace("BatchSize: 100, ", ""), "          Type: SQS", "1 to 10000"},
		{"no window", replace("!Ref Window", "soon"), "          Type: SQS", "0 to 300"},
		{"no such method", replace("Method: post", "Method: fetch"), "          Type: HttpApi", "FETCH"},
		{"relative path", replace(`"/v1/boards`, `"v1/boards`), "          Type: HttpApi", "begins with /"},
		{"half a variable", replace("{mode}", "{mode"), "          Type: HttpApi", "begins with /"},
		{"variable in a segment", replace("{mode}", "x{mode}"), "          Type: HttpApi", "begins with /"},
		{"greedy in the middle", replace("{mode}", "{mode+}"), "          Type: HttpApi", "begins with /"},
		{"variable twice", replace("/scores", "/{mode}"), "          Type: HttpApi", "begins with /"},
		{"schedule without one", replace("Schedule: !Ref Daily", "Input: x"), "          Type: Schedule", "no Schedule"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := template.Parse([]byte(tt.text))
			require.ErrorContains(t, err, tt.says)
			if tt.line != "" {
				require.ErrorContains(t, err, fmt.Sprintf("line %d:", lineIn(t, tt.text, tt.line)))
			}
		})
	}
}

func TestPatternIsWhatServeMuxTakes(t *testing.T) {
	for route, want := range map[template.Route]string{
		{Method: "GET", Path: "/v1/a/{id}"}:  "GET /v1/a/{id}",
		{Method: "ANY", Path: "/v1/a"}:       "/v1/a",
		{Method: "ANY", Path: "$default"}:    "/",
		{Method: "GET", Path: "/f/{rest+}"}:  "GET /f/{rest...}",
		{Method: "GET", Path: "/"}:           "GET /{$}",
		{Method: "POST", Path: "/v1/scores"}: "POST /v1/scores",
	} {
		require.Equal(t, want, route.Pattern())
	}
}

func lineOf(t *testing.T, line string) int { return lineIn(t, small, line) }

func lineIn(t *testing.T, text, line string) int {
	t.Helper()
	for i, l := range strings.Split(text, "\n") {
		if strings.TrimRight(l, " ") == line {
			return i + 1
		}
	}
	require.Failf(t, "no such line", "%q", line)
	return 0
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("Transform: AWS::Serverless-2016-10-31\nResources: {AFunction: {Type: 'AWS::Serverless::Function'}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tmpl, err := template.Parse(data)
		if err == nil && len(tmpl.Functions) == 0 {
			t.Fatal("a template without functions was accepted")
		}
	})
}

func ExampleParse() {
	tmpl, err := template.Parse([]byte(small))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range tmpl.Functions {
		for _, r := range f.Routes {
			fmt.Println(f.Name, r.Pattern())
		}
	}
	// Output:
	// submit-score POST /v1/boards/{mode}/scores
	// submit-score /
}
