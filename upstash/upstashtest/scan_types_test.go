package upstashtest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScanTellsTypesOnRequest(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		c.post("/pipeline", `[["SET","s","v"],["ZADD","z",1,"a"],["XADD","x","*","f","v"],["HSET","WITHTYPE","f","v"]]`)
		c.send(http.MethodDelete, "/usage", "")
		typed := func(a any) (cursor string, types map[string]string) {
			pair, ok := a.([]any)
			require.True(t, ok, "%v", a)
			types = map[string]string{}
			items := pair[1].([]any)
			for i := 0; i < len(items); i += 2 {
				types[items[i].(string)] = items[i+1].(string)
			}
			return pair[0].(string), types
		}
		cursor, types := typed(c.command("scan", "0", "count", "100", "withtype"))
		require.Equal(t, "0", cursor)
		require.Equal(t, map[string]string{"s": "string", "z": "zset", "x": "stream", "WITHTYPE": "hash"}, types)
		_, types = typed(c.command("SCAN", "0", "WITHTYPE", "MATCH", "[sz]", "COUNT", "100"))
		require.Equal(t, map[string]string{"s": "string", "z": "zset"}, types)
		_, types = typed(c.command("SCAN", "0", "MATCH", "none*", "COUNT", "100", "WITHTYPE"))
		require.Empty(t, types)
		require.Equal(t, `{"result":["0",["WITHTYPE"]]}`, c.post("/", `["SCAN",0,"MATCH","WITHTYPE","COUNT",100]`), "a pattern is no option")
		require.Equal(t, `{"error":"ERR invalid cursor"}`, c.post("/", `["SCAN","x","WITHTYPE"]`))
		for _, path := range []string{"/pipeline", "/multi-exec"} {
			body := fmt.Sprintf(`[["DEL","s","z","x"],["SCAN",0,"COUNT",100,"WITHTYPE"],["SET",%q,1]]`, "s")
			require.Equal(t, `[{"result":3},{"result":["0",["WITHTYPE","hash"]]},{"result":"OK"}]`, c.post(path, body))
			c.post("/pipeline", `[["ZADD","z",1,"a"],["XADD","x","*","f","v"]]`)
		}
		u := usage(t, c)
		require.Equal(t, map[string]int64{"scan": 7, "del": 2, "set": 2, "zadd": 2, "xadd": 2, "multi": 1, "exec": 1}, u.ByName)
	})
}
