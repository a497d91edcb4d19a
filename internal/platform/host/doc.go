// Package host runs one http.Handler, or one scheduled function, on whatever
// machine it finds itself: AWS Lambda (HTTP API and Function URL events, payload
// format 2.0), or a plain HTTP server (Cloud Run and anything else that sets
// PORT). A function for the messages of a queue runs on Lambda alone.
//
// It knows event shapes, request ids, server limits and what to answer when a
// handler panics. It must not know games, boards, Redis or any route: those are
// in the handler it is given. Handlers see no difference between hosts:
//
//   - RemoteAddr holds the caller's address, whatever proxy stood in between.
//   - the header X-Request-Id holds the host's own id, never the client's; every
//     answer has it too, and X-Content-Type-Options: nosniff.
//   - the context carries the deadline.
//
// Start-up time is part of this package's contract, so it imports the standard
// library, aws-lambda-go's runtime loop and package trace, and nothing else.
package host
