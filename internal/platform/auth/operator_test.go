package auth_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

const opsToken = "ops-0123456789-0123456789-0123456"

func TestOnlyTheOperatorsOwnTokenIsAccepted(t *testing.T) {
	operator, err := auth.NewOperators(opsToken)
	require.NoError(t, err)
	who, err := operator.Verify(opsToken)
	require.NoError(t, err)
	require.Equal(t, auth.Operator{Role: auth.Administer}, who)
	require.Equal(t, "operator", who.Actor())

	verify := func(token string) error { return refused(operator, token) }
	requireRefused(t, verify(""), auth.Missing, "required")
	for name, token := range map[string]string{
		"cut":              opsToken[:len(opsToken)-1],
		"longer":           opsToken + "x",
		"in another case":  strings.ToUpper(opsToken),
		"with its scheme":  "Bearer " + opsToken,
		"with white space": opsToken + " ",
		"huge":             strings.Repeat("x", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			requireRefused(t, verify(token), auth.Invalid, "not an operator's")
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
			_, err := auth.NewOperators(test.token)
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "OPS_TOKEN")
		})
	}
}

func TestAnyOfTheOperatorsTokensIsAccepted(t *testing.T) {
	other := strings.Repeat("n", 32)
	operator, err := auth.NewOperators(other, opsToken)
	require.NoError(t, err)
	require.NoError(t, refused(operator, other))
	require.NoError(t, refused(operator, opsToken))
	requireRefused(t, refused(operator, other+","+opsToken), auth.Invalid, "not an operator's")
	_, err = auth.NewOperators(opsToken, "short")
	require.ErrorContains(t, err, "at least 32", "each is as strong as one alone")
}

// refused is the error of a token.
func refused(o *auth.Operators, token string) error {
	_, err := o.Verify(token)
	return err
}

// Each token finds its own operator, also in two processes during a change, and a token that was
// taken out of the entries finds nobody.
func TestOperatorsAreFoundByTheirTokens(t *testing.T) {
	ada, ben := auth.Operator{Name: "ada", Role: auth.Administer}, auth.Operator{Name: "ben.2", Role: auth.Read}
	adas, entry := auth.NewOperatorToken(ada)
	next, replacing := auth.NewOperatorToken(ada)
	bens, other := auth.NewOperatorToken(ben)
	require.NotContains(t, entry, adas)
	require.Len(t, adas, 64)
	found := func(o *auth.Operators, token string) auth.Operator {
		who, err := o.Verify(token)
		require.NoError(t, err)
		return who
	}
	old, err := auth.NewOperators(opsToken)
	require.NoError(t, err)
	all, err := old.With(entry, replacing, other)
	require.NoError(t, err)
	require.Equal(t, ada, found(all, adas))
	require.Equal(t, ada, found(all, next))
	require.Equal(t, ben, found(all, bens))
	require.Equal(t, "operator ben.2", found(all, bens).Actor())
	require.Equal(t, auth.Operator{Role: auth.Administer}, found(all, opsToken))
	requireRefused(t, refused(old, adas), auth.Invalid, "not an operator's")
	requireRefused(t, refused(all, strings.Split(entry, ":")[2]), auth.Invalid, "not an operator's")

	var nobody *auth.Operators
	alone, err := nobody.With(other)
	require.NoError(t, err)
	require.Equal(t, ben, found(alone, bens))
	requireRefused(t, refused(alone, adas), auth.Invalid, "not an operator's")
}

func TestWrongEntriesOfOperatorsAreAllNamed(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	sum := sha256.Sum256([]byte(opsToken))
	operators, err := auth.NewOperators(opsToken)
	require.NoError(t, err)
	_, err = operators.With("ada:administer:"+hash, "Ada:admin:"+hash[1:], "ben", "ada:read:"+strings.Repeat("0b", 32), "ben:read:"+hash,
		"eve:read:"+hex.EncodeToString(sum[:]), "cy:read:my-own-token-of-32-characters-long")
	require.EqualError(t, err, `OPERATORS: entry 2: "Ada" is not an operator's name; use 1 to 32 of a-z, 0-9, _ . and -; "admin" is not a role; use read, moderate, administer; `+
		`the last part is not 64 hexadecimal digits; use the SHA-256 of the token, as lbctl operator prints it
OPERATORS: entry 3: this is not name:role:hash; lbctl operator prints an entry
OPERATORS: entry 4: ada has the role administer in another entry; give all tokens of an operator one role
OPERATORS: entry 5: another entry has the same token; make one for each with lbctl operator
OPERATORS: entry 6: another entry has the same token; make one for each with lbctl operator
OPERATORS: entry 7: the last part is not 64 hexadecimal digits; use the SHA-256 of the token, as lbctl operator prints it`)
	many := make([]string, 101)
	for i := range many {
		_, many[i] = auth.NewOperatorToken(auth.Operator{Name: "ada", Role: auth.Read})
	}
	_, err = operators.With(many...)
	require.ErrorContains(t, err, "101 entries: use up to 100")
	_, err = operators.With(many[1:]...)
	require.NoError(t, err)
	for _, name := range []string{"", strings.Repeat("x", 33), "a b", "Ada", "é"} {
		require.Error(t, auth.ValidOperator(name), name)
	}
}
