package local_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// The pages are there beside the API, which answers everything else.
func TestPagesAreServedBesideTheAPI(t *testing.T) {
	_, p := start(t)
	for path, want := range map[string]int{"/": 200, "/page.js": 200, "/ops/": 200, "/ops/ops.js": 200, "/nothing": 404, "/v1/game": 200, "/embed.go": 404} {
		res, err := http.Get(p.URL + path)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, want, res.StatusCode, path)
	}
}
