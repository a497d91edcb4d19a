// Package webhook verifies messages of a Clerk instance, and reads what they say of players
// and their organizations. It must not know what is done about them, where anything is
// stored, or HTTP beyond three headers.
//
// Svix delivers the messages: at least once, in any order, and again for days after a
// failure. Code that acts on them therefore
//
//   - may remember the id of a message, which is the same in each delivery;
//   - must let the newer of two facts win: every Event has the moment from which
//     it holds, and a fact from an older moment changes nothing;
//   - must let the deletion of a player stand for ever, since Clerk never gives
//     an id out again.
//
// An effect that follows these rules may happen twice without harm. So a message that is
// replayed within the five minutes of tolerance is harmless; a later replay is refused
// because of its time.
//
// Sources: docs.svix.com, "Verifying webhooks manually"; clerk.com/docs, "Webhooks overview".
package webhook
