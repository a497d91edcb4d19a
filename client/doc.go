// Package client calls Framedle Leaderboards from a game server, or for its operator. It sends
// scores, reads boards, cards and duels, and under [Client.Ops] does what only the operator
// may do.
//
//	lb, err := client.New(client.Config{URL: "https://api.example.com", SigningKey: key})
//	result, err := lb.Submit(ctx, client.Submission{Mode: "daily_frame", Player: "user_ana", Score: 800})
//
// Requests are signed over method, path and body. A request without an answer, or with status
// 408, 429, or 500 and above, is sent again up to two times with the same Idempotency-Key:
// however often it arrives, it counts once. A refusal is a [*Problem], any other failure a
// [*NoAnswerError].
//
// The package imports only the standard library. It does not know what a score means, and
// keeps nothing but connections.
package client
