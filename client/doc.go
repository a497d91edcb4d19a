// Package client calls Framedle Leaderboards from a game server, or for its
// operator: scores go in, boards, cards and duels come out, and under [Client.Ops]
// is what only the operator may do.
//
//	lb, err := client.New(client.Config{URL: "https://api.example.com", SigningKey: key})
//	result, err := lb.Submit(ctx, client.Submission{Mode: "daily_frame", Player: "user_ana", Score: 800})
//
// Requests are signed over method, path and body. One that nobody answered, or that
// was answered with 408, 429 or a status of 500 or more, is sent again up to two
// times, with the same Idempotency-Key: however often it arrives, it counts once. A
// refusal is a [*Problem], anything else that went wrong with the network a
// [*NoAnswerError].
//
// It imports the standard library alone. It must not know what a score means, and
// keeps nothing but connections.
package client
