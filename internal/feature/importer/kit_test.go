package importer_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/feature/importer"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// day is when the tests' product lives: the day after most scores' date.
var day = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func startProduct(t *testing.T) *local.Product {
	text, err := os.ReadFile("testdata/game.yaml")
	require.NoError(t, err)
	return startProductOf(t, string(text))
}

func startProductOf(t *testing.T, text string) *local.Product {
	g, err := gamefile.Parse("testdata/game.yaml", []byte(text))
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	product.Clock.Set(day)
	return product
}

// carrier is a transport made of a function.
type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

func signing(t *testing.T, product *local.Product, transport http.RoundTripper) *client.Client {
	c, err := client.New(client.Config{
		URL: product.URL, SigningKey: product.Secrets.SigningKey, OpsToken: product.Secrets.OpsToken, Transport: transport,
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// fakeClient talks to a function in place of a product.
func fakeClient(t *testing.T, answer carrier) *client.Client {
	c, err := client.New(client.Config{URL: "http://127.0.0.1:1", SigningKey: strings.Repeat("k", 32), OpsToken: "ops", Transport: answer})
	require.NoError(t, err)
	return c
}

// notices gathers what people are told.
type notices struct {
	mu    sync.Mutex
	texts []string
}

func (n *notices) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.texts = append(n.texts, text)
}

func options(c *client.Client, file string) importer.Options {
	return importer.Options{
		File: file, ProgressFile: file + ".progress", ReportFile: file + ".rejected.csv", Batch: 1000, Workers: 4, Client: c, Target: "here",
		Now: time.Now, Random: func() float64 { return 0 }, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Notice: func(string) {}, Progress: func(importer.Progress) {},
	}
}

// write puts text into a file of its own.
func write(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "scores")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func readAll(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// board reads a whole day board, one "rank player score" each.
func board(t *testing.T, product *local.Product, mode, date, scope string) (rows []string) {
	for e, err := range signing(t, product, nil).Entries(t.Context(), client.Board{Mode: mode, Date: date, Scope: scope}) {
		require.NoError(t, err)
		rows = append(rows, fmt.Sprintf("%d %s %v", e.Rank, e.Player, e.Score))
	}
	return rows
}
