// Package webhook knows what a Clerk instance tells by webhook: that a message
// comes from it, and what the message says about players and their
// organizations. It must not know what is done about it, nor where anything is
// kept, nor HTTP beyond three headers.
//
// Messages are delivered by Svix: at least once, in any order, again for days
// after a failure. Whoever acts on them therefore
//
//   - may remember the id of a message, which is the same in each delivery;
//   - must let the newer of two facts stand: every Event says from which moment
//     it is, and a fact from an older moment changes nothing;
//   - must let the deletion of a player stand for ever, since Clerk never gives
//     an id out again.
//
// An effect that keeps to these can be had twice without harm, which is what
// makes a replayed message within the five minutes of tolerance harmless; a
// later replay is refused by its time.
//
// Sources: docs.svix.com, "Verifying webhooks manually"; clerk.com/docs,
// "Webhooks overview".
package webhook
