// Package jwks knows the keys that a Clerk instance publishes: it reads a JSON
// Web Key Set (RFC 7517), fetches it, and keeps it. It must not know what the
// keys are good for: tokens and their claims belong to package session.
//
// Keys that are known cost no network. A kid that is not known may have been
// published a moment ago, so it is worth a fetch; but anybody can write any
// kid into a token, so fetches are few by construction:
//
//   - at most one is under way, and whoever needs it waits for that one;
//   - at most one begins in 30 seconds, or in 2 while there are no keys at all;
//   - a kid that a fetch was made for in vain is not asked about again for two
//     minutes, though another fetch may bring it.
//
// A set is fetched again in the background once it is an hour old, so that a
// key which the instance has withdrawn is forgotten, and a new one is known
// before the old one goes. When that fails the known keys go on serving until
// they are a day old.
package jwks
