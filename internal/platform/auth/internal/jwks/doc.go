// Package jwks has the keys that a Clerk instance publishes: it reads a JSON Web Key Set (RFC
// 7517), fetches it, and caches it. It must not know what the keys are used for: tokens and
// their claims belong to package session.
//
// A known key costs no network. An unknown kid may have been published a moment ago, so it is
// worth a fetch. But anybody can write any kid into a token, so the number of fetches is
// bounded:
//
//   - at most one fetch runs, and every caller that needs one waits for it;
//   - at most one begins in 30 seconds, or in 2 while there are no keys at all;
//   - a kid that a fetch did not find causes no further fetch for two minutes,
//     though a fetch for another kid may find it.
//
// A set is fetched again in the background once it is an hour old. So a key that the instance
// has withdrawn is forgotten, and a new key is known before the old one is withdrawn. If the
// fetch fails, the known keys are used until they are a day old.
package jwks
