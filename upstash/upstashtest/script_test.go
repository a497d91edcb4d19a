package upstashtest_test

import (
	"crypto/sha1"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const lockLine = "#!lua flags=allow-key-locking\n"

func digest(script string) string {
	sum := sha1.Sum([]byte(script))
	return hex.EncodeToString(sum[:])
}

func TestScriptsRunWithAndWithoutTheKeyLockingLine(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		const body = "redis.call('SET', KEYS[1], ARGV[1])\nreturn redis.call('GET', KEYS[1])"
		require.Equal(t, "a", c.command("EVAL", body, "1", "k", "a"))
		require.Equal(t, "b", c.command("EVAL", lockLine+body, "1", "k", "b"))
		require.Equal(t, "c", c.command("EVAL", "#!lua  flags=allow-key-locking \n"+body, "1", "k", "c"))
		require.Equal(t, "d", c.command("EVALSHA", digest(lockLine+body), "1", "k", "d"), "by the digest of what was sent")
		require.Equal(t, "e", c.command("EVALSHA", digest(body), "1", "k", "e"))
		require.Equal(t, []any{jsonNumber(1), jsonNumber(1), jsonNumber(0)}, c.command("SCRIPT", "EXISTS", digest(lockLine+body), digest(body), digest("other")))

		const loaded = lockLine + "return 7"
		require.Equal(t, digest(loaded), c.command("SCRIPT", "LOAD", loaded))
		require.Contains(t, c.command("SCRIPT", "LOAD", lockLine+"syntax error"), "ERR Error compiling script")
		require.Equal(t, jsonNumber(7), c.command("EVALSHA", digest(loaded), "0"))
		require.Equal(t, []any{"a", "e"}, c.batch("/multi-exec", [][]string{{"EVAL", lockLine + "return ARGV[1]", "0", "a"}, {"EVALSHA", digest(body), "1", "k", "e"}}))
	})
}

func TestOtherFlagsStay(t *testing.T) {
	c := start(t, realRedis(t).URL())
	script := "#!lua flags=no-writes,allow-key-locking\nreturn redis.call('SET', KEYS[1], 'x')"
	refusal, ok := c.command("EVAL", script, "1", "k").(upstashtest.EngineError)
	require.True(t, ok)
	require.Contains(t, string(refusal), "Write commands are not allowed from read-only scripts")
}

func TestAnEndlessScriptLeavesRoomForItsEnd(t *testing.T) {
	c := start(t, realRedis(t).URL())
	_, err := c.Redis().Do(t.Context(), "CONFIG", "SET", "busy-reply-threshold", "1")
	require.NoError(t, err)
	done := make(chan string, 1)
	go func() {
		a, _ := c.try("POST", "/", `["EVAL","while true do end",0]`)
		done <- a.body
	}()
	require.Eventually(t, func() bool { return c.command("SCRIPT", "KILL") == "OK" }, eventually, tick)
	require.Contains(t, <-done, "Script killed by user")
	require.Equal(t, `{"result":"PONG"}`, c.post("/ping", ""))
}
