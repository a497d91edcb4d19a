// Command go sends scores from a game server. It reads one JSON object per line from
// standard input, and sends up to a thousand in one request:
//
//	LEADERBOARDS_URL=https://api.example.com SIGNING_KEY=… go run . < scores.jsonl
package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"time"
	"unicode/utf8"
)

const (
	maxScores = 1000      // in one batch
	maxBytes  = 1_000_000 // in one batch; the limit is 1 MiB
	tries     = 8
)

var client = &http.Client{Timeout: 30 * time.Second}

// sign makes a signature that is valid for this one request, for 300 seconds.
func sign(key, method, path string, body []byte) string {
	t := time.Now().Unix()
	mac := hmac.New(sha256.New, []byte(key))
	fmt.Fprintf(mac, "%d.%s.%s.%s", t, method, path, body)
	return fmt.Sprintf("t=%d,v2=%s", t, hex.EncodeToString(mac.Sum(nil)))
}

// post sends a request until it gets a final answer. Each attempt has a new signature,
// and all attempts have the same idempotency key: however often the request arrives, it
// counts once.
func post(url, key, path string, body []byte, whole func(answer []byte) bool) ([]byte, error) {
	id := rand.Text()
	for try := 1; ; try++ {
		r, err := http.NewRequest(http.MethodPost, url+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Framedle-Signature", sign(key, r.Method, path, body))
		r.Header.Set("Idempotency-Key", `"`+id+`"`)
		res, err := client.Do(r)
		wait := time.Duration((0.5 + mathrand.Float64()/2) * float64(250*time.Millisecond<<try))
		if err == nil {
			var answer []byte
			answer, err = io.ReadAll(res.Body)
			_ = res.Body.Close()
			switch {
			case err != nil: // cut off: send again
			case res.StatusCode == 409 || res.StatusCode == 429 || res.StatusCode >= 500:
				err = fmt.Errorf("%s: %s", res.Status, answer)
			case res.StatusCode >= 300:
				return nil, fmt.Errorf("%s: %s", res.Status, answer)
			case whole(answer):
				return answer, nil
			default:
				err = fmt.Errorf("some of %s could not be stored", path)
			}
			if s, bad := strconv.Atoi(res.Header.Get("Retry-After")); bad == nil {
				wait = time.Duration(s) * time.Second
			}
		}
		if try == tries {
			return nil, fmt.Errorf("after %d tries: %w", tries, err)
		}
		time.Sleep(wait)
	}
}

// result is the result of one score: a problem, or its rank on the board.
type result struct {
	Status  string `json:"status"`
	Rank    int    `json:"rank"`
	Problem *struct {
		Status int    `json:"status"`
		Detail string `json:"detail"`
	} `json:"problem"`
}

// score is a line as it was read: decoding would round a long number.
type score struct {
	line int
	text json.RawMessage
}

// sendBatch returns a result for each score, in order. A refused score does not affect
// the others. If some scores could not be stored, sendBatch sends the whole batch again;
// scores that are stored do not change.
func sendBatch(url, key string, scores []score) ([]result, error) {
	var request struct {
		Scores []json.RawMessage `json:"scores"`
	}
	for _, s := range scores {
		request.Scores = append(request.Scores, s.text)
	}
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	var batch struct{ Results []result }
	_, err = post(url, key, "/v1/scores/batch", body, func(answer []byte) bool {
		batch.Results = nil
		if json.Unmarshal(answer, &batch) != nil || len(batch.Results) != len(scores) {
			return false
		}
		for _, r := range batch.Results {
			if r.Problem != nil && r.Problem.Status >= 500 {
				return false
			}
		}
		return true
	})
	return batch.Results, err
}

func run(url, key string, in io.Reader) (sent, refused int, err error) {
	var batch []score
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		results, err := sendBatch(url, key, batch)
		if err != nil {
			return fmt.Errorf("lines %d to %d: %w", batch[0].line, batch[len(batch)-1].line, err)
		}
		for i, r := range results {
			if r.Problem != nil {
				refused++
				fmt.Printf("line %d: %d %s\n", batch[i].line, r.Problem.Status, r.Problem.Detail)
			}
		}
		sent += len(batch)
		batch, size = nil, 0
		return nil
	}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(bytes.Clone(lines.Bytes()))
		if !json.Valid(text) || !utf8.Valid(text) {
			refused++
			fmt.Printf("line %d: not JSON\n", n)
			continue
		}
		if len(batch) == maxScores || size+len(text) > maxBytes {
			if err := flush(); err != nil {
				return sent, refused, err
			}
		}
		batch, size = append(batch, score{n, text}), size+len(text)+1
	}
	if err := lines.Err(); err != nil {
		return sent, refused, err
	}
	return sent, refused, flush()
}

func main() {
	url, key := os.Getenv("LEADERBOARDS_URL"), os.Getenv("SIGNING_KEY")
	if url == "" || key == "" {
		fmt.Fprintln(os.Stderr, "set LEADERBOARDS_URL, such as https://api.example.com, and SIGNING_KEY")
		os.Exit(2)
	}
	sent, refused, err := run(url, key, os.Stdin)
	fmt.Printf("%d sent, %d refused\n", sent, refused)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || refused > 0 {
		os.Exit(1)
	}
}
