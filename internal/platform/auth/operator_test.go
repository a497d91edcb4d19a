package auth_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

const opsToken = "ops-0123456789-0123456789-0123456"

func TestOnlyTheOperatorsOwnTokenIsAccepted(t *testing.T) {
	operator, err := auth.NewOperator(opsToken)
	require.NoError(t, err)
	require.NoError(t, operator.Verify(opsToken))

	requireRefused(t, operator.Verify(""), auth.Missing, "required")
	for name, token := range map[string]string{
		"cut":              opsToken[:len(opsToken)-1],
		"longer":           opsToken + "x",
		"in another case":  strings.ToUpper(opsToken),
		"with its scheme":  "Bearer " + opsToken,
		"with white space": opsToken + " ",
		"huge":             strings.Repeat("x", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			requireRefused(t, operator.Verify(token), auth.Invalid, "not the operator's")
		})
	}
}

func TestWeakOperatorTokensAreRefusedAtStart(t *testing.T) {
	for name, test := range map[string]struct{ token, says string }{
		"empty":               {"", "at least 32"},
		"31 characters":       {strings.Repeat("x", 31), "at least 32"},
		"with a line end":     {opsToken + "\n", "cannot carry"},
		"with a space":        {opsToken + " x", "cannot carry"},
		"beyond ASCII":        {opsToken + "é", "cannot carry"},
		"nothing but padding": {strings.Repeat("=", 32), "cannot carry"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := auth.NewOperator(test.token)
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "OPS_TOKEN")
		})
	}
}

func TestAnyOfTheOperatorsTokensIsAccepted(t *testing.T) {
	other := strings.Repeat("n", 32)
	operator, err := auth.NewOperator(other, opsToken)
	require.NoError(t, err)
	require.NoError(t, operator.Verify(other))
	require.NoError(t, operator.Verify(opsToken))
	requireRefused(t, operator.Verify(other+","+opsToken), auth.Invalid, "not the operator's")
	_, err = auth.NewOperator(opsToken, "short")
	require.ErrorContains(t, err, "at least 32", "each is as strong as one alone")
}
