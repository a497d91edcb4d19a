package upstashtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNaNIsNoScore(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		for _, nan := range []string{"nan", "NaN", "-nan", "+NAN"} {
			require.Equal(t, `{"error":"ERR value is not a valid float"}`, c.post("/", `["ZADD","z","`+nan+`","a"]`), nan)
			require.Equal(t, `{"error":"ERR value is not a valid float"}`, c.post("/", `["ZINCRBY","z","`+nan+`","a"]`), nan)
		}
		c.post("/", `["ZADD","z","+inf","a"]`)
		require.Equal(t, `{"error":"ERR resulting score is not a number (NaN)"}`, c.post("/", `["ZINCRBY","z","-inf","a"]`))
		require.Equal(t, `{"result":"inf"}`, c.post("/zscore/z/a", ""))
	})
}
