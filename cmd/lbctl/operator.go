package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

const operatorLong = `Makes a token for the operator NAME, and prints it with the entry for OPERATORS, which
has its hash. The token is shown once and stored nowhere: give it to the operator, who
sends it as OPS_TOKEN is sent. It works when the entry is deployed, and is revoked by
deploying without the entry.

ROLE is what the operator may do: read; moderate, which is also bans, scores, badges
and plays under review; or administer, which is everything.

Exit status: 0 done, 2 failed.
`

func operatorCommand(c console) *cobra.Command {
	cmd, _ := define("operator NAME ROLE", "make an operator's token", operatorLong, 2)
	return does(cmd, func(_ context.Context, plain []string) (int, error) {
		if len(plain) < 2 {
			return statusFailed, errors.New("missing NAME and ROLE, such as lbctl operator ada moderate")
		}
		role, roleErr := auth.RoleOf(plain[1])
		if err := errors.Join(auth.ValidOperator(plain[0]), roleErr); err != nil {
			return statusFailed, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
		}
		token, entry := auth.NewOperatorToken(auth.Operator{Name: plain[0], Role: role})
		_, err := fmt.Fprintf(c.stdout, "token of %s, shown once:  %s\nentry for OPERATORS:  %s\n", plain[0], token, entry)
		return statusGood, err
	})
}
