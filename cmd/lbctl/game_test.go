package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func gameFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "game.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func runGameCommand(args ...string) (status int, out, diagnostics string) {
	var stdout, stderr bytes.Buffer
	status = run(context.Background(), append([]string{"game"}, args...), console{stdout: &stdout, stderr: &stderr, getenv: os.Getenv})
	return status, stdout.String(), stderr.String()
}

func TestGameCheckPrintsTheModes(t *testing.T) {
	status, out, _ := runGameCommand("check", gameFile(t, "name: words\nmodes:\n  word: {max: 6, decimals: 1, scopes: [group]}\n"))
	require.Equal(t, statusGood, status)
	require.Contains(t, out, "OK (words")
	require.Contains(t, out, "global, group")
}

func TestGameCheckNamesWhatIsWrong(t *testing.T) {
	status, out, _ := runGameCommand("check", gameFile(t, "name: words\nmodes:\n  word: {max: 6, policy: worst}\n"))
	require.Equal(t, statusFaults, status)
	require.Contains(t, out, "game.yaml:3: modes.word.policy")
}

func TestGameDiffRefusesWhatStoredScoresForbid(t *testing.T) {
	old := gameFile(t, "name: words\nmodes:\n  word: {max: 6}\n")
	status, out, _ := runGameCommand("diff", old, gameFile(t, "name: words\nmodes:\n  word: {max: 6, order: asc}\n"))
	require.Equal(t, statusFaults, status)
	require.Contains(t, out, "refused      modes.word.order: desc -> asc")
	require.Contains(t, out, "instead: give the mode a new name")

	status, out, _ = runGameCommand("diff", old, gameFile(t, "name: words\nmodes:\n  word: {max: 9}\n  more: {max: 3}\n"))
	require.Equal(t, statusGood, status)
	require.Contains(t, out, "from now on  modes.word.max: 6 -> 9")
	require.Contains(t, out, "safe         modes.more: added")

	status, out, _ = runGameCommand("diff", old, old)
	require.Equal(t, statusGood, status)
	require.Contains(t, out, "unchanged:")
}

func TestGameSaysHowItIsCalled(t *testing.T) {
	for says, args := range map[string][]string{
		"use lbctl game check, diff or accept": nil, "use lbctl game check FILE": {"check"}, "use lbctl game accept FILE": {"accept"},
		"use lbctl game diff OLD NEW, or lbctl game diff --redis FILE": {"diff", "a"}, `no command "tidy"; use lbctl game check`: {"tidy", "a"},
	} {
		status, _, diagnostics := runGameCommand(args...)
		require.Equal(t, statusFailed, status)
		require.Contains(t, diagnostics, says)
	}
	status, _, diagnostics := runGameCommand("check", "no-such-file.yaml")
	require.Equal(t, statusFailed, status)
	require.Contains(t, diagnostics, "no-such-file.yaml")
}
