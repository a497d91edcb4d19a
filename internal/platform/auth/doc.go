// Package auth finds out who is calling: a player with a Clerk session token, an anonymous
// player with a device token, a game server with a signed body, or the operator with a fixed
// token. Package auth/webhook does the same for the Clerk instance itself.
//
// It knows credentials and nothing else: not which caller may do what, and not HTTP statuses
// or headers beyond those it parses. Time and randomness are arguments, so that a moved clock
// moves every decision. It keeps one kind of state between calls: the keys that a Clerk
// instance publishes, if they are not configured. Fetching them is its only I/O. Each
// verifier is safe for concurrent use.
//
// Every refusal is an *Error with a Reason that may be shown to the caller. Secrets are
// compared in constant time, and all of them, even after a match.
//
// # Development tokens
//
// Package devissuer issues session tokens for local use. They always carry an issuer below
// .localhost, and NewSessions refuses to be configured with one. Only devissuer makes the
// verifier that accepts them, through a package below internal/platform/auth that nothing else can
// import, and a test keeps devissuer out of everything that a function links. So no
// configuration of a deployed function makes it accept a development token.
package auth
