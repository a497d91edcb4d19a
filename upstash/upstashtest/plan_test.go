package upstashtest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const seeLimit = `. See https://upstash.com/docs/redis/troubleshooting/max_requests_limit for details"}`

func onBothWithPlan(t *testing.T, plan upstashtest.Plan, test func(t *testing.T, c client)) {
	t.Run("embedded", func(t *testing.T) { test(t, startWith(t, upstashtest.Options{Plan: &plan})) })
	t.Run("real", func(t *testing.T) {
		test(t, startWith(t, upstashtest.Options{Plan: &plan, Redis: realRedis(t).URL()}))
	})
}

func TestAnExhaustedMonthRefusesEveryCommand(t *testing.T) {
	onBothWithPlan(t, upstashtest.Plan{MonthlyCommands: 5}, func(t *testing.T, c client) {
		require.Equal(t, `{"result":"OK"}`, c.post("/set/k/v", ""))
		require.Equal(t, `{"result":"v"}`, c.post("/", `["EVAL","redis.call('GET','k') return redis.call('GET','k')",0]`))
		gone := `{"error":"ERR max requests limit exceeded. Limit: 5, Usage: 5` + seeLimit
		require.Equal(t, `[{"result":"v"},`+gone+`,`+gone+`]`, c.post("/pipeline", `[["GET","k"],["DEL","k"],["GET","k"]]`))
		a := c.send(http.MethodPost, "/get/k", "")
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Equal(t, gone, a.body)
		a = c.send(http.MethodPost, "/multi-exec", `[["DEL","k"]]`)
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Contains(t, a.body, "ERR max requests limit exceeded. Limit: 5, Usage: ")

		require.NoError(t, c.ResetUsage(t.Context()))
		require.Equal(t, `{"result":"v"}`, c.post("/get/k", ""), "the next month; nothing had an effect meanwhile")
	})
}

func TestOversizedCommandsFailAlone(t *testing.T) {
	onBothWithPlan(t, upstashtest.Plan{RequestBytes: 100}, func(t *testing.T, c client) {
		long := strings.Repeat("x", 100)
		a := c.send(http.MethodPost, "/set/k", long+"x")
		require.Equal(t, http.StatusRequestEntityTooLarge, a.status)
		require.Equal(t, `{"error":"ERR max request size exceeded. Limit: 100 bytes, Actual: 101 bytes"}`, a.body)
		tooLong := `{"error":"ERR max request size exceeded. Limit: 100 bytes, Actual: 104 bytes"}`
		require.Equal(t, `[{"result":"OK"},`+tooLong+`,{"result":"v"}]`, c.post("/pipeline", `[["SET","k","v"],["SET","k","`+long+`"],["GET","k"]]`))
		a = c.send(http.MethodPost, "/multi-exec", `[["SET","k","w"],["SET","k","`+long+`"]]`)
		require.Equal(t, http.StatusRequestEntityTooLarge, a.status)
		require.Equal(t, tooLong, a.body)
		require.Equal(t, `{"result":"v"}`, c.post("/get/k", ""))

		c.post("/pipeline", `[["RPUSH","l","`+long[:60]+`"],["RPUSH","l","`+long[:60]+`"]]`)
		require.Contains(t, c.post("/lrange/l/0/-1", ""), `{"error":"ERR max request size exceeded. Limit: 100 bytes, Actual: `, "an answer as well")
	})
}

func TestRecordsDoNotOutgrowThePlan(t *testing.T) {
	onBothWithPlan(t, upstashtest.Plan{RecordBytes: 2000}, func(t *testing.T, c client) {
		kilobyte := strings.Repeat("x", 1000)
		require.Equal(t, `{"result":1}`, c.post("/rpush/l", kilobyte))
		a := c.send(http.MethodPost, "/rpush/l", kilobyte)
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Contains(t, a.body, `{"error":"ERR max single record size exceeded. Limit: 2000 bytes, Actual: `)
		require.Contains(t, c.post("/set/s", kilobyte+kilobyte), "ERR max single record size exceeded")
		require.Equal(t, `{"result":1}`, c.post("/llen/l", ""), "it can be read")
		require.Equal(t, `{"result":1}`, c.post("/del/l", ""), "and removed")
	})
}

func TestCommandsBeyondTheRateWait(t *testing.T) {
	c := startWith(t, upstashtest.Options{Plan: &upstashtest.Plan{CommandsPerSecond: 1}})
	require.Equal(t, `{"result":1}`, c.post("/incr/n", ""), "a second's worth passes")
	anHour := "[" + strings.Repeat(`["INCR","n"],`, 3599) + `["INCR","n"]]`
	c.http.Timeout = 50 * time.Millisecond
	_, err := c.try(http.MethodPost, "/pipeline", anHour)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestPlansAreAsPublished(t *testing.T) {
	require.EqualValues(t, 500_000, upstashtest.FreePlan().MonthlyCommands)
	require.Zero(t, upstashtest.PayAsYouGo().MonthlyCommands)
}
