package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestExportPlayerWritesTheWholeDocument(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken}
	store := product.Jobs.Closing().Store
	m, ok := product.Jobs.Closing().Game.Mode("daily_frame")
	require.True(t, ok)
	now := product.Clock.Now()
	_, err := store.Boards.Submit(t.Context(), game.Submission{Mode: m, Player: "user_a", Date: game.DateOf(now), Score: 500, At: now})
	require.NoError(t, err)

	file := filepath.Join(t.TempDir(), "user_a.json")
	code, out := lbctl(t, env, "export-player", "user_a", "-o", file)
	require.Equal(t, statusGood, code, out.stderr.String())
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var document struct {
		Known   bool
		Results []struct{ Mode string }
		Audit   []any
	}
	require.NoError(t, json.Unmarshal(text, &document))
	require.True(t, document.Known)
	require.Equal(t, "daily_frame", document.Results[0].Mode)

	code, out = lbctl(t, env, "export-player", "user_nobody")
	require.Equal(t, statusFaults, code)
	require.Contains(t, out.stdout.String(), `"known": false`)

	// A copy that was made for the player stays when the same is run again after the erasure.
	code, out = lbctl(t, env, "export-player", "user_nobody", "-o", file)
	require.Equal(t, statusFaults, code)
	require.Contains(t, out.stderr.String(), "left unchanged")
	again, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, text, again)

	// A file of before stays when the product cannot be asked.
	env["LEADERBOARDS_URL"] = "http://127.0.0.1:1"
	code, _ = lbctl(t, env, "export-player", "user_a", "-o", file)
	require.Equal(t, statusFailed, code)
	again, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, text, again)
	left, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// Every list goes on from page to page, those too that begin on a later one.
func TestExportPlayerHasTheListsOfAllPages(t *testing.T) {
	product := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := `{"player":"user_a","known":true,"sources":["redis"],"groups":["red"],"results":[1],"leagues":[1],"next":"2"}`
		if r.URL.Query().Get("cursor") == "2" {
			page = `{"player":"user_a","sources":["redis"],"results":[2],"leagues":[2],"score_audit":[1,2],"next":null}`
		}
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(product.Close)
	code, out := lbctl(t, map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": "t"}, "export-player", "user_a")
	require.Equal(t, statusGood, code, out.stderr.String())
	require.JSONEq(t, `{"player":"user_a","known":true,"sources":["redis"],"groups":["red"],"results":[1,2],"leagues":[1,2],"score_audit":[1,2]}`, out.stdout.String())
}

func TestBansAndTheLogArePrinted(t *testing.T) {
	product := localProduct(t)
	env := map[string]string{"LEADERBOARDS_URL": product.URL, "OPS_TOKEN": product.Secrets.OpsToken}
	require.NoError(t, product.Jobs.Closing().Store.Notices.Ban(t.Context(), "user_x"))
	code, out := lbctl(t, env, "bans")
	require.Equal(t, statusGood, code, out.stderr.String())
	require.Contains(t, out.stderr.String(), "1 banned")
	code, out = lbctl(t, env, "log", "-n", "5")
	require.Equal(t, statusFailed, code)
	require.Contains(t, out.stderr.String(), `"msg":"audit"`)
}
