// Package lifecycle has what happens to scores and players after they are written, as far as it
// needs Redis alone, so that functions without a database can do it too:
//
//   - close_*.go, roll_up.go: a closed day is read whole, handed to the archive, taken into XP
//     and streaks, and added to the boards that outlive it;
//   - remove*.go, repair*.go: scores and players are removed, players banned, and what rolled-up
//     days have given them is worked out again, entry by entry;
//   - claim*.go: what a device has played moves to its owner;
//   - restore_*.go: what Redis has lost is put back. A day that players have played since is
//     merged with theirs, so that no play is lost and none counts twice;
//   - port.go: the interfaces by which features take part in all this. The product has one list
//     of features, and each step runs through it in that order.
//
// Package closing has the schedules and brings in the archive. Package lifecycle must not know
// SQL, HTTP or any feature.
package lifecycle
