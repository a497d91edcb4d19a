// Package auth answers who is calling: a player with a Clerk session token, a
// game server with a signed body, or the operator with a fixed token.
//
// It knows credentials and nothing else: not which caller may do what, not
// HTTP statuses or headers beyond the two it parses, not where keys come from.
// It does no I/O, keeps no state between calls and takes the time from a
// function handed in, so that a moved clock rules every decision. Each
// verifier is safe for concurrent use.
//
// Every refusal is an *Error whose Reason may be shown to the caller.
//
// # Development tokens
//
// Package devissuer issues session tokens for local use. They always carry an
// issuer below .localhost, and NewSessions refuses to be configured with one.
// The verifier that accepts them is made by devissuer alone, through a package
// below internal/auth that nothing else can import, and a test keeps devissuer
// out of everything a function links. No configuration of a deployed function
// can therefore make it accept a development token.
package auth
