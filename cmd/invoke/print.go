package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
)

// printResponse writes an HTTP answer as curl -i would, and any other answer as JSON;
// then it writes the times.
func printResponse(w io.Writer, r lambdatest.Response, init time.Duration) error {
	var out bytes.Buffer
	var answer struct {
		StatusCode      int               `json:"statusCode"`
		Headers         map[string]string `json:"headers"`
		Cookies         []string          `json:"cookies"`
		Body            string            `json:"body"`
		IsBase64Encoded bool              `json:"isBase64Encoded"`
	}
	switch {
	case r.Failed():
		fmt.Fprintf(&out, "error %s: %s\n", r.ErrorType, r.ErrorMessage)
	case json.Unmarshal(r.Payload, &answer) == nil && answer.StatusCode != 0:
		fmt.Fprintf(&out, "%d %s\n", answer.StatusCode, http.StatusText(answer.StatusCode))
		for _, name := range slices.Sorted(maps.Keys(answer.Headers)) {
			fmt.Fprintf(&out, "%s: %s\n", name, answer.Headers[name])
		}
		for _, cookie := range answer.Cookies {
			fmt.Fprintf(&out, "Set-Cookie: %s\n", cookie)
		}
		body := []byte(answer.Body)
		if answer.IsBase64Encoded {
			decoded, err := base64.StdEncoding.DecodeString(answer.Body)
			if err != nil {
				return fmt.Errorf("the answer's body is not the base64 that it says: %w", err)
			}
			body = decoded
		}
		fmt.Fprintf(&out, "\n%s\n", pretty(body))
	default:
		fmt.Fprintf(&out, "%s\n", pretty(r.Payload))
	}
	fmt.Fprintf(&out, "\ninit %.1f ms, duration %.1f ms\n", milliseconds(init), milliseconds(r.Duration))
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("printing the answer: %w", err)
	}
	return nil
}

func pretty(body []byte) []byte {
	var out bytes.Buffer
	if json.Indent(&out, body, "", "  ") != nil {
		return body
	}
	return out.Bytes()
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
