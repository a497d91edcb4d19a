package gamefile_test

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/gamefile"
)

func ExampleParse() {
	g, err := gamefile.Parse("games/tiny.yaml", []byte(`
name: tiny
modes:
  score: {max: 10}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Name, g.Day, g.Modes[0].Name, g.Modes[0].Policy)
	// Output: tiny utc score first
}

func ExampleParse_wrong() {
	_, err := gamefile.Parse("games/tiny.yaml", []byte(`
name: tiny
modes:
  score: {max: 10, policy: frist}
  times: {max: 99.95}
`))
	fmt.Println(err)
	// Output:
	// games/tiny.yaml:4: modes.score.policy: "frist" is not a policy; use first, best, latest or sum
	// games/tiny.yaml:5: modes.times.max: "99.95" is not a number of this kind; use a whole number within 2^53
}
