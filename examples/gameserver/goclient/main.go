// Command goclient sends scores from a game server. It reads one JSON object per line from
// standard input, and sends up to a thousand in one request:
//
//	LEADERBOARDS_URL=https://api.example.com SIGNING_KEY=… go run . < scores.jsonl
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/framedle/leaderboards/client"
)

const (
	maxBytes = 1_000_000 // in one batch; the limit is 1 MiB
	retries  = 7         // of each batch: some 20 seconds, in which a restart is over
)

func run(ctx context.Context, lb *client.Client, in io.Reader) (sent, refused int, err error) {
	var batch client.Batch
	var numbers []int // line numbers of the batch
	size := 0
	flush := func() error {
		if len(batch.Scores) == 0 {
			return nil
		}
		results, err := lb.SubmitBatch(ctx, batch)
		if err != nil {
			return fmt.Errorf("lines %d to %d: %w", numbers[0], numbers[len(numbers)-1], err)
		}
		for i, r := range results {
			if r.Problem != nil {
				refused++
				fmt.Printf("line %d: %d %s\n", numbers[i], r.Problem.Status, r.Problem.Detail)
			}
		}
		sent += len(results)
		batch, numbers, size = client.Batch{}, nil, 0
		return nil
	}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		var s client.Submission
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			refused++
			fmt.Printf("line %d: not JSON\n", n)
			continue
		}
		if len(numbers) == client.MaxBatch || size+len(lines.Bytes()) > maxBytes {
			if err := flush(); err != nil {
				return sent, refused, err
			}
		}
		batch.Scores, numbers, size = append(batch.Scores, s), append(numbers, n), size+len(lines.Bytes())+1
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
	lb, err := client.New(client.Config{URL: url, SigningKey: key, Retries: retries})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	sent, refused, err := run(context.Background(), lb, os.Stdin)
	fmt.Printf("%d sent, %d refused\n", sent, refused)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || refused > 0 {
		os.Exit(1)
	}
}
