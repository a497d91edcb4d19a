package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/platform/template"
)

func TestParseEnvReadsWhatShellsTake(t *testing.T) {
	got, err := parseEnv([]byte("# a comment\n\nA=1\nexport B = two words \nC='a \"b\" \\n'\nD=\"x\\ny\"\nE=\nF=a=b\nG=\"\n"))
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"A": "1", "B": "two words", "C": `a "b" \n`, "D": "x\ny", "E": "", "F": "a=b", "G": `"`,
	}, got)
}

func TestParseEnvSaysWhichLineIsWrong(t *testing.T) {
	for _, text := range []string{"A=1\nB\n", "A=1\n=2\n", "A=1\nB C=3\n", "A=1\nB=\x00\n"} {
		_, err := parseEnv([]byte(text))
		require.ErrorContains(t, err, "line 2: want NAME=value")
	}
}

func TestEnvironmentHasOnlyWhatTheTemplateGives(t *testing.T) {
	fn := template.Function{Env: map[string]string{"GAME": "framedle", "OPS_TOKEN": "!Ref OpsToken", "SIGNING_KEYS": "!Ref SigningKeys"}}
	values := map[string]string{"OPS_TOKEN": "t", "AWS_SECRET_ACCESS_KEY": "never"}
	got := environment(fn, func(name string) (string, bool) { v, ok := values[name]; return v, ok })
	require.Equal(t, map[string]string{"GAME": "framedle", "OPS_TOKEN": "t"}, got)
}

func TestSignedSignsRequestsWithoutCredentials(t *testing.T) {
	const key = "0123456789abcdef0123456789abcdef"
	now := time.Unix(1_795_262_400, 0)
	verifier, err := auth.NewSignatures([]string{key}, func() time.Time { return now })
	require.NoError(t, err)
	tests := []struct{ name, event, body string }{
		{"text", `{"headers":{"a":"b"},"body":"{\"x\":1}","requestContext":{"http":{"method":"POST"}},"rawPath":"/v1/sc%6fres"}`, `{"x":1}`},
		{"base64", `{"body":"aGk=","isBase64Encoded":true,"rawPath":"/v1/sc%6fres","requestContext":{"http":{"method":"POST"}}}`, "hi"},
		{"no body", `{"rawPath":"/v1/scores","requestContext":{"http":{"method":"POST"}}}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got struct{ Headers map[string]string }
			require.NoError(t, json.Unmarshal(signed([]byte(tt.event), key, now), &got))
			server, err := verifier.Verify(got.Headers[signatureHeader], auth.Request{Method: "POST", Path: "/v1/scores", Body: []byte(tt.body)})
			require.NoError(t, err)
			require.True(t, server.Bound)
		})
	}
}

func TestSignedLeavesOtherEventsAlone(t *testing.T) {
	for _, event := range []string{
		`{"headers":{"Authorization":"Bearer x"},"requestContext":{"http":{}}}`,
		`{"headers":{"Framedle-Signature":"t=1"},"requestContext":{"http":{}}}`,
		`{"body":"?","isBase64Encoded":true,"requestContext":{"http":{}}}`,
		`{"detail-type":"Scheduled Event"}`, `{`, ``, `null`,
	} {
		require.Equal(t, event, string(signed([]byte(event), "key", time.Unix(0, 0))))
	}
}

func TestPrintResponseShowsWhatCameBack(t *testing.T) {
	tests := []struct {
		name     string
		response lambdatest.Response
		want     string
	}{
		{
			"an HTTP answer",
			lambdatest.Response{Payload: []byte(`{"statusCode":201,"headers":{"B":"2","A":"1"},"cookies":["c=1"],"body":"{\"x\":1}"}`), Duration: 2500 * time.Microsecond},
			"201 Created\nA: 1\nB: 2\nSet-Cookie: c=1\n\n{\n  \"x\": 1\n}\n\ninit 4.0 ms, duration 2.5 ms\n",
		},
		{
			"binary",
			lambdatest.Response{Payload: []byte(`{"statusCode":200,"body":"aGk=","isBase64Encoded":true}`)},
			"200 OK\n\nhi\n\ninit 4.0 ms, duration 0.0 ms\n",
		},
		{
			"any JSON",
			lambdatest.Response{Payload: []byte(`[1]`)},
			"[\n  1\n]\n\ninit 4.0 ms, duration 0.0 ms\n",
		},
		{
			"an error",
			lambdatest.Response{ErrorType: "EventError", ErrorMessage: "no time"},
			"error EventError: no time\n\ninit 4.0 ms, duration 0.0 ms\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, printResponse(&out, tt.response, 4*time.Millisecond))
			require.Equal(t, tt.want, out.String())
		})
	}
}

func FuzzParseEnv(f *testing.F) {
	f.Add([]byte("A=1\n# c\nexport B='x'\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := parseEnv(data)
		if err != nil && values != nil {
			t.Fatal("values beside an error")
		}
	})
}
