// Package openapi_test has the tools of others read api/openapi.yaml: the types that
// openapi-typescript makes of it, and what redocly and spectral find in it.
package openapi_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/npmtest"
)

func TestTheDocumentAsOthersToolsReadIt(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	for _, file := range []string{"../../api/openapi.yaml", "consumer.ts", "openapi.test.mjs", "redocly.yaml", "spectral.yaml"} {
		_, err := os.Stat(file) // so that go test runs again when one changes, which Node alone reads
		require.NoError(t, err)
	}
	npmtest.Run(t, npmtest.Suite{Files: []string{"openapi.test.mjs"}, Timeout: 5 * time.Minute})
}
