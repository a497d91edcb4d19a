package local_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/dev/apitest"
)

// types has a player type a text that a play hands out, as people do or like a clock.
func (a *all) types(player, play string, steady bool) map[string]any {
	a.t.Helper()
	a.passes(6 * time.Second)
	gaps, holds := make([]string, 40), make([]string, 40)
	for i := range gaps {
		gaps[i], holds[i] = fmt.Sprint(80+i*37%70), fmt.Sprint(70+i*53%60)
		if steady {
			gaps[i], holds[i] = "110", "60"
		}
	}
	gaps[0] = "0"
	return a.as(player, "POST", "/v1/scores", fmt.Sprintf(`{"mode":"typed","play":%q,"proof":{"typed":"The quick brown fox jumps over the lazy d","gaps":[%s],"holds":[%s]}}`,
		play, strings.Join(gaps, ","), strings.Join(holds, ",")))
}

func (a *all) play(player string) string {
	a.t.Helper()
	return a.as(player, "POST", apitest.PlaysAt, `{"mode":"typed"}`)["play"].(string)
}
