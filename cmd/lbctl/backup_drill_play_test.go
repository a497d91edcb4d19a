package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

func init() {
	drillFeatures = append(drillFeatures, drillFeature{holdPlay, "operator", "/v1/ops/held", "held_plays", 1})
}

// holdPlay sends a score that an operator has to look at.
func holdPlay(d *drillProduct) {
	d.Helper()
	var play struct{ Play string }
	require.NoError(d, json.Unmarshal([]byte(d.must("user_cid", http.MethodPost, "/v1/plays", `{"mode":"typed"}`)), &play))
	d.set(d.now.Add(5500 * time.Millisecond))
	gaps, holds := slices.Repeat([]string{"110"}, 40), slices.Repeat([]string{"60"}, 40)
	gaps[0] = "0"
	d.must("user_cid", http.MethodPost, "/v1/scores", fmt.Sprintf(`{"mode":"typed","play":%q,"proof":{"typed":%q,"gaps":[%s],"holds":[%s]}}`,
		play.Play, "The quick brown fox jumps over the lazy dog."[:40], strings.Join(gaps, ","), strings.Join(holds, ",")))
}
