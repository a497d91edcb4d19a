package auth_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

func ExampleBearer() {
	token, ok := auth.Bearer("Bearer abc.def.ghi")
	fmt.Println(token, ok)
	_, ok = auth.Bearer("Basic dXNlcjpwYXNz")
	fmt.Println(ok)
	// Output:
	// abc.def.ghi true
	// false
}

// A game server signs method, path and the exact bytes of the body; the product
// verifies them before it reads them.
func ExampleSignatures_Verify() {
	const key = "a-signing-key-of-32-or-more-characters"
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	sent := auth.Request{Method: "POST", Path: "/v1/scores", Body: []byte(`{"mode":"daily_frame","player":"user_a","score":800}`)}
	header := auth.SignRequest(key, now, sent)

	signatures, err := auth.NewSignatures([]string{key}, func() time.Time { return now.Add(time.Minute) })
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := signatures.Verify(header, sent)
	fmt.Println(server.Bound, err)
	sent.Path = "/v1/scores/batch"
	_, err = signatures.Verify(header, sent)
	fmt.Println(err)
	// Output:
	// true <nil>
	// the signature does not match method, path and body
}

func ExampleError() {
	operators, err := auth.NewOperators("an-operators-token-of-32-characters")
	if err != nil {
		fmt.Println(err)
		return
	}
	var refused *auth.Error
	if _, err := operators.Verify("guess"); errors.As(err, &refused) {
		fmt.Println(refused.Code, "-", refused.Reason)
	}
	// Output:
	// invalid - this is not an operator's token
}
