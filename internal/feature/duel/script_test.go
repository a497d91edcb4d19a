package duel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
)

func TestScriptsNameTheFieldsOfARecordInTheirOrder(t *testing.T) {
	require.Equal(t, "'"+strings.Join(duel.Names, "', '")+"'", duel.QuotedNames)
}
